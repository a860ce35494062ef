import { type AlertSeverity, isHigherSeverity } from '../rules/severity.ts';
import type { ReplayStep, ReplaySubject } from './replay.ts';

/** A severity that a subject reaches because time passes. */
export interface Crossing<Subject extends ReplaySubject = ReplaySubject> {
  readonly subject: Subject;
  readonly atMs: number;
  readonly severity: AlertSeverity;
  /** Severity at the start of the replay. */
  readonly currentSeverity: AlertSeverity | null;
  readonly latestVersion: string | null;
  /** End of support for rules that evaluate support, or `null` if the date isn't known. */
  readonly endsAtMs: number | null;
}

/**
 * Collects the thresholds that are crossed in a simulation of the future, that is, increases of severity.
 * Every subject must already have a deployed version.
 */
export class CrossingLog<Subject extends ReplaySubject> {
  /** Crossings in chronological order for each subject. */
  readonly crossings: Crossing<Subject>[] = [];
  readonly #severities = new Map<
    Subject,
    { readonly current: AlertSeverity | null; last: AlertSeverity | null }
  >();

  add({ subject, atMs, verdict: { severity, latestVersion, endsAtMs } }: ReplayStep<Subject>): void {
    const known = this.#severities.get(subject);
    if (known === undefined) {
      this.#severities.set(subject, { current: severity, last: severity });
      return;
    }
    const { current: currentSeverity, last } = known;
    known.last = severity;
    if (severity !== null && isHigherSeverity(severity, last))
      this.crossings.push({ subject, atMs, severity, currentSeverity, latestVersion, endsAtMs });
  }
}
