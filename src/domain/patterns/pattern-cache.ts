import type { CompileResult } from './compile-pattern.ts';

/** All patterns of several organizations, as people write them. */
const maxBytes = 64 * 1024 * 1024;
const maxEntries = 2_000;
/** Of one that was refused: its text and the message. */
const refusedBytes = 4 * 1024;

/**
 * Compiled patterns by their text. The least recently used is dropped first, when there are too many or they take too
 * much memory: one pattern can take 2 MiB.
 */
export class PatternCache {
  readonly #compile: (source: string) => CompileResult;
  readonly #limits: { maxBytes: number; maxEntries: number };
  /** The least recently used comes first. */
  readonly #entries = new Map<string, CompileResult>();
  #bytes = 0;

  constructor(compile: (source: string) => CompileResult, limits = { maxBytes, maxEntries }) {
    this.#compile = compile;
    this.#limits = limits;
  }

  get(source: string): CompileResult {
    let result = this.#entries.get(source);
    if (result === undefined) {
      result = this.#compile(source);
      this.#bytes += bytesOf(result);
    } else {
      this.#entries.delete(source);
    }
    this.#entries.set(source, result);
    while (this.#bytes > this.#limits.maxBytes || this.#entries.size > this.#limits.maxEntries) {
      const [oldest, dropped] = this.#entries.entries().next().value!;
      this.#entries.delete(oldest);
      this.#bytes -= bytesOf(dropped);
    }
    return result;
  }
}

function bytesOf(result: CompileResult): number {
  return result.ok ? result.pattern.bytes : refusedBytes;
}
