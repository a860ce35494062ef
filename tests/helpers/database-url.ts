import type { PostgresAddress } from '../../src/platform/database/index.ts';

/**
 * Returns the `DATABASE_URL` of a test database, which connects through the Unix socket or through a proxy
 * that listens on loopback.
 */
export function databaseUrl(address: PostgresAddress, proxy: { port: number } | null = null): string {
  const { host, port, user, password, database } = address;
  const at = proxy ? `127.0.0.1:${proxy.port}` : `localhost:${port}`;
  const url = new URL(`postgres://${user}:${password}@${at}/${database}`);
  if (proxy === null) url.searchParams.set('host', host);
  return url.href;
}
