import { Worker } from 'node:worker_threads';
import type { Config } from '../../../platform/config.ts';
import { type ConnectionTarget, DatabaseUnavailableError } from '../../../platform/database/index.ts';
import { endThread } from '../../../platform/end-thread.ts';
import type { Log } from '../../../platform/log.ts';
import type { MissingDays } from './backfill-days.ts';
import type { FreshnessTask, FreshnessWorkerData, FromFreshnessWorker } from './freshness-worker.ts';
import type { Measurement } from './measure-now.ts';

/** Measures freshness in a thread with its own connection, so that reads and measurements don't delay the server. */
export interface FreshnessThread {
  measure(organizationId: number): Promise<Measurement>;
  fill(organizationId: number, missing: MissingDays): Promise<void>;
  /** Stops the thread. The current task fails. */
  stop(): Promise<void>;
  readonly isStopped: boolean;
}

const maxHeapMb = 512;
/** Maximum size of the young generation, in MB. Without a limit, V8 would let it grow to 96 MB. */
const maxYoungMb = 24;
/** Idle time after which the thread ends, to release its cached releases and its connection. */
const idleMs = 30_000;

export function createFreshnessThread(options: {
  connection: ConnectionTarget;
  config: Pick<Config, 'databaseListenUrl' | 'logLevel' | 'logFormat'>;
  log: Log;
}): FreshnessThread {
  const { connection, config, log } = options;
  let worker: Worker | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  let settle: ((message: FromFreshnessWorker) => void) | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let isStopped = false;

  function startWorker(): Worker {
    const workerData: FreshnessWorkerData = {
      connection,
      isPooled: config.databaseListenUrl !== null,
      logLevel: config.logLevel,
      logFormat: config.logFormat,
    };
    const started = new Worker(new URL('./freshness-worker.ts', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: maxYoungMb },
    });
    started.unref();
    started.on('message', (message: FromFreshnessWorker) => {
      if (worker === started) settle?.(message);
    });
    started.on('error', (error) => log.error({ err: error }, 'freshness thread crashed'));
    started.on('exit', () => {
      // If a newer thread is already running, the exit of this one must not fail the newer one's task.
      if (worker !== started) return;
      worker = null;
      settle?.({ kind: 'failed', reason: 'error', message: 'The freshness thread ended.' });
    });
    return started;
  }

  async function run(task: FreshnessTask): Promise<FromFreshnessWorker> {
    clearTimeout(idleTimer);
    if (isStopped) throw new Error('The server is stopping.');
    const { promise, resolve } = Promise.withResolvers<FromFreshnessWorker>();
    settle = resolve;
    worker ??= startWorker();
    worker.postMessage(task);
    const message = await promise;
    settle = null;
    idleTimer = setTimeout(() => void endWorker(), idleMs).unref();
    if (message.kind !== 'failed') return message;
    throw message.reason === 'unavailable'
      ? new DatabaseUnavailableError(message.message)
      : new Error(message.message);
  }

  /** Runs tasks one after the other. */
  function enqueue(task: FreshnessTask): Promise<FromFreshnessWorker> {
    const result = last.then(() => run(task));
    last = result.catch(() => undefined);
    return result;
  }

  async function endWorker(): Promise<void> {
    const ended = worker;
    worker = null;
    if (ended) await endThread(ended);
  }

  return {
    get isStopped() {
      return isStopped;
    },
    async measure(organizationId) {
      const message = await enqueue({ organizationId, missing: null });
      if (message.kind !== 'measured') throw new Error(`unexpected answer: ${message.kind}`);
      return message.measurement;
    },
    async fill(organizationId, missing) {
      await enqueue({ organizationId, missing });
    },
    async stop() {
      isStopped = true;
      clearTimeout(idleTimer);
      await endWorker();
      settle?.({ kind: 'failed', reason: 'error', message: 'The server is stopping.' });
    },
  };
}
