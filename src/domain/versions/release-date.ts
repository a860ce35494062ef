/**
 * Earliest plausible release date. Sources also report dates that aren't real: zero values, fixed dates of reproducible
 * builds (1970, 1980, 1985), and typos that are in the future. A release with an implausible date is treated as
 * undated.
 */
export const earliestReleaseDate = '1995-01-01T00:00:00.000Z';

/**
 * Maximum number of days that a release date can be in the future, because clocks and time zones of other machines
 * differ.
 */
export const maxDaysAhead = 1;

export function isPlausibleDate(atMs: number, nowMs: number): boolean {
  return atMs >= Date.parse(earliestReleaseDate) && atMs <= nowMs + maxDaysAhead * 86_400_000;
}
