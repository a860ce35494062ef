import { findHints, type Hint } from '../../domain/notes/find-hints.ts';

/** Hints kept of all releases together: about 20 MB. */
const maxHints = 100_000;

export interface NotesToRead {
  /** Of the release that has them. */
  id: number;
  updated_at: Date;
  notes: string;
}

export interface HintCache {
  read(notes: NotesToRead): readonly Hint[];
}

/** The hints of notes, found once for each release until it changes: to find them takes longer than to read the notes. */
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
