import { dayMs } from '../rules/behind-days.ts';
import { readableDay } from '../templates/readable-time.ts';

/** Older reference data opens and closes no alerts. */
export const maxReferenceAgeDays = 30;

/** Where the data of each source comes from. */
export const referenceLabels = { end_of_life: 'endoflife.date', vulnerabilities: 'OSV' } as const;
export type ReferenceSourceName = keyof typeof referenceLabels;

/** The last instant whose verdicts rest on reference data that was known to be current at `asOfMs`. */
export function referenceValidUntilMs(asOfMs: number): number {
  return asOfMs + maxReferenceAgeDays * dayMs;
}

export function isReferenceOld(asOfMs: number, nowMs: number): boolean {
  return nowMs > referenceValidUntilMs(asOfMs);
}

/** What alert configurations are called where the sentence is read, and how days are written there. */
export interface ReferenceReader {
  configs: 'monitors' | 'alert configurations';
  formatDay: (at: Date) => string;
}

/**
 * What is wrong with the age of reference data that rules use, in sentences. Null: nothing.
 *
 * @param asOfMs When it was known to be current; null if it has never been loaded.
 */
export function describeReferenceAge(
  label: string,
  asOfMs: number | null,
  nowMs: number,
  { configs, formatDay }: ReferenceReader,
): string | null {
  if (asOfMs === null)
    return `No data from ${label} is loaded, so ${configs} with ${label === referenceLabels.vulnerabilities ? 'a known-vulnerabilities' : 'an end-of-life'} rule have no data.`;
  return isReferenceOld(asOfMs, nowMs) ? oldDataSentence(label, formatDay(new Date(asOfMs))) : null;
}

/** The same for data that a verdict used. @param fetchedAt Absent in explanations that were stored without it. */
export function ageSentences(label: string, fetchedAt: string | null | undefined, nowMs: number): string[] {
  if (fetchedAt == null || !isReferenceOld(Date.parse(fetchedAt), nowMs)) return [];
  return [oldDataSentence(label, readableDay(fetchedAt))];
}

function oldDataSentence(label: string, day: string): string {
  return `The data from ${label} is from ${day}. It's older than ${maxReferenceAgeDays} days, so the passing of time alone no longer opens or resolves alerts.`;
}
