import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import { parseContent } from '../../../domain/parsers/parse-content.ts';
import { type VersionTransform, versionTransforms } from '../../../domain/transforms/version-transform.ts';
import {
  changeTopic,
  type Database,
  dueTopic,
  type Topic,
  type Tx,
  wake,
  wakeNow,
} from '../../../platform/database/index.ts';
import { invalidField } from '../../../platform/errors.ts';
import { dueEvaluationsTable, markDueStatement } from '../../monitoring/index.ts';
import { getsDeploymentEvents } from '../../notifications/index.ts';
import { shouldRecordSuccess, successColumns } from '../../runs/index.ts';
import { recordDeployedVersionsAcrossOrganizations } from '../../upstream/index.ts';
import { reportChangesAcrossOrganizations } from './report-changes.ts';
import { findNewestVersion, requiresTurn, type VersionMatch, type VersionSource } from './version-queries.ts';

export interface FoundVersion {
  organizationId: number;
  scrapeJobId: number;
  /** Version as it was found or entered. */
  rawVersion: string;
  /** Commit in which the version was found. */
  commitSha: string | null;
  /** Method that determined the version, if it isn't the version that was read. */
  match?: VersionMatch | null;
  /** Time at which the version was deployed, according to its report. Omitted: now. */
  deployedAt?: Date | null;
  /** Artifact that the report of the version contained. */
  artifact?: string | null;
  /**
   * True if a CDEvent reported the version. Its receivers already know it, and no event is sent about it, so that
   * programs that return events don't cause a loop.
   */
  isFromEvent?: boolean;
}

export interface RecordedVersion {
  id: number;
  version: string;
  raw_version: string;
  version_transform: VersionTransform;
  match: VersionMatch | null;
  is_change: boolean;
  /** Version of the job until now. Null for the first one. */
  previous_version: string | null;
  discovered_at: Date;
  scrape_job_name: string;
}

interface LockedJob {
  organization_id: number;
  id: number;
  name: string;
  version_transform: VersionTransform;
  latest_version: string | null;
}

/**
 * Outcome for a found version: it was stored, the job doesn't exist or doesn't accept it, or it's invalid for the given
 * reason.
 */
export type VersionOutcome = { recorded: RecordedVersion } | { noJob: true } | { noVersion: string };

/**
 * Stores deployed versions from any source. Applies each job's transform, stores a snapshot of each version, and
 * triggers the evaluation of alert configurations whose job's version has changed. A version that is set manually
 * always triggers an evaluation, because people set it to get a new result. If one version can't be stored, the others
 * still are.
 *
 * @param found versions, each of a different job
 * @param options.isReading true if the versions were read or set now, which counts as a success of their jobs
 * @param options.endsRun true if this transaction also ends runs of these jobs successfully
 * @returns The outcome for each version, in the same order.
 */
export async function recordVersionsAcrossOrganizations(
  tx: Tx,
  source: VersionSource,
  found: readonly FoundVersion[],
  { isReading = true, endsRun = false } = {},
): Promise<VersionOutcome[]> {
  if (found.length === 0) return [];
  // Lock the jobs, so that snapshots are stored one after the other. The statements after this one see all snapshots
  // that were stored earlier.
  const { rows } = await sql<LockedJob>`
    SELECT organization_id, id, name, version_transform, latest_version FROM scrape_jobs
    WHERE (organization_id, id) IN (SELECT * FROM unnest(
        ${found.map((each) => each.organizationId)}::bigint[], ${found.map((each) => each.scrapeJobId)}::bigint[]))
      AND ${acceptsSource(source)}
    ORDER BY organization_id, id FOR NO KEY UPDATE`.execute(tx);
  const jobs = new Map(rows.map((job) => [keyOf(job.organization_id, job.id), job]));
  const options = { isReading, endsRun, isAlone: false };
  const stored = await storeStatement(source, manyFound(found), options).execute(tx);
  const { recorded, toWake } = outcomeOf(stored.rows);
  // Also record the changed versions for comparisons between environments, which use the versions of these jobs as a
  // reference.
  await recordDeployedVersionsAcrossOrganizations(
    tx,
    found.flatMap(({ organizationId, scrapeJobId }) => {
      const stored = recorded.get(keyOf(organizationId, scrapeJobId));
      return stored?.is_change ? [{ organizationId, scrapeJobId, version: stored.version }] : [];
    }),
  );
  // A new transform changes the version of a job, but not what is deployed.
  if (isReading)
    await reportChangesAcrossOrganizations(
      tx,
      found.flatMap(({ organizationId, scrapeJobId, commitSha, artifact = null, isFromEvent = false }) =>
        recorded.get(keyOf(organizationId, scrapeJobId))?.is_change && !isFromEvent
          ? [{ organizationId, scrapeJobId, commitSha, artifact }]
          : [],
      ),
    );
  for (const topic of toWake) wake(tx, topic);
  return found.map((each): VersionOutcome => {
    const key = keyOf(each.organizationId, each.scrapeJobId);
    const job = jobs.get(key);
    if (!job) return { noJob: true };
    const stored = recorded.get(key);
    if (stored)
      return {
        recorded: { ...stored, scrape_job_name: job.name, previous_version: job.latest_version },
      };
    return { noVersion: whyNoVersion(each.rawVersion, job.version_transform) };
  });
}

/**
 * Stores one version, like `recordVersionsAcrossOrganizations`. Throws 400 if the version is invalid.
 *
 * @returns `undefined` if the job was deleted, or if the version was set manually and the job isn't manual.
 */
export async function recordVersion(
  tx: Tx,
  source: VersionSource,
  found: FoundVersion,
  { endsRun = false } = {},
): Promise<RecordedVersion | undefined> {
  const [outcome] = await recordVersionsAcrossOrganizations(tx, source, [found], { endsRun });
  if (outcome && 'noVersion' in outcome) throw invalidField('version', outcome.noVersion);
  return outcome && 'recorded' in outcome ? outcome.recorded : undefined;
}

/**
 * Stores the newest raw version of a job again after its transform has changed. The new snapshot uses the
 * current transform. Nothing is read, so the time of the last success and the failing state stay unchanged.
 *
 * @param tx a transaction that has locked the job
 */
export async function reapplyTransform(tx: Tx, organizationId: number, scrapeJobId: number): Promise<void> {
  const newest = await findNewestVersion(tx, organizationId, scrapeJobId);
  if (!newest) return;
  const { raw_version: rawVersion, commit_sha: commitSha, match, source } = newest;
  const found: FoundVersion = { organizationId, scrapeJobId, rawVersion, commitSha, match };
  const [outcome] = await recordVersionsAcrossOrganizations(tx, source, [found], {
    isReading: false,
  });
  if (outcome && 'noVersion' in outcome) {
    throw invalidField('version_transform', `leaves no version of "${rawVersion}": ${outcome.noVersion}`);
  }
  if (outcome && 'recorded' in outcome && outcome.recorded.is_change)
    await respellExposure(tx, organizationId, scrapeJobId);
}

/**
 * Replaces the version of the current exposure by the one that was just recorded, because the transform now
 * spells the same reading differently. A new exposure would state that the version changed.
 */
async function respellExposure(tx: Tx, organizationId: number, scrapeJobId: number): Promise<void> {
  await sql`
    WITH newest AS (
      SELECT id, row_number() OVER (ORDER BY first_seen_at DESC, id DESC) AS place FROM exposures
      WHERE organization_id = ${organizationId} AND scrape_job_id = ${scrapeJobId}
      ORDER BY first_seen_at DESC, id DESC LIMIT 2
    ), respelled AS (
      DELETE FROM exposures USING newest
      WHERE exposures.organization_id = ${organizationId} AND exposures.id = newest.id AND newest.place = 1
        AND EXISTS (SELECT FROM newest AS other WHERE other.place = 2)
      RETURNING exposures.version
    )
    UPDATE exposures SET version = respelled.version, ended_at = NULL
    FROM respelled, newest
    WHERE exposures.organization_id = ${organizationId} AND exposures.id = newest.id AND newest.place = 2`.execute(
    tx,
  );
}

/**
 * Does the same as `recordVersion` in a single statement without an explicit transaction, if the job isn't
 * locked, few configurations use it, and no channel gets an event about it.
 *
 * @returns `undefined` if that isn't possible, for example because the job is locked or because many configurations use
 * it. In this case, nothing was changed.
 */
export async function recordVersionInOneStatement(
  db: Database,
  source: VersionSource,
  found: FoundVersion,
): Promise<RecordedVersion | undefined> {
  const values = valuesOf(found);
  const options = { isReading: true, endsRun: false, isAlone: true };
  const build = () => storeStatement(source, oneFound(values), options);
  const text = (singleVersionQueries[source] ??= build().compile(db).sql);
  const { recorded, toWake } = outcomeOf(
    (await db.executeQuery<StoredRow>(CompiledQuery.raw(text, values))).rows,
  );
  for (const topic of toWake) wakeNow(db, topic);
  return recorded.get(keyOf(found.organizationId, found.scrapeJobId));
}

/** Cached SQL text for each source, so that the statement isn't built for each request. */
const singleVersionQueries: Partial<Record<VersionSource, string>> = {};

/**
 * SQL condition: true if a job accepts versions from this source. Only manual jobs accept versions that
 * people set.
 */
function acceptsSource(source: VersionSource): RawBuilder<unknown> {
  return source === 'manual' ? sql`parser_type = 'manual'` : sql`true`;
}

function whyNoVersion(content: string, transform: VersionTransform): string {
  const parsed = parseContent({ parserType: 'manual', expression: '', transform, content });
  return parsed.ok ? "can't be stored" : parsed.message;
}

/**
 * Returns the results of all transforms, because the job's transform isn't known yet. The statement that
 * stores the version reads the job's transform and selects its result.
 */
function versionByTransform(content: string): Partial<Record<VersionTransform, string>> {
  return Object.fromEntries(
    versionTransforms.flatMap((transform) => {
      const parsed = parseContent({ parserType: 'manual', expression: '', transform, content });
      return parsed.ok ? [[transform, parsed.version]] : [];
    }),
  );
}

type ValuesOfOne = [number, number, string, string, string | null, VersionMatch | null, Date | null];

function valuesOf({
  organizationId,
  scrapeJobId,
  rawVersion,
  commitSha,
  match = null,
  deployedAt = null,
}: FoundVersion): ValuesOfOne {
  const byTransform = JSON.stringify(versionByTransform(rawVersion));
  return [organizationId, scrapeJobId, rawVersion.trim(), byTransform, commitSha, match, deployedAt];
}

function manyFound(found: readonly FoundVersion[]): RawBuilder<unknown> {
  const values = found.map(valuesOf);
  return sql`unnest(
    ${values.map((of) => of[0])}::bigint[], ${values.map((of) => of[1])}::bigint[], ${values.map((of) => of[2])}::text[],
    ${values.map((of) => of[3])}::jsonb[], ${values.map((of) => of[4])}::text[], ${values.map((of) => of[5])}::text[],
    ${values.map((of) => of[6])}::timestamptz[])`;
}

/**
 * Selects a single row. If it selected a set, PostgreSQL would read all scrape jobs of a small organization
 * to join it.
 */
function oneFound(values: ValuesOfOne): RawBuilder<unknown> {
  return sql`(SELECT ${values[0]}::bigint, ${values[1]}::bigint, ${values[2]}::text, ${values[3]}::jsonb,
    ${values[4]}::text, ${values[5]}::text, ${values[6]}::timestamptz)`;
}

function keyOf(organizationId: number, scrapeJobId: number): string {
  return `${organizationId}/${scrapeJobId}`;
}

type StoredRow = RecordedVersion & { organization_id: number; scrape_job_id: number; marked: number };

interface StoreOptions {
  isReading: boolean;
  endsRun: boolean;
  /** True if the statement runs outside of a transaction. */
  isAlone: boolean;
}

/**
 * Builds the statement that stores the rows of `found`, whose columns must be in the order of `ValuesOfOne`.
 * Only `found` contains parameters.
 */
function storeStatement(
  source: VersionSource,
  found: RawBuilder<unknown>,
  { isReading, endsRun, isAlone }: StoreOptions,
): RawBuilder<StoredRow> {
  // Manual jobs don't run, so they have no last success.
  const lastSuccess =
    isReading && source !== 'manual'
      ? sql`, last_success_at = CASE
            WHEN known.parser_type <> 'manual' AND ${shouldRecordSuccess(sql`known.last_success_at`)} THEN pacekeeper_now()
            ELSE known.last_success_at END`
      : sql``;
  return sql<StoredRow>`
    WITH job AS MATERIALIZED (
      SELECT jobs.organization_id, jobs.id, jobs.name, version_transform, history_limit, unchanged_count, failing_since,
        latest_version,
        found.raw_version, found.commit_sha, found.match, found.deployed_at,
        found.by_transform ->> version_transform AS version
      FROM ${found} AS found (organization_id, scrape_job_id, raw_version, by_transform, commit_sha, match, deployed_at)
      JOIN scrape_jobs AS jobs ON jobs.organization_id = found.organization_id AND jobs.id = found.scrape_job_id
      WHERE ${acceptsSource(source)}
        ${
          isAlone
            ? sql`AND NOT EXISTS (SELECT FROM gather_jobs AS g
          WHERE g.organization_id = jobs.organization_id AND g.scrape_job_id = jobs.id)
          AND NOT ${requiresTurn} AND NOT ${getsDeploymentEvents}`
            : sql``
        }
      -- Skips locked jobs instead of waiting. After a wait, the rest of this statement would see outdated
      -- rows of other tables.
      FOR NO KEY UPDATE OF jobs SKIP LOCKED
    ), snapshot AS (
      INSERT INTO versions (organization_id, scrape_job_id, version, raw_version, version_transform, source, commit_sha, match,
        is_change)
      SELECT organization_id, id, version, raw_version, version_transform, ${sql.lit(source)}, commit_sha, match,
        version IS DISTINCT FROM latest_version
      FROM job WHERE version IS NOT NULL
      RETURNING organization_id, scrape_job_id, id, version, raw_version, version_transform, match, is_change,
        discovered_at
    ), trimmed AS (
      -- Makes room for a new unchanged snapshot. Changes are deleted only by age.
      DELETE FROM versions USING (
        SELECT surplus.* FROM job CROSS JOIN LATERAL (
          SELECT organization_id, id FROM versions
          WHERE organization_id = job.organization_id AND scrape_job_id = job.id AND NOT is_change
          ORDER BY id LIMIT greatest(0, job.unchanged_count + 1 - job.history_limit)
        ) AS surplus
        WHERE job.version = job.latest_version
      ) AS surplus
      WHERE versions.organization_id = surplus.organization_id AND versions.id = surplus.id
      RETURNING versions.organization_id, versions.scrape_job_id
    ), known AS (
      UPDATE scrape_jobs AS known
      SET latest_version = job.version, latest_version_at = pacekeeper_now(), match = job.match,
          latest_deployed_at = ${
            isReading
              ? sql`job.deployed_at`
              : sql`coalesce(known.latest_deployed_at, known.latest_version_at)`
          },
          failing_since = ${isReading ? sql`NULL` : sql`known.failing_since`},
          last_read_at = ${isReading ? sql`pacekeeper_now()` : sql`known.last_read_at`},
          gap_since = ${isReading ? sql`NULL` : sql`known.gap_since`},
          previous_version = CASE WHEN job.version IS DISTINCT FROM known.latest_version THEN known.latest_version
            ELSE known.previous_version END,
          -- A snapshot that another transaction has just deleted isn't counted here. The next version deletes one more.
          unchanged_count = known.unchanged_count - coalesce(dropped.count, 0)
            + CASE WHEN job.version = job.latest_version THEN 1 ELSE 0 END
          ${lastSuccess}${endsRun ? sql`, ${successColumns(sql`known`)}` : sql``}
      FROM job LEFT JOIN (
        SELECT organization_id, scrape_job_id, count(*) FROM trimmed GROUP BY organization_id, scrape_job_id
      ) AS dropped ON dropped.organization_id = job.organization_id AND dropped.scrape_job_id = job.id
      WHERE known.organization_id = job.organization_id AND known.id = job.id AND job.version IS NOT NULL
    ), marked AS (
      -- A range and an array, because PostgreSQL expects few rows from them. Otherwise, if most
      -- configurations have belonged to a single job, it would expect that they belong to this one, and read
      -- all configurations of the organization.
      ${markDueStatement(sql`(organization_id, id) IN (
        SELECT organization_id, unnest(ARRAY(
          SELECT used.id FROM alert_configs AS used
          WHERE used.organization_id = job.organization_id AND used.scrape_job_id BETWEEN job.id AND job.id))
        FROM job
        WHERE version IS NOT NULL
          AND (version IS DISTINCT FROM latest_version OR failing_since IS NOT NULL OR ${sql.lit(source === 'manual')}))`)}
      RETURNING 1
    )
    -- The name and previous version are correct only for a single job. For many jobs, the caller knows them,
    -- and a join would make PostgreSQL compare each snapshot with each job.
    SELECT snapshot.*, (SELECT name FROM job LIMIT 1) AS scrape_job_name,
      (SELECT latest_version FROM job LIMIT 1) AS previous_version, (SELECT count(*) FROM marked) AS marked
    FROM snapshot`;
}

/** Returns the stored versions by job, and the topics to wake. */
function outcomeOf(rows: readonly StoredRow[]): { recorded: Map<string, RecordedVersion>; toWake: Topic[] } {
  const toWake = rows.map((row) => changeTopic(row.organization_id, 'scrape_job', row.scrape_job_id));
  const organizationIds = new Set(rows.map((row) => row.organization_id));
  if (rows[0] && rows[0].marked > 0)
    toWake.push(
      ...[...organizationIds].map((organizationId) => dueTopic(dueEvaluationsTable.name, organizationId)),
    );
  return {
    recorded: new Map(
      rows.map(({ organization_id, scrape_job_id, marked: _marked, ...recorded }) => [
        keyOf(organization_id, scrape_job_id),
        recorded,
      ]),
    ),
    toWake,
  };
}
