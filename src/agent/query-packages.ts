import { osvNamesOf } from '../domain/vulnerabilities/osv-package.ts';
import type { OsvClient, OsvQuery } from './osv-client.ts';

/** A package to request from OSV. */
export interface QueriedPackage {
  readonly package: string;
  readonly ecosystem: string;
  readonly names: readonly string[];
}

/** A package whose records aren't fetched. Its stored records are kept. */
export interface SkippedPackage {
  readonly package: string;
  readonly reason: string;
}

export interface PackageRecords {
  /** Packages with all of their records. A package that is neither here nor in `skipped` wasn't reached. */
  listed: { package: string; records: { id: string; modified: string }[] }[];
  skipped: SkippedPackage[];
  /** Number of batches that OSV accepted. */
  accepted: number;
  rejected: number;
}

/** Maximum number of queries that OSV accepts in one batch. */
const maxQueries = 1_000;
/**
 * Maximum number of records that the server accepts for a package: ten times that of the largest package in
 * the catalog.
 */
const maxRecords = 20_000;
/** Maximum number of records of all packages in memory. */
const maxRecordsAtOnce = 200_000;
/**
 * Maximum number of pages for one query. A page contains few records of a query only if other queries in the
 * batch have many, so this is enough.
 */
const maxPages = 200;
/** Maximum number of rejected batches. This is enough to find twenty rejected queries among a thousand. */
const maxRejections = 200;

interface OpenQuery {
  readonly key: string;
  readonly query: OsvQuery;
  readonly pages: number;
}

/**
 * Queries the records that OSV has for these packages. A package that OSV rejects doesn't affect the others.
 */
export async function queryPackages(
  osv: OsvClient,
  packages: readonly QueriedPackage[],
  isLimitReached: () => boolean,
): Promise<PackageRecords> {
  const records = new Map(packages.map((each) => [each.package, new Map<string, string>()]));
  const skipped = new Map<string, string>();
  let total = 0;
  let accepted = 0;
  let rejected = 0;
  let open: OpenQuery[] = packages.flatMap(({ package: key, ecosystem, names }) =>
    [...new Set(names.flatMap((name) => osvNamesOf({ ecosystem, name })))].map((name) => ({
      key,
      query: {
        package: {
          ecosystem,
          name,
        },
      },
      pages: 0,
    })),
  );

  function skip(key: string, reason: string): void {
    skipped.set(key, reason);
    total -= records.get(key)!.size;
    records.get(key)!.clear();
  }

  const wantedOf = (queries: readonly OpenQuery[]) => queries.filter(({ key }) => !skipped.has(key));

  /**
   * Sends queries. OSV rejects a batch as a whole, so a rejected batch is split until the invalid queries are
   * found.
   */
  async function send(queries: readonly OpenQuery[]): Promise<void> {
    if (queries.length === 0) return;
    const answer = await osv.query(queries.map(({ query }) => query));
    if (answer !== null) {
      accepted += 1;
      const isEmpty = answer.every((each) => each.records.length === 0);
      for (const { query: index, records: found, nextPage } of answer) {
        const { key, query, pages } = queries[index]!;
        const known = records.get(key)!;
        if (skipped.has(key)) continue;
        total -= known.size;
        for (const { id, modified } of found) known.set(id, modified);
        total += known.size;
        if (known.size > maxRecords) skip(key, `has more than ${maxRecords} records`);
        else if (nextPage === null) continue;
        else if (pages === maxPages || (isEmpty && nextPage === query.page_token))
          skip(key, 'has too many pages of records');
        else open.push({ key, query: { ...query, page_token: nextPage }, pages: pages + 1 });
      }
      return;
    }
    rejected += 1;
    const ecosystems = Map.groupBy(queries, ({ query }) => query.package.ecosystem);
    const isOne = new Set(queries.map(({ key }) => key)).size === 1;
    if (isOne || (ecosystems.size === 1 && rejected > maxRejections)) {
      const reason = isOne ? 'was rejected by OSV' : 'was rejected by OSV together with others';
      for (const { key } of queries) if (!skipped.has(key)) skip(key, reason);
      return;
    }
    const half = Math.ceil(queries.length / 2);
    const parts =
      ecosystems.size > 1 ? [...ecosystems.values()] : [queries.slice(0, half), queries.slice(half)];
    for (const part of parts) await send(wantedOf(part));
  }

  while (open.length > 0 && !isLimitReached()) {
    const queries = open.slice(0, maxQueries);
    open = open.slice(maxQueries);
    await send(wantedOf(queries));
    while (total > maxRecordsAtOnce) skip(largestOf(records), 'has too many records');
  }
  const unreached = new Set(open.map(({ key }) => key));
  return {
    listed: [...records]
      .filter(([key]) => !skipped.has(key) && !unreached.has(key))
      .map(([key, found]) => ({
        package: key,
        records: [...found].map(([id, modified]) => ({
          id,
          modified,
        })),
      })),
    skipped: [...skipped].map(([key, reason]) => ({
      package: key,
      reason,
    })),
    accepted,
    rejected,
  };
}

function largestOf(records: ReadonlyMap<string, ReadonlyMap<string, string>>): string {
  let largest = { key: '', size: -1 };
  for (const [key, { size }] of records) if (size > largest.size) largest = { key, size };
  return largest.key;
}
