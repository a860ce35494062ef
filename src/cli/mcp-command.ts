import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import packageJson from '../../package.json' with { type: 'json' };
import { createAssistantServer } from '../assistant/assistant-server.ts';
import { addConnectionOptions, type CliCommand } from './cli-command.ts';
import type { ConnectionOptions } from './connect.ts';

/**
 * `mcp`: serves read-only tools for assistants with the Model Context Protocol on standard input and output, until the
 * input ends. Only messages of the protocol are written to standard output.
 */
export const mcpCommand: CliCommand = (command, { io, connect }) => {
  addConnectionOptions(command).action(async (options: ConnectionOptions) => {
    const { api, server } = await connect(options);
    if (io.isInputTerminal)
      io.stderr(
        `Waiting for an assistant on standard input. To set one up, see ${server}/docs/assistants.\n`,
      );
    // The transport drops running calls when its input ends, so it gets an input that doesn't end.
    const input = process.stdin.pipe(new PassThrough(), { end: false });
    const transport = new StdioServerTransport(input);
    serveStdio(() => createAssistantServer({ api, server }, packageJson.version), { transport });
    const closed = new Promise<void>((resolve) => {
      const { onclose } = transport;
      transport.onclose = () => {
        onclose?.();
        resolve();
      };
      io.outputClosed?.addEventListener('abort', () => resolve(), { once: true });
    });
    const ended = Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close')]);
    // Calls that are still running respond after the input ends. The process ends after the last response.
    await Promise.race([closed, ended]);
    process.stdin.destroy();
  });
};
