import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import {
  connectDatabase,
  type EmbeddedPostgres,
  migrateDatabase,
  type PostgresAddress,
  startEmbeddedPostgres,
  stopAbandonedPostgres,
} from '../../../src/platform/database/index.ts';
import { servingPid } from '../../../src/platform/database/serve-lock.ts';
import { createLog, createSilentLog } from '../../../src/platform/log.ts';
import { fastestTemporaryFolder } from '../temporary-folder.ts';
import { ensureWebPage } from '../web-page.ts';
import { countStart } from './count-starts.ts';

/** Resources that all test files of a run share. */
export interface RunResources {
  /** Address of the PostgreSQL server for all test databases. */
  cluster: PostgresAddress;
  /** Data directory with an initialized and migrated embedded database, which `initializedFolder` copies. */
  dataFolder: string;
  /** File that starts the program, built as for the npm package, because that starts twice as fast as the sources. */
  program: string;
}

/** Migrated database from which every test database is copied. */
export const templateDatabase = 'pacekeeper_template';

export const runFolderPrefix = 'pacekeeper-test-';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Creates the resources of a run in `folder`, each when it is first requested. */
export function createRunResources(folder: string) {
  const requested = new Map<string, Promise<unknown>>();
  let postgres: EmbeddedPostgres | undefined;
  const builders: { [Name in keyof RunResources]: () => Promise<RunResources[Name]> } = {
    async cluster() {
      postgres = await startCluster(folder);
      return postgres.connection;
    },
    dataFolder: () => createDataFolder(path.join(folder, 'initialized')),
    program: () => buildProgram(folder),
  };
  return {
    get(name: string): Promise<unknown> {
      let resource = requested.get(name);
      if (!resource) {
        const builder = builders[name as keyof RunResources];
        resource = builder ? builder() : Promise.reject(new Error('This resource is unknown.'));
        requested.set(name, resource);
      }
      return resource;
    },
    async close(): Promise<void> {
      await Promise.allSettled(requested.values());
      await postgres?.stop();
    },
  };
}

async function startCluster(folder: string): Promise<EmbeddedPostgres> {
  await removeAbandonedClusters();
  const postgres = await startPostgres(path.join(folder, 'data'));
  const admin = await connectDatabase({
    connection: postgres.connection,
    log: createSilentLog(),
    poolSize: 1,
  });
  await sql`CREATE DATABASE ${sql.id(templateDatabase)}`.execute(admin);
  await admin.destroy();
  await migrate({ ...postgres.connection, database: templateDatabase });
  countStart('databases');
  return postgres;
}

async function createDataFolder(dataDir: string): Promise<string> {
  const postgres = await startPostgres(dataDir);
  await migrate(postgres.connection).finally(() => postgres.stop());
  return dataDir;
}

function startPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({
    dataDir,
    log: createLog({ level: 'error', format: null }),
    forTests: { fsync: false },
  });
}

async function migrate(connection: PostgresAddress): Promise<void> {
  const db = await connectDatabase({ connection, log: createSilentLog(), poolSize: 1 });
  await migrateDatabase(db).finally(() => db.destroy());
}

/** Removes the directories of test runs that were killed, but not those of test runs that are still running. */
async function removeAbandonedClusters(): Promise<void> {
  for (const name of readdirSync(fastestTemporaryFolder)) {
    const folder = path.join(fastestTemporaryFolder, name);
    const isAbandoned =
      name.startsWith(runFolderPrefix) &&
      existsSync(path.join(folder, 'serve.lock')) &&
      servingPid(folder) === undefined;
    if (isAbandoned && (await stopAbandonedPostgres(path.join(folder, 'data'))))
      rmSync(folder, { recursive: true, force: true });
  }
}

async function buildProgram(folder: string): Promise<string> {
  // Packaging copies the web page, which another test file might be building, so wait for that build.
  await ensureWebPage();
  const out = path.join(folder, 'program');
  mkdirSync(out);
  // Node.js resolves the packages that aren't bundled through this link.
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  await promisify(execFile)(process.execPath, [path.join(root, 'scripts/package.ts'), '--out', out]);
  return path.join(out, 'pacekeeper.mjs');
}
