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
import { fastFolder } from '../temporary-folder.ts';
import { ensureWebPage } from '../web-page.ts';
import { countStart } from './count-starts.ts';

/** Resources that all test files of a run share. */
export interface RunResources {
  /** Address of the PostgreSQL server for all test databases. */
  cluster: PostgresAddress;
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
  const postgres = await startEmbeddedPostgres({
    dataDir: path.join(folder, 'data'),
    log: createLog({ level: 'error', format: null }),
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
  countStart('databases');
  return postgres;
}

/** Removes the directories of test runs that were killed, but not those of test runs that are still running. */
async function removeAbandonedClusters(): Promise<void> {
  for (const name of readdirSync(fastFolder)) {
    const folder = path.join(fastFolder, name);
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
