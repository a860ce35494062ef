import { autoScheme, upstreamRank } from '../versions/auto-scheme.ts';
import { epochOfRank, withEpoch } from '../versions/precedence.ts';
import type { AffectedPackage, AffectedRange, RangeEvent } from './advisory.ts';

/** A span of affected versions, from the events of a range. */
interface AffectedSpan {
  readonly from: string;
  /** End of the span. `null` if it is open. */
  readonly to: { readonly rank: string; readonly isInclusive: boolean; readonly fixed: string | null } | null;
}

export interface AffectedVersions {
  readonly spans: readonly AffectedSpan[];
  readonly listed: ReadonlySet<string>;
  /**
   * Common epoch of all versions in the spans and the list. Empty if they have no epoch, and `null` if their
   * epochs differ.
   */
  readonly epoch: string | null;
  /** Affected major versions, as in `AffectedPackage`. `null` means all. */
  readonly majors: readonly [first: number, last: number] | null;
}

/** A version in the form used for comparisons. */
export interface ComparedVersion {
  /** Rank from `upstreamRank`. */
  readonly rank: string;
  readonly major: number;
}

/** Returns a version in the form used for comparisons, or `null` if the text isn't a version. */
export function toCompared(version: string): ComparedVersion | null {
  const rank = upstreamRank(version);
  if (rank === null) return null;
  return { rank, major: Number(autoScheme.parse(version)?.numbers[0] ?? 0) };
}

/**
 * Prepares the affected versions of a package for comparisons by `upstreamRank`. Ignores a range with an
 * event that isn't a version, because its meaning is unknown. Listed versions always count.
 */
export function prepareAffected({ ranges, versions, majors }: AffectedPackage): AffectedVersions {
  const spans = ranges.flatMap(toSpans);
  const listed = new Set(versions.map(upstreamRank).filter((rank) => rank !== null));
  return { spans, listed, epoch: commonEpoch(spans, listed), majors: majors ?? null };
}

function commonEpoch(spans: readonly AffectedSpan[], listed: ReadonlySet<string>): string | null {
  const ends = spans.flatMap(({ from, to }) => [from, to?.rank ?? lowest]).filter((rank) => rank !== lowest);
  const [epoch = '', ...others] = new Set([...ends, ...listed].map(epochOfRank));
  return others.length === 0 ? epoch : null;
}

export type Hit =
  | { readonly isAffected: false }
  /** `fixed` is the first version that isn't affected, if the record contains it. */
  | { readonly isAffected: true; readonly fixed: string | null };

const notAffected: Hit = { isAffected: false };

/** Checks if a version is in a range or in the list of affected versions. */
export function findHit(
  { spans, listed, epoch, majors }: AffectedVersions,
  { rank: ownRank, major }: ComparedVersion,
): Hit {
  if (majors !== null && (major < majors[0] || major > majors[1])) return notAffected;
  const rank = epoch === null ? ownRank : withEpoch(ownRank, epoch);
  const span = spans.find(({ from, to }) => rank >= from && (to === null || isBeforeEnd(rank, to)));
  if (span !== undefined) return { isAffected: true, fixed: span.to?.fixed ?? null };
  return listed.has(rank) ? { isAffected: true, fixed: null } : notAffected;
}

function isBeforeEnd(rank: string, to: NonNullable<AffectedSpan['to']>): boolean {
  return to.isInclusive ? rank <= to.rank : rank < to.rank;
}

/** A rank below all others. */
const lowest = '';

function toSpans(events: AffectedRange): AffectedSpan[] {
  const ranked: { event: RangeEvent; rank: string }[] = [];
  for (const event of events) {
    const rank = event.kind === 'introduced' && event.version === '0' ? lowest : upstreamRank(event.version);
    if (rank === null) return [];
    ranked.push({ event, rank });
  }
  const inOrder = ranked.toSorted(
    (a, b) => compare(a.rank, b.rank) || Number(isInclusive(a.event)) - Number(isInclusive(b.event)),
  );
  const spans: AffectedSpan[] = [];
  let from: string | null = null;
  for (const { event, rank } of inOrder) {
    if (event.kind === 'introduced') {
      from ??= rank;
    } else if (from !== null) {
      const fixed = event.kind === 'fixed' ? event.version : null;
      spans.push({ from, to: { rank, isInclusive: isInclusive(event), fixed } });
      from = null;
    }
  }
  return from === null ? spans : [...spans, { from, to: null }];
}

function isInclusive({ kind }: RangeEvent): boolean {
  return kind === 'last_affected';
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
