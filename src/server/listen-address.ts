import { createServer } from 'node:net';
import type { Config } from '../platform/config.ts';

/** An address that belongs to this process until it's released to whatever listens there next. */
export interface ClaimedAddress {
  url: string;
  release(): Promise<void>;
}

/**
 * Takes the port before anything is created, so that a start that can't listen changes nothing. With `PORT=0` it also
 * has to be known before the routes are made, for the links in messages.
 */
export async function claimAddress(config: Pick<Config, 'host' | 'port'>): Promise<ClaimedAddress> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(config.port, config.host, resolve),
  );
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  let released: Promise<void> | undefined;
  return {
    url: `http://${host}:${address.port}`,
    release: () => (released ??= new Promise((resolve) => server.close(() => resolve()))),
  };
}

/** Whether a host stands for every address of the machine, which no one can open. */
export function isWildcard(host: string): boolean {
  const url = URL.parse(`http://${host.includes(':') ? `[${host}]` : host}`);
  return url?.hostname === '0.0.0.0' || url?.hostname === '[::]';
}

/** Where someone on this machine opens the server. */
export function openableUrl(url: string): string {
  const { hostname, port } = new URL(url);
  return isWildcard(hostname.replace(/^\[|\]$/g, '')) ? `http://localhost:${port || '80'}` : url;
}

/** The embedded agent reaches its own server, wherever that listens. */
export function loopbackUrl(url: string): string {
  const { hostname, port } = new URL(url);
  const host = hostname === '0.0.0.0' ? '127.0.0.1' : hostname === '[::]' ? '[::1]' : hostname;
  return `http://${host}:${port}`;
}
