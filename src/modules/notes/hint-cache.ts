import { findHints, type Hint } from '../../domain/notes/find-hints.ts';

/** Maximum number of cached hints of all releases, about 20 MB. */
const maxHints = 100_000;

export interface NotesToRead {
  /** ID of the release that has the notes. */
  id: number;
  updated_at: Date;
  notes: string;
}

export interface HintCache {
  read(notes: NotesToRead): readonly Hint[];
}

/**
 * Caches the hints of each release until the release changes, because finding hints takes longer than reading
 * the notes.
 */
export function createHintCache(): HintCache {
  const kept = new Map<number, { updatedAtMs: number; hints: readonly Hint[] }>();
  let size = 0;
  return {
    read({ id, updated_at, notes }) {
      const updatedAtMs = updated_at.getTime();
      const known = kept.get(id);
      if (known?.updatedAtMs === updatedAtMs) return known.hints;
      const hints = findHints(notes);
      if (known !== undefined) size -= known.hints.length + 1;
      kept.delete(id);
      kept.set(id, { updatedAtMs, hints });
      size += hints.length + 1;
      for (const [oldest, { hints: old }] of kept) {
        if (size <= maxHints || oldest === id) break;
        kept.delete(oldest);
        size -= old.length + 1;
      }
      return hints;
    },
  };
}
