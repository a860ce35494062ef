import { createServer } from 'node:net';
import { type Config, ConfigError } from '../platform/config.ts';

/** A port that this process reserves until the server is ready to listen on it. */
export interface ReservedAddress {
  url: string;
  release(): Promise<void>;
}

/**
 * Reserves the port before anything is created, so that a start that can't listen changes nothing. With
 * `PORT=0`, the port must also be known before the routes are registered, because links in messages contain
 * it.
 */
export async function reserveListenAddress(config: Pick<Config, 'host' | 'port'>): Promise<ReservedAddress> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) =>
    server
      .once('error', (error) => reject(explainName(error, config.host)))
      .listen(config.port, config.host, resolve),
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

/** Explains a name that can't be resolved. csh and Conda set `HOST` to the name of a machine or a platform. */
function explainName(error: Error, host: string): Error {
  if (!('syscall' in error) || error.syscall !== 'getaddrinfo') return error;
  return new ConfigError([
    `HOST: given "${host}", which isn't a name or address of this machine. Another tool can have set it. Set HOST to 127.0.0.1, or to 0.0.0.0 or :: for all addresses.`,
  ]);
}

/** True if a host means all addresses of the machine, which isn't a valid host in a link. */
export function isWildcard(host: string): boolean {
  const url = URL.parse(`http://${host.includes(':') ? `[${host}]` : host}`);
  return url?.hostname === '0.0.0.0' || url?.hostname === '[::]';
}

/** Returns the URL at which a user of this machine can open the server. */
export function browserUrl(url: string): string {
  const { hostname, port } = new URL(url);
  return isWildcard(hostname.replace(/^\[|\]$/g, '')) ? `http://localhost:${port || '80'}` : url;
}

/** Returns the URL at which the embedded agent can reach its server, for any listen address. */
export function loopbackUrl(url: string): string {
  const { hostname, port } = new URL(url);
  const host = hostname === '0.0.0.0' ? '127.0.0.1' : hostname === '[::]' ? '[::1]' : hostname;
  return `http://${host}:${port}`;
}
