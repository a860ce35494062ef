import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { readLimited } from './read-limited.ts';

/** Where a command reads and writes. Tests bring their own. */
export interface CliIo {
  stdout(text: string): void;
  stderr(text: string): void;
  /** Whether a person looks at the result, and types. */
  isOutputTerminal: boolean;
  isInputTerminal: boolean;
  /** Whether a person sees what is written beside the result, such as progress. */
  isErrorTerminal: boolean;
  hasColor: boolean;
  /** Width of the terminal in cells; null when there is none. */
  columns: number | null;
  readStdin(): Promise<string>;
  ask(question: string): Promise<string>;
  /** Shows nothing of what is typed. */
  askHidden(question: string): Promise<string>;
  /** Ends commands that would go on for ever. */
  signal: AbortSignal;
}

export function processIo(env: NodeJS.ProcessEnv): CliIo {
  const { stdin, stdout, stderr } = process;
  // Who reads no further, such as `head`, has what they wanted.
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
  // Ctrl-C ends the command, as everywhere.
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
