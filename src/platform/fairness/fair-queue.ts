/**
 * A queue of jobs. Keys are served in turn; within a key, jobs are served in order. If the queue is full, a
 * new job replaces the last job of the key with the most jobs, so no key can fill the queue for the others.
 */
export class FairQueue<Job> {
  readonly #limit: number;
  /** Jobs by key, in the order of the keys' turns. Keys without jobs are removed. */
  readonly #waiting = new Map<string, Job[]>();
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * Adds a job. Returns the job that was evicted because the queue is full (possibly the new one), or
   * `undefined`.
   */
  add(key: string, job: Job): Job | undefined {
    const jobs = this.#waiting.get(key) ?? [];
    let evicted: Job | undefined;
    if (this.#size >= this.#limit) {
      const longest = [...this.#waiting.values()].reduce(
        (most, each) => (each.length > most.length ? each : most),
        jobs,
      );
      if (longest.length <= jobs.length + 1) return job;
      evicted = longest.pop();
      this.#size -= 1;
    }
    jobs.push(job);
    this.#waiting.set(key, jobs);
    this.#size += 1;
    return evicted;
  }

  /**
   * Removes and returns the first job that passes, of the first job of each key. A key whose job doesn't pass keeps its
   * turn. `stop` ends the search.
   */
  take(passes: (key: string, job: Job) => boolean | 'stop' = () => true): Job | undefined {
    for (const [key, jobs] of this.#waiting) {
      const answer = passes(key, jobs[0]!);
      if (answer === 'stop') return undefined;
      if (!answer) continue;
      const job = jobs.shift();
      this.#size -= 1;
      // Move the key to the end, or remove it if it has no more jobs.
      this.#waiting.delete(key);
      if (jobs.length > 0) this.#waiting.set(key, jobs);
      return job;
    }
    return undefined;
  }

  /** Removes a job that no longer has to wait. */
  remove(key: string, job: Job): void {
    const jobs = this.#waiting.get(key);
    const at = jobs?.indexOf(job) ?? -1;
    if (!jobs || at < 0) return;
    jobs.splice(at, 1);
    this.#size -= 1;
    if (jobs.length === 0) this.#waiting.delete(key);
  }
}
