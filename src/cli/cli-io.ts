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
  /** Aborted when the output can no longer be written. Only commands that do nothing but print stop in that case. */
  outputClosed?: AbortSignal;
}

export function processIo(env: NodeJS.ProcessEnv): CliIo {
  const { stdin, stdout, stderr } = process;
  const closing = new AbortController();
  // A reader such as `head` can close the pipe early, and a disk can be full. In both cases, the command still does its
  // work, and its exit code reflects the result of that work.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (closing.signal.aborted) return;
    closing.abort();
    if (error.code !== 'EPIPE') stderr.write(`Can't write the output: ${error.message}\n`);
  });
  stderr.on('error', () => undefined);
  return {
    stdout: (output) => void (closing.signal.aborted || stdout.write(output)),
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
    outputClosed: closing.signal,
  };
}

async function prompt(question: string, output: NodeJS.WritableStream): Promise<string> {
  const line = createInterface({ input: process.stdin, output, terminal: true });
  // readline intercepts Ctrl-C, so end the command explicitly.
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
