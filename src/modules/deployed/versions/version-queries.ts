import { sql } from 'kysely';
import { incomparableVersionWarning } from '../../../domain/versions/incomparable-version.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import {
  type Database,
  listOrder,
  lookUpColumnSql,
  type Page,
  type PageRequest,
  readPage,
  type Tx,
} from '../../../platform/database/index.ts';
import { maxWithoutTurn } from '../../monitoring/index.ts';

type Version = Schemas['Version'];
export type VersionSource = Version['source'];
export type VersionMatch = Schemas['VersionMatch'];

export interface VersionFilters {
  scrape_job_id?: number | undefined;
  changes_only?: boolean | undefined;
  since?: string | undefined;
}

/** Lists snapshots of deployed versions, newest first. */
export async function listVersions(
  db: Database,
  organizationId: number,
  filters: VersionFilters,
  page: PageRequest,
): Promise<Page<Version>> {
  const { scrape_job_id, changes_only = false, since } = filters;
  const matches = sql<boolean>`v.organization_id = ${organizationId}
    ${scrape_job_id === undefined ? sql`` : sql`AND v.scrape_job_id = ${scrape_job_id}`}
    ${changes_only ? sql`AND v.is_change` : sql``}
    ${since === undefined ? sql`` : sql`AND v.created_at >= ${since}::timestamptz`}`;
  const query = db
    .selectFrom('versions as v')
    .select(['v.id', 'v.scrape_job_id', 'v.version', 'v.raw_version', 'v.commit_sha'])
    .select(['v.is_change', 'v.discovered_at', 'v.created_at', 'v.updated_at'])
    .select([
      lookUpColumnSql<string>('scrape_jobs', 'name', {
        organizationId: 'v.organization_id',
        id: 'v.scrape_job_id',
      }).as('scrape_job_name'),
      sql<Version['version_transform']>`v.version_transform`.as('version_transform'),
      sql<Version['source']>`v.source`.as('source'),
      sql<Version['match']>`v.match`.as('match'),
      // This is read only for the rows of the page, from the index of the job. Only a change has an earlier,
      // different version.
      sql<string | null>`CASE WHEN v.is_change THEN (SELECT before.version FROM versions AS before
        WHERE before.organization_id = v.organization_id AND before.scrape_job_id = v.scrape_job_id
          AND before.is_change AND before.id < v.id
        ORDER BY before.id DESC LIMIT 1) END`.as('previous_version'),
    ])
    .where(matches);
  // Versions of one job are sorted by ID only, which uses the index of the job. IDs ascend over time.
  const byId = { column: 'v.id', isDescending: true };
  const order = listOrder(
    scrape_job_id === undefined ? [{ column: 'v.created_at', isDescending: true }, byId] : [byId],
  );
  const { items, ...rest } = await readPage(db, query, page, order, [
    sql`(SELECT 1 FROM versions v WHERE ${matches})`,
  ]);
  return {
    ...rest,
    items: items.map((row) => ({
      ...row,
      warning: incomparableVersionWarning(row.version),
      discovered_at: row.discovered_at.toISOString(),
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    })),
  };
}

/** Returns the snapshot of the job's `latest_version`. */
export async function findNewestVersion(
  tx: Tx,
  organizationId: number,
  scrapeJobId: number,
): Promise<
  | { raw_version: string; commit_sha: string | null; source: VersionSource; match: VersionMatch | null }
  | undefined
> {
  return tx
    .selectFrom('versions')
    .select(['raw_version', 'commit_sha', sql<VersionSource>`source`.as('source')])
    .select(sql<VersionMatch | null>`match`.as('match'))
    .where('organization_id', '=', organizationId)
    .where('scrape_job_id', '=', scrapeJobId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * True if more than `maxWithoutTurn` configurations use the scrape job `jobs`, so that a change requires an
 * evaluation turn.
 */
export const requiresTurn = sql<boolean>`EXISTS (
  SELECT FROM alert_configs AS used
  WHERE used.organization_id = jobs.organization_id AND used.scrape_job_id = jobs.id
  OFFSET ${sql.lit(maxWithoutTurn)})`;

export async function hasScrapeJob(
  db: Database,
  organizationId: number,
  scrapeJobId: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('scrape_jobs')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', scrapeJobId)
    .executeTakeFirst();
  return row !== undefined;
}
