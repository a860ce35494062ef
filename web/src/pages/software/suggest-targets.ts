import { isBreakingHint } from '../../../../src/domain/notes/breaking-changes.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { countOf } from '../../ui/format.ts';

type Release = Pick<
  Schemas['ReleaseWithNotes'],
  'version' | 'released_at' | 'url' | 'hints' | 'notes_source'
>;

/** The releases between the deployed and the latest version, highest first. */
export interface ReleasesBetween {
  releases: readonly Release[];
  /** True if no release between the versions is missing, and the notes of all were searched for hints. */
  isComplete: boolean;
}

/** Filters of a monitor and its rule that exclude releases from comparison. */
export interface TargetFilters {
  ignoredVersions: readonly string[];
  /** True if the monitor compares only versions that match a pattern, which the browser can't evaluate. */
  hasPattern: boolean;
  /** Releases after this time are in the grace period of the rule. */
  newestMs: number;
}

export interface Target {
  version: string;
  url: string | null;
  releasedAt: string | null;
  /** Number of releases after the deployed version, up to and including this one. */
  count: number;
  /** Number of these releases without notes. */
  withoutNotes: number;
  /** Number of these releases whose notes mark a line as breaking, removed, or requiring action. */
  breaking: number;
  /**
   * Largest step between the deployed version and this one that can be breaking according to the version
   * numbers.
   */
  step: 'major' | 'minor' | null;
}

export interface Targets {
  /**
   * The highest version below the first release that is marked as breaking or starts a new major version. `null` if the
   * next release already does, `unknown` if not all releases and notes are known, `same` if it's the latest version.
   */
  compatible: Target | 'unknown' | 'same' | null;
  /** Reason why `compatible` isn't the latest version: the first release that it excludes. `null` if nothing is excluded. */
  limit: 'breaking' | 'step' | null;
  /** True if the minor version must not change, because the versions are below 1.0. */
  keepsMinor: boolean;
  /** `null` if the versions can't be compared, so nothing is known about the releases between them. */
  latest: Target | null;
}

/**
 * Returns the versions to upgrade to. Release notes and version numbers only state what upstream marked, so a
 * target without marks can still contain breaking changes.
 */
export function suggestTargets(
  { releases, isComplete }: ReleasesBetween,
  { ignoredVersions, hasPattern, newestMs }: TargetFilters,
): Targets {
  const ascending = releases.toReversed();
  if (ascending.length === 0) return { compatible: null, limit: null, keepsMinor: false, latest: null };
  const latest = targetOf(ascending);
  const keepsMinor = ascending.some(({ hints }) => hints.some(({ kind }) => kind === 'minor_version'));
  if (!isComplete) return { compatible: 'unknown', limit: null, keepsMinor, latest };
  const first = ascending.findIndex(({ hints }) =>
    hints.some((hint) => isBreakingHint(hint) || isStep(hint.kind)),
  );
  if (first === -1) return { compatible: 'same', limit: null, keepsMinor, latest };
  const limit = ascending[first]!.hints.some(isBreakingHint) ? 'breaking' : 'step';
  const isSuggested = ({ version, released_at }: Release) =>
    !ignoredVersions.includes(version) && (released_at === null || Date.parse(released_at) <= newestMs);
  const last = ascending.slice(0, first).findLastIndex(isSuggested);
  if (last === -1) return { compatible: null, limit, keepsMinor, latest };
  const compatible = hasPattern ? 'unknown' : targetOf(ascending.slice(0, last + 1));
  return { compatible, limit, keepsMinor, latest };
}

/**
 * Describes the selection of the compatible target. Refers to a mark only if the notes of a release contain one.
 */
export function describeSelection({ limit, keepsMinor }: Pick<Targets, 'limit' | 'keepsMinor'>): string {
  if (limit === 'breaking') return 'before the first change marked as breaking';
  return `the newest release of the same ${keepsMinor ? 'minor' : 'major'} version`;
}

/**
 * Describes the releases up to a target, such as "5 releases, nothing marked as breaking, 2 without notes".
 * @param isComplete False if further releases or notes are missing.
 */
export function describeTarget({ count, breaking, withoutNotes, step }: Target, isComplete: boolean): string {
  const marked = breaking === 0 ? 'nothing marked as breaking' : `${breaking} marked as breaking`;
  return [
    `${isComplete ? '' : 'at least '}${countOf(count, 'release')}`,
    step === 'major' ? 'new major version' : step === 'minor' && 'new minor version below 1.0',
    withoutNotes === count ? 'no release notes' : marked,
    withoutNotes > 0 && withoutNotes < count && `${withoutNotes} without notes`,
    !isComplete && 'not all notes were read',
  ]
    .filter(Boolean)
    .join(', ');
}

function targetOf(ascending: readonly Release[]): Target {
  const { version, url, released_at } = ascending.at(-1)!;
  const kinds = new Set(ascending.flatMap(({ hints }) => hints.map(({ kind }) => kind)));
  return {
    version,
    url,
    releasedAt: released_at,
    count: ascending.length,
    withoutNotes: ascending.filter(({ notes_source }) => notes_source === null).length,
    breaking: ascending.filter(({ hints }) => hints.some(isBreakingHint)).length,
    step: kinds.has('major_version') ? 'major' : kinds.has('minor_version') ? 'minor' : null,
  };
}

const isStep = (kind: string): boolean => kind === 'major_version' || kind === 'minor_version';
