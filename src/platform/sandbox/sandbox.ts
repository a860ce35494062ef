import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { FairQueue } from './fair-queue.ts';
import {
  SandboxBusyError,
  SandboxClosedError,
  type SandboxError,
  SandboxJobError,
  SandboxMemoryError,
  SandboxTimeoutError,
} from './sandbox-errors.ts';
import type { SandboxAnswer, SandboxOrder } from './sandbox-protocol.ts';

export interface SandboxOptions {
  /** Processes at most. They start when they are needed and stop when idle. */
  workers: number;
  /** For one job, from the moment in which its function is called. */
  deadlineMs: number;
  /** The heap of one process, in MB. Buffers are not in it: pass text. */
  maxHeapMb: number;
  /** Jobs that wait at most; default 100. */
  queueLimit?: number;
  /** A process without work for so long is stopped; default 10,000. */
  idleMs?: number;
  /** The file that a process runs; for a bundle that puts it elsewhere. */
  entryUrl?: URL;
}

export interface RunOptions {
  /** Instead of the sandbox's own. */
  deadlineMs?: number;
  /** Whose job it is, such as an organization: those who wait are served in turn, whoever asks more often. */
  fairKey?: string;
}

export interface Sandbox {
  /**
   * Calls the function `exportName` of the module with `input` in a process of its own and resolves with what it
   * returns. Both are copied (structured clone). Rejects with an error of `sandbox-errors.ts`: past its deadline or
   * out of memory, the job's process is ended and replaced, and no other job notices.
   */
  run<Input, Output>(moduleUrl: URL, exportName: string, input: Input, options?: RunOptions): Promise<Output>;
  /** Ends every process; jobs without an answer are rejected. Resolves when the processes are gone. */
  close(): Promise<void>;
}

/** Starting a process and loading its module: 0.15 s, but a machine under load has taken seconds. */
const startAllowanceMs = 30_000;

/**
 * A small pool of processes for work that a user can make slow or large. Nothing starts before the first job.
 * Processes and not threads, because a thread that runs out of memory by one large allocation (a growing Map, a long
 * array) aborts the whole process, whatever its resource limits: 11 of 16 memory bombs did.
 */
export function createSandbox(options: SandboxOptions): Sandbox {
  const queue = new FairQueue<Job>(options.queueLimit ?? 100);
  const seats = new Set<Seat>();
  const leaving = new Set<Promise<unknown>>();
  let isClosed = false;

  function run<Input, Output>(moduleUrl: URL, exportName: string, input: Input, runOptions: RunOptions = {}) {
    return new Promise<Output>((resolve, reject) => {
      if (isClosed) return reject(new SandboxClosedError());
      const job: Job = {
        order: { moduleUrl: moduleUrl.href, exportName, input },
        deadlineMs: runOptions.deadlineMs ?? options.deadlineMs,
        // The caller names the function and so knows what it returns.
        resolve: (output) => resolve(output as Output),
        reject,
      };
      const seat = findSeat();
      if (seat) begin(seat, job);
      else queue.add(runOptions.fairKey ?? '', job)?.reject(new SandboxBusyError());
    });
  }

  function findSeat(): Seat | undefined {
    for (const seat of seats) if (!seat.job) return seat;
    return seats.size < options.workers ? openSeat() : undefined;
  }

  function openSeat(): Seat {
    const child = fork(options.entryUrl ?? new URL('./sandbox-process.ts', import.meta.url), {
      // Neither the secrets nor the flags of the server are there.
      env: {},
      execArgv: [`--max-old-space-size=${options.maxHeapMb}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const seat: Seat = { child, job: null, timer: undefined };
    seats.add(seat);
    child.on('message', (answer: SandboxAnswer) => hear(seat, answer));
    child.on('error', (error) => remove(seat, new SandboxJobError('the process broke', { cause: error })));
    child.on('exit', (code, signal) => remove(seat, explainExit(code, signal)));
    return seat;
  }

  function begin(seat: Seat, job: Job): void {
    clearTimeout(seat.timer);
    try {
      seat.child.send(job.order);
    } catch (error) {
      job.reject(new SandboxJobError('the input cannot be copied to a process', { cause: error }));
      return rest(seat);
    }
    seat.job = job;
    seat.child.ref();
    seat.child.channel?.ref();
    startClock(seat, job, startAllowanceMs + job.deadlineMs);
  }

  function startClock(seat: Seat, job: Job, ms: number): void {
    clearTimeout(seat.timer);
    seat.timer = setTimeout(() => remove(seat, new SandboxTimeoutError(job.deadlineMs)), ms);
  }

  function hear(seat: Seat, answer: SandboxAnswer): void {
    const { job } = seat;
    if (!job) return;
    if (answer.kind === 'started') return startClock(seat, job, job.deadlineMs);
    seat.job = null;
    if (answer.kind === 'done') job.resolve(answer.output);
    else job.reject(new SandboxJobError(answer.message));
    // What one job left behind shall not be charged to the next.
    if (answer.heapMb > options.maxHeapMb / 2) remove(seat, new SandboxClosedError());
    else rest(seat);
  }

  /** The next job, or an end when none comes for a while. An idle process does not keep the server alive. */
  function rest(seat: Seat): void {
    clearTimeout(seat.timer);
    const next = queue.take();
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
    seat.job?.reject(reason);
    seat.job = null;
    if (isClosed) return;
    const next = queue.take();
    if (next) begin(openSeat(), next);
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
    return new SandboxJobError(`the process ended before it answered (${signal ?? code})`);
  }

  async function close(): Promise<void> {
    isClosed = true;
    for (let job = queue.take(); job; job = queue.take()) job.reject(new SandboxClosedError());
    for (const seat of seats) remove(seat, new SandboxClosedError());
    await Promise.all(leaving);
  }

  return { run, close };
}

interface Job {
  order: SandboxOrder;
  deadlineMs: number;
  resolve(output: unknown): void;
  reject(reason: SandboxError): void;
}

/** A process with at most one job. `timer`: the deadline of the job, or the end of idling. */
interface Seat {
  child: ChildProcess;
  job: Job | null;
  timer: NodeJS.Timeout | undefined;
}
