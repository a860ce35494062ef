import { autoScheme, upstreamRank } from '../versions/auto-scheme.ts';
import { epochOfRank, withEpoch } from '../versions/precedence.ts';
import type { AffectedPackage, AffectedRange, RangeEvent } from './advisory.ts';

/** A continuous range of affected versions, computed from the events of a range. */
interface AffectedSpan {
  readonly from: string;
  /** End of the span. `null` if the span has no end. */
  readonly to: { readonly rank: string; readonly isInclusive: boolean; readonly fixed: string | null } | null;
  readonly precision: Precision;
  /** Affected major versions, as in `AffectedPackage`. `null` means all. */
  readonly majors: readonly [first: number, last: number] | null;
}

/** Precision of a record's statement that a version is affected. Higher numbers are more precise. */
export const precisions = { open: 0, custom: 1, bounded: 2, listed: 3 } as const;
export type Precision = (typeof precisions)[keyof typeof precisions];

export interface AffectedVersions {
  readonly spans: readonly AffectedSpan[];
  readonly listed: ReadonlySet<string>;
  /**
   * Common epoch of all versions in `spans`, `unmapped`, and `listed`. Empty if they have no epoch, and `null` if their
   * epochs differ.
   */
  readonly epoch: string | null;
  /** Major versions to which `listed` applies, as in `AffectedPackage`. `null` means all. */
  readonly majors: readonly [first: number, last: number] | null;
  /** Open ranges that aren't counted, because the database couldn't map all affected versions of the record. */
  readonly unmapped: readonly AffectedSpan[];
}

/** A version in the form used for comparisons. */
export interface ComparedVersion {
  /** Rank from `upstreamRank`. */
  readonly rank: string;
  readonly major: number;
}

/** Returns a version in the form used for comparisons, or `null` if the text isn't a version. */
export function toComparedVersion(version: string): ComparedVersion | null {
  const rank = upstreamRank(version);
  if (rank === null) return null;
  return { rank, major: Number(autoScheme.parse(version)?.numbers[0] ?? 0) };
}

/**
 * Prepares the affected versions of a package for comparisons by `upstreamRank`. If an event of a range isn't
 * a version, the range is ignored, because its meaning is unknown. Listed versions are always included.
 *
 * Custom ranges contain the ends of open ranges, so they replace open ranges. Bounded ranges remain, because
 * custom ranges only add versions to them.
 */
export function prepareAffected(entry: AffectedPackage): AffectedVersions {
  const { ranges, versions, customRanges = [], isUnmapped = false } = entry;
  const majors = entry.majors ?? null;
  const own = ranges.flatMap((events) => toSpans(events, precisions.bounded, majors));
  const custom = customRanges.flatMap((events) => toSpans(events, precisions.custom, null));
  const bounded = own.filter(({ to }) => to !== null);
  const open = own.filter(({ to }) => to === null);
  const isOpenCounted = custom.length === 0 && !isUnmapped;
  const spans = [...bounded, ...custom, ...(isOpenCounted ? open : [])];
  const listed = new Set(versions.map(upstreamRank).filter((rank) => rank !== null));
  const unmapped = custom.length === 0 && isUnmapped ? open : [];
  return { spans, listed, epoch: commonEpoch([...spans, ...unmapped], listed), majors, unmapped };
}

function commonEpoch(spans: readonly AffectedSpan[], listed: ReadonlySet<string>): string | null {
  const ends = spans.flatMap(({ from, to }) => [from, to?.rank ?? lowest]).filter((rank) => rank !== lowest);
  const [epoch = '', ...others] = new Set([...ends, ...listed].map(epochOfRank));
  return others.length === 0 ? epoch : null;
}

export interface AffectedMatch {
  /** First version that isn't affected. `null` if the record contains none. */
  readonly fixed: string | null;
  readonly precision: Precision;
  /** Rank at which the affected span begins. */
  readonly from: string;
}

/** Returns the most precise statement that a version is affected, or `null` if there is none. */
export function findAffectedMatch(
  affected: AffectedVersions,
  version: ComparedVersion,
): AffectedMatch | null {
  const { spans, listed, majors } = affected;
  const rank = rankIn(affected, version);
  if (isInMajors(version, majors) && listed.has(rank)) {
    const span = spans.find((each) => includes(each, version, rank));
    return { fixed: span?.to?.fixed ?? null, precision: precisions.listed, from: rank };
  }
  let best: AffectedSpan | null = null;
  for (const span of spans)
    if (includes(span, version, rank) && (best === null || span.precision > best.precision)) best = span;
  return best === null ? null : { fixed: best.to?.fixed ?? null, precision: best.precision, from: best.from };
}

/** True if the version is in an open range that isn't counted (`unmapped`). */
export function isInUnmappedRange(affected: AffectedVersions, version: ComparedVersion): boolean {
  const rank = rankIn(affected, version);
  return affected.unmapped.some((span) => includes(span, version, rank));
}

/**
 * True if a record contradicts a hit of another record, because it states more precisely that the version
 * isn't affected. The caller must ensure that the record doesn't include the version. A hit in an open range
 * that begins above all versions of the record isn't contradicted, because the record can't contain
 * information about later versions.
 */
export function contradicts(
  affected: AffectedVersions,
  hit: AffectedMatch,
  version: ComparedVersion,
): boolean {
  const isAbove = (rank: string | undefined) => rank === undefined || rank > hit.from;
  const isListing = hit.precision < precisions.listed && isInMajors(version, affected.majors);
  if (isListing && [...affected.listed].some((rank) => rank >= hit.from)) return true;
  return affected.spans.some(
    (span) => span.precision > hit.precision && isInMajors(version, span.majors) && isAbove(span.to?.rank),
  );
}

function rankIn({ epoch }: AffectedVersions, { rank }: ComparedVersion): string {
  return epoch === null ? rank : withEpoch(rank, epoch);
}

function includes({ from, to, majors }: AffectedSpan, version: ComparedVersion, rank: string): boolean {
  return isInMajors(version, majors) && rank >= from && (to === null || isBeforeEnd(rank, to));
}

function isInMajors({ major }: ComparedVersion, majors: AffectedVersions['majors']): boolean {
  return majors === null || (major >= majors[0] && major <= majors[1]);
}

function isBeforeEnd(rank: string, to: NonNullable<AffectedSpan['to']>): boolean {
  return to.isInclusive ? rank <= to.rank : rank < to.rank;
}

/** A rank below all others. */
const lowest = '';

function toSpans(
  events: AffectedRange,
  precision: Precision,
  majors: AffectedSpan['majors'],
): AffectedSpan[] {
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
      spans.push({ from, to: { rank, isInclusive: isInclusive(event), fixed }, precision, majors });
      from = null;
    }
  }
  return from === null ? spans : [...spans, { from, to: null, precision: precisions.open, majors }];
}

function isInclusive({ kind }: RangeEvent): boolean {
  return kind === 'last_affected';
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
