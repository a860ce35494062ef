import { parentPort, workerData } from 'node:worker_threads';
import {
  type ConnectionTarget,
  connectDatabase,
  type Database,
  isDatabaseUnavailable,
} from '../../../platform/database/index.ts';
import { endMessage } from '../../../platform/end-thread.ts';
import { createLog, type LogOptions } from '../../../platform/log.ts';
import { createReleaseCache } from '../../monitoring/index.ts';
import { backfillDays, type MissingDays } from './backfill-days.ts';
import { type Measurement, measureNow } from './measure-now.ts';

/** Data that the server passes to the thread. */
export interface FreshnessWorkerData {
  readonly connection: ConnectionTarget;
  readonly isPooled: boolean;
  readonly logLevel: string;
  readonly logFormat: LogOptions['format'];
}

/** A task of the thread: computing the missing days or, without any, measuring the current state. */
export interface FreshnessTask {
  readonly organizationId: number;
  readonly missing: MissingDays | null;
}

export type FromFreshnessWorker =
  | { readonly kind: 'measured'; readonly measurement: Measurement }
  | { readonly kind: 'filled' }
  | {
      readonly kind: 'failed';
      readonly reason: 'unavailable' | 'error';
      readonly message: string;
    };

const data: FreshnessWorkerData = workerData;
const log = createLog({ level: data.logLevel, format: data.logFormat }).child({ part: 'freshness' });
/**
 * Cache of releases, about 12 MB. It's kept between batches, because pairs are read in the order of their gather jobs,
 * and the next batch can start with the same gather job.
 */
const releaseCache = createReleaseCache({ maxReleases: 25_000 });
let database: Promise<Database> | null = null;

// The server sends one task at a time.
parentPort?.on('message', (message: FreshnessTask | typeof endMessage) => {
  if (message === endMessage) process.exit();
  void work(message);
});

async function work({ organizationId, missing }: FreshnessTask): Promise<void> {
  try {
    const db = await connect();
    if (missing === null) {
      send({ kind: 'measured', measurement: await measureNow(db, releaseCache, organizationId) });
    } else {
      await backfillDays(db, releaseCache, organizationId, missing);
      send({ kind: 'filled' });
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const reason = isDatabaseUnavailable(error) ? 'unavailable' : 'error';
    if (reason === 'error')
      log.error({ err: error, organization_id: organizationId }, 'measuring freshness failed');
    send({ kind: 'failed', reason, message });
  }
}

async function connect(): Promise<Database> {
  const { connection, isPooled } = data;
  database ??= connectDatabase({ connection, log, poolSize: 1, isPooled });
  try {
    return await database;
  } catch (error) {
    database = null;
    throw error;
  }
}

function send(message: FromFreshnessWorker): void {
  parentPort?.postMessage(message);
}
