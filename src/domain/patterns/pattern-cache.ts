import type { CompileResult } from './compile-pattern.ts';

/** Memory limit of a cache, enough for all ordinary patterns of several organizations. */
const maxBytes = 64 * 1024 * 1024;
const maxEntries = 2_000;
/** Assumed memory use of a rejected pattern: its text and the error message. */
const rejectedPatternBytes = 4 * 1024;

/**
 * Cache of compiled patterns by their text. When the cache has too many patterns or uses too much memory, the
 * least recently used patterns are evicted. One pattern can take 2 MiB.
 */
export class PatternCache {
  readonly #compile: (source: string) => CompileResult;
  readonly #limits: { maxBytes: number; maxEntries: number };
  /** Entries in order of use, with the least recently used entry first. */
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
  return result.ok ? result.pattern.bytes : rejectedPatternBytes;
}
