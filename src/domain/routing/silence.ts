import { type AlertSeverity, isHigherSeverity } from '../rules/severity.ts';
import { type MatchesWholeValue, rememberMatches } from './match-label-pattern.ts';
import { type LabelMatcher, matchesLabels, type RoutingSubject } from './match-rule.ts';
import { eventTypes } from './notification-event.ts';

/** Suspends notifications of the alerts that meet all of its criteria. An empty list matches everything. */
export interface Silence {
  readonly id: number;
  readonly labelMatchers: readonly LabelMatcher[];
  /** The monitoring rules whose alerts it is for. */
  readonly ruleIds: readonly number[];
  readonly severities: readonly AlertSeverity[];
  /** It applies from this instant until just before `endsAtMs`. */
  readonly startsAtMs: number;
  readonly endsAtMs: number;
  readonly reason: string;
}

type SilenceSubject = Pick<RoutingSubject, 'severity' | 'ruleId' | 'labels'>;

/** Of the silences that match an alert, the one that ends last; null without any. */
export type FindSilence = (subject: SilenceSubject) => Silence | null;

/** Finds the silences of a batch of alerts now. */
export function silenceFinder(silences: readonly Silence[], nowMs: number): FindSilence {
  const matchesPattern = rememberMatches();
  const lastFirst = silences
    .filter(({ startsAtMs, endsAtMs }) => startsAtMs <= nowMs && nowMs < endsAtMs)
    .toSorted((a, b) => b.endsAtMs - a.endsAtMs);
  return (subject) => lastFirst.find((silence) => matchesSilence(silence, subject, matchesPattern)) ?? null;
}

function matchesSilence(
  { ruleIds, severities, labelMatchers }: Silence,
  { ruleId, severity, labels }: SilenceSubject,
  matchesPattern: MatchesWholeValue,
): boolean {
  return (
    (ruleIds.length === 0 || (ruleId !== null && ruleIds.includes(ruleId))) &&
    (severities.length === 0 || (severity !== null && severities.includes(severity))) &&
    matchesLabels(labelMatchers, labels, matchesPattern)
  );
}

/**
 * What becomes of an event.
 * - `send`: it is routed.
 * - `skip`: no one is notified.
 * - `defer`: no one is notified now. If the alert is still open when the last of its silences ends, it is reported then.
 */
export type SilencedOutcome = 'send' | 'skip' | 'defer';

/**
 * @param isSilenced A silence matches the alert.
 * @param isOpeningDeferred The opening of the alert is yet to be reported: its resolution would be news about nothing.
 */
export function silencedOutcome(
  eventType: RoutingSubject['eventType'],
  { isSilenced, isOpeningDeferred }: { isSilenced: boolean; isOpeningDeferred: boolean },
): SilencedOutcome {
  if (eventTypes[eventType].routing !== 'alert') return 'send';
  if (eventType === 'alert.resolved') return isOpeningDeferred ? 'skip' : 'send';
  if (!isSilenced) return 'send';
  return eventType === 'alert.created' || eventType === 'alert.escalated' ? 'defer' : 'skip';
}

/** An alert whose opening or escalation is yet to be reported. */
export interface DeferredReport {
  /** The severity before the first escalation that was deferred; null if the opening was. */
  readonly reportedSeverity: AlertSeverity | null;
}

/** What is yet to be reported of an alert after an event; null for nothing. */
export function deferReport(
  before: DeferredReport | null,
  outcome: SilencedOutcome,
  {
    eventType,
    previousSeverity,
  }: Pick<RoutingSubject, 'eventType'> & { previousSeverity: AlertSeverity | null },
): DeferredReport | null {
  if (outcome === 'defer')
    return before ?? { reportedSeverity: eventType === 'alert.created' ? null : previousSeverity };
  // The sent message covers everything before it, and a resolved alert is no longer reported.
  const isSettled =
    eventType === 'alert.created' || eventType === 'alert.escalated' || eventType === 'alert.resolved';
  return isSettled ? null : before;
}

/**
 * The event that reports an open alert when its silences have ended; null if it is no worse than what was reported.
 *
 * @param countsNews New findings of the same severity are news, as vulnerabilities are.
 */
export function reportAfterSilence(
  { reportedSeverity }: DeferredReport,
  severity: AlertSeverity,
  { countsNews }: { countsNews: boolean },
): 'alert.created' | 'alert.escalated' | null {
  if (reportedSeverity === null) return 'alert.created';
  const isNews =
    isHigherSeverity(severity, reportedSeverity) || (countsNews && severity === reportedSeverity);
  return isNews ? 'alert.escalated' : null;
}
