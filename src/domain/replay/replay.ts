import {
  type ConfigEvaluation,
  type DatedListDoubt,
  initialEvaluation,
  listDoubtAt,
} from '../alerts/config-evaluation.ts';
import { type Decision, decideAlerts } from '../alerts/decide-alerts.ts';
import type { AlertState } from '../alerts/open-alert.ts';
import { createDeployedVersionParser } from '../alerts/version-change.ts';
import { type JudgeInput, judge, type Verdict } from '../rules/judge.ts';
import type { ExistenceStart, ReleaseSet } from '../rules/release-set.ts';
import type { Rule } from '../rules/rule-type.ts';
import { earlierTime } from '../scheduling/earlier-time.ts';

/** Deployment of `version` at `atMs`. */
export interface VersionChange {
  readonly atMs: number;
  readonly version: string;
}

/** An alert configuration whose decisions are replayed. */
export interface ReplaySubject {
  readonly rule: Rule;
  readonly options: JudgeInput['options'];
  /**
   * Deployed versions, oldest first. Nothing is evaluated before the first change, because no deployed
   * version is known.
   */
  readonly versions: readonly VersionChange[];
  /**
   * True if the upstream artifact is archived. The archiving date isn't known, so only forecasts set this
   * field.
   */
  readonly isArchived?: boolean;
  /**
   * Reason why the release list can prove that a version is behind, but not that it's up to date, and the
   * time from which it applies.
   */
  readonly listDoubt?: DatedListDoubt | null;
}

/** Reference data about the artifact that a subject compares. */
export type ReplayFacts = Pick<JudgeInput, 'support' | 'vulnerabilities'>;

export interface ReplayInput<Subject extends ReplaySubject> {
  /** All releases of the gather job that the subjects use. */
  readonly releases: ReleaseSet;
  /**
   * Determines the time from which a release is considered. With `seen`, a replay makes the same decisions as
   * the live service. With `released`, a replay makes the decisions that would result if every release were
   * detected immediately.
   */
  readonly birth: ExistenceStart;
  readonly fromMs: number;
  /**
   * End of the replay. A future time turns the replay into a forecast, which assumes that nothing is upgraded
   * or released.
   */
  readonly toMs: number;
  readonly subjects: readonly Subject[];
  /** Returns the reference data for rules that use it. Today's data is used for the past, too. */
  readonly factsOf?: (subject: Subject) => ReplayFacts;
}

/** One decision of a replay. `verdict` references all releases, so don't retain it. */
export interface ReplayStep<Subject extends ReplaySubject> {
  readonly subject: Subject;
  readonly atMs: number;
  readonly verdict: Verdict;
  readonly decision: Decision;
}

/**
 * Replays the decisions between two times with the same functions that the live service uses. A subject is
 * evaluated only when its version changes, when a release appears, when the list of releases becomes
 * incomplete, or when the verdict changes with time. Nothing changes between these times, so the result is
 * exact.
 *
 * The steps of each subject are in chronological order. Steps of different subjects are interleaved.
 */
export function* replay<Subject extends ReplaySubject>(
  input: ReplayInput<Subject>,
): Generator<ReplayStep<Subject>, void, undefined> {
  const { releases, birth, fromMs, toMs } = input;
  const courses = input.subjects.flatMap((subject) => {
    const course = new SubjectReplay(subject, input.factsOf?.(subject) ?? {}, fromMs);
    return course.nextMs <= toMs ? [course] : [];
  });
  // Subjects are evaluated only once they have a deployed version, so start with the first evaluation of any subject.
  const firstMs = courses.reduce((first, { nextMs }) => Math.min(first, nextMs), Infinity);
  const starts = [firstMs, ...releases.changesBetween(firstMs, toMs, birth)];
  for (const [index, startMs] of starts.entries()) {
    const existing = releases.asOf(startMs, birth);
    const endMs = starts[index + 1] ?? Infinity;
    for (const course of courses) {
      course.wake(startMs);
      while (course.nextMs < endMs && course.nextMs <= toMs) yield course.step(existing);
    }
  }
}

/** State of one subject during a replay. */
class SubjectReplay<Subject extends ReplaySubject> {
  /** Time of the next evaluation. */
  nextMs: number;
  readonly #subject: Subject;
  readonly #facts: ReplayFacts;
  /** Number of versions that had been deployed by the last step. */
  #versionCount = 0;
  #config: ConfigEvaluation = initialEvaluation;
  #openAlert: AlertState | null = null;

  constructor(subject: Subject, facts: ReplayFacts, fromMs: number) {
    this.#subject = subject;
    this.#facts = facts;
    const [first] = subject.versions;
    this.nextMs = first === undefined ? Infinity : Math.max(fromMs, first.atMs);
  }

  /** Schedules an evaluation at a time when the set of releases changes. */
  wake(atMs: number): void {
    if (this.#versionCount > 0) this.nextMs = atMs;
  }

  step(releases: ReleaseSet): ReplayStep<Subject> {
    const subject = this.#subject;
    const { rule, options, versions, isArchived = false, listDoubt = null } = subject;
    const atMs = this.nextMs;
    while ((versions[this.#versionCount]?.atMs ?? Infinity) <= atMs) this.#versionCount++;
    const deployedVersion = versions[this.#versionCount - 1]?.version ?? null;
    const verdict = judge({
      rule,
      options,
      deployedVersion,
      releases,
      isArchived,
      nowMs: atMs,
      ...this.#facts,
    });
    const decision = decideAlerts({
      verdict,
      staleSinceMs: null,
      listDoubt: listDoubtAt(listDoubt, atMs),
      reading: createDeployedVersionParser(releases, options.candidatePattern),
      // A replay neither stores nor displays explanations. Use the current fingerprint, so that a new
      // explanation without any other change isn't treated as a change.
      config: { ...this.#config, explanationFingerprint: verdict.explanationFingerprint },
      openAlert: this.#openAlert,
      nowMs: atMs,
    });
    this.#config = decision.config;
    const alert = decision.newAlert?.after ?? decision.openAlert?.after ?? this.#openAlert;
    this.#openAlert = alert === null || alert.resolvedAtMs !== null ? null : alert;
    const nextVersionAtMs = versions[this.#versionCount]?.atMs ?? null;
    const doubtAtMs = listDoubt !== null && listDoubt.sinceMs > atMs ? listDoubt.sinceMs : null;
    const nextChangeAtMs = earlierTime(nextVersionAtMs, doubtAtMs);
    this.nextMs = earlierTime(nextChangeAtMs, decision.nextEvaluationAtMs) ?? Infinity;
    return { subject, atMs, verdict, decision };
  }
}
