import { FairQueue } from '../fairness/index.ts';
import type { SandboxOptions } from './sandbox.ts';
import { SandboxBusyError, SandboxClosedError, type SandboxError } from './sandbox-errors.ts';
import { type SandboxJob, SandboxWorker } from './sandbox-worker.ts';

/** Assigns jobs to a limited number of processes. Owners of jobs take turns. */
export class ProcessPool {
  readonly #options: SandboxOptions;
  readonly #workersPerKey: number;
  readonly #queue: FairQueue<SandboxJob>;
  readonly #workers = new Set<SandboxWorker>();
  readonly #exiting = new Set<Promise<void>>();
  #isClosed = false;

  constructor(options: SandboxOptions) {
    this.#options = options;
    this.#workersPerKey = options.workersPerKey ?? Math.max(1, options.workers - 1);
    this.#queue = new FairQueue(options.queueLimit ?? 100);
  }

  submit(job: SandboxJob): void {
    if (this.#isClosed) return job.reject(new SandboxClosedError());
    const worker = this.#hasCapacity(job.key) ? this.#findIdleWorker() : undefined;
    if (worker) worker.start(job);
    else this.#queue.add(job.key, job)?.reject(new SandboxBusyError());
  }

  /** Continues a job after a part was consumed. */
  resume(job: SandboxJob): void {
    this.#workerOf(job)?.resume(job);
  }

  /** Cancels a job that is no longer needed. Has no effect if the job has ended. */
  cancel(job: SandboxJob): void {
    this.#queue.remove(job.key, job);
    const worker = this.#workerOf(job);
    if (worker) this.#remove(worker, new SandboxClosedError());
  }

  /** Kills all processes and rejects unfinished jobs. Resolves when all processes have exited. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (let job = this.#queue.take(); job; job = this.#queue.take()) job.reject(new SandboxClosedError());
    for (const worker of this.#workers) this.#remove(worker, new SandboxClosedError());
    await Promise.all(this.#exiting);
  }

  /** True if another job of this key can start. Jobs without a key aren't limited. */
  #hasCapacity(key: string): boolean {
    if (key === '') return true;
    let running = 0;
    for (const worker of this.#workers) if (worker.job?.key === key) running += 1;
    return running < this.#workersPerKey;
  }

  #findIdleWorker(): SandboxWorker | undefined {
    for (const worker of this.#workers) if (!worker.job) return worker;
    return this.#workers.size < this.#options.workers ? this.#startWorker() : undefined;
  }

  #startWorker(): SandboxWorker {
    const worker = new SandboxWorker(this.#options, {
      onFree: (free) => this.#assignNext(free),
      onLost: (lost, reason) => this.#remove(lost, reason),
    });
    this.#workers.add(worker);
    return worker;
  }

  #workerOf(job: SandboxJob): SandboxWorker | undefined {
    for (const worker of this.#workers) if (worker.job === job) return worker;
    return undefined;
  }

  #takeNext(): SandboxJob | undefined {
    return this.#queue.take((key) => this.#hasCapacity(key));
  }

  /** Assigns the next job to a process, or lets it wait for one. */
  #assignNext(worker: SandboxWorker): void {
    const next = this.#takeNext();
    if (next) worker.start(next);
    else worker.rest();
  }

  /** Ends a process. The next pending job gets a new one. */
  #remove(worker: SandboxWorker, reason: SandboxError): void {
    if (!this.#workers.delete(worker)) return;
    const exited = worker.end(reason).then(() => void this.#exiting.delete(exited));
    this.#exiting.add(exited);
    if (this.#isClosed) return;
    const next = this.#takeNext();
    if (next) (this.#findIdleWorker() ?? this.#startWorker()).start(next);
  }
}
