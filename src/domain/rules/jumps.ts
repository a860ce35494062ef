import type { Version } from '../versions/version-scheme.ts';
import type { ComparableRelease } from './release-set.ts';

/**
 * An unusually large step between two major versions, with only a few releases above it. The cause is either
 * a new numbering scheme or a mistake.
 */
export interface Jump {
  /** The highest release below the step. */
  readonly from: ComparableRelease;
  /** The releases above the step, one per version, highest first. */
  readonly above: readonly ComparableRelease[];
}

/**
 * Returns the step up to the latest release if the step is unusual: from small numbers to years (`3.8` →
 * `2024.1`), or by at least five majors and more than twice as far as any previous step. Returns `null` if
 * there are five or more versions above the step, because the new numbering is then established. Also returns
 * `null` if there are fewer than three versions below the step, which are too few for a comparison.
 *
 * @param highestFirst The candidates of one line, highest first.
 */
export function findJump(highestFirst: readonly ComparableRelease[]): Jump | null {
  const above: ComparableRelease[] = [];
  for (const [index, release] of highestFirst.entries()) {
    const last = above.at(-1);
    if (last !== undefined && isUnusual(last.version, release.version)) {
      return isOutlierStep(last, highestFirst.slice(index)) ? { from: release, above } : null;
    }
    if (last?.version.rank === release.version.rank) continue;
    if (above.length === versionsToSettle - 1) return null;
    above.push(release);
  }
  return null;
}

const versionsToSettle = 5;
const versionsToJudge = 3;
const majorsOfJump = 5;
const firstYear = 1970;
const lastYear = 2199;

function isUnusual(above: Version, below: Version): boolean {
  // Numbers that represent dates always have large gaps, so a gap between them isn't a jump.
  if (above.isDate || below.isDate) return false;
  return isChangeToYears(above, below) || stepOver(above, below) >= majorsOfJump;
}

function isOutlierStep(above: ComparableRelease, below: readonly ComparableRelease[]): boolean {
  const versions = new Set<string>();
  let largest = 0;
  for (const [index, { version }] of below.entries()) {
    versions.add(version.rank);
    const next = below[index + 1]?.version;
    if (next !== undefined) largest = Math.max(largest, stepOver(version, next));
  }
  if (versions.size < versionsToJudge) return false;
  const highest = below[0]?.version;
  if (highest === undefined) return false;
  return isChangeToYears(above.version, highest) || stepOver(above.version, highest) > 2 * largest;
}

function isChangeToYears(above: Version, below: Version): boolean {
  const major = majorOf(above);
  return major >= firstYear && major <= lastYear && majorOf(below) < firstYear / 2;
}

function stepOver(above: Version, below: Version): number {
  return majorOf(above) - majorOf(below);
}

/**
 * Returns the major version as a number. Large values lose precision, which doesn't affect comparisons with small
 * numbers.
 */
function majorOf({ numbers }: Version): number {
  return Number(numbers[0] ?? 0);
}
