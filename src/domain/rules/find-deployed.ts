import { numbersOfRank } from '../versions/precedence.ts';
import type { Version } from '../versions/version-scheme.ts';
import { mostFrequent } from './own-latest.ts';
import type { ComparableRelease, ReleaseSet } from './release-set.ts';

/** A deployed version as it is compared: in a line of the job, with the rank of what it stands for. */
export interface DeployedInLine {
  /** `null` for what is no version, and for the tag of a platform: they are compared by dates. */
  readonly version: Version | null;
  /** The line that it is compared with although its string names another one. */
  readonly adoptedLine: string | null;
  /** The release that a moving tag stands for. */
  readonly movesTo: ComparableRelease | null;
  /** How the string reads, where it is the tag of a platform. */
  readonly platformTag: Version | null;
}

/** What is no version, or not known. */
export const notComparable: DeployedInLine = {
  version: null,
  adoptedLine: null,
  movesTo: null,
  platformTag: null,
};

/** Reads a deployed version among the releases of a job. */
export function findDeployed(set: ReleaseSet, text: string): DeployedInLine {
  const parsed = set.scheme.parse(text);
  if (parsed === null) return notComparable;
  if (set.isPlatformTag(parsed)) return { ...notComparable, platformTag: parsed };
  const adoptedLine = findLine(set, parsed);
  const version = asInLine(set, parsed, adoptedLine ?? parsed.line);
  const movesTo = set.movesTo(version);
  return {
    version: movesTo === null ? version : { ...version, ...placeOf(movesTo.version) },
    adoptedLine,
    movesTo,
    platformTag: null,
  };
}

function placeOf({ rank, numbers, isPrerelease }: Version): Partial<Version> {
  return { rank, numbers, isPrerelease };
}

/**
 * The line that a version adopts, `null` where it stays in its own: nothing is of its own line, or it is above all of
 * that and one other line has its numbers.
 */
function findLine(set: ReleaseSet, version: Version): string | null {
  const { lines } = set;
  const own = lines.get(version.line);
  if (own !== undefined && (lines.size === 1 || !set.isBelow(version))) return null;
  const others = [...lines.values()].filter((line) => line !== own);
  const withNumbers = others.filter(({ releases }) => hasNumbers(set, releases, version));
  if (withNumbers.length === 1) return withNumbers[0]?.name ?? null;
  if (own !== undefined || others.length === 0) return null;
  return lines.has('') ? '' : (mostFrequent(others)?.name ?? null);
}

function hasNumbers(set: ReleaseSet, releases: readonly ComparableRelease[], version: Version): boolean {
  const numbers = numbersOfRank(version.rank);
  let low = 0;
  let high = releases.length;
  // Those with its numbers stand together.
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = numbersOfRank(releases[middle]?.version.rank ?? '');
    if (other === numbers) return true;
    if (other > numbers) low = middle + 1;
    else high = middle;
  }
  return false;
}

/** Reads it as its line is read: with dots or without, and with the epoch of the line where it has none. */
function asInLine(set: ReleaseSet, version: Version, name: string): Version {
  const line = set.lines.get(name);
  let read = version;
  if (version.isJoined && line?.hasDots === true) read = set.scheme.parseAmongDotted(version.text) ?? version;
  const epoch = epochOf(line?.releases[0]?.version.rank ?? '');
  if (epoch !== '' && epochOf(read.rank) === '') read = { ...read, rank: epoch + read.rank };
  return read.line === name ? read : { ...read, line: name };
}

function epochOf(rank: string): string {
  return /^\{(?:z[0-9]{3}|[a-y])[0-9]+/.exec(rank)?.[0] ?? '';
}
