import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { CliIo } from '../../src/cli/cli-io.ts';
import { runCli } from '../../src/cli/run-cli.ts';
import { temporaryFolder } from './temporary-folder.ts';

const client = fileURLToPath(new URL('send-command.mjs', import.meta.url));

export interface CommandServer {
  /** Shell function that runs a command of the CLI in this process. */
  shellFunction: string;
  close(): Promise<void>;
}

/**
 * Runs commands of the CLI for scripts that run in `folder`. Starting the program takes several times as long as most
 * commands, so commands run in this process, and only their input and output are passed on.
 */
export async function serveCommands(folder: string): Promise<CommandServer> {
  const before = process.cwd();
  // The names of files on the command line are relative to the directory of the script.
  process.chdir(folder);
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    void runFor(socket, folder);
  });
  const socketPath = path.join(temporaryFolder(), 'commands');
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  const words = [process.execPath, client, socketPath].map((word) => JSON.stringify(word)).join(' ');
  return {
    shellFunction: `pacekeeper() { ${words} "$@"; }`,
    async close() {
      process.chdir(before);
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Request {
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
}

async function runFor(socket: Socket, folder: string): Promise<void> {
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  const receive = async () => JSON.parse((await lines.next()).value as string) as unknown;
  const send = (message: object) => void socket.write(`${JSON.stringify(message)}\n`);
  const { args, cwd, env } = (await receive()) as Request;
  const [name = '', ...argv] = args;
  if (cwd !== folder) throw new Error(`The script left ${folder}, so ${name} doesn't find its files.`);
  const noPrompt = () => Promise.reject(new Error('A script has no terminal for prompts.'));
  const io: CliIo = {
    stdout: (stdout) => send({ stdout }),
    stderr: (stderr) => send({ stderr }),
    isOutputTerminal: false,
    isInputTerminal: false,
    isErrorTerminal: false,
    hasColor: false,
    columns: null,
    async readStdin() {
      send({ isReading: true });
      return ((await receive()) as { stdin: string }).stdin;
    },
    ask: noPrompt,
    askHidden: noPrompt,
    signal: new AbortController().signal,
  };
  send({ code: await runCli(name, argv, env, { io }) });
}
