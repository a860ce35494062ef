/**
 * Sources report dates that stand for none: zero values, those of reproducible builds (1970, 1980, 1985), and typos in the
 * future. A release with one counts as undated.
 */
export const earliestReleaseDate = '1995-01-01T00:00:00.000Z';

/** Clocks of other machines and time zones differ. */
export const maxDaysAhead = 1;

export function isPlausibleDate(atMs: number, nowMs: number): boolean {
  return atMs >= Date.parse(earliestReleaseDate) && atMs <= nowMs + maxDaysAhead * 86_400_000;
}
