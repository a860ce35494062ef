import { type AlertSeverity, isHigherSeverity } from '../rules/severity.ts';
import { createCachedMatcher, type MatchesWholeValue } from './match-label-pattern.ts';
import { type LabelMatcher, matchesLabels, type RoutingSubject } from './match-rule.ts';
import { eventTypes } from './notification-event.ts';

/**
 * Suspends notifications for the alerts that meet all its criteria. A criterion with an empty list matches
 * everything.
 */
export interface Silence {
  readonly id: number;
  readonly labelMatchers: readonly LabelMatcher[];
  /** IDs of the monitoring rules whose alerts are silenced. */
  readonly ruleIds: readonly number[];
  readonly severities: readonly AlertSeverity[];
  /** Start of the silence (inclusive). The end, `endsAtMs`, is exclusive. */
  readonly startsAtMs: number;
  readonly endsAtMs: number;
  readonly reason: string;
}

type SilenceSubject = Pick<RoutingSubject, 'severity' | 'ruleId' | 'labels'>;

/** Returns the silence that ends last among those that match an alert, or `null` if none match. */
export type FindSilence = (subject: SilenceSubject) => Silence | null;

/** Returns a function that finds the silences of a batch of alerts at `nowMs`. */
export function createSilenceFinder(silences: readonly Silence[], nowMs: number): FindSilence {
  const matchesPattern = createCachedMatcher();
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
 * Handling of an event.
 * - `send`: the event is routed.
 * - `skip`: no one is notified.
 * - `defer`: no one is notified now. If the alert is still open when its last silence ends, it's reported at
 *   that time.
 */
export type SilencedOutcome = 'send' | 'skip' | 'defer';

/**
 * @param isSilenced True if a silence matches the alert.
 * @param isOpeningDeferred True if the opening of the alert hasn't been reported yet. In this case, the
 * resolution is skipped, because no one was notified about the alert.
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

/** A deferred report of an alert's opening or escalation. */
export interface DeferredReport {
  /** Severity before the first deferred escalation, or `null` if the opening was deferred. */
  readonly reportedSeverity: AlertSeverity | null;
}

/** Returns the report that is still due for an alert after an event, or `null` if none is due. */
export function nextDeferredReport(
  before: DeferredReport | null,
  outcome: SilencedOutcome,
  {
    eventType,
    previousSeverity,
  }: Pick<RoutingSubject, 'eventType'> & { previousSeverity: AlertSeverity | null },
): DeferredReport | null {
  if (outcome === 'defer')
    return before ?? { reportedSeverity: eventType === 'alert.created' ? null : previousSeverity };
  // A sent message covers all earlier changes, and a resolved alert no longer needs a report.
  const isSettled =
    eventType === 'alert.created' || eventType === 'alert.escalated' || eventType === 'alert.resolved';
  return isSettled ? null : before;
}

/**
 * Returns the type of the event that reports an open alert after its silences have ended, or `null` if the
 * alert isn't more severe than already reported or someone has acknowledged it.
 *
 * @param countsNews True if new findings at the same severity are also reported, as for vulnerabilities.
 */
export function eventTypeAfterSilence(
  { reportedSeverity }: DeferredReport,
  severity: AlertSeverity,
  { countsNews, isAcknowledged }: { countsNews: boolean; isAcknowledged: boolean },
): 'alert.created' | 'alert.escalated' | null {
  // An escalation clears the acknowledgment, so an acknowledged alert was acknowledged at its current severity.
  if (isAcknowledged) return null;
  if (reportedSeverity === null) return 'alert.created';
  const isNews =
    isHigherSeverity(severity, reportedSeverity) || (countsNews && severity === reportedSeverity);
  return isNews ? 'alert.escalated' : null;
}
