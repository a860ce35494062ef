import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { setPriority } from 'node:os';
import type { SandboxOptions } from './sandbox.ts';
import {
  SandboxClosedError,
  SandboxError,
  SandboxJobError,
  SandboxMemoryError,
  SandboxTimeoutError,
} from './sandbox-errors.ts';
import type { SandboxJobRequest, SandboxMessage, SandboxResponse } from './sandbox-protocol.ts';

/**
 * Maximum time to start a process and load its module. Usually this takes 0.15 s, but it has taken seconds on
 * a machine under load.
 */
const startAllowanceMs = 30_000;
/** Maximum time that a part can wait for its consumer. After that, the stream is considered abandoned. */
const maxHoldMs = 300_000;

/** A call to a function in a process. */
export interface SandboxJob {
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

export interface WorkerEvents {
  /** The process has ended its job and can get another one. */
  onFree(worker: SandboxWorker): void;
  /** The process can't be used any longer. */
  onLost(worker: SandboxWorker, reason: SandboxError): void;
}

/** A process with at most one job. */
export class SandboxWorker {
  readonly #options: SandboxOptions;
  readonly #events: WorkerEvents;
  readonly #child: ChildProcess;
  #job: SandboxJob | null = null;
  /** Deadline of the job, or the idle timeout. */
  #timer: NodeJS.Timeout | undefined;
  #workingSince = 0;

  constructor(options: SandboxOptions, events: WorkerEvents) {
    this.#options = options;
    this.#events = events;
    const compileCacheDirectory = options.compileCacheFolder ?? getCompileCacheDir();
    this.#child = fork(options.entryUrl ?? new URL('./sandbox-process.ts', import.meta.url), {
      // The process doesn't inherit the environment variables of the server, which contain its secrets and
      // flags.
      env: compileCacheDirectory === undefined ? {} : { NODE_COMPILE_CACHE: compileCacheDirectory },
      // Limit the young generation. A large one would keep a job's garbage until the next job: 30 MB per process, with
      // no time saved.
      execArgv: [`--max-old-space-size=${options.maxHeapMb}`, '--max-semi-space-size=4'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    lowerPriority(this.#child, options.niceness ?? 0);
    this.#child.on('message', (answer: SandboxResponse) => this.#handleMessage(answer));
    this.#child.on('error', (error) =>
      events.onLost(this, new SandboxJobError('worker process failed', { cause: error })),
    );
    this.#child.on('exit', (code, signal) => events.onLost(this, this.#explainExit(code, signal)));
  }

  get job(): SandboxJob | null {
    return this.#job;
  }

  start(job: SandboxJob): void {
    clearTimeout(this.#timer);
    const order: SandboxJobRequest = { ...job.order, isStream: job.body !== null };
    try {
      this.#child.send(order);
    } catch (error) {
      job.reject(new SandboxJobError("input can't be serialized", { cause: error }));
      return this.#events.onFree(this);
    }
    this.#job = job;
    this.#child.ref();
    this.#child.channel?.ref();
    this.#startTimer(startAllowanceMs + job.deadlineMs, () => new SandboxTimeoutError(job.deadlineMs));
    if (job.body) void this.#sendBody(job, job.body);
  }

  /** Requests the next part and resumes the deadline after a part was consumed. */
  resume(job: SandboxJob): void {
    const message: SandboxMessage = { kind: 'next', job: job.order.job };
    this.#child.send(message, () => undefined);
    this.#startWorkClock(job);
  }

  /** Waits for a job until the idle timeout. An idle process doesn't keep the server alive. */
  rest(): void {
    clearTimeout(this.#timer);
    this.#child.unref();
    this.#child.channel?.unref();
    const onIdle = () => this.#events.onLost(this, new SandboxClosedError());
    this.#timer = setTimeout(onIdle, this.#options.idleMs ?? 10_000).unref();
  }

  /** Kills the process and rejects its job, if any. Resolves when the process has exited. */
  end(reason: SandboxError): Promise<void> {
    clearTimeout(this.#timer);
    const exited = this.#kill();
    const job = this.#job;
    this.#job = null;
    job?.reject(reason);
    return exited;
  }

  async #kill(): Promise<void> {
    const child = this.#child;
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    // An idle process doesn't keep the server alive, but `close` must wait for its exit.
    child.ref();
    // Only SIGKILL ends a process that is busy in JavaScript.
    child.kill('SIGKILL');
    await exited;
  }

  /**
   * Sends the body piece by piece at the pace of the process, so that the pieces aren't buffered a second
   * time in the server. Never throws.
   */
  async #sendBody(job: SandboxJob, body: Iterable<Uint8Array>): Promise<void> {
    const send = (piece: Uint8Array | null) =>
      new Promise<void>((resolve) => {
        const message: SandboxMessage = { kind: 'piece', job: job.order.job, piece };
        // Ignore errors, because the exit of a process emits a separate event.
        this.#child.send(message, () => resolve());
      });
    for (const piece of inBlocks(body)) {
      if (this.#job !== job) return;
      await send(piece);
    }
    if (this.#job === job) await send(null);
  }

  #handleMessage(answer: SandboxResponse): void {
    const job = this.#job;
    if (!job) return;
    switch (answer.kind) {
      case 'started':
        return this.#startWorkClock(job);
      case 'part':
        job.leftMs = Math.max(0, job.leftMs - (performance.now() - this.#workingSince));
        this.#startTimer(maxHoldMs, () => new SandboxError("the job's results weren't accepted"));
        return job.onPart(answer.part);
      case 'done':
        job.resolve(answer.output);
        break;
      case 'failed':
        job.reject(new SandboxJobError(answer.message));
    }
    this.#job = null;
    // Replace a process with a large heap, because memory that one job leaves behind must not count toward the limit of
    // the next.
    if (answer.heapMb > this.#options.maxHeapMb / 2) this.#events.onLost(this, new SandboxClosedError());
    else this.#events.onFree(this);
  }

  #startWorkClock(job: SandboxJob): void {
    this.#workingSince = performance.now();
    this.#startTimer(job.leftMs, () => new SandboxTimeoutError(job.deadlineMs));
  }

  /**
   * Starts the timer of the process. `createReason` creates the error only when required, because capturing its
   * stack took a third of the time to dispatch a job.
   */
  #startTimer(ms: number, createReason: () => SandboxError): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#events.onLost(this, createReason()), ms);
  }

  #explainExit(code: number | null, signal: NodeJS.Signals | null): SandboxError {
    // V8 aborts the process at its heap limit, and the system kills it when memory runs out. Both are
    // reported as too much memory.
    const isMemory =
      signal !== null ? ['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGKILL'].includes(signal) : code === 134;
    if (isMemory) return new SandboxMemoryError(this.#options.maxHeapMb);
    return new SandboxJobError(`worker exited unexpectedly (${signal ?? code})`);
  }
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
