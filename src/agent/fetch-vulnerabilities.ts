import { RunError } from '../domain/runs/run-error.ts';
import { packageKey } from '../domain/vulnerabilities/osv-package.ts';
import type { FoundOsvRecord } from '../sources/read-osv-records.ts';
import type { SourceUsage } from '../sources/source-http.ts';
import type { HeldTask, ResultItem, TaskOf, TaskSummary } from './agent-task.ts';
import { createOsvClient, type OsvClientDeps } from './osv-client.ts';
import { queryPackages, type SkippedPackage } from './query-packages.ts';
import { submitParts } from './submit-parts.ts';

export type ListedPackage = Parameters<HeldTask['findMissingRecords']>[0][number];

/** Limits of one request to the server. */
export const maxListed = 1_000;
const maxListedRecords = 20_000;

/** Limits for the responses that are in memory before they're parsed. */
const recordsAtOnce = 100;
const bytesAtOnce = 4 * 1024 * 1024;

export interface FetchLimits {
  /** Maximum size of the records of one package: ten times that of the largest package in the catalog. */
  bytesOfPackage: number;
  /**
   * Limits of a run, which are lower than those of the server for staged results. The next run fetches the
   * rest.
   */
  bytes: number;
  records: number;
  /** Time limit for fetching. A run that takes longer than 15 minutes would fail. */
  ms: number;
}

export const defaultLimits: FetchLimits = {
  bytesOfPackage: 16 * 1024 * 1024,
  bytes: 192 * 1024 * 1024,
  records: 100_000,
  ms: 8 * 60_000,
};

/**
 * Queries OSV for the records of the packages that the server lists. The queries contain no versions of the
 * packages. Fetches the records that are missing on the server or outdated there. When a limit is reached,
 * the run ends with the records fetched so far.
 */
export async function fetchVulnerabilities(
  held: HeldTask<TaskOf<'reference'>>,
  deps: OsvClientDeps,
  limits: FetchLimits = defaultLimits,
): Promise<void> {
  const osv = createOsvClient(held, deps);
  const startMs = deps.clock().getTime();
  const skipped: SkippedPackage[] = [];
  /** IDs of records that were fetched or can't be fetched. */
  const fetched = new Set<string>();
  let bytes = 0;
  let found = 0;
  let listed = 0;
  let hasAcceptedQuery = false;

  const isLimitReached = () =>
    bytes >= limits.bytes || fetched.size >= limits.records || deps.clock().getTime() - startMs >= limits.ms;

  async function skip(packages: readonly SkippedPackage[]): Promise<void> {
    skipped.push(...packages);
    for (let at = 0; at < packages.length; at += maxListed)
      await held.sendPart(packages.slice(at, at + maxListed));
  }

  async function complete(packages: ListedPackage[]): Promise<void> {
    if (packages.length === 0) return;
    listed += packages.length;
    found += packages.reduce((sum, { records }) => sum + records.length, 0);
    await held.sendPart(packages);
  }

  /**
   * Fetches missing records. Packages with few missing records come first, so that they don't wait for
   * packages with many.
   */
  async function fetchMissing(packages: ListedPackage[], followed: ReadonlySet<string>): Promise<void> {
    const missing = Map.groupBy(await held.findMissingRecords(packages), (each) => each.package);
    await complete(packages.filter(({ package: key }) => !missing.has(key)));
    let open = [...missing.values()].toSorted((a, b) => a.length - b.length).flat();
    const bytesOf = new Map<string, number>();
    const tooLarge = new Set<string>();
    const isOpen = ({ package: key, id }: { package: string; id: string }) =>
      !fetched.has(id) && !tooLarge.has(key);
    for (open = open.filter(isOpen); open.length > 0 && !isLimitReached(); open = open.filter(isOpen)) {
      const next = open.slice(0, recordsAtOnce);
      const ownerOf = new Map(next.map(({ package: key, id }) => [id, key]));
      const answer = await osv.getRecords([...ownerOf.keys()], bytesAtOnce);
      await submitParts(held, readRecords(answer), (records) =>
        records.map((each) => toRecordItem(each, followed)),
      );
      for (const id of answer.missing) fetched.add(id);
      for (const { id, bytes: size } of answer.responses) {
        fetched.add(id);
        bytes += size;
        const key = ownerOf.get(id)!;
        bytesOf.set(key, (bytesOf.get(key) ?? 0) + size);
        if (bytesOf.get(key)! > limits.bytesOfPackage) tooLarge.add(key);
      }
    }
    const isFetched = (key: string) => missing.get(key)!.every(({ id }) => fetched.has(id));
    await complete(packages.filter(({ package: key }) => missing.has(key) && isFetched(key)));
    const reason = `has more than ${Math.round(limits.bytesOfPackage / 1_000_000)} MB of records`;
    await skip([...tooLarge].filter((key) => !isFetched(key)).map((key) => ({ package: key, reason })));
  }

  async function* readRecords({
    responses,
    missing,
  }: Awaited<ReturnType<typeof osv.getRecords>>): AsyncGenerator<FoundOsvRecord[], void, undefined> {
    if (missing.length > 0) yield missing.map((id) => ({ id, record: null }));
    if (responses.length > 0) yield* osv.readRecords(responses);
  }

  try {
    const packages = await held.listPackages();
    const followed = new Set(packages.map((each) => each.package));
    for (let at = 0; at < packages.length && !isLimitReached(); at += maxListed) {
      const answer = await queryPackages(osv, packages.slice(at, at + maxListed), isLimitReached);
      hasAcceptedQuery ||= answer.accepted > 0;
      if (!hasAcceptedQuery && answer.rejected > 0)
        throw new RunError(
          'invalid_index',
          `${osv.host} rejects all packages, such as ${packages[at]!.package}. Check PACEKEEPER_OSV_URL.`,
        );
      await skip(answer.skipped);
      for (const batch of batchesOf(answer.listed)) {
        if (isLimitReached()) break;
        await fetchMissing(batch, followed);
      }
    }
    await held.complete(
      toFetchSummary({ packages: packages.length, listed, found, skipped, usage: osv.usage() }),
    );
  } finally {
    osv.end();
  }
}

export function* batchesOf(packages: readonly ListedPackage[]): Generator<ListedPackage[], void, undefined> {
  let batch: ListedPackage[] = [];
  let records = 0;
  for (const each of packages) {
    if (
      batch.length === maxListed ||
      (batch.length > 0 && records + each.records.length > maxListedRecords)
    ) {
      yield batch;
      batch = [];
      records = 0;
    }
    batch.push(each);
    records += each.records.length;
  }
  if (batch.length > 0) yield batch;
}

/**
 * Converts a record to a result. Excludes affected packages that this run doesn't fetch, because the server
 * would drop them.
 */
export function toRecordItem({ id, record }: FoundOsvRecord, followed: ReadonlySet<string>): ResultItem {
  if (record === null) return { osv_id: id, record };
  const { modified, published, isWithdrawn, severity, summary } = record;
  return {
    osv_id: id,
    record: {
      modified,
      ...(published !== null && { published }),
      is_withdrawn: isWithdrawn,
      severity,
      summary,
      aliases: [...record.aliases],
      affected: record.affected
        .filter((each) => followed.has(packageKey(each)))
        .map(({ ecosystem, name, ranges, versions, customRanges, isUnmapped }) => ({
          ecosystem,
          name,
          versions: [...versions],
          ranges: ranges.map((events) => [...events]),
          ...(customRanges && { custom_ranges: customRanges.map((events) => [...events]) }),
          ...(isUnmapped && { is_unmapped: true }),
        })),
    },
  };
}

export function toFetchSummary({
  packages,
  listed,
  found,
  skipped,
  postponed = 0,
  warnings = [],
  usage: { requests, waitedMs },
}: {
  packages: number;
  listed: number;
  found: number;
  skipped: readonly SkippedPackage[];
  /** Number of packages that are left for the next run. `warnings` contains the reason. */
  postponed?: number;
  warnings?: readonly string[];
  usage: SourceUsage;
}): TaskSummary {
  const left = packages - listed - skipped.length;
  const unreached = left - postponed;
  const allWarnings = [
    ...warnings,
    ...(unreached > 0
      ? [
          `${unreached} packages didn't fit into this run. They keep their stored records and come first in the next run.`,
        ]
      : []),
  ];
  return {
    not_modified: false,
    is_complete_list: left === 0,
    validators: null,
    found,
    skipped: skipped.length,
    skipped_examples: skipped.slice(0, 10).map(({ package: key, reason }) => ({
      name: key.slice(0, 200),
      reason,
    })),
    ...(allWarnings.length > 0 && { warnings: allWarnings }),
    requests,
    waited_ms: Math.round(waitedMs),
  };
}
