import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { TestProject } from 'vitest/node';
import {
  connectDatabase,
  type EmbeddedPostgres,
  migrateDatabase,
  type PostgresAddress,
  startEmbeddedPostgres,
  stopAbandonedPostgres,
} from '../../src/platform/database/index.ts';
import { servingPid, takeServeLock } from '../../src/platform/database/serve-lock.ts';
import { createLog, createSilentLog } from '../../src/platform/log.ts';
import { fastFolder } from './temporary-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The Unix socket that answers with the address of the cluster, as JSON. */
    testClusterSocket: string;
  }
}

/** The migrated database that every test database is a copy of. */
export const templateDatabase = 'pacekeeper_template';

const folderPrefix = 'pacekeeper-test-';

/**
 * One PostgreSQL for a test run. It starts when the first test asks for a database, so that tests of pure code do
 * not wait for it, and it belongs to the main process, so that it outlives the worker that asked first.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(fastFolder, folderPrefix));
  takeServeLock(folder);
  let starting: Promise<Cluster> | undefined;
  const server = createServer((socket) => {
    starting ??= startCluster(folder);
    starting.then(
      (cluster) => socket.end(JSON.stringify(cluster.address)),
      (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
    );
  });
  const socketPath = join(folder, 'ask');
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  project.provide('testClusterSocket', socketPath);

  return async () => {
    server.close();
    const cluster = await starting?.catch(() => undefined);
    await cluster?.postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

interface Cluster {
  postgres: EmbeddedPostgres;
  address: PostgresAddress;
}

async function startCluster(folder: string): Promise<Cluster> {
  await removeAbandonedClusters();
  // PostgreSQL's own user has to pass through, when the tests run as root.
  await chmod(folder, 0o711);
  const log = createLog({ level: 'error', format: null });
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'data'),
    log,
    forTests: { fsync: false },
  });
  const admin = await connectDatabase({
    connection: postgres.connection,
    log: createSilentLog(),
    poolSize: 1,
  });
  await sql`CREATE DATABASE ${sql.id(templateDatabase)}`.execute(admin);
  await admin.destroy();
  const template = await connectDatabase({
    connection: { ...postgres.connection, database: templateDatabase },
    log: createSilentLog(),
    poolSize: 1,
  });
  await migrateDatabase(template);
  await template.destroy();
  return { postgres, address: postgres.connection };
}

/** What test runs that were killed have left. Others that live now keep theirs. */
async function removeAbandonedClusters(): Promise<void> {
  for (const name of readdirSync(fastFolder)) {
    const folder = join(fastFolder, name);
    const isAbandoned =
      name.startsWith(folderPrefix) &&
      existsSync(join(folder, 'serve.lock')) &&
      servingPid(folder) === undefined;
    if (isAbandoned && (await stopAbandonedPostgres(join(folder, 'data'))))
      rmSync(folder, { recursive: true, force: true });
  }
}
