/** Milliseconds in a day. Ages are counted in periods of 24 hours from the release time, not in calendar days. */
export const dayMs = 86_400_000;

/** Returns the number of whole days from `sinceMs` to `nowMs`, or 0 if `sinceMs` is in the future. */
export function wholeDaysBetween(sinceMs: number, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - sinceMs) / dayMs));
}

/**
 * A lag as it's stored. For a lag in days, the time from which the days are counted is stored instead of the number of
 * days.
 */
export interface StoredLag {
  readonly behindBy: number | null;
  readonly behindSinceMs: number | null;
}

/** Returns the value of `behind_by` at `nowMs`. */
export function behindByAt(lag: StoredLag, nowMs: number): number | null {
  return lag.behindSinceMs === null ? lag.behindBy : wholeDaysBetween(lag.behindSinceMs, nowMs);
}
