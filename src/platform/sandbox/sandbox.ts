import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
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
  /** How far the processes yield the processor to others, from 0 to 19 as `nice` counts it; default 0. */
  niceness?: number;
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
  const { workers, workersPerKey = Math.max(1, workers - 1) } = options;
  const queue = new FairQueue<Job>(options.queueLimit ?? 100);
  const seats = new Set<Seat>();
  const leaving = new Set<Promise<unknown>>();
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
    const seat = hasShare(job.key) ? findSeat() : undefined;
    if (seat) begin(seat, job);
    else queue.add(job.key, job)?.reject(new SandboxBusyError());
  }

  /** Whether one more job of this key may run. What is nobody's has no share. */
  function hasShare(key: string): boolean {
    if (key === '') return true;
    let running = 0;
    for (const seat of seats) if (seat.job?.key === key) running += 1;
    return running < workersPerKey;
  }

  function findSeat(): Seat | undefined {
    for (const seat of seats) if (!seat.job) return seat;
    return seats.size < workers ? openSeat() : undefined;
  }

  function openSeat(): Seat {
    const child = fork(options.entryUrl ?? new URL('./sandbox-process.ts', import.meta.url), {
      // Neither the secrets nor the flags of the server are there.
      env: {},
      execArgv: [`--max-old-space-size=${options.maxHeapMb}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const seat: Seat = { child, job: null, timer: undefined, workingSince: 0 };
    seats.add(seat);
    yieldProcessor(child, options.niceness ?? 0);
    child.on('message', (answer: SandboxAnswer) => hear(seat, answer));
    child.on('error', (error) =>
      remove(seat, new SandboxJobError('worker process failed', { cause: error })),
    );
    child.on('exit', (code, signal) => remove(seat, explainExit(code, signal)));
    return seat;
  }

  function begin(seat: Seat, job: Job): void {
    clearTimeout(seat.timer);
    const order: SandboxOrder = { ...job.order, isStream: job.body !== null };
    try {
      seat.child.send(order);
    } catch (error) {
      job.reject(new SandboxJobError("input can't be serialized", { cause: error }));
      return rest(seat);
    }
    seat.job = job;
    seat.child.ref();
    seat.child.channel?.ref();
    startClock(seat, startAllowanceMs + job.deadlineMs, new SandboxTimeoutError(job.deadlineMs));
    if (job.body) void sendBody(seat, job, job.body);
  }

  /** Piece by piece, as the process takes them, so that they do not wait here a second time. Never throws. */
  async function sendBody(seat: Seat, job: Job, body: Iterable<Uint8Array>): Promise<void> {
    const send = (piece: Uint8Array | null) =>
      new Promise<void>((resolve) => {
        const message: SandboxMessage = { kind: 'piece', job: job.order.job, piece };
        // A process that is gone tells of it itself.
        seat.child.send(message, () => resolve());
      });
    for (const piece of inBlocks(body)) {
      if (seat.job !== job) return;
      await send(piece);
    }
    if (seat.job === job) await send(null);
  }

  /** The part was taken: the job works on, and its clock runs again. */
  function goOn(job: Job): void {
    const seat = seatOf(job);
    if (!seat) return;
    const message: SandboxMessage = { kind: 'next', job: job.order.job };
    seat.child.send(message, () => undefined);
    work(seat, job);
  }

  function seatOf(job: Job): Seat | undefined {
    for (const seat of seats) if (seat.job === job) return seat;
    return undefined;
  }

  /** Nobody waits for the job any more. One that has ended is not touched. */
  function leave(job: Job): void {
    queue.remove(job.key, job);
    const seat = seatOf(job);
    if (seat) remove(seat, new SandboxClosedError());
  }

  function work(seat: Seat, job: Job): void {
    seat.workingSince = performance.now();
    startClock(seat, job.leftMs, new SandboxTimeoutError(job.deadlineMs));
  }

  function startClock(seat: Seat, ms: number, reason: SandboxError): void {
    clearTimeout(seat.timer);
    seat.timer = setTimeout(() => remove(seat, reason), ms);
  }

  function hear(seat: Seat, answer: SandboxAnswer): void {
    const { job } = seat;
    if (!job) return;
    switch (answer.kind) {
      case 'started':
        return work(seat, job);
      case 'part':
        job.leftMs = Math.max(0, job.leftMs - (performance.now() - seat.workingSince));
        startClock(seat, maxHoldMs, new SandboxError("the job's results weren't accepted"));
        return job.onPart(answer.part);
      case 'done':
        job.resolve(answer.output);
        break;
      case 'failed':
        job.reject(new SandboxJobError(answer.message));
    }
    seat.job = null;
    // What one job left behind shall not be charged to the next.
    if (answer.heapMb > options.maxHeapMb / 2) remove(seat, new SandboxClosedError());
    else rest(seat);
  }

  function takeNext(): Job | undefined {
    return queue.take(hasShare);
  }

  /** The next job, or an end when none comes for a while. An idle process does not keep the server alive. */
  function rest(seat: Seat): void {
    clearTimeout(seat.timer);
    const next = takeNext();
    if (next) return begin(seat, next);
    seat.child.unref();
    seat.child.channel?.unref();
    seat.timer = setTimeout(() => remove(seat, new SandboxClosedError()), options.idleMs ?? 10_000).unref();
  }

  /** Ends a process for good. Its job, if any, is rejected; the next one gets a new process. */
  function remove(seat: Seat, reason: SandboxError): void {
    if (!seats.delete(seat)) return;
    clearTimeout(seat.timer);
    void end(seat.child);
    const { job } = seat;
    seat.job = null;
    job?.reject(reason);
    if (isClosed) return;
    const next = takeNext();
    if (next) begin(findSeat() ?? openSeat(), next);
  }

  function end(child: ChildProcess): Promise<void> {
    const isGone = child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
    if (isGone) return Promise.resolve();
    const ended = once(child, 'exit').then(() => void leaving.delete(ended));
    leaving.add(ended);
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
    for (const seat of seats) remove(seat, new SandboxClosedError());
    await Promise.all(leaving);
  }

  return { run, stream, close };
}

function yieldProcessor(child: ChildProcess, niceness: number): void {
  if (niceness === 0 || child.pid === undefined) return;
  try {
    setPriority(child.pid, niceness);
  } catch {
    // It may have ended, or the system forbids it: then it works at the priority of the server.
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
interface Seat {
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
