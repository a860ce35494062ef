/**
 * Maximum duration of a batch. Rows of other organizations wait this long for a batch, and a batch holds its connection
 * and its locks this long.
 */
const longestMs = 250;

/**
 * Number of rows that take about a quarter of a second to process, adapted to the duration of the last batch.
 * Rows differ: a configuration whose inputs are unchanged takes a tenth of the time of one that opens an
 * alert.
 */
export class BatchSize {
  readonly #min: number;
  readonly #max: number;
  #size: number;

  /** @param limits.first Size of the first batch, whose duration isn't known yet. */
  constructor({ min, max, first }: { min: number; max: number; first: number }) {
    this.#min = Math.min(min, max);
    this.#max = max;
    this.#size = Math.min(first, max);
  }

  get rows(): number {
    return this.#size;
  }

  /**
   * Adapts the size after a batch. A batch of few rows doesn't show how long many rows take, so it can't
   * raise the size.
   */
  adaptTo(rows: number, durationMs: number): void {
    const fitting = Math.floor((rows * longestMs) / Math.max(durationMs, 1));
    const isRepresentative = durationMs > longestMs || rows >= this.#size / 2;
    if (rows === 0 || !isRepresentative) return;
    // Double at most, because the next rows can take longer.
    this.#size = Math.max(this.#min, Math.min(fitting, this.#size * 2, this.#max));
  }
}
