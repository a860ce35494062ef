/**
 * Earliest date that counts as a release date. Sources report dates that aren't real: zero values, dates of
 * reproducible builds (1970, 1980, 1985), and typos in the future. A release with one of these dates counts
 * as undated.
 */
export const earliestReleaseDate = '1995-01-01T00:00:00.000Z';

/** Tolerance in days, because clocks and time zones of other machines differ. */
export const maxDaysAhead = 1;

export function isPlausibleDate(atMs: number, nowMs: number): boolean {
  return atMs >= Date.parse(earliestReleaseDate) && atMs <= nowMs + maxDaysAhead * 86_400_000;
}
