import type { SourceAnswer } from '../sources/source-http.ts';

export interface KnownVersion {
  rawVersion: string;
  version: string;
}

/** What was last found at a URL, valid while it hasn't changed. */
export interface KnownAnswer {
  validators: SourceAnswer['validators'];
  /** By how it was looked for. */
  versions: Map<string, KnownVersion>;
}

/** How many URLs the agent remembers the responses of, at about 1 kB each. */
const maxAnswers = 5_000;
/** Of one address. */
const maxVersions = 100;

/**
 * Lets an agent check whether a document has changed. Kept in memory only: after a restart, the first request is
 * unconditional.
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
