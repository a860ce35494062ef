import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { setPriority } from 'node:os';
import { FairQueue } from './fair-queue.ts';
import {
  SandboxBusyError,
  SandboxClosedError,
  SandboxError,
  SandboxJobError,
  SandboxMemoryError,
  SandboxTimeoutError,
} from './sandbox-errors.ts';
import type { SandboxJobRequest, SandboxMessage, SandboxResponse } from './sandbox-protocol.ts';

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
 * Maximum time to start a process and load its module. Usually this takes 0.15 s, but it has taken seconds on
 * a machine under load.
 */
const startAllowanceMs = 30_000;
/** Maximum time that a part can wait for its consumer. After that, the stream is considered abandoned. */
const maxHoldMs = 300_000;

/**
 * Creates a small pool of processes for work that a user can make slow or large. No process starts before the
 * first job. The pool uses processes because a thread that runs out of memory in one large allocation (a
 * growing Map, a long array) aborts the whole process, regardless of its resource limits: 11 of 16 memory
 * bombs did.
 */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { workers: maxWorkers, workersPerKey = Math.max(1, maxWorkers - 1) } = options;
  const compileCacheDirectory = options.compileCacheFolder ?? getCompileCacheDir();
  const queue = new FairQueue<Job>(options.queueLimit ?? 100);
  const workers = new Set<Worker>();
  const exiting = new Set<Promise<unknown>>();
  let isClosed = false;
  let jobCount = 0;

  function run<Input, Output>(moduleUrl: URL, exportName: string, input: Input, runOptions: RunOptions = {}) {
    return new Promise<Output>((resolve, reject) => {
      submitJob({
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
    const job: Job = {
      ...newJob(moduleUrl, exportName, input, runOptions),
      body,
      onPart: (part) => next.resolve({ part: part as Part }),
      resolve: (output) => end.resolve({ output: output as Output }),
      reject: end.reject,
    };
    const onAbort = () => end.reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      submitJob(job);
      for (;;) {
        const step = await Promise.race([next.promise, end.promise]);
        if ('output' in step) return step.output;
        next = Promise.withResolvers();
        yield step.part;
        resumeJob(job);
      }
    } finally {
      signal?.removeEventListener('abort', onAbort);
      cancelJob(job);
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

  function submitJob(job: Job): void {
    if (isClosed) return job.reject(new SandboxClosedError());
    const worker = hasCapacity(job.key) ? findIdleWorker() : undefined;
    if (worker) startJob(worker, job);
    else queue.add(job.key, job)?.reject(new SandboxBusyError());
  }

  /** True if another job of this key can start. Jobs without a key aren't limited. */
  function hasCapacity(key: string): boolean {
    if (key === '') return true;
    let running = 0;
    for (const worker of workers) if (worker.job?.key === key) running += 1;
    return running < workersPerKey;
  }

  function findIdleWorker(): Worker | undefined {
    for (const worker of workers) if (!worker.job) return worker;
    return workers.size < maxWorkers ? startWorker() : undefined;
  }

  function startWorker(): Worker {
    const child = fork(options.entryUrl ?? new URL('./sandbox-process.ts', import.meta.url), {
      // The process doesn't inherit the environment variables of the server, which contain its secrets and
      // flags.
      env: compileCacheDirectory === undefined ? {} : { NODE_COMPILE_CACHE: compileCacheDirectory },
      // Limit the young generation. A large one would keep a job's garbage until the next job: 30 MB per process, with
      // no time saved.
      execArgv: [`--max-old-space-size=${options.maxHeapMb}`, '--max-semi-space-size=4'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const worker: Worker = { child, job: null, timer: undefined, workingSince: 0 };
    workers.add(worker);
    lowerPriority(child, options.niceness ?? 0);
    child.on('message', (answer: SandboxResponse) => handleMessage(worker, answer));
    child.on('error', (error) =>
      remove(worker, new SandboxJobError('worker process failed', { cause: error })),
    );
    child.on('exit', (code, signal) => remove(worker, explainExit(code, signal)));
    return worker;
  }

  function startJob(worker: Worker, job: Job): void {
    clearTimeout(worker.timer);
    const order: SandboxJobRequest = { ...job.order, isStream: job.body !== null };
    try {
      worker.child.send(order);
    } catch (error) {
      job.reject(new SandboxJobError("input can't be serialized", { cause: error }));
      return releaseWorker(worker);
    }
    worker.job = job;
    worker.child.ref();
    worker.child.channel?.ref();
    startTimer(worker, startAllowanceMs + job.deadlineMs, () => new SandboxTimeoutError(job.deadlineMs));
    if (job.body) void sendBody(worker, job, job.body);
  }

  /**
   * Sends the body piece by piece at the pace of the process, so that the pieces aren't buffered a second
   * time in the server. Never throws.
   */
  async function sendBody(worker: Worker, job: Job, body: Iterable<Uint8Array>): Promise<void> {
    const send = (piece: Uint8Array | null) =>
      new Promise<void>((resolve) => {
        const message: SandboxMessage = { kind: 'piece', job: job.order.job, piece };
        // Ignore errors, because the exit of a process emits a separate event.
        worker.child.send(message, () => resolve());
      });
    for (const piece of inBlocks(body)) {
      if (worker.job !== job) return;
      await send(piece);
    }
    if (worker.job === job) await send(null);
  }

  /** Requests the next part and resumes the deadline after a part was consumed. */
  function resumeJob(job: Job): void {
    const worker = workerOf(job);
    if (!worker) return;
    const message: SandboxMessage = { kind: 'next', job: job.order.job };
    worker.child.send(message, () => undefined);
    startWorkClock(worker, job);
  }

  function workerOf(job: Job): Worker | undefined {
    for (const worker of workers) if (worker.job === job) return worker;
    return undefined;
  }

  /** Cancels a job that is no longer needed. Has no effect if the job has ended. */
  function cancelJob(job: Job): void {
    queue.remove(job.key, job);
    const worker = workerOf(job);
    if (worker) remove(worker, new SandboxClosedError());
  }

  function startWorkClock(worker: Worker, job: Job): void {
    worker.workingSince = performance.now();
    startTimer(worker, job.leftMs, () => new SandboxTimeoutError(job.deadlineMs));
  }

  /**
   * Starts the timer of a process. `createReason` creates the error only when required, because capturing its
   * stack took a third of the time to dispatch a job.
   */
  function startTimer(worker: Worker, ms: number, createReason: () => SandboxError): void {
    clearTimeout(worker.timer);
    worker.timer = setTimeout(() => remove(worker, createReason()), ms);
  }

  function handleMessage(worker: Worker, answer: SandboxResponse): void {
    const { job } = worker;
    if (!job) return;
    switch (answer.kind) {
      case 'started':
        return startWorkClock(worker, job);
      case 'part':
        job.leftMs = Math.max(0, job.leftMs - (performance.now() - worker.workingSince));
        startTimer(worker, maxHoldMs, () => new SandboxError("the job's results weren't accepted"));
        return job.onPart(answer.part);
      case 'done':
        job.resolve(answer.output);
        break;
      case 'failed':
        job.reject(new SandboxJobError(answer.message));
    }
    worker.job = null;
    // Replace a process with a large heap, because memory that one job leaves behind must not count toward the limit of
    // the next.
    if (answer.heapMb > options.maxHeapMb / 2) remove(worker, new SandboxClosedError());
    else releaseWorker(worker);
  }

  function takeNext(): Job | undefined {
    return queue.take(hasCapacity);
  }

  /**
   * Assigns the next job to a process, or stops it after the idle time. An idle process doesn't keep the
   * server alive.
   */
  function releaseWorker(worker: Worker): void {
    clearTimeout(worker.timer);
    const next = takeNext();
    if (next) return startJob(worker, next);
    worker.child.unref();
    worker.child.channel?.unref();
    worker.timer = setTimeout(
      () => remove(worker, new SandboxClosedError()),
      options.idleMs ?? 10_000,
    ).unref();
  }

  /** Kills a process and rejects its job, if any. The next pending job gets a new process. */
  function remove(worker: Worker, reason: SandboxError): void {
    if (!workers.delete(worker)) return;
    clearTimeout(worker.timer);
    void end(worker.child);
    const { job } = worker;
    worker.job = null;
    job?.reject(reason);
    if (isClosed) return;
    const next = takeNext();
    if (next) startJob(findIdleWorker() ?? startWorker(), next);
  }

  function end(child: ChildProcess): Promise<void> {
    const hasExited = child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
    if (hasExited) return Promise.resolve();
    const ended = once(child, 'exit').then(() => void exiting.delete(ended));
    exiting.add(ended);
    // An idle process doesn't keep the server alive, but `close` must wait for its exit.
    child.ref();
    // Only SIGKILL ends a process that is busy in JavaScript.
    child.kill('SIGKILL');
    return ended;
  }

  function explainExit(code: number | null, signal: NodeJS.Signals | null): SandboxError {
    // V8 aborts the process at its heap limit, and the system kills it when memory runs out. Both are
    // reported as too much memory.
    const isMemory =
      signal !== null ? ['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGKILL'].includes(signal) : code === 134;
    if (isMemory) return new SandboxMemoryError(options.maxHeapMb);
    return new SandboxJobError(`worker exited unexpectedly (${signal ?? code})`);
  }

  async function close(): Promise<void> {
    isClosed = true;
    for (let job = queue.take(); job; job = queue.take()) job.reject(new SandboxClosedError());
    for (const worker of workers) remove(worker, new SandboxClosedError());
    await Promise.all(exiting);
  }

  return { run, stream, close };
}

function lowerPriority(child: ChildProcess, niceness: number): void {
  if (niceness === 0 || child.pid === undefined) return;
  try {
    setPriority(child.pid, niceness);
  } catch {
    // The process may have exited, or the system might not permit the change. In that case, the process keeps
    // the priority of the server.
  }
}

interface Job {
  key: string;
  order: Omit<SandboxJobRequest, 'isStream'>;
  deadlineMs: number;
  /** Remaining time until the deadline. Time in which a part waits for its consumer doesn't count. */
  leftMs: number;
  /** Body of a stream, or `null` for other jobs. */
  body: Iterable<Uint8Array> | null;
  onPart(part: unknown): void;
  resolve(output: unknown): void;
  reject(reason: SandboxError): void;
}

/** A process with at most one job. `timer` is the deadline of the job or the idle timeout. */
interface Worker {
  child: ChildProcess;
  job: Job | null;
  timer: NodeJS.Timeout | undefined;
  workingSince: number;
}

const blockBytes = 256 * 1024;

/**
 * Joins small pieces into blocks. Pieces from the network have a few KiB, and each would be a separate
 * message.
 */
function* inBlocks(pieces: Iterable<Uint8Array>): Generator<Uint8Array, void, undefined> {
  let block: Uint8Array[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    block.push(piece);
    bytes += piece.byteLength;
    if (bytes < blockBytes) continue;
    yield block.length === 1 && block[0] ? block[0] : Buffer.concat(block);
    block = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(block);
}
