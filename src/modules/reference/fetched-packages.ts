import { sql } from 'kysely';
import { isOsvEcosystem } from '../../domain/vulnerabilities/osv-ecosystems.ts';
import type { Schemas } from '../../generated/agent-api.ts';
import { type Database, type Tx, transaction } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/errors.ts';
import { type HeldRun, type LeaseHolder, lockHeldRun, stagedItems } from '../runs/index.ts';
import { readFollowedPackages } from './followed-packages.ts';
import { takeRoundRobin } from './in-turns.ts';

/** Maximum number of packages per run. The next run starts with the remaining ones. */
const maxPackages = 20_000;

/**
 * Ecosystems whose archives are large, mostly because of records about malware. A package of the catalog is fetched from
 * them only if a gather job follows it.
 */
const largeEcosystems: readonly string[] = ['npm', 'PyPI'];

/**
 * Lists the packages to query in OSV. Packages that were fetched the longest time ago come first, and
 * organizations take turns.
 */
export async function listFetchedPackages(db: Database): Promise<Schemas['ListTaskPackagesResponse']> {
  const followed = await readFollowedPackages(db);
  const lastMs = await readFetchTimes(db);
  const wanted = [...followed].flatMap(([key, { publicNames, origins, organizations }]) => {
    const [first] = publicNames.values();
    // The packages of jobs were checked when they were stored, but the packages of the catalog weren't.
    if (first === undefined || !isOsvEcosystem(first.ecosystem)) return [];
    if (largeEcosystems.includes(first.ecosystem) && !origins.has('job')) return [];
    return [{ key, organizations, lastMs: lastMs.get(key) ?? null }];
  });
  return {
    packages: takeRoundRobin(wanted, maxPackages).map((key) => {
      const names = [...followed.get(key)!.publicNames.values()];
      return {
        package: key,
        ecosystem: names[0]!.ecosystem,
        names: names.map(({ name }) => name).toSorted(),
      };
    }),
  };
}

async function readFetchTimes(db: Database): Promise<Map<string, number>> {
  const { rows } = await sql<{ package_key: string; fetched_at: Date }>`
    SELECT package_key, fetched_at FROM package_fetches WHERE organization_id = 1`.execute(db);
  return new Map(rows.map((row) => [row.package_key, row.fetched_at.getTime()]));
}

/** Retention of fetch times. Afterwards, a package is treated like a new one and comes first. */
const fetchRetention = sql`interval '90 days'`;

/** Records the packages that a run has processed, including skipped ones. */
export async function recordFetches(
  tx: Tx,
  run: HeldRun,
  leaseToken: string,
  startedMs: number,
): Promise<void> {
  const startedAt = sql`to_timestamp(${startedMs}::float8 / 1000)`;
  await sql`
    INSERT INTO package_fetches (package_key, fetched_at)
    SELECT DISTINCT item ->> 'package', ${startedAt} FROM ${stagedItems(run, leaseToken)} AS staged
    WHERE item ->> 'package' IS NOT NULL
    ON CONFLICT (organization_id, package_key) DO UPDATE SET fetched_at = EXCLUDED.fetched_at`.execute(tx);
  await sql`
    DELETE FROM package_fetches
    WHERE organization_id = 1 AND fetched_at < ${startedAt} - ${fetchRetention}`.execute(tx);
}

/**
 * Returns the records to fetch: records that aren't stored, records that were modified, and stored records
 * that are no longer listed, unless they are already marked as withdrawn. Only the record itself shows if it
 * was withdrawn.
 */
export async function findMissingRecords(
  db: Database,
  packages: readonly Schemas['ListedPackage'][],
): Promise<Schemas['FindMissingRecordsResponse']['records']> {
  const listed = packages.flatMap(({ package: key, records }) =>
    records.map((record) => ({ key, ...record })),
  );
  const { rows } = await sql<{ package: string; id: string }>`
    WITH listed AS (
      SELECT * FROM unnest(
        ${listed.map(({ key }) => key)}::text[], ${listed.map(({ id }) => id)}::text[],
        ${listed.map(({ modified }) => modified)}::timestamptz[]) AS listed (package_key, id, modified_at)
    ), stored AS (
      SELECT package_key, id, modified_at, is_withdrawn FROM vulnerabilities
      WHERE organization_id = 1 AND package_key = ANY(${packages.map((each) => each.package)}::text[])
    )
    SELECT package_key AS package, id FROM listed FULL JOIN stored USING (package_key, id)
    WHERE CASE WHEN listed.id IS NULL THEN NOT stored.is_withdrawn
      ELSE stored.id IS NULL OR stored.modified_at IS NULL OR stored.modified_at < listed.modified_at END
    ORDER BY 1, 2`.execute(db);
  return rows;
}

const contents = { vulnerabilities: 'known vulnerabilities', epss: 'EPSS scores' } as const;

/**
 * Throws if the task of the run doesn't fetch the data of `source`. The names of packages and vulnerabilities
 * come from all organizations, so only the agent that fetches the data can read them.
 *
 * @throws ApiError 409 if the task fetches other data.
 */
export async function assertTaskFetches(
  db: Database,
  source: keyof typeof contents,
  holder: LeaseHolder,
  runId: number,
  leaseToken: string,
): Promise<void> {
  await transaction(db, async (tx) => {
    const run = await lockHeldRun(tx, holder, runId, leaseToken);
    const { rows } = await sql`
      SELECT FROM reference_sources
      WHERE organization_id = ${run.organization_id} AND id = ${run.job_id} AND name = ${source}
        AND ${run.kind} = 'reference'`.execute(tx);
    if (rows.length === 0) throw new ApiError('conflict', `The task doesn't fetch ${contents[source]}.`);
  });
}
