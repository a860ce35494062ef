/**
 * Test reference for the versions that an OSV record affects. It follows the description of the format and
 * doesn't use our version schemes.
 */
export interface OsvRecord {
  readonly id: string;
  readonly withdrawn?: string;
  readonly details?: string;
  readonly affected: readonly {
    readonly package: { readonly ecosystem: string; readonly name: string };
    readonly ranges?: readonly {
      readonly type: string;
      readonly events: readonly Record<string, string>[];
    }[];
    readonly versions?: readonly string[];
  }[];
}

export function isAffectedPerReference(
  record: OsvRecord,
  { ecosystem, name }: { ecosystem: string; name: string },
  version: string,
): boolean {
  if (record.withdrawn !== undefined) return false;
  const entries = record.affected.filter(
    (entry) => entry.package.ecosystem === ecosystem && entry.package.name === name,
  );
  // The Go database adds this note to a record if it couldn't express all versions of the source advisory
  // as ranges. An open range in such a record is a guess.
  const isGuess = record.details?.includes('could not be automatically mapped') ?? false;
  return entries.some(
    ({ ranges = [], versions = [] }) =>
      versions.some((listed) => compare(listed, version) === 0) ||
      ranges.some(
        ({ type, events }) =>
          type !== 'GIT' && isInRange(events, version) && !(isGuess && isOpenAt(events, version)),
      ),
  );
}

/** True if no event ends the range above the version. */
function isOpenAt(events: readonly Record<string, string>[], version: string): boolean {
  return !events.some(({ introduced, ...end }) =>
    Object.values(end).some((at) => introduced === undefined && compare(at, version) >= 0),
  );
}

/**
 * True if the last event at or below the version is `introduced`. If two events have the same version, the later one
 * decides, except that `last_affected` always wins.
 */
function isInRange(events: readonly Record<string, string>[], version: string): boolean {
  let decisive = { kind: 'none', at: '0' };
  for (const [kind, at] of events.flatMap((event) => Object.entries(event))) {
    if (at !== '0' && compare(at, version) >= (kind === 'last_affected' ? 0 : 1)) continue;
    const order = compareStarts(at, decisive.at);
    if (order > 0 || (order === 0 && (decisive.kind !== 'last_affected' || kind === 'last_affected')))
      decisive = { kind, at };
  }
  return decisive.kind === 'introduced';
}

/** Compares the start versions of events. 0 is below every version. */
function compareStarts(a: string, b: string): number {
  return a === '0' || b === '0' ? Number(b === '0') - Number(a === '0') : compare(a, b);
}

const stages = [
  /dev|snapshot|nightly|canary|test|exp|wip/i,
  /alpha|^a$/i,
  /beta|^b$/i,
  /milestone|^m$/i,
  /pre|^ea$|next/i,
  /^(rc|cr|c)$/i,
];

/**
 * Compares numbers, then stages with their numbers, then revisions. A version without a stage is higher than
 * one with a stage. A revision is compared only if it has no word or is a security revision.
 */
function compare(a: string, b: string): number {
  const [left, right] = [toParts(a), toParts(b)];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = compareLists(left[index] ?? [], right[index] ?? []);
    if (difference !== 0) return difference;
  }
  return 0;
}

function toParts(version: string): number[][] {
  const [, main = '', rest = ''] = /(?:^|[-_/])v?([0-9]+(?:\.[0-9]+)*)(.*)$/.exec(version) ?? [];
  const numbers = main.split('.').map(Number);
  // `-b08` and `.b1` are builds. Build metadata doesn't contain a revision but can contain a stage.
  const isMetadata = /\+(?!security)/.test(rest);
  const tokens = rest.replace(/[-.]b[0-9.]+/g, '').match(/[a-z]+|[0-9]+/gi) ?? [];
  const stage = tokens.findIndex((token) => stages.some((pattern) => pattern.test(token)));
  if (stage !== -1) {
    const level = stages.findIndex((pattern) => pattern.test(tokens[stage] ?? ''));
    return [
      numbers,
      [level],
      tokens
        .slice(stage + 1)
        .filter((token) => /^\d/.test(token))
        .map(Number),
    ];
  }
  if (/^[a-z]$/i.test(rest)) return [numbers, [stages.length], [rest.toLowerCase().charCodeAt(0)]];
  const isRevision = !isMetadata && /^-[0-9]+$|security/.test(rest);
  return [
    numbers,
    [stages.length],
    isRevision ? tokens.filter((token) => /^\d/.test(token)).map(Number) : [],
  ];
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
