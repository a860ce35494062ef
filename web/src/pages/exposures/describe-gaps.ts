import type { Schemas } from '../../../../src/generated/client-api.ts';
import { formatTime } from '../../ui/format.ts';

type ReadingGap = Schemas['ReadingGap'];

const gapReasons = {
  read_failed: 'reads failed',
  not_read: 'no successful read for too long',
  unread_item: 'the version couldn’t be read',
  missing_item: 'not found by scans',
  disabled: 'disabled',
  detached: 'discovery job deleted',
  deleted: 'deleted',
} as const satisfies Record<ReadingGap['reason'], string>;

/** Returns a sentence part such as "not read between A and B (reads failed)". */
function describeGap({ since, until, reason }: ReadingGap): string {
  const from = formatTime(new Date(since));
  const range = until === null ? `since ${from}` : `between ${from} and ${formatTime(new Date(until))}`;
  return `not read ${range} (${gapReasons[reason]})`;
}

/** Number of gaps that are described. The others are counted. */
const describedCount = 3;

export function describeGaps({ gaps, gap_count }: Pick<Schemas['Exposure'], 'gaps' | 'gap_count'>): string {
  const described = gaps.slice(0, describedCount).map(describeGap);
  const others = gap_count - described.length;
  return [...described, ...(others > 0 ? [`${others} more`] : [])].join('; ');
}

type VersionFilterName = 'version' | 'version_range' | 'digest' | 'vulnerability_id';

/**
 * Returns the filters for text that is a version, a range of versions, a digest, or the ID of a vulnerability. Ranges and
 * digests require software.
 */
export function versionFilters(
  text: string,
  hasSoftware: boolean,
): Record<VersionFilterName, string | undefined> {
  const value = text.trim();
  const none = {
    version: undefined,
    version_range: undefined,
    digest: undefined,
    vulnerability_id: undefined,
  };
  if (value === '') return none;
  if (advisoryPrefix.test(value)) return { ...none, vulnerability_id: value };
  if (hasSoftware && /^[a-z0-9]+:[0-9a-f]{32,}$/u.test(value)) return { ...none, digest: value };
  if (hasSoftware && /[<>=|]/u.test(value)) return { ...none, version_range: value };
  return { ...none, version: value };
}

/** Prefixes of the databases whose records OSV contains for tracked software. */
const advisoryPrefix = /^(?:CVE|GHSA|GO|BIT|PYSEC|RUSTSEC)-/iu;
