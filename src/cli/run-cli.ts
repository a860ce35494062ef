import { CommanderError } from 'commander';
import { escapeControls } from '../domain/text/visible-controls.ts';
import { buildCommand } from './build-command.ts';
import { describeError, exitCodeOf, exitCodes } from './cli-error.ts';
import { type CliIo, processIo } from './cli-io.ts';
import type { CommandNode } from './command-tree.ts';
import { connect } from './connect.ts';

export interface CliOptions {
  io?: CliIo;
  /** Returns the commands that don't use the API. Completion includes them. */
  operatorCommands?: () => Promise<readonly CommandNode[]>;
}

/** Runs `pacekeeper NAME ARGUMENTS…` for a command of `cliCommands`. Returns the exit code. */
export async function runCli(
  name: string,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  { io = processIo(env), operatorCommands = async () => [] }: CliOptions = {},
): Promise<number> {
  const command = await buildCommand(name, {
    env,
    io,
    operatorCommands,
    connect: (options) => connect(options, env, io),
  });
  try {
    await command.parseAsync([...argv], { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    // Commander has already written the message, and showing help isn't an error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    if (io.signal.aborted && error === io.signal.reason) return exitCodes.done;
    io.stderr(escapeControls(`pacekeeper ${name}: ${describeError(error)}\n`));
    return exitCodeOf(error);
  }
}
