import type { CliIo } from '../../src/cli/cli-io.ts';
import { runCli } from '../../src/cli/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

export interface CommandOptions {
  env?: Record<string, string>;
  stdin?: string;
  /** Simulates a terminal where a user enters these inputs in order. */
  answers?: string[];
  columns?: number;
  /** True if standard error is a terminal. Progress appears only on a terminal. */
  hasErrorTerminal?: boolean;
  signal?: AbortSignal;
  /** Called with each prompt. */
  onQuestion?(question: string): void;
  /** Called with the complete standard output so far. */
  onOutput?(stdout: string): void;
  /** Called with the complete standard error so far. */
  onError?(stderr: string): void;
}

/** Runs `pacekeeper ARGS` in this process, with an empty home directory. */
export async function runCommand(
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const [name = '', ...argv] = args;
  const { answers, columns, signal, onOutput } = options;
  const isTerminal = answers !== undefined;
  const open = [...(answers ?? [])];
  const answer = async (question: string) => {
    options.onQuestion?.(question);
    const next = open.shift();
    if (next === undefined) throw new Error('the command asked more than it should');
    return next;
  };
  let stdout = '';
  let stderr = '';
  const env = { XDG_CONFIG_HOME: temporaryFolder(), ...options.env };
  const io: CliIo = {
    stdout(text) {
      stdout += text;
      onOutput?.(stdout);
    },
    stderr(text) {
      stderr += text;
      options.onError?.(stderr);
    },
    isOutputTerminal: isTerminal,
    isInputTerminal: isTerminal,
    isErrorTerminal: options.hasErrorTerminal ?? false,
    hasColor: false,
    columns: columns ?? null,
    readStdin: async () => options.stdin ?? '',
    ask: answer,
    askHidden: answer,
    signal: signal ?? new AbortController().signal,
  };
  const code = await runCli(name, argv, env, { io });
  return { code, stdout, stderr };
}
