import { Worker } from 'node:worker_threads';
import type { Config } from '../../../platform/config.ts';
import { type ConnectionTarget, InvalidCursorError } from '../../../platform/database/index.ts';
import { endThread } from '../../../platform/end-thread.ts';
import { ApiError } from '../../../platform/errors.ts';
import type { Caller } from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log.ts';
import type { ReplayKind, ReplayResult, ReplayTask, RequestOf, ResultOf } from './replay-task.ts';
import type {
  FromSimulationWorker,
  SimulationWorkerData,
  TaskFailure,
  ToSimulationWorker,
} from './simulation-worker.ts';

export interface Simulations {
  /**
   * Runs a simulation. An organization can run only one simulation at a time. If the same caller starts
   * another one, it replaces the previous one, which is canceled. If another caller does, it's rejected.
   */
  run<Kind extends ReplayKind>(
    kind: Kind,
    request: RequestOf<Kind>,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<ResultOf<Kind>>;
  /**
   * Runs a request of any caller. Equal requests that are still waiting share one task. Other requests of the
   * organization wait, up to a small limit.
   */
  share<Kind extends ReplayKind>(kind: Kind, request: RequestOf<Kind>): Promise<ResultOf<Kind>>;
  stop(): Promise<void>;
}

const maxHeapMb = 256;
/** Maximum number of tasks that run at the same time. Others wait. */
const maxRunning = 2;
/** Maximum number of pending shared requests of an organization. Further requests are rejected. */
const maxShared = 8;
/** An idle thread ends after this time to free its releases and connections. */
const idleMs = 60_000;
/** A thread that works on one task for longer is stuck, because a task ends after ten seconds. */
const stuckMs = 30_000;
/** Maximum time until a thread starts a task, generous enough for a busy machine. */
const startMs = 60_000;

interface PendingTask {
  readonly id: number;
  readonly organizationId: number;
  readonly task: ReplayTask;
  /** Caller of a simulation. `null` for shared requests. */
  readonly callerName: string | null;
  /**
   * Key of a shared request. Equal requests have the same key, so that they can share a waiting task. `null`
   * for simulations.
   */
  readonly key: string | null;
  readonly promise: Promise<ReplayResult>;
  isRunning: boolean;
  readonly settle: (outcome: ReplayResult | Error) => void;
}

/**
 * Runs simulations and forecasts in a thread with separate connections, so that neither reading nor replaying
 * delays the server. The first request starts the thread.
 */
export function createSimulations(options: {
  connection: ConnectionTarget;
  config: Pick<Config, 'databaseListenUrl' | 'logLevel' | 'logFormat'>;
  log: Log;
  stuckAfterMs?: number;
}): Simulations {
  const { connection, config, log, stuckAfterMs = stuckMs } = options;
  /** All pending requests by ID, in order of arrival. */
  const all = new Map<number, PendingTask>();
  /** Tasks in the thread by ID. A canceled simulation stays here until its statement ends. */
  const inThread = new Map<number, { organizationId: number; watchdog: NodeJS.Timeout }>();
  let worker: Worker | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  let nextId = 1;
  let isStopped = false;

  function startWorker(): Worker {
    const workerData: SimulationWorkerData = {
      connection,
      isPooled: config.databaseListenUrl !== null,
      logLevel: config.logLevel,
      logFormat: config.logFormat,
    };
    const started = new Worker(new URL('./simulation-worker.ts', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    });
    started.unref();
    started.on('message', (message: FromSimulationWorker) => {
      if (worker === started) receive(message);
    });
    started.on('error', (error) => log.error({ err: error }, 'simulation thread crashed'));
    started.on('exit', () => {
      if (worker !== started) return;
      forgetWorker();
      // Copy the running tasks first, because settling a task starts the waiting tasks in a new thread.
      const running = [...all.values()].filter(({ isRunning }) => isRunning);
      for (const each of running) each.settle(unavailable());
    });
    return started;
  }

  function forgetWorker(): Worker | null {
    const ended = worker;
    worker = null;
    for (const { watchdog } of inThread.values()) clearTimeout(watchdog);
    inThread.clear();
    return ended;
  }

  async function endWorker(): Promise<void> {
    const ended = forgetWorker();
    if (ended) await endThread(ended);
  }

  function receive(message: FromSimulationWorker): void {
    const { id } = message;
    clearTimeout(inThread.get(id)?.watchdog);
    if ('hasBegun' in message) {
      const known = inThread.get(id);
      if (known) known.watchdog = startWatchdog(id, stuckAfterMs);
      return;
    }
    inThread.delete(id);
    const waiting = all.get(message.id);
    if (waiting === undefined) startNext();
    else waiting.settle('result' in message ? message.result : errorOf(message.failure));
  }

  function startNext(): void {
    clearTimeout(idleTimer);
    if (isStopped) return;
    if (all.size === 0 && inThread.size === 0) {
      idleTimer = setTimeout(() => void endWorker(), idleMs).unref();
      return;
    }
    for (const each of all.values()) {
      const { id, organizationId, task } = each;
      const isBusy = [...inThread.values()].some((one) => one.organizationId === organizationId);
      if (each.isRunning || isBusy || inThread.size >= maxRunning) continue;
      worker ??= startWorker();
      each.isRunning = true;
      inThread.set(id, { organizationId, watchdog: startWatchdog(id, startMs) });
      send({ id, task });
    }
  }

  function startWatchdog(id: number, ms: number): NodeJS.Timeout {
    return setTimeout(() => endStuck(id), ms).unref();
  }

  /** Terminates a thread that is stuck on a task. The other tasks of the thread restart in a new thread. */
  function endStuck(id: number): void {
    log.error({ kind: all.get(id)?.task.kind }, 'simulation thread is stuck and was ended');
    void forgetWorker()?.terminate();
    for (const each of all.values()) each.isRunning = false;
    all.get(id)?.settle(unavailable());
    startNext();
  }

  function send(message: ToSimulationWorker): void {
    worker?.postMessage(message);
  }

  function cancel(waiting: PendingTask, error: ApiError): void {
    if (waiting.isRunning) send({ id: waiting.id, task: null });
    waiting.settle(error);
  }

  function add(task: ReplayTask, by: Pick<PendingTask, 'callerName' | 'key'>): PendingTask {
    const { promise, resolve, reject } = Promise.withResolvers<ReplayResult>();
    const id = nextId++;
    const waiting: PendingTask = {
      ...by,
      id,
      organizationId: task.request.organizationId,
      task,
      promise,
      isRunning: false,
      settle(outcome) {
        if (!all.delete(id)) return;
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
        startNext();
      },
    };
    all.set(id, waiting);
    startNext();
    return waiting;
  }

  return {
    async run<Kind extends ReplayKind>(
      kind: Kind,
      request: RequestOf<Kind>,
      caller: Caller,
      signal: AbortSignal,
    ) {
      if (isStopped || signal.aborted) throw unavailable();
      const callerName = `${caller.userId ?? ''}/${caller.apiKeyId ?? ''}`;
      const before = [...all.values()].find(
        (each) => each.callerName !== null && each.organizationId === request.organizationId,
      );
      if (before !== undefined) {
        if (before.callerName !== callerName) {
          const detail = 'Another simulation of the organization is running.';
          throw new ApiError('rate_limited', detail, { retryAfterSeconds: 2 });
        }
        const detail = 'A newer simulation canceled this one.';
        cancel(before, new ApiError('rate_limited', detail, { retryAfterSeconds: 1 }));
      }
      const waiting = add({ kind, request } as ReplayTask, { callerName, key: null });
      const cancelOnAbort = () => cancel(waiting, unavailable());
      signal.addEventListener('abort', cancelOnAbort, { once: true });
      try {
        return (await waiting.promise) as ResultOf<Kind>;
      } finally {
        signal.removeEventListener('abort', cancelOnAbort);
      }
    },

    async share<Kind extends ReplayKind>(kind: Kind, request: RequestOf<Kind>) {
      if (isStopped) throw unavailable();
      const key = JSON.stringify([kind, request]);
      const shared = [...all.values()].filter(
        (each) => each.key !== null && each.organizationId === request.organizationId,
      );
      // A running task may have read data that has changed since, so only a waiting task is shared.
      const same = shared.find((each) => each.key === key && !each.isRunning);
      if (same === undefined && shared.length >= maxShared) {
        const detail = 'Too many forecasts of the organization are being calculated.';
        throw new ApiError('rate_limited', detail, { retryAfterSeconds: 2 });
      }
      const waiting = same ?? add({ kind, request } as ReplayTask, { callerName: null, key });
      return (await waiting.promise) as ResultOf<Kind>;
    },

    async stop() {
      isStopped = true;
      for (const waiting of Array.from(all.values())) waiting.settle(unavailable());
      clearTimeout(idleTimer);
      await endWorker();
    },
  };
}

function errorOf(failure: TaskFailure): Error {
  switch (failure) {
    case 'invalid_cursor':
      return new InvalidCursorError();
    case 'failed':
      return new ApiError('internal');
    default:
      return unavailable();
  }
}

function unavailable(): ApiError {
  return new ApiError('unavailable', undefined, { retryAfterSeconds: 5 });
}
