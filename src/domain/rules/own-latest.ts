import { dayMs } from './behind-days.ts';
import type { ComparableRelease, Line, ReleaseSet } from './release-set.ts';

/**
 * The latest of a gather job's own releases, by rank and never by date: a back-port is not the latest. It is the highest
 * of the job's own line, among releases without flavor if there are any. Withdrawn and yanked ones, moving tags and
 * outliers never count.
 *
 * @param isWanted What else has to be true of a release, such as being stable. Where the job's own line has none such,
 *   the line is chosen among those that have.
 * @param counted Outliers that count nevertheless.
 */
export function ownLatest(
  set: ReleaseSet,
  isWanted: (release: ComparableRelease) => boolean = () => true,
  counted?: { has: (release: ComparableRelease) => boolean },
): ComparableRelease | null {
  const ofLines = [...set.lines.values()].flatMap((line) => {
    const isOutlier = (release: ComparableRelease) => line.isOutlier(release) && !counted?.has(release);
    const releases = line.releases.filter((release) => isCounted(line, release) && !isOutlier(release));
    return releases.length === 0 ? [] : [{ name: line.name, releases }];
  });
  const wanted = ofLines.flatMap(({ name, releases }) => {
    const some = releases.filter(isWanted);
    return some.length === 0 ? [] : [{ name, releases: some }];
  });
  const ownName = ownLine(ofLines)?.name;
  const own = (wanted.find(({ name }) => name === ownName) ?? ownLine(wanted))?.releases ?? [];
  const plain = own.filter(({ version }) => version.flavor === '');
  // What calls itself a pre-release is the latest only of a line that has nothing else.
  return plain.find(({ version }) => !version.isPrerelease) ?? plain[0] ?? own[0] ?? null;
}

function isCounted(line: Line, release: ComparableRelease): boolean {
  return !release.isWithdrawn && !release.isYanked && !line.isMoving(release);
}

interface CountedLine {
  readonly name: string;
  readonly releases: readonly ComparableRelease[];
}

const yearMs = 365 * dayMs;
const releasesToTakeOver = 3;

/**
 * The line without a name, until another one has three releases that came out a year after its newest. Without it, the
 * most frequent of the last two years, which end with the newest release of all: nothing changes by time alone.
 */
function ownLine(lines: readonly CountedLine[]): CountedLine | null {
  if (lines.length <= 1) return lines[0] ?? null;
  const nameless = lines.find(({ name }) => name === '');
  if (nameless === undefined) return mostFrequent(lines);
  const lateMs = newestMs(nameless.releases) + yearMs;
  const successors = lines
    .filter((line) => line !== nameless)
    .map((line) => ({ line, count: countSince(line.releases, lateMs + 1) }))
    .filter(({ count }) => count >= releasesToTakeOver);
  return most(successors) ?? nameless;
}

/** The line that most releases have; of the last two years if any has a date. */
export function mostFrequent<Each extends CountedLine>(lines: readonly Each[]): Each | null {
  const sinceMs = Math.max(...lines.map(({ releases }) => newestMs(releases))) - 2 * yearMs;
  return most(lines.map((line) => ({ line, count: countSince(line.releases, sinceMs) })));
}

/** Of equal counts the first by name. */
function most<Each extends CountedLine>(lines: readonly { line: Each; count: number }[]): Each | null {
  let best: { line: Each; count: number } | null = null;
  for (const each of lines) {
    const isBetter =
      best === null ||
      each.count > best.count ||
      (each.count === best.count && each.line.name < best.line.name);
    if (isBetter) best = each;
  }
  return best?.line ?? null;
}

function countSince(releases: readonly ComparableRelease[], sinceMs: number): number {
  return releases.reduce((count, { dateMs }) => count + (dateMs >= sinceMs ? 1 : 0), 0);
}

function newestMs(releases: readonly ComparableRelease[]): number {
  return releases.reduce((newest, { dateMs }) => Math.max(newest, dateMs), -Infinity);
}
