import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import path from 'node:path';
import type { PostgresAddress } from '../../src/platform/database/index.ts';

export interface CuttingProxy {
  /** Address of the database through the proxy. */
  connection: PostgresAddress;
  /**
   * Cuts all connections immediately, regardless of their state.
   * @returns The number of connections.
   */
  cut(): number;
  /**
   * Discards the bytes of both sides until the next cut, without closing the connections. New connections are accepted
   * and get no response either.
   */
  silence(): void;
  close(): Promise<void>;
}

/** Starts a proxy that simulates network failures between a server and its PostgreSQL. */
export async function startCuttingProxy({ host, port, ...rest }: PostgresAddress): Promise<CuttingProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isSilent = false;
  const server = createServer((client) => {
    const upstream = createConnection(path.join(host, `.s.PGSQL.${port}`));
    const pair = [client, upstream] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [upstream, client] as const]) {
      if (isSilent) from.resume();
      else from.pipe(to);
      from.on('error', () => to.destroy()).on('close', () => (pairs.delete(pair), to.destroy()));
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    connection: { ...rest, host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    cut() {
      isSilent = false;
      const cut = [...pairs];
      for (const [client, upstream] of cut) {
        client.resetAndDestroy();
        upstream.destroy();
      }
      return cut.length;
    },
    silence() {
      isSilent = true;
      for (const [client, upstream] of pairs) {
        client.unpipe(upstream).resume();
        upstream.unpipe(client).resume();
      }
    },
    async close() {
      for (const [client, upstream] of pairs) {
        client.destroy();
        upstream.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
