import type { SourceAnswer } from '../sources/source-http.ts';

export interface KnownVersion {
  rawVersion: string;
  version: string;
}

/** Last result for a URL, valid until the document changes. */
export interface KnownAnswer {
  validators: SourceAnswer['validators'];
  /** Versions, by the options with which they were found. */
  versions: Map<string, KnownVersion>;
}

/** Maximum number of URLs whose results are cached, at about 1 kB each. */
const maxAnswers = 5_000;
/** Maximum number of versions for one URL. */
const maxVersions = 100;

/**
 * Creates a cache that lets an agent check whether a document has changed. It's in memory only, so the first
 * request after a restart is unconditional.
 */
export function createKnownAnswers() {
  const answers = new Map<string, KnownAnswer>();
  return {
    find: (key: string): KnownAnswer | null => answers.get(key) ?? null,
    keep(key: string, answer: KnownAnswer): void {
      answers.delete(key);
      if (answer.validators === null || answer.versions.size > maxVersions) return;
      // Evict the least recently used entry.
      if (answers.size >= maxAnswers) answers.delete(answers.keys().next().value ?? '');
      answers.set(key, answer);
    },
  };
}

export type KnownAnswers = ReturnType<typeof createKnownAnswers>;
