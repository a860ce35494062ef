import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { readLimited } from './read-limited.ts';

/** Input and output of a command. Tests provide an implementation. */
export interface CliIo {
  stdout(text: string): void;
  stderr(text: string): void;
  /** True if the output goes to a terminal. `isInputTerminal` is the equivalent for the input. */
  isOutputTerminal: boolean;
  isInputTerminal: boolean;
  /** True if messages that aren't part of the result, such as progress, go to a terminal. */
  isErrorTerminal: boolean;
  hasColor: boolean;
  /** Width of the terminal in cells. Null without a terminal. */
  columns: number | null;
  readStdin(): Promise<string>;
  ask(question: string): Promise<string>;
  /** Prompts without showing the typed text. */
  askHidden(question: string): Promise<string>;
  /** Signal that ends commands which otherwise run indefinitely. */
  signal: AbortSignal;
}

export function processIo(env: NodeJS.ProcessEnv): CliIo {
  const { stdin, stdout, stderr } = process;
  // The reader of the output, such as `head`, can close the pipe early. That isn't an error.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  return {
    stdout: (output) => void stdout.write(output),
    stderr: (output) => void stderr.write(output),
    isOutputTerminal: stdout.isTTY,
    isInputTerminal: stdin.isTTY,
    isErrorTerminal: stderr.isTTY,
    hasColor: stdout.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
    columns: stdout.isTTY ? stdout.columns : null,
    readStdin: async () => new TextDecoder().decode(await readLimited(stdin, 'standard input')),
    ask: (question) => prompt(question, stderr),
    async askHidden(question) {
      stderr.write(question);
      const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
      return prompt('', nowhere).finally(() => stderr.write('\n'));
    },
    signal: new AbortController().signal,
  };
}

async function prompt(question: string, output: NodeJS.WritableStream): Promise<string> {
  const line = createInterface({ input: process.stdin, output, terminal: true });
  // Ctrl-C must end the command, but readline intercepts it.
  line.on('SIGINT', () => {
    line.close();
    process.kill(process.pid, 'SIGINT');
  });
  try {
    return await line.question(question);
  } finally {
    line.close();
  }
}
