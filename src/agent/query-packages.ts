import { RunError } from '../domain/runs/run-error.ts';
import { namesInOsv } from '../domain/verdicts/osv-package.ts';
import type { OsvClient, OsvQuery } from './osv-client.ts';

/** A package to request from OSV. */
export interface AskedPackage {
  readonly key: string;
  readonly ecosystem: string;
  readonly names: readonly string[];
}

export interface RejectedPackage {
  readonly key: string;
  readonly reason: string;
}

export interface PackageRecords {
  listed: { package: string; records: { id: string; modified: string }[] }[];
  rejected: RejectedPackage[];
}

/** The limit of OSV. */
const maxQueries = 1_000;
/** As many as the server accepts for a package: ten times those of the largest one in the catalog. */
const maxRecords = 20_000;

/** Of a thousand packages. If there are more, it isn't the packages. */
const maxRejected = 50;

interface OpenQuery {
  readonly key: string;
  readonly query: OsvQuery;
}

/** Which records OSV has of these packages. A package that it rejects doesn't affect the others. */
export async function queryPackages(
  osv: OsvClient,
  packages: readonly AskedPackage[],
): Promise<PackageRecords> {
  const records = new Map(packages.map(({ key }) => [key, new Map<string, string>()]));
  const rejected = new Map<string, string>();
  let open: OpenQuery[] = packages.flatMap(({ key, ecosystem, names }) =>
    [...new Set(names.flatMap((name) => namesInOsv({ ecosystem, name })))].map((name) => ({
      ...{ key, query: { package: { ecosystem, name } } },
    })),
  );

  /** A batch is rejected as a whole, so its halves are sent until the query is found. */
  async function send(queries: readonly OpenQuery[]): Promise<void> {
    const answer = await osv.query(queries.map(({ query }) => query));
    if (answer !== null) {
      for (const { query: index, records: found, nextPage } of answer) {
        const { key, query } = queries[index]!;
        const known = records.get(key)!;
        for (const { id, modified } of found) known.set(id, modified);
        if (known.size > maxRecords) rejected.set(key, `has more than ${maxRecords} records`);
        else if (nextPage !== null) open.push({ key, query: { ...query, page_token: nextPage } });
      }
      return;
    }
    if (queries.length === 1) {
      rejected.set(queries[0]!.key, 'was rejected by OSV');
      if (rejected.size > maxRejected)
        throw new RunError(
          'invalid_index',
          `${osv.host} rejects more than ${maxRejected} packages, such as ${queries[0]!.key}. Check PACEKEEPER_OSV_URL.`,
        );
      return;
    }
    const half = Math.ceil(queries.length / 2);
    for (const part of [queries.slice(0, half), queries.slice(half)])
      await send(part.filter(({ key }) => !rejected.has(key)));
  }

  while (open.length > 0) {
    const queries = open.slice(0, maxQueries).filter(({ key }) => !rejected.has(key));
    open = open.slice(maxQueries);
    if (queries.length > 0) await send(queries);
  }
  return {
    listed: packages
      .filter(({ key }) => !rejected.has(key))
      .map(({ key }) => ({
        package: key,
        records: [...records.get(key)!].map(([id, modified]) => ({ id, modified })),
      })),
    rejected: [...rejected].map(([key, reason]) => ({ key, reason })),
  };
}
