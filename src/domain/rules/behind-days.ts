/** A day is 24 hours from the release time, not a calendar day. */
export const dayMs = 86_400_000;

/** Whole days from `sinceMs` to `nowMs`, rounded down. 0 if `sinceMs` is in the future. */
export function behindDays(sinceMs: number, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - sinceMs) / dayMs));
}

/** A lag as stored. Days are stored as the time they count from. */
export interface StoredLag {
  readonly behindBy: number | null;
  readonly behindSinceMs: number | null;
}

/** The value of `behind_by` at `nowMs`. */
export function behindByAt(lag: StoredLag, nowMs: number): number | null {
  return lag.behindSinceMs === null ? lag.behindBy : behindDays(lag.behindSinceMs, nowMs);
}
