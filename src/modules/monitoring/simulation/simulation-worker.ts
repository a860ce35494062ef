import { parentPort, workerData } from 'node:worker_threads';
import {
  type ConnectionTarget,
  connectDatabase,
  type Database,
  InvalidCursorError,
  isDatabaseUnavailable,
  isStatementTimeout,
} from '../../../platform/database/index.ts';
import { endMessage } from '../../../platform/end-thread.ts';
import { createLog, type LogOptions } from '../../../platform/log.ts';
import { createReleaseCache } from '../evaluation/release-cache.ts';
import { createForecastCalendar } from '../forecast/crossing-calendar.ts';
import { runForecast } from '../forecast/run-forecast.ts';
import { runPatchTimes } from '../patch-times/run-patch-times.ts';
import type { ReplayResult, ReplayTask } from './replay-task.ts';
import { runAcceptanceSimulation } from './run-acceptance-simulation.ts';
import { runMessageSimulation } from './run-message-simulation.ts';
import { runSimulation } from './run-simulation.ts';

/** Data that the server passes to the thread. */
export interface SimulationWorkerData {
  connection: ConnectionTarget;
  isPooled: boolean;
  logLevel: string;
  logFormat: LogOptions['format'];
}

export type ToSimulationWorker =
  | { readonly id: number; readonly task: ReplayTask }
  /** Cancels the task. */
  | { readonly id: number; readonly task: null };

export type FromSimulationWorker =
  /** Reports that the thread has started the task. */
  | { readonly id: number; readonly hasBegun: true }
  | { readonly id: number; readonly result: ReplayResult }
  | { readonly id: number; readonly failure: TaskFailure };

/**
 * Kinds of failures. They are sent instead of errors, because a thread can't pass on the class of an error.
 */
export type TaskFailure = 'canceled' | 'unavailable' | 'invalid_cursor' | 'failed';

/**
 * Number of database connections. Each simulation runs its statements one after the other, so it uses one
 * connection at a time.
 */
const poolSize = 2;

const data: SimulationWorkerData = workerData;
const log = createLog({ level: data.logLevel, format: data.logFormat }).child({ part: 'simulation' });
const releaseCache = createReleaseCache();
const running = new Map<number, AbortController>();
let database: Promise<Database> | null = null;

parentPort?.on('message', (message: ToSimulationWorker | typeof endMessage) => {
  if (message === endMessage) process.exit();
  if (message.task === null) running.get(message.id)?.abort();
  else void work(message.id, message.task);
});

async function work(id: number, task: ReplayTask): Promise<void> {
  const canceling = new AbortController();
  running.set(id, canceling);
  send({ id, hasBegun: true });
  try {
    send({ id, result: await run(await connect(), task, canceling.signal) });
  } catch (error) {
    if (canceling.signal.aborted) return send({ id, failure: 'canceled' });
    if (error instanceof InvalidCursorError) return send({ id, failure: 'invalid_cursor' });
    const isUnavailable = isDatabaseUnavailable(error);
    if (!isUnavailable) log.error({ err: error, kind: task.kind }, 'simulation failed');
    send({ id, failure: isUnavailable || isStatementTimeout(error) ? 'unavailable' : 'failed' });
  } finally {
    running.delete(id);
  }
}

function run(db: Database, task: ReplayTask, signal: AbortSignal): Promise<ReplayResult> {
  switch (task.kind) {
    case 'simulation':
      return runSimulation(db, releaseCache, task.request, signal);
    case 'messages':
      return runMessageSimulation(db, releaseCache, task.request, signal);
    case 'acceptance':
      return runAcceptanceSimulation(db, releaseCache, task.request, signal);
    case 'forecast':
      return runForecast(db, releaseCache, task.request, signal);
    case 'patch_times':
      return runPatchTimes(db, releaseCache, task.request, signal);
    case 'calendar':
      return createForecastCalendar(db, releaseCache, task.request, signal);
  }
}

async function connect(): Promise<Database> {
  const { connection, isPooled } = data;
  database ??= connectDatabase({ connection, log, poolSize, isPooled });
  try {
    return await database;
  } catch (error) {
    database = null;
    throw error;
  }
}

function send(message: FromSimulationWorker): void {
  parentPort?.postMessage(message);
}
