import { sql } from 'kysely';
import type { Schemas } from '../../generated/agent-api.ts';
import { type Database, transaction } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/errors.ts';
import { lockHeldRun } from '../runs/index.ts';
import { readFollowedPackages } from './followed-packages.ts';

const packagesPerPage = 10_000;

/** What OSV can be asked for, in the order of keys. @param after the last key of the page before */
export async function listFetchedPackages(
  db: Database,
  after: string | null,
): Promise<Schemas['ListTaskPackagesResponse']> {
  const followed = await readFollowedPackages(db);
  const keys = [...followed.keys()]
    .filter((key) => followed.get(key)!.publicNames.size > 0 && (after === null || key > after))
    .toSorted();
  const page = keys.slice(0, packagesPerPage);
  return {
    packages: page.map((key) => {
      const names = [...followed.get(key)!.publicNames.values()];
      return {
        package: key,
        ecosystem: names[0]!.ecosystem,
        names: names.map(({ name }) => name).toSorted(),
      };
    }),
    next: page.length < keys.length ? page.at(-1)! : null,
  };
}

/**
 * The records that have to be fetched: those that aren't stored, those that have been modified, and those that are stored but
 * no longer listed, unless they're withdrawn. Only the record says whether it was withdrawn.
 */
export async function findMissingRecords(
  db: Database,
  packages: readonly Schemas['ListedPackage'][],
): Promise<string[]> {
  const listed = packages.flatMap(({ package: key, records }) =>
    records.map((record) => ({ key, ...record })),
  );
  const { rows } = await sql<{ id: string }>`
    WITH listed AS (
      SELECT * FROM unnest(
        ${listed.map(({ key }) => key)}::text[], ${listed.map(({ id }) => id)}::text[],
        ${listed.map(({ modified }) => modified)}::timestamptz[]) AS listed (package_key, id, modified_at)
    ), stored AS (
      SELECT package_key, id, modified_at, is_withdrawn FROM vulnerabilities
      WHERE organization_id = 1 AND package_key = ANY(${packages.map((each) => each.package)}::text[])
    )
    SELECT DISTINCT coalesce(listed.id, stored.id) AS id FROM listed FULL JOIN stored USING (package_key, id)
    WHERE CASE WHEN listed.id IS NULL THEN NOT stored.is_withdrawn
      ELSE stored.id IS NULL OR stored.modified_at IS NULL OR stored.modified_at < listed.modified_at END
    ORDER BY 1`.execute(db);
  return rows.map(({ id }) => id);
}

/** The names of packages are of all organizations, so only the agent that fetches them gets them. Throws 409 for other tasks. */
export async function assertFetchesVulnerabilities(
  db: Database,
  agentOrganizationId: number,
  runId: number,
  leaseToken: string,
): Promise<void> {
  await transaction(db, async (tx) => {
    const run = await lockHeldRun(tx, agentOrganizationId, runId, leaseToken);
    const { rows } = await sql`
      SELECT FROM reference_sources
      WHERE organization_id = ${run.organization_id} AND id = ${run.job_id} AND name = 'vulnerabilities'
        AND ${run.kind} = 'reference'`.execute(tx);
    if (rows.length === 0) throw new ApiError('conflict', "The task doesn't fetch known vulnerabilities.");
  });
}
