import { MovingTags } from '../rules/moving-tags.ts';
import type { ComparableRelease } from '../rules/release-set.ts';
import type { Version, VersionScheme } from '../versions/version-scheme.ts';
import { breakingStep, type VersionRange } from './version-range.ts';

/** The fields of a stored release that identify its version. */
export interface ListedRelease {
  readonly version: string;
  readonly isPrerelease: boolean;
  /** True if the release has notes. If two releases have the same version, the one with notes is shown. */
  readonly hasNotes: boolean;
}

export interface DistinctReleases<Row extends ListedRelease> {
  /** One release for each version after the start of the range, highest first. */
  readonly releases: readonly { readonly row: Row; readonly version: Version; readonly step: BreakingStep }[];
  /** Release at the start of the range, which the range doesn't include. `null` if that version isn't in the list. */
  readonly start: Row | null;
}

/**
 * Part of the version that increased since the previous version in the list. `null` if this increase can't be breaking.
 */
export type BreakingStep = 'major' | 'minor' | null;

/**
 * Returns one release for each version in a range. Different spellings of a version count as one, and moving tags are
 * excluded.
 * @param rows Releases, highest first. They include the releases of the version at the start of the range.
 */
export function distinctReleases<Row extends ListedRelease>(
  scheme: VersionScheme,
  { from }: Pick<VersionRange, 'from'>,
  rows: readonly Row[],
  { isImage }: { isImage: boolean },
): DistinctReleases<Row> {
  const parsed = rows.flatMap((row) => {
    const version = scheme.parse(row.version);
    return version === null ? [] : [{ row, version }];
  });
  const moving = isImage ? new MovingTags(parsed.map(toComparable)) : null;
  // A moving tag is only an alias, so the range starts at the release that it points to.
  const start = (from === null ? null : moving?.target(from)?.version) ?? from;
  const shown: { row: Row; version: Version }[] = [];
  let startRow: Row | null = null;
  for (const release of parsed) {
    if (start !== null && scheme.compare(release.version, start) <= 0) {
      if (startRow === null && release.version.rank === start.rank) startRow = release.row;
      continue;
    }
    if (moving !== null && moving.target(release.version) !== null) continue;
    const last = shown.at(-1);
    if (last === undefined || last.version.rank !== release.version.rank) shown.push(release);
    else if (!last.row.hasNotes && release.row.hasNotes) shown[shown.length - 1] = release;
  }
  const releases = shown.map(({ row, version }, index) => {
    const before = shown[index + 1]?.version ?? start;
    return { row, version, step: before === null ? null : breakingStep(before, version) };
  });
  return { releases, start: startRow };
}

/** Converts a release without its date, because dates don't determine which tags move. */
function toComparable<Row extends ListedRelease>(release: { row: Row; version: Version }): ComparableRelease {
  const { row, version } = release;
  return {
    text: row.version,
    version,
    dateMs: 0,
    dateSource: 'discovered_at',
    seenMs: 0,
    moves: null,
    isPrerelease: row.isPrerelease || version.isPrerelease,
    isYanked: false,
    isWithdrawn: false,
    url: null,
  };
}
