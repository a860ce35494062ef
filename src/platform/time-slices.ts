import { setImmediate as nextTurn } from 'node:timers/promises';

/** Duration of a slice, after which other work gets the thread. */
const sliceMs = 10;

/** Divides long work into slices. Between slices, the thread does other work. */
export class TimeSlices {
  readonly #signal: AbortSignal;
  readonly #endsAt: number;
  #sliceEndsAt = performance.now() + sliceMs;

  /** @param maxMs Time limit of all slices, after which `isTimeLeft` is false. */
  constructor(signal: AbortSignal = new AbortController().signal, maxMs = Infinity) {
    this.#signal = signal;
    this.#endsAt = performance.now() + maxMs;
  }

  get isTimeLeft(): boolean {
    return performance.now() < this.#endsAt;
  }

  /**
   * Yields to other work if the slice has ended. Call it often: during a slice, it returns `undefined`, which needn't
   * be awaited. Throws if the work was canceled.
   */
  pause(): Promise<void> | undefined {
    return performance.now() < this.#sliceEndsAt ? undefined : this.#rest();
  }

  /** Runs work that consists of short steps and returns its result. */
  async run<Result>(steps: Generator<void, Result, void>): Promise<Result> {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      const pause = this.pause();
      if (pause !== undefined) await pause;
    }
  }

  /** Like `run`, but returns null if the time limit ends before the work. */
  async runWhileTimeIsLeft<Result>(steps: Generator<void, Result, void>): Promise<Result | null> {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      if (!this.isTimeLeft) return null;
      const pause = this.pause();
      if (pause !== undefined) await pause;
    }
  }

  async #rest(): Promise<void> {
    await nextTurn();
    this.#signal.throwIfAborted();
    this.#sliceEndsAt = performance.now() + sliceMs;
  }
}
