import { ProcessPool } from './process-pool.ts';
import type { SandboxJob } from './sandbox-worker.ts';

export interface SandboxOptions {
  /** Maximum number of processes. They start on demand and stop when idle. */
  workers: number;
  /**
   * Maximum number of processes that work for one `fairKey` at the same time. Default: `workers` minus one
   * (at least 1), which leaves a process for other keys.
   */
  workersPerKey?: number;
  /** Deadline of one job, counted from the call to its function. */
  deadlineMs: number;
  /** Heap limit of one process, in MB. Buffers aren't part of the heap, so pass text. */
  maxHeapMb: number;
  /** Maximum number of pending jobs. Default: 100. */
  queueLimit?: number;
  /** Idle time after which a process stops. Default: 10,000. */
  idleMs?: number;
  /** The `nice` value of the processes, from 0 to 19. Default: 0. */
  niceness?: number;
  /**
   * Directory in which processes store compiled modules. Later processes don't compile TypeScript, which
   * saves each of them 25 MB and some startup time. Default: the compile cache of this process, if it has
   * one.
   */
  compileCacheFolder?: string;
  /** File that a process runs. Set it if a bundle moves the file. */
  entryUrl?: URL;
}

export interface RunOptions {
  /** Overrides the deadline of the sandbox. */
  deadlineMs?: number;
  /**
   * Owner of the job, such as an organization. Pending jobs are served round-robin by owner, regardless of
   * how many jobs each owner has, and one owner can't occupy all processes.
   */
  fairKey?: string;
}

export interface StreamOptions extends RunOptions {
  /** Ends the job early. The stream then throws the signal's reason. */
  signal?: AbortSignal;
}

export interface Sandbox {
  /**
   * Calls the function `exportName` of the module with `input` in a separate process and resolves with the
   * result. Input and result are copied (structured clone). Rejects with an error of `sandbox-errors.ts`. A
   * process that exceeds its deadline or memory limit is replaced, which doesn't affect other jobs.
   */
  run<Input, Output>(moduleUrl: URL, exportName: string, input: Input, options?: RunOptions): Promise<Output>;
  /**
   * Calls a generator function of `(input, body)` in the same way and yields its parts. The process sends a part only
   * after the previous one was consumed, so the caller holds at most one part. The process receives the body piece by
   * piece and stays reserved until the stream ends. The deadline includes only the time in which the job works. Throws
   * the errors with which `run` rejects.
   */
  stream<Input, Part, Output>(
    moduleUrl: URL,
    exportName: string,
    input: Input,
    body: Iterable<Uint8Array>,
    options?: StreamOptions,
  ): AsyncGenerator<Part, Output, undefined>;
  /** Kills all processes and rejects unfinished jobs. Resolves when all processes have exited. */
  close(): Promise<void>;
}

/**
 * Creates a small pool of processes for work that a user can make slow or large. No process starts before the
 * first job. The pool uses processes because a thread that runs out of memory in one large allocation (a
 * growing Map, a long array) aborts the whole process, regardless of its resource limits: 11 of 16 memory
 * bombs did.
 */
export function createSandbox(options: SandboxOptions): Sandbox {
  const pool = new ProcessPool(options);
  let jobCount = 0;

  function run<Input, Output>(moduleUrl: URL, exportName: string, input: Input, runOptions: RunOptions = {}) {
    return new Promise<Output>((resolve, reject) => {
      pool.submit({
        ...newJob(moduleUrl, exportName, input, runOptions),
        // The caller names the function, so the caller knows the type of the result.
        resolve: (output) => resolve(output as Output),
        reject,
      });
    });
  }

  async function* stream<Input, Part, Output>(
    moduleUrl: URL,
    exportName: string,
    input: Input,
    body: Iterable<Uint8Array>,
    { signal, ...runOptions }: StreamOptions = {},
  ): AsyncGenerator<Part, Output, undefined> {
    signal?.throwIfAborted();
    const end = Promise.withResolvers<{ output: Output }>();
    // The job can fail while the consumer isn't waiting for a part, which would be an unhandled rejection.
    end.promise.catch(() => undefined);
    let next = Promise.withResolvers<{ part: Part }>();
    const job: SandboxJob = {
      ...newJob(moduleUrl, exportName, input, runOptions),
      body,
      onPart: (part) => next.resolve({ part: part as Part }),
      resolve: (output) => end.resolve({ output: output as Output }),
      reject: end.reject,
    };
    const onAbort = () => end.reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      pool.submit(job);
      for (;;) {
        const step = await Promise.race([next.promise, end.promise]);
        if ('output' in step) return step.output;
        next = Promise.withResolvers();
        yield step.part;
        pool.resume(job);
      }
    } finally {
      signal?.removeEventListener('abort', onAbort);
      pool.cancel(job);
    }
  }

  function newJob(moduleUrl: URL, exportName: string, input: unknown, runOptions: RunOptions) {
    jobCount += 1;
    const deadlineMs = runOptions.deadlineMs ?? options.deadlineMs;
    return {
      key: runOptions.fairKey ?? '',
      order: { kind: 'order', job: jobCount, moduleUrl: moduleUrl.href, exportName, input },
      deadlineMs,
      leftMs: deadlineMs,
      body: null,
      onPart: () => undefined,
    } as const;
  }

  return { run, stream, close: () => pool.close() };
}
