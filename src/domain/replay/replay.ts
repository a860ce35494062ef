import { type ConfigEvaluation, freshConfig } from '../alerts/config-evaluation.ts';
import { type Decision, decideAlerts } from '../alerts/decide-alerts.ts';
import type { AlertState } from '../alerts/open-alert.ts';
import { type JudgeInput, judge, type Verdict } from '../rules/judge.ts';
import type { Birth, ReleaseSet } from '../rules/release-set.ts';
import type { Rule } from '../rules/rule-type.ts';
import { earlierTime } from '../scheduling/earlier-time.ts';

/** From `atMs` on, `version` ran. */
export interface VersionChange {
  readonly atMs: number;
  readonly version: string;
}

/** An alert configuration whose decisions are replayed. */
export interface ReplaySubject {
  readonly rule: Rule;
  readonly options: JudgeInput['options'];
  /** What ran, the oldest first. Before the first change, nothing is known and nothing is decided. */
  readonly versions: readonly VersionChange[];
  /** Since when isn't known, so only forecasts have it. */
  readonly isArchived?: boolean;
}

/** Reference data about what a subject compares. */
export type ReplayFacts = Pick<JudgeInput, 'support' | 'vulnerabilities'>;

export interface ReplayInput<Subject extends ReplaySubject> {
  /** All releases of the gather job that the subjects are compared with. */
  readonly releases: ReleaseSet;
  /** By `seen`, a replay decides what the live service decided. By `released`, what a perfect watcher would have. */
  readonly birth: Birth;
  readonly fromMs: number;
  /** A time in the future makes the replay a forecast: what happens if nothing is upgraded or released. */
  readonly toMs: number;
  readonly subjects: readonly Subject[];
  /** For rules that use reference data. Today's data is used for the past, too. */
  readonly factsOf?: (subject: Subject) => ReplayFacts;
}

/** One decision. `verdict` references all releases, so don't keep it. */
export interface ReplayStep<Subject extends ReplaySubject> {
  readonly subject: Subject;
  readonly atMs: number;
  readonly verdict: Verdict;
  readonly decision: Decision;
}

/**
 * Decides again what happened between two times, with the functions that decide it live. A subject is judged when its
 * version changes, when a release comes into being, and when time alone changes the verdict, and at no other time: what
 * lies between two steps is known exactly.
 *
 * The steps of a subject are in order of time. Those of different subjects alternate.
 */
export function* replay<Subject extends ReplaySubject>(
  input: ReplayInput<Subject>,
): Generator<ReplayStep<Subject>, void, undefined> {
  const { releases, birth, fromMs, toMs } = input;
  const courses = input.subjects.flatMap((subject) => {
    const course = new Course(subject, input.factsOf?.(subject) ?? {}, fromMs);
    return course.nextMs <= toMs ? [course] : [];
  });
  // Nothing is judged before something runs.
  const firstMs = courses.reduce((first, { nextMs }) => Math.min(first, nextMs), Infinity);
  const starts = [firstMs, ...releases.birthsBetween(firstMs, toMs, birth)];
  for (const [index, startMs] of starts.entries()) {
    const existing = releases.asOf(startMs, birth);
    const endMs = starts[index + 1] ?? Infinity;
    for (const course of courses) {
      course.wake(startMs);
      while (course.nextMs < endMs && course.nextMs <= toMs) yield course.step(existing);
    }
  }
}

/** A subject on its way through time. */
class Course<Subject extends ReplaySubject> {
  /** When it is judged next. */
  nextMs: number;
  readonly #subject: Subject;
  readonly #facts: ReplayFacts;
  /** The number of versions that had run by the last step. */
  #versionCount = 0;
  #config: ConfigEvaluation = freshConfig;
  #openAlert: AlertState | null = null;

  constructor(subject: Subject, facts: ReplayFacts, fromMs: number) {
    this.#subject = subject;
    this.#facts = facts;
    const [first] = subject.versions;
    this.nextMs = first === undefined ? Infinity : Math.max(fromMs, first.atMs);
  }

  /** Other releases exist from now on. */
  wake(atMs: number): void {
    if (this.#versionCount > 0) this.nextMs = atMs;
  }

  step(releases: ReleaseSet): ReplayStep<Subject> {
    const subject = this.#subject;
    const { rule, options, versions, isArchived = false } = subject;
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
      scheme: releases.scheme,
      // Explanations are neither stored nor shown.
      config: { ...this.#config, explanationFingerprint: verdict.explanationFingerprint },
      openAlert: this.#openAlert,
      nowMs: atMs,
    });
    this.#config = decision.config;
    const alert = decision.newAlert?.after ?? decision.openAlert?.after ?? this.#openAlert;
    this.#openAlert = alert === null || alert.resolvedAtMs !== null ? null : alert;
    const nextVersionAtMs = versions[this.#versionCount]?.atMs ?? null;
    this.nextMs = earlierTime(nextVersionAtMs, decision.nextEvaluationAtMs) ?? Infinity;
    return { subject, atMs, verdict, decision };
  }
}
