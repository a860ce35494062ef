/** A day is 24 hours after the instant of the release, whatever any calendar says. */
export const dayMs = 86_400_000;

/** Whole days from `sinceMs` to `nowMs`, rounded down; 0 while `sinceMs` is still to come. */
export function behindDays(sinceMs: number, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - sinceMs) / dayMs));
}

/** How far behind something is, as it is stored: days only as the instant since when. */
export interface StoredLag {
  readonly behindBy: number | null;
  readonly behindSinceMs: number | null;
}

/** `behind_by` as an answer, a message or a sort shows it at its own `nowMs`. */
export function behindByAt(lag: StoredLag, nowMs: number): number | null {
  return lag.behindSinceMs === null ? lag.behindBy : behindDays(lag.behindSinceMs, nowMs);
}
