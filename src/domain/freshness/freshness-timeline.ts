import type { VersionChange } from '../replay/replay.ts';
import type { ReleaseSet } from '../rules/release-set.ts';
import { type FreshnessFigures, type FreshnessOptions, measureFreshness } from './freshness-figures.ts';

/** A deployed resource that is compared with the releases of a gather job. */
export interface FreshnessSubject {
  readonly options: FreshnessOptions;
  /** Deployed versions, oldest first. The version before the first change is unknown. */
  readonly versions: readonly VersionChange[];
  /** Time from which newer releases may be missing from the list. */
  readonly doubtedSinceMs?: number | null;
}

/**
 * Figures of a subject from the instant at `fromIndex` up to, but not including, the instant at `untilIndex`.
 * The figures don't change in this range.
 */
export interface FreshnessStep<Subject extends FreshnessSubject> {
  readonly subject: Subject;
  readonly fromIndex: number;
  readonly untilIndex: number;
  /** `null` if the version can't be compared with the releases. */
  readonly figures: FreshnessFigures | null;
}

/**
 * Yields the figures of the subjects of one gather job at given instants. A subject is measured again only if
 * its version has changed since the previous instant, if a release was published since then, or if the list
 * has become incomplete.
 *
 * A release exists from its release date on, or from the time when it was first seen if it has no date.
 * Before the first version of a subject, no figures are yielded.
 *
 * @param instants Times in milliseconds since 1970, ascending.
 */
export function* freshnessTimeline<Subject extends FreshnessSubject>(
  releases: ReleaseSet,
  subjects: readonly Subject[],
  instants: readonly number[],
): Generator<FreshnessStep<Subject>, void, undefined> {
  const firstMs = instants[0];
  const lastMs = instants.at(-1);
  if (firstMs === undefined || lastMs === undefined) return;
  const courses = subjects.map((subject) => new SubjectTimeline(subject));
  const changeIndexes = new Set(
    releases.changesBetween(firstMs, lastMs, 'released').map((atMs) => indexFrom(instants, atMs)),
  );
  for (const { doubtedSinceMs } of subjects)
    if (doubtedSinceMs != null && doubtedSinceMs <= lastMs)
      changeIndexes.add(indexFrom(instants, doubtedSinceMs));
  let existing: ReleaseSet | null = null;
  for (const [index, atMs] of instants.entries()) {
    const isChanged = index === 0 || changeIndexes.has(index);
    if (isChanged) existing = null;
    for (const course of courses) {
      if (!course.moveTo(atMs) && !isChanged) continue;
      existing ??= releases.asOf(atMs, 'released');
      yield* course.measure(existing, index, atMs);
    }
  }
  for (const course of courses) yield* course.end(instants.length);
}

/** Progress of one subject through the instants. */
class SubjectTimeline<Subject extends FreshnessSubject> {
  readonly #subject: Subject;
  #versionCount = 0;
  #version: string | null = null;
  #fromIndex = 0;
  #figures: FreshnessFigures | null = null;

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  /** @returns True if the deployed version changed. */
  moveTo(atMs: number): boolean {
    const { versions } = this.#subject;
    let next = versions[this.#versionCount];
    const before = this.#versionCount;
    while (next !== undefined && next.atMs <= atMs) next = versions[++this.#versionCount];
    return this.#versionCount > before;
  }

  *measure(
    existing: ReleaseSet,
    index: number,
    atMs: number,
  ): Generator<FreshnessStep<Subject>, void, undefined> {
    const version = this.#subject.versions[this.#versionCount - 1]?.version;
    if (version === undefined) return;
    const { options, doubtedSinceMs } = this.#subject;
    const isDoubted = doubtedSinceMs != null && doubtedSinceMs <= atMs;
    const figures = measureFreshness(existing, options, version, isDoubted);
    if (this.#version === version && isSame(figures, this.#figures)) return;
    yield* this.end(index);
    this.#version = version;
    this.#fromIndex = index;
    this.#figures = figures;
  }

  *end(untilIndex: number): Generator<FreshnessStep<Subject>, void, undefined> {
    if (this.#version === null || untilIndex === this.#fromIndex) return;
    yield { subject: this.#subject, fromIndex: this.#fromIndex, untilIndex, figures: this.#figures };
  }
}

function isSame(a: FreshnessFigures | null, b: FreshnessFigures | null): boolean {
  if (a === null || b === null) return a === b;
  return (
    a.latestVersion === b.latestVersion &&
    a.lagMs === b.lagMs &&
    a.exposedSinceMs === b.exposedSinceMs &&
    a.majors === b.majors &&
    a.minors === b.minors &&
    a.releases === b.releases &&
    a.isEstimate === b.isEstimate &&
    a.isLowerBound === b.isLowerBound
  );
}

/** Returns the index of the first instant at or after `atMs`. */
function indexFrom(instants: readonly number[], atMs: number): number {
  let low = 0;
  let high = instants.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (instants[middle]! < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
