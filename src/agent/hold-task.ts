import { ApiCallError, type ApiClient } from '../client/api-client.ts';
import { RunError } from '../domain/runs/run-error.ts';
import type { RunErrorCode } from '../domain/runs/run-error-codes.ts';
import type { Log } from '../platform/log.ts';
import {
  AgentStoppedError,
  type AgentTask,
  type HeldTask,
  LeaseLostError,
  RejectedResultError,
} from './agent-task.ts';
import { createBackOff, pause } from './back-off.ts';
import type { BatchCompletions } from './batch-completions.ts';

export interface HoldOptions {
  api: ApiClient;
  completions: BatchCompletions;
  /** Lease duration that the server returned. A lease is renewed after a third of this time. */
  leaseSeconds: number;
  /** Aborted with an AgentStoppedError when the task must be released. */
  stopped: AbortSignal;
  /** True if parts are compressed. False if the server is on the same machine, where compression isn't worthwhile. */
  isCompressed: boolean;
  /** Error code of the task if the server rejects its result. */
  rejectedCode: RunErrorCode;
  log: Log;
  /** Called once, when the task is no longer held. */
  onEnd(): void;
}

/**
 * Maximum number of consecutive 500 responses to a call. A busy or unavailable server sends other statuses, which
 * aren't limited.
 */
const maxServerErrors = 4;

/**
 * Holds a claimed task and renews its lease. While the server is unavailable, calls are retried until the lease ends.
 */
export function runWithLease<Task extends AgentTask>(task: Task, options: HoldOptions): HeldTask<Task> {
  const { api, leaseSeconds, stopped, log } = options;
  const path = { id: task.task_id };
  const lease = { lease_token: task.lease_token };
  const lost = new AbortController();
  // AbortSignal.any isn't used, because once its signal has a listener, the task would stay in memory until
  // the agent stops.
  const working = new AbortController();
  const { signal } = working;
  const onStopped = () => working.abort(stopped.reason);
  if (stopped.aborted) onStopped();
  stopped.addEventListener('abort', onStopped);
  let leaseEndsAt = performance.now() + leaseSeconds * 1_000;
  const ended = Promise.withResolvers<void>();
  let isEnded = false;
  let parts = 0;
  let timer = setTimeout(renew, leaseSeconds * (1_000 / 3));
  let limit: NodeJS.Timeout | undefined;

  function renew(): void {
    const sentAt = performance.now();
    api.call('renewTask', { path, body: lease, signal: lost.signal, timeoutMs: leaseSeconds * 500 }).then(
      () => {
        leaseEndsAt = sentAt + leaseSeconds * 1_000;
        if (!isEnded) timer = setTimeout(renew, leaseSeconds * (1_000 / 3));
      },
      (error: unknown) => {
        if (isEnded) return;
        if (isRefused(error) || performance.now() >= leaseEndsAt) return lose(error);
        timer = setTimeout(renew, Math.min(5_000, leaseSeconds * 100));
      },
    );
  }

  function lose(cause: unknown): void {
    log.warn({ task: task.task_id, err: cause }, 'task lease lost');
    lost.abort(new LeaseLostError());
    working.abort(lost.signal.reason);
    end();
  }

  function end(): void {
    if (isEnded) return;
    isEnded = true;
    clearTimeout(timer);
    clearTimeout(limit);
    stopped.removeEventListener('abort', onStopped);
    options.onEnd();
    ended.resolve();
  }

  /**
   * Retries a call until it succeeds.
   * @throws LeaseLostError when the lease ends, or the error of a rejected call
   */
  async function retryWhileLeased<Answer>(
    call: () => Promise<Answer>,
    isLoss: (error: unknown) => boolean = isLeaseLost,
  ): Promise<Answer> {
    const backOff = createBackOff({ maxMs: 5_000 });
    let serverErrors = 0;
    for (;;) {
      lost.signal.throwIfAborted();
      try {
        return await call();
      } catch (error) {
        if (isLoss(error)) {
          lose(error);
          throw new LeaseLostError();
        }
        if (!(error instanceof ApiCallError)) throw error;
        if (!isRetryable(error)) throw error;
        serverErrors = error.status === 500 ? serverErrors + 1 : 0;
        // The lease is still being renewed, so without this limit the call would be retried forever and the job would
        // never run again.
        if (serverErrors >= maxServerErrors) throw error;
        if (performance.now() >= leaseEndsAt) {
          lose(error);
          throw new LeaseLostError();
        }
        await pause(backOff.nextMs((error.retryAfterSeconds ?? 0) * 1_000), lost.signal);
      }
    }
  }

  const held: HeldTask<Task> = {
    task,
    signal,
    ended: ended.promise,

    limitTime(maxMs) {
      const minutes = Math.round(maxMs / 60_000);
      limit = setTimeout(
        () => working.abort(new RunError('timeout', `The run took longer than ${minutes} minutes.`)),
        maxMs,
      );
    },

    async listPackages() {
      return (await retryWhileLeased(() => api.call('listTaskPackages', { path, body: lease, signal })))
        .packages;
    },

    async listCves() {
      return (await retryWhileLeased(() => api.call('listTaskCves', { path, body: lease, signal }))).cves;
    },

    async findMissingRecords(packages) {
      const body = { ...lease, packages };
      return (await retryWhileLeased(() => api.call('findMissingRecords', { path, body, signal }))).records;
    },

    async sendPart(items) {
      const body = { ...lease, sequence: parts + 1, items };
      await retryWhileLeased(() =>
        api.call('submitTaskResults', {
          path,
          body,
          signal,
          gzip: options.isCompressed && items.length >= 50,
        }),
      );
      parts += 1;
    },

    async complete(summary, whole) {
      if (parts === 0 && (whole !== undefined || summary.not_modified)) {
        const ended = { task_id: task.task_id, ...lease, summary, ...whole };
        retryWhileLeased(() => options.completions.complete(ended)).then(end, (error: unknown) =>
          held.fail(error),
        );
        return;
      }
      await retryWhileLeased(() =>
        api.call('completeTask', { path, body: { ...lease, parts, summary }, signal: lost.signal }),
      );
      end();
    },

    async fail(error) {
      if (isEnded) return;
      const failure = toRunError(error, options.rejectedCode);
      if (failure.code === 'internal')
        log.error({ task: task.task_id, err: error }, 'task failed with an internal error');
      else log.info({ task: task.task_id, code: failure.code }, failure.message);
      const body = {
        ...lease,
        error: { code: failure.code, message: failure.message.slice(0, 2_000).toWellFormed() },
        retryable: failure.isRetryable,
        retry_at: failure.retryAt?.toISOString() ?? null,
      };
      try {
        // An agent that is stopping has no time to retry. Without a response, the lease expires automatically.
        const fail = () => api.call('failTask', { path, body, signal: lost.signal, timeoutMs: 10_000 });
        await (stopped.aborted ? fail() : retryWhileLeased(fail, isRefused));
      } catch (cause) {
        if (!(cause instanceof LeaseLostError)) {
          log.warn({ task: task.task_id, err: cause }, 'reporting a task failure failed');
        }
      } finally {
        end();
      }
    },
  };
  return held;
}

function toRunError(error: unknown, rejectedCode: RunErrorCode): RunError {
  if (error instanceof RunError) return error;
  if (error instanceof AgentStoppedError) {
    return new RunError('agent_lost', 'The agent stopped before finishing. The task will be retried.');
  }
  if (error instanceof RejectedResultError) return unusableResult(rejectedCode, error.message, error);
  if (error instanceof ApiCallError && error.status !== null && error.status < 500) {
    const { status, code, detail, errors } = error;
    if (status === 413) return new RunError('too_large', detail, { cause: error });
    if (code === 'conflict' || errors.length > 0) return unusableResult(rejectedCode, detail, error);
    // The server rejected the request for a reason other than the result.
    return new RunError('internal', `The server rejected a request from the agent: ${detail}`, {
      cause: error,
    });
  }
  return new RunError('internal', undefined, { cause: error });
}

/**
 * Returns an error that isn't retried, because a retry would produce the same result and be rejected again.
 */
function unusableResult(code: RunErrorCode, reason: string, cause: Error): RunError {
  return new RunError(code, `The server rejected the result: ${reason}`, { cause });
}

/**
 * True if a call that submits results failed because the lease was lost. A rejected result and a lost lease
 * both return 409, with different codes.
 */
function isLeaseLost(error: unknown): boolean {
  return (
    error instanceof LeaseLostError ||
    (error instanceof ApiCallError && (error.code === 'lease_lost' || error.status === 404))
  );
}

/** True if a call without results was rejected. The only possible reason is a lost lease. */
function isRefused(error: unknown): boolean {
  return isLeaseLost(error) || (error instanceof ApiCallError && error.status === 409);
}

/** True if the server is unavailable or busy. Retrying can't fix other errors. */
function isRetryable({ status }: ApiCallError): boolean {
  return status === null || status === 429 || status >= 500;
}
