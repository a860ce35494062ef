import { setImmediate as nextTurn } from 'node:timers/promises';

/** Others have their turn after so long. */
const sliceMs = 10;

/** Divides work into slices, between which the thread does other work. */
export class TimeSlices {
  readonly #signal: AbortSignal;
  readonly #endsAt: number;
  #sliceEndsAt = performance.now() + sliceMs;

  /** @param longestMs After so long, there is no time left. */
  constructor(signal: AbortSignal = new AbortController().signal, longestMs = Infinity) {
    this.#signal = signal;
    this.#endsAt = performance.now() + longestMs;
  }

  get isTimeLeft(): boolean {
    return performance.now() < this.#endsAt;
  }

  /** To be called often: `undefined`, which needn't be awaited, until the slice is over. Throws if the work was canceled. */
  pause(): Promise<void> | undefined {
    return performance.now() < this.#sliceEndsAt ? undefined : this.#rest();
  }

  /** Does work whose steps are short, and returns its result. */
  async run<Result>(steps: Generator<void, Result, void>): Promise<Result> {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
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
