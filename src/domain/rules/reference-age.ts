import { readableDay } from '../text/readable-time.ts';
import { dayMs } from './stored-lag.ts';

/** Maximum age of reference data. With older data, the passage of time alone doesn't open or resolve alerts. */
export const maxReferenceAgeDays = 30;

/** Display name of each source of reference data. */
export const referenceLabels = {
  end_of_life: 'endoflife.date',
  epss: 'EPSS',
  known_exploited: 'CISA KEV',
  vulnerabilities: 'OSV',
} as const;
export type ReferenceSourceName = keyof typeof referenceLabels;

/** Names of all sources, for messages. */
export const referenceNames = new Intl.ListFormat('en', { type: 'disjunction' }).format(
  Object.keys(referenceLabels),
);

export function isReferenceSource(text: string): text is ReferenceSourceName {
  return Object.hasOwn(referenceLabels, text);
}

/** Returns the last instant at which reference data that was current at `asOfMs` is still valid. */
export function referenceValidUntilMs(asOfMs: number): number {
  return asOfMs + maxReferenceAgeDays * dayMs;
}

export function isReferenceDataExpired(asOfMs: number, nowMs: number): boolean {
  return nowMs > referenceValidUntilMs(asOfMs);
}

/**
 * The date format and the word for alert configurations in a message about the age of reference data. Both depend on
 * where the message is shown.
 */
export interface ReferenceWording {
  configs: 'monitors' | 'alert configurations';
  formatDay: (at: Date) => string;
}

/**
 * Describes a problem with the age of reference data that rules use. Null if there is no problem.
 *
 * @param asOfMs Last time at which the data was known to be current. Null if the data has never been loaded.
 */
export function describeReferenceAge(
  label: string,
  asOfMs: number | null,
  nowMs: number,
  { configs, formatDay }: ReferenceWording,
): string | null {
  if (asOfMs === null) return `No data from ${label} is loaded, so ${configs} with ${rulesWith(label)}.`;
  return isReferenceDataExpired(asOfMs, nowMs) ? oldDataSentence(label, formatDay(new Date(asOfMs))) : null;
}

/** Names the rules that depend on the source with this label, and what happens to them without its data. */
function rulesWith(label: string): string {
  switch (label) {
    case referenceLabels.vulnerabilities:
      return 'a known-vulnerabilities rule have no data';
    case referenceLabels.known_exploited:
      return 'a deadline for known exploited vulnerabilities or a minimum EPSS score can have no data';
    case referenceLabels.epss:
      return 'a minimum EPSS score can have no data';
    default:
      return 'an end-of-life rule have no data';
  }
}

/**
 * Describes a problem with the age of the data that a verdict used. Empty if there is no problem.
 * @param fetchedAt Missing in explanations that were stored before this time was recorded.
 */
export function ageSentences(label: string, fetchedAt: string | null | undefined, nowMs: number): string[] {
  if (fetchedAt == null || !isReferenceDataExpired(Date.parse(fetchedAt), nowMs)) return [];
  return [oldDataSentence(label, readableDay(fetchedAt))];
}

function oldDataSentence(label: string, day: string): string {
  return `The data from ${label} is from ${day}. It's older than ${maxReferenceAgeDays} days, so the passing of time alone no longer opens or resolves alerts.`;
}
