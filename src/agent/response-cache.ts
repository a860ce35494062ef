import type { SourceResponse } from '../sources/source-http.ts';

export interface KnownVersion {
  rawVersion: string;
  version: string;
}

/** Last result for a URL, valid until the document changes. */
export interface CachedResponse {
  validators: SourceResponse['validators'];
  /** Versions, by the options with which they were found. */
  versions: Map<string, KnownVersion>;
}

/** Maximum number of URLs whose results are cached, at about 1 kB each. */
const maxAnswers = 5_000;
/** Maximum number of versions for one URL. */
const maxVersions = 100;

/**
 * Creates a cache that lets an agent check whether a document has changed. The cache is in memory only, so
 * the first request after a restart is unconditional.
 */
export function createResponseCache() {
  const answers = new Map<string, CachedResponse>();
  return {
    find: (key: string): CachedResponse | null => answers.get(key) ?? null,
    keep(key: string, answer: CachedResponse): void {
      answers.delete(key);
      if (answer.validators === null || answer.versions.size > maxVersions) return;
      // Evict the least recently used entry.
      if (answers.size >= maxAnswers) answers.delete(answers.keys().next().value ?? '');
      answers.set(key, answer);
    },
  };
}

export type ResponseCache = ReturnType<typeof createResponseCache>;
