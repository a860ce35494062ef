import { createServer } from 'node:net';
import type { Config } from '../platform/config.ts';

/** With `PORT=0` the port has to be known before the routes are made, for the links in messages. */
export async function chooseAddress(config: Pick<Config, 'host' | 'port'>): Promise<string> {
  const port = config.port === 0 ? await freePort(config.host) : config.port;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return `http://${host}:${port}`;
}

async function freePort(host: string): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** The embedded agent reaches its own server, wherever that listens. */
export function loopbackUrl(url: string): string {
  const { hostname, port } = new URL(url);
  const host = hostname === '0.0.0.0' ? '127.0.0.1' : hostname === '[::]' ? '[::1]' : hostname;
  return `http://${host}:${port}`;
}
