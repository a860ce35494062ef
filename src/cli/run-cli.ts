import { Command, CommanderError } from 'commander';
import { describeError, exitCodeOf, exitCodes } from './cli-error.ts';
import { type CliIo, processIo } from './cli-io.ts';
import { cliCommands } from './command-list.ts';
import { connect } from './connect.ts';
import { visible } from './output/print-result.ts';

/** `pacekeeper NAME ARGUMENTS…` for the commands of `cliCommands`. Answers the exit code. */
export async function runCli(
  name: string,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  io: CliIo = processIo(env),
): Promise<number> {
  const listed = cliCommands[name]!;
  const define = await listed.load();
  const command = new Command(`pacekeeper ${name}`)
    .description(listed.summary)
    .helpOption('-h, --help', 'Show help')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout(text),
      writeErr: (text) => io.stderr(text),
      outputError: (text, write) => write(`pacekeeper ${name}: ${text.replace(/^error: /, '')}`),
      getOutHelpWidth: () => io.columns ?? 100,
      getErrHelpWidth: () => io.columns ?? 100,
      getOutHasColors: () => io.hasColor,
      getErrHasColors: () => false,
    });
  define(command, { env, io, connect: (options) => connect(options, env, io) });
  try {
    await command.parseAsync([...argv], { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    // Its sentence is written already; asking for help is no mistake.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    if (io.signal.aborted && error === io.signal.reason) return exitCodes.done;
    io.stderr(visible(`pacekeeper ${name}: ${describeError(error)}\n`));
    return exitCodeOf(error);
  }
}
