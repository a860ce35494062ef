import type { FoundOsvRecord } from '../sources/read-osv-records.ts';
import type { SourceUsage } from '../sources/source-http.ts';
import type { HeldTask, ReferenceTask, ResultItem } from './agent-task.ts';
import { handIn } from './hand-in.ts';
import { createOsvClient, type OsvClient, type OsvClientDeps } from './osv-client.ts';
import { type AskedPackage, queryPackages, type RejectedPackage } from './query-packages.ts';

type ListedPackage = Parameters<HeldTask['findMissingRecords']>[0][number];

/** Of one request to the server. */
const maxListed = 1_000;
const maxListedRecords = 20_000;

/** How many responses are in memory before they are read. */
const recordsAtOnce = 100;
const bytesAtOnce = 4 * 1024 * 1024;

/**
 * Asks OSV for the records of the packages that the server lists, without versions, and fetches those that the server doesn't
 * have as they are.
 */
export async function fetchVulnerabilities(
  held: HeldTask<ReferenceTask>,
  deps: OsvClientDeps,
): Promise<void> {
  const osv = createOsvClient(held, deps);
  const rejected: RejectedPackage[] = [];
  const fetched = new Set<string>();
  let found = 0;
  try {
    for await (const packages of readPackages(held)) {
      const answer = await queryPackages(osv, packages);
      rejected.push(...answer.rejected);
      for (const listed of batchesOf(answer.listed)) {
        found += listed.reduce((sum, { records }) => sum + records.length, 0);
        await held.sendPart(listed);
        const missing = (await held.findMissingRecords(listed)).filter((id) => !fetched.has(id));
        for (const id of missing) fetched.add(id);
        await handIn(held, fetchRecords(osv, missing), (items) => items.map(toResultItem));
      }
    }
    await held.complete({
      ...{ not_modified: false, is_complete_list: true, validators: null, found },
      skipped: rejected.length,
      skipped_examples: rejected.slice(0, 10).map(({ key, reason }) => ({ name: key.slice(0, 200), reason })),
      ...toUsage(osv.usage()),
    });
  } finally {
    osv.end();
  }
}

/** As many as one query has room for, in the order of the server. */
async function* readPackages(held: HeldTask): AsyncGenerator<AskedPackage[], void, undefined> {
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<HeldTask['listPackages']>> = await held.listPackages(after);
    for (let at = 0; at < page.packages.length; at += maxListed)
      yield page.packages
        .slice(at, at + maxListed)
        .map(({ package: key, ecosystem, names }) => ({ key, ecosystem, names }));
    if (page.next === null) return;
    after = page.next;
  }
}

function* batchesOf(packages: readonly ListedPackage[]): Generator<ListedPackage[], void, undefined> {
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

async function* fetchRecords(
  osv: OsvClient,
  ids: readonly string[],
): AsyncGenerator<FoundOsvRecord[], void, undefined> {
  for (let at = 0; at < ids.length; ) {
    const { responses, missing } = await osv.getRecords(ids.slice(at, at + recordsAtOnce), bytesAtOnce);
    at += responses.length + missing.length;
    if (missing.length > 0) yield missing.map((id) => ({ id, record: null }));
    if (responses.length > 0) yield* osv.readRecords(responses);
  }
}

function toResultItem({ id, record }: FoundOsvRecord): ResultItem {
  if (record === null) return { osv_id: id, record };
  const { modified, isWithdrawn, severity, summary } = record;
  return {
    osv_id: id,
    record: {
      ...{ modified, is_withdrawn: isWithdrawn, severity, summary, aliases: [...record.aliases] },
      affected: record.affected.map(({ ecosystem, name, ranges, versions }) => ({
        ...{ ecosystem, name, versions: [...versions] },
        ranges: ranges.map((events) => [...events]),
      })),
    },
  };
}

function toUsage({ requests, waitedMs }: SourceUsage) {
  return { requests, waited_ms: Math.round(waitedMs) };
}
