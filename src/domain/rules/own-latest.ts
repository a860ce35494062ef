import type { ComparableRelease, Line, ReleaseSet } from './release-set.ts';
import { dayMs } from './stored-lag.ts';

/**
 * Returns the latest release of a gather job by rank instead of date, so that a backport isn't the latest.
 * This is the highest release of the job's own line, preferably without a variant. Excludes withdrawn and
 * yanked releases, moving tags, and outliers.
 *
 * @param isWanted An additional condition, such as being stable. If no release of the job's own line meets
 * the condition, another line is selected from those that have such a release.
 * @param counted Outliers to include.
 */
export function latestOfJob(
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
  const plain = own.filter(({ version }) => version.variant === '');
  // A version with a pre-release suffix is the latest only if all versions without a variant have such a suffix.
  return plain.find(({ version }) => !version.isPrerelease) ?? plain[0] ?? shortestVariant(own);
}

/**
 * Returns the highest release. Of several equal releases, returns the one whose variant has the fewest words,
 * to avoid a tag for a single architecture.
 */
function shortestVariant(highestFirst: readonly ComparableRelease[]): ComparableRelease | null {
  const wordsOf = ({ version }: ComparableRelease) => version.variant.split('-').length;
  let best = highestFirst[0] ?? null;
  for (const release of highestFirst) {
    if (best === null || release.version.rank !== best.version.rank) break;
    if (wordsOf(release) < wordsOf(best)) best = release;
  }
  return best;
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
 * Number of recent releases of a nameless line that must have been published together with releases of a
 * named line. `togetherMs` is the maximum time between two such releases.
 */
const releasesToJudge = 5;
const togetherMs = dayMs;

/**
 * Selects the job's own line: the line without a name, until another line has three releases more than a year
 * after the newest release of the nameless line. If the other line has higher versions, only the stable
 * releases of the nameless line are considered, so that its pre-releases alone don't keep it selected.
 *
 * If every line has a name, selects the line with the most releases in the two years before the newest
 * release. The current time isn't used, so the result changes only with new releases.
 */
function ownLine(lines: readonly CountedLine[]): CountedLine | null {
  if (lines.length <= 1) return lines[0] ?? null;
  const nameless = lines.find(({ name }) => name === '');
  if (nameless === undefined) return findMostActiveLine(lines);
  const others = lines.filter((line) => line !== nameless);
  const stable = nameless.releases.filter(({ isPrerelease }) => !isPrerelease);
  const lateMs = newestMs(nameless.releases) + yearMs;
  const lateStableMs = stable.length === 0 ? lateMs : newestMs(stable) + yearMs;
  const successors = others
    .map((line) => {
      const isAbove = (highestStable(line)?.version.rank ?? '') > (stable[0]?.version.rank ?? '');
      return { line, count: countSince(line.releases, (isAbove ? lateStableMs : lateMs) + 1) };
    })
    .filter(({ count }) => count >= releasesToTakeOver);
  return most(successors) ?? others.find((line) => hasModuleTags(nameless, line)) ?? nameless;
}

function highestStable({ releases }: CountedLine): ComparableRelease | undefined {
  return releases.find(({ isPrerelease }) => !isPrerelease);
}

/**
 * True if the nameless line consists of Go module tags of another line's releases. All of its releases must
 * have the major version 0. The last five must have been published together with releases of the other line
 * that have a higher major version, such as `v0.50.0` together with `knative-v1.23.0`.
 */
function hasModuleTags(nameless: CountedLine, { releases }: CountedLine): boolean {
  const isStable = ({ isPrerelease }: ComparableRelease) => !isPrerelease;
  const modules = nameless.releases.filter(isStable);
  const isModule = ({ version }: ComparableRelease) => version.numbers[0] === 0;
  if (modules.length < releasesToJudge || !modules.every(isModule)) return false;
  const versions = releases.filter(isStable);
  const last = modules.toSorted((a, b) => b.dateMs - a.dateMs).slice(0, releasesToJudge);
  return last.every((module) =>
    versions.some((release) => !isModule(release) && isTogether(release, module)),
  );
}

function isTogether(a: ComparableRelease, b: ComparableRelease): boolean {
  const isDated = a.dateSource === 'released_at' && b.dateSource === 'released_at';
  return isDated && Math.abs(a.dateMs - b.dateMs) <= togetherMs;
}

/** Returns the line with the most releases in the two years before the newest release of all lines. */
export function findMostActiveLine<Each extends CountedLine>(lines: readonly Each[]): Each | null {
  const sinceMs = Math.max(...lines.map(({ releases }) => newestMs(releases))) - 2 * yearMs;
  return most(lines.map((line) => ({ line, count: countSince(line.releases, sinceMs) })));
}

/** Returns the line with the highest count. If counts are equal, the first name in alphabetical order wins. */
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
