import { type AlertSeverity, isHigherSeverity } from '../rules/severity.ts';
import type { ReplayStep, ReplaySubject } from './replay.ts';

/** A severity that a subject reaches because time passes. */
export interface Crossing<Subject extends ReplaySubject = ReplaySubject> {
  readonly subject: Subject;
  readonly atMs: number;
  readonly severity: AlertSeverity;
  /** When the replay starts. */
  readonly currentSeverity: AlertSeverity | null;
  readonly latestVersion: string | null;
  /** For rules about support: when it ends, if the day is known. */
  readonly endsAtMs: number | null;
}

/** Collects when severities rise in a replay that starts now and whose subjects run something already. */
export class CrossingLog<Subject extends ReplaySubject> {
  /** In order of time for each subject. */
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
