import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { temporaryFolder } from '../temporary-folder.ts';

export const hasTinyproxy = spawnSync('tinyproxy', ['-v']).status === 0;

export interface ForwardProxy {
  /** Proxy URL with the username and password. */
  url: string;
  port: number;
  /** Returns the targets of all CONNECT requests in order, such as `127.0.0.1:443`. */
  targets(): string[];
  close(): Promise<void>;
}

/** Starts a real proxy (tinyproxy) that requires a username and password. */
export async function startForwardProxy(): Promise<ForwardProxy> {
  const folder = temporaryFolder();
  const log = path.join(folder, 'log');
  const port = await freePort();
  const lines = [
    `Port ${port}`,
    'Listen 127.0.0.1',
    'Timeout 60',
    'LogLevel Connect',
    `LogFile "${log}"`,
    'BasicAuth pacekeeper p_ss',
  ];
  writeFileSync(path.join(folder, 'conf'), `${lines.join('\n')}\n`);
  writeFileSync(log, '');
  const child = spawn('tinyproxy', ['-d', '-c', path.join(folder, 'conf')], { stdio: 'ignore' });
  await untilListening(port, child);
  return {
    url: `http://pacekeeper:p%5Fss@127.0.0.1:${port}`,
    port,
    targets: () =>
      [...readFileSync(log, 'utf8').matchAll(/Request \(file descriptor \d+\): CONNECT (\S+) HTTP/g)].map(
        ([, target = '']) => target,
      ),
    close: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill();
      }),
  };
}

/**
 * Starts a TLS listener that forwards to a plain TCP server on 127.0.0.1.
 * @returns The port, and a function that closes the listener.
 */
export async function startTlsFront(
  plainPort: number,
  credentials: { key: string; cert: string },
): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<{ destroy(): unknown }>();
  const server = createTlsServer(credentials, (socket) => {
    const plain = connect(plainPort, '127.0.0.1');
    for (const each of [socket, plain])
      sockets.add(each.on('error', () => {}).on('close', () => sockets.delete(each)));
    socket.pipe(plain).pipe(socket);
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    port: address.port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1')
        .once('connect', () => resolve(true))
        .once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isOpen) return;
    if (child.exitCode !== null) throw new Error(`tinyproxy ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
