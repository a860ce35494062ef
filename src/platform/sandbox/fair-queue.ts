/**
 * Waiting jobs, first come first served within a key, keys in turn. When it is full, a newcomer takes the place of
 * the last job of the key that has most: nobody can fill it for the others.
 */
export class FairQueue<Job> {
  readonly #limit: number;
  /** In the order in which the keys have their turn; no key without a job. */
  readonly #waiting = new Map<string, Job[]>();
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns the job that has to go because the queue is full (it may be the new one), else `undefined`. */
  add(key: string, job: Job): Job | undefined {
    const jobs = this.#waiting.get(key) ?? [];
    let evicted: Job | undefined;
    if (this.#size >= this.#limit) {
      const greediest = [...this.#waiting.values()].reduce(
        (most, each) => (each.length > most.length ? each : most),
        jobs,
      );
      if (greediest.length <= jobs.length + 1) return job;
      evicted = greediest.pop();
      this.#size -= 1;
    }
    jobs.push(job);
    this.#waiting.set(key, jobs);
    this.#size += 1;
    return evicted;
  }

  /** The next job whose key passes. A key that doesn't pass keeps its turn. */
  take(passes: (key: string) => boolean = () => true): Job | undefined {
    for (const [key, jobs] of this.#waiting) {
      if (!passes(key)) continue;
      const job = jobs.shift();
      this.#size -= 1;
      // Behind the other keys, or away.
      this.#waiting.delete(key);
      if (jobs.length > 0) this.#waiting.set(key, jobs);
      return job;
    }
    return undefined;
  }

  /** Removes a job that no longer waits for its turn. */
  remove(key: string, job: Job): void {
    const jobs = this.#waiting.get(key);
    const at = jobs?.indexOf(job) ?? -1;
    if (!jobs || at < 0) return;
    jobs.splice(at, 1);
    this.#size -= 1;
    if (jobs.length === 0) this.#waiting.delete(key);
  }
}
