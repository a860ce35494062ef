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
import type { SandboxAnswer, SandboxMessage, SandboxOrder } from './sandbox-protocol.ts';

export interface SandboxOptions {
  /** Processes at most. They start when they are needed and stop when idle. */
  workers: number;
  /** Processes that work for one `fairKey` at the same time; default all but one, so that others never wait for it. */
  workersPerKey?: number;
  /** For one job, from the moment in which its function is called. */
  deadlineMs: number;
  /** The heap of one process, in MB. Buffers are not in it: pass text. */
  maxHeapMb: number;
  /** Jobs that wait at most; default 100. */
  queueLimit?: number;
  /** A process without work for so long is stopped; default 10,000. */
  idleMs?: number;
  /** The `nice` value of the processes, from 0 to 19. Default: 0. */
  niceness?: number;
  /**
   * Where processes store compiled modules. Later processes don't compile TypeScript, which saves each of them 25 MB and some
   * startup time. Default: within the compile cache of this process, if it has one.
   */
  compileCacheFolder?: string;
  /** The file that a process runs; for a bundle that puts it elsewhere. */
  entryUrl?: URL;
}

export interface RunOptions {
  /** Instead of the sandbox's own. */
  deadlineMs?: number;
  /**
   * Whose job it is, such as an organization: those who wait are served in turn, whoever asks more often, and no one
   * gets all processes.
   */
  fairKey?: string;
}

export interface StreamOptions extends RunOptions {
  /** Ends the job early; the stream then throws the signal's reason. */
  signal?: AbortSignal;
}

export interface Sandbox {
  /**
   * Calls the function `exportName` of the module with `input` in a process of its own and resolves with what it
   * returns. Both are copied (structured clone). Rejects with an error of `sandbox-errors.ts`: past its deadline or
   * out of memory, the job's process is ended and replaced, and no other job notices.
   */
  run<Input, Output>(moduleUrl: URL, exportName: string, input: Input, options?: RunOptions): Promise<Output>;
  /**
   * The same for a generator function of `(input, body)`, whose parts arrive one by one: a part is sent once the one
   * before was taken, so that what is here is never more than one. The process gets the body piece by piece and is held
   * until the end of the stream; the deadline counts only while the job works. Throws as `run` rejects.
   */
  stream<Input, Part, Output>(
    moduleUrl: URL,
    exportName: string,
    input: Input,
    body: Iterable<Uint8Array>,
    options?: StreamOptions,
  ): AsyncGenerator<Part, Output, undefined>;
  /** Ends every process; jobs without an answer are rejected. Resolves when the processes are gone. */
  close(): Promise<void>;
}

/** Starting a process and loading its module: 0.15 s, but a machine under load has taken seconds. */
const startAllowanceMs = 30_000;
/** A stream from which nothing was taken for so long was forgotten. */
const maxHoldMs = 300_000;

/**
 * A small pool of processes for work that a user can make slow or large. Nothing starts before the first job.
 * Processes and not threads, because a thread that runs out of memory by one large allocation (a growing Map, a long
 * array) aborts the whole process, whatever its resource limits: 11 of 16 memory bombs did.
 */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { workers: maxWorkers, workersPerKey = Math.max(1, maxWorkers - 1) } = options;
  const compileCacheFolder = options.compileCacheFolder ?? getCompileCacheDir();
  const queue = new FairQueue<Job>(options.queueLimit ?? 100);
  const workers = new Set<Worker>();
  const exiting = new Set<Promise<unknown>>();
  let isClosed = false;
  let jobCount = 0;

  function run<Input, Output>(moduleUrl: URL, exportName: string, input: Input, runOptions: RunOptions = {}) {
    return new Promise<Output>((resolve, reject) => {
      enter({
        ...newJob(moduleUrl, exportName, input, runOptions),
        // The caller names the function and so knows what it returns.
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
    // It may end while nobody waits for a part.
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
      enter(job);
      for (;;) {
        const step = await Promise.race([next.promise, end.promise]);
        if ('output' in step) return step.output;
        next = Promise.withResolvers();
        yield step.part;
        goOn(job);
      }
    } finally {
      signal?.removeEventListener('abort', onAbort);
      leave(job);
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

  function enter(job: Job): void {
    if (isClosed) return job.reject(new SandboxClosedError());
    const worker = hasShare(job.key) ? findIdleWorker() : undefined;
    if (worker) startJob(worker, job);
    else queue.add(job.key, job)?.reject(new SandboxBusyError());
  }

  /** Whether one more job of this key may run. What is nobody's has no share. */
  function hasShare(key: string): boolean {
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
      // Neither the secrets nor the flags of the server are there.
      env: compileCacheFolder === undefined ? {} : { NODE_COMPILE_CACHE: compileCacheFolder },
      // A large young generation keeps a job's garbage until the next job: 30 MB per process, with no time saved.
      execArgv: [`--max-old-space-size=${options.maxHeapMb}`, '--max-semi-space-size=4'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const worker: Worker = { child, job: null, timer: undefined, workingSince: 0 };
    workers.add(worker);
    yieldProcessor(child, options.niceness ?? 0);
    child.on('message', (answer: SandboxAnswer) => handleMessage(worker, answer));
    child.on('error', (error) =>
      remove(worker, new SandboxJobError('worker process failed', { cause: error })),
    );
    child.on('exit', (code, signal) => remove(worker, explainExit(code, signal)));
    return worker;
  }

  function startJob(worker: Worker, job: Job): void {
    clearTimeout(worker.timer);
    const order: SandboxOrder = { ...job.order, isStream: job.body !== null };
    try {
      worker.child.send(order);
    } catch (error) {
      job.reject(new SandboxJobError("input can't be serialized", { cause: error }));
      return releaseWorker(worker);
    }
    worker.job = job;
    worker.child.ref();
    worker.child.channel?.ref();
    startClock(worker, startAllowanceMs + job.deadlineMs, () => new SandboxTimeoutError(job.deadlineMs));
    if (job.body) void sendBody(worker, job, job.body);
  }

  /** Piece by piece, as the process takes them, so that they do not wait here a second time. Never throws. */
  async function sendBody(worker: Worker, job: Job, body: Iterable<Uint8Array>): Promise<void> {
    const send = (piece: Uint8Array | null) =>
      new Promise<void>((resolve) => {
        const message: SandboxMessage = { kind: 'piece', job: job.order.job, piece };
        // A process that is gone tells of it itself.
        worker.child.send(message, () => resolve());
      });
    for (const piece of inBlocks(body)) {
      if (worker.job !== job) return;
      await send(piece);
    }
    if (worker.job === job) await send(null);
  }

  /** The part was taken: the job works on, and its clock runs again. */
  function goOn(job: Job): void {
    const worker = workerOf(job);
    if (!worker) return;
    const message: SandboxMessage = { kind: 'next', job: job.order.job };
    worker.child.send(message, () => undefined);
    work(worker, job);
  }

  function workerOf(job: Job): Worker | undefined {
    for (const worker of workers) if (worker.job === job) return worker;
    return undefined;
  }

  /** Nobody waits for the job any more. One that has ended is not touched. */
  function leave(job: Job): void {
    queue.remove(job.key, job);
    const worker = workerOf(job);
    if (worker) remove(worker, new SandboxClosedError());
  }

  function work(worker: Worker, job: Job): void {
    worker.workingSince = performance.now();
    startClock(worker, job.leftMs, () => new SandboxTimeoutError(job.deadlineMs));
  }

  /** The reason is made when it is needed: its stack took a third of the time of handing over a job. */
  function startClock(worker: Worker, ms: number, reasonOf: () => SandboxError): void {
    clearTimeout(worker.timer);
    worker.timer = setTimeout(() => remove(worker, reasonOf()), ms);
  }

  function handleMessage(worker: Worker, answer: SandboxAnswer): void {
    const { job } = worker;
    if (!job) return;
    switch (answer.kind) {
      case 'started':
        return work(worker, job);
      case 'part':
        job.leftMs = Math.max(0, job.leftMs - (performance.now() - worker.workingSince));
        startClock(worker, maxHoldMs, () => new SandboxError("the job's results weren't accepted"));
        return job.onPart(answer.part);
      case 'done':
        job.resolve(answer.output);
        break;
      case 'failed':
        job.reject(new SandboxJobError(answer.message));
    }
    worker.job = null;
    // What one job left behind shall not be charged to the next.
    if (answer.heapMb > options.maxHeapMb / 2) remove(worker, new SandboxClosedError());
    else releaseWorker(worker);
  }

  function takeNext(): Job | undefined {
    return queue.take(hasShare);
  }

  /** The next job, or an end when none comes for a while. An idle process does not keep the server alive. */
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

  /** Ends a process for good. Its job, if any, is rejected; the next one gets a new process. */
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
    const isGone = child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
    if (isGone) return Promise.resolve();
    const ended = once(child, 'exit').then(() => void exiting.delete(ended));
    exiting.add(ended);
    // An idle one does not keep the server alive, but its end is waited for.
    child.ref();
    // No other signal ends a process that is busy in JavaScript.
    child.kill('SIGKILL');
    return ended;
  }

  function explainExit(code: number | null, signal: NodeJS.Signals | null): SandboxError {
    // V8 aborts at the limit of its heap; the system kills when memory runs out.
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

function yieldProcessor(child: ChildProcess, niceness: number): void {
  if (niceness === 0 || child.pid === undefined) return;
  try {
    setPriority(child.pid, niceness);
  } catch {
    // The process may have exited, or the system may not allow this. Then it keeps the priority of the server.
  }
}

interface Job {
  key: string;
  order: Omit<SandboxOrder, 'isStream'>;
  deadlineMs: number;
  /** Of the deadline, without the time in which what was found waited to be taken. */
  leftMs: number;
  /** Of a stream only. */
  body: Iterable<Uint8Array> | null;
  onPart(part: unknown): void;
  resolve(output: unknown): void;
  reject(reason: SandboxError): void;
}

/** A process with at most one job. `timer`: the deadline of the job, or the end of idling. */
interface Worker {
  child: ChildProcess;
  job: Job | null;
  timer: NodeJS.Timeout | undefined;
  workingSince: number;
}

const blockBytes = 256 * 1024;

/** Networks bring pieces of a few KiB; each would be a message. */
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
