import { sql } from 'kysely';
import type { SourceOptions } from '../../domain/source-types/source-type.ts';
import { splitPlatformWords } from '../../domain/versions/platform-words.ts';
import type { Schemas } from '../../generated/agent-api.ts';
import type { Database } from '../../platform/database/index.ts';
import { maxRequestedTags } from '../../sources/oci-dates.ts';
import { sourceOf } from '../../sources/sources.ts';
import { type ClaimedRun, markFullRunsAcrossOrganizations } from '../runs/index.ts';
import { storedSetting } from '../settings/index.ts';
import { isFullReadDue } from '../upstream/index.ts';

type Task = Schemas['ClaimTasksResponse']['tasks'][number];
type GatherSpec = Schemas['GatherTaskSpec'];

/**
 * Minimum time between checks for whether a repository is archived. Repositories are rarely archived, and each check
 * requires a request.
 */
const archivedCheckInterval = '7 days';
/** Source types of forges that report whether a repository is archived. */
const forgeSourceTypes = ['github_releases', 'gitlab_releases', 'gitea_releases'];
/**
 * Maximum age of a shared Prometheus response in scheduled runs. Runs of jobs with the same cron expression
 * start within 30 seconds of each other, so runs with the same query share a response.
 */
const scheduledMaxAgeSeconds = 60;
/**
 * Limits for the newest known tags of a job in its task. The agent stops reading when it reaches a known tag. Tasks for
 * full reads contain no known tags, except for registries, which require a request for each new tag. Tasks for sources
 * that return a single list contain none either.
 */
const knownTagCount = 1_000;
const knownTagBytes = 32 * 1024;

/** Maximum number of tags without a date whose dates are requested in one run. Each tag takes up to three requests. */
const undatedTagCount = 10;
/**
 * Number of the highest undated tags whose dates every run requests. The remaining requests rotate among the lower
 * undated tags, so that those get dates even if the highest ones never do.
 */
const highestUndatedTagCount = 5;
/** Interval between requests for missing dates of a registry that returns none. */
const datesRetryInterval = '1 day';

/** Builds the tasks of claimed runs, with one statement for each kind. */
export async function describeTasksAcrossOrganizations(
  db: Database,
  runs: readonly ClaimedRun[],
): Promise<Task[]> {
  const ofKind = (kind: ClaimedRun['kind']) => runs.filter((run) => run.kind === kind);
  const [gather, scrape, helmSync, discovery, reference] = await Promise.all([
    describeGathers(db, ofKind('gather')),
    describeScrapes(db, ofKind('scrape')),
    describeHelmSyncs(db, ofKind('helm_sync')),
    describeDiscoveries(db, ofKind('discovery')),
    describeReferences(db, ofKind('reference')),
  ]);
  // Skip runs without a job, because deleting a job also deletes its runs.
  return runs.flatMap((run): Task[] => {
    const task = {
      task_id: run.id,
      organization_id: run.organization_id,
      lease_token: run.lease_token,
      lease_expires_at: run.lease_until.toISOString(),
    };
    const key = keyOf(run.organization_id, run.job_id);
    switch (run.kind) {
      case 'gather': {
        const spec = gather.get(key);
        return spec ? [{ ...task, kind: 'gather', spec }] : [];
      }
      case 'scrape': {
        const spec = scrape.get(key);
        return spec ? [{ ...task, kind: 'scrape', spec }] : [];
      }
      case 'helm_sync': {
        const spec = helmSync.get(key);
        return spec ? [{ ...task, kind: 'helm_sync', spec }] : [];
      }
      case 'discovery': {
        const spec = discovery.get(key);
        return spec ? [{ ...task, kind: 'discovery', spec }] : [];
      }
      case 'reference': {
        const spec = reference.get(key);
        return spec ? [{ ...task, kind: 'reference', spec }] : [];
      }
    }
  });
}

interface GatherRow
  extends Omit<
    GatherSpec,
    | 'gather_job_id'
    | 'platform_words'
    | 'changelog_path'
    | 'checks_archived'
    | 'reads_digests'
    | 'reads_commits'
    | 'share_key'
    | 'known_hint'
    | 'undated_tags'
  > {
  platform_words: string;
  changelog_path: string | null;
  organization_id: number;
  id: number;
  is_archived_due: boolean;
  known_tags: string[];
  undated_tags: string[];
}

async function describeGathers(db: Database, runs: readonly ClaimedRun[]): Promise<Map<string, GatherSpec>> {
  if (runs.length === 0) return new Map();
  // Runs that weren't triggered by the schedule or a push read the full list. After a push, the newest
  // releases are enough.
  const wanted = runs.filter(({ trigger }) => trigger !== 'schedule' && trigger !== 'hook');
  const isFull = sql`(id = ANY(${wanted.map((run) => run.job_id)}::bigint[]) OR ${isFullReadDue})`;
  const isForge = sql`source_type = ANY(${forgeSourceTypes})`;
  const stopsAtKnown = sql`(
    source_type = 'oci_registry' OR NOT ${isFull} AND (${isForge} OR changelog_path IS NOT NULL))`;
  const isReleaseOfJob = sql`
    releases.organization_id = gather_jobs.organization_id AND releases.gather_job_id = gather_jobs.id
      AND NOT releases.is_withdrawn AND NOT releases.is_prerelease AND releases.sort_key IS NOT NULL`;
  const { rows } = await sql<GatherRow>`
    SELECT organization_id, id, source_type, artifact_name, source_options, version_pattern, version_scheme, platform_words,
      include_prereleases, changelog_path, credential_name, validators, ${isFull} AS is_full,
      ${isForge} AND coalesce(
        archived_checked_at < pacekeeper_now() - ${archivedCheckInterval}::interval, true) AS is_archived_due,
      CASE WHEN ${stopsAtKnown} THEN coalesce((SELECT to_json(array_agg(tag)) FROM (
        SELECT tag, sum(octet_length(tag)) OVER (ORDER BY id DESC) AS bytes FROM (
          SELECT id, tag FROM releases
          WHERE releases.organization_id = gather_jobs.organization_id AND gather_job_id = gather_jobs.id AND NOT is_withdrawn
          ORDER BY id DESC LIMIT ${knownTagCount}
        ) AS newest
      ) AS newest WHERE bytes <= ${knownTagBytes}), '[]') ELSE '[]' END AS known_tags,
      CASE WHEN source_type = 'oci_registry' AND coalesce(dates_due_at <= pacekeeper_now(), true)
        THEN coalesce((SELECT to_json(array_agg(tag)) FROM (
          SELECT tag FROM (
            (SELECT tag, released_at, sort_key FROM releases
              WHERE ${isReleaseOfJob} AND variant = '' AND NOT is_yanked
              ORDER BY sort_key DESC LIMIT ${maxRequestedTags})
            UNION ALL
            (SELECT tag, released_at, sort_key FROM releases
              WHERE ${isReleaseOfJob}
                AND NOT EXISTS (SELECT FROM releases WHERE ${isReleaseOfJob} AND variant = '' AND NOT is_yanked)
              ORDER BY sort_key DESC NULLS LAST LIMIT ${maxRequestedTags})
          ) AS highest WHERE released_at IS NULL
          ORDER BY row_number() OVER (ORDER BY sort_key DESC) > ${highestUndatedTagCount},
            hashtext(tag || pacekeeper_now()::text) LIMIT ${undatedTagCount}
        ) AS undated), '[]') ELSE '[]' END AS undated_tags
    FROM gather_jobs WHERE ${isJobOf(runs)}`.execute(db);
  const full = new Set(rows.filter((row) => row.is_full).map((row) => keyOf(row.organization_id, row.id)));
  await markFullRunsAcrossOrganizations(
    db,
    runs.filter((run) => full.has(keyOf(run.organization_id, run.job_id))),
  );
  await postponeDates(
    db,
    rows.filter((row) => row.undated_tags.length > 0),
  );
  return new Map(
    rows.map((given) => {
      const { organization_id, id, is_archived_due, ...rest } = given;
      const { known_tags, undated_tags, platform_words, changelog_path, ...row } = rest;
      const key = keyOf(organization_id, id);
      const artifact = {
        artifactName: row.artifact_name,
        sourceOptions: row.source_options as SourceOptions,
      };
      const requestKey = sourceOf(row.source_type)?.sharedRequestKey(artifact) ?? '';
      // Public responses are the same for every organization. Responses that require a credential are shared
      // only within the organization.
      const shareKey =
        row.credential_name === null ? requestKey : `${organization_id}/${row.credential_name}/${requestKey}`;
      return [
        key,
        {
          ...row,
          gather_job_id: id,
          ...(row.is_full && is_archived_due && { checks_archived: true }),
          ...(row.source_type === 'oci_registry' && { reads_digests: true }),
          ...(row.is_full && forgeSourceTypes.includes(row.source_type) && { reads_commits: true }),
          share_key: `${row.source_type}/${shareKey}`,
          ...(platform_words !== '' && { platform_words: splitPlatformWords(platform_words) }),
          ...(changelog_path !== null && { changelog_path }),
          ...(undated_tags.length > 0 && { undated_tags }),
          ...(known_tags.length > 0 && { known_hint: { tags: known_tags } }),
        },
      ];
    }),
  );
}

/**
 * Postpones the next request for the missing dates of these jobs by a day. If the agent finds some dates in this run,
 * the next run requests more.
 */
async function postponeDates(
  db: Database,
  jobs: readonly { organization_id: number; id: number }[],
): Promise<void> {
  if (jobs.length === 0) return;
  await sql`
    UPDATE gather_jobs SET dates_due_at = pacekeeper_now() + ${datesRetryInterval}::interval
    WHERE (organization_id, id) IN (SELECT * FROM unnest(
      ${jobs.map((job) => job.organization_id)}::bigint[], ${jobs.map((job) => job.id)}::bigint[]))`.execute(
    db,
  );
}

async function describeScrapes(
  db: Database,
  runs: readonly ClaimedRun[],
): Promise<Map<string, Schemas['ScrapeTaskSpec']>> {
  if (runs.length === 0) return new Map();
  const { rows } = await sql<
    Omit<Schemas['ScrapeTaskSpec'], 'scrape_job_id'> & { organization_id: number; id: number }
  >`
    SELECT organization_id, id, source, repository_url, ref, target_file, url, query, label, series, parser_type,
      parse_expression, version_transform, credential_name
    FROM scrape_jobs WHERE parser_type <> 'manual' AND ${isJobOf(runs)}`.execute(db);
  const triggers = new Map(runs.map((run) => [keyOf(run.organization_id, run.job_id), run.trigger]));
  return new Map(
    rows.map(({ organization_id, id, ...row }) => {
      const key = keyOf(organization_id, id);
      const isScheduled = triggers.get(key) === 'schedule';
      return [
        key,
        { ...row, scrape_job_id: id, ...(isScheduled && { max_age_seconds: scheduledMaxAgeSeconds }) },
      ];
    }),
  );
}

async function describeHelmSyncs(
  db: Database,
  runs: readonly ClaimedRun[],
): Promise<Map<string, Schemas['HelmSyncTaskSpec']>> {
  if (runs.length === 0) return new Map();
  const { rows } = await sql<
    Omit<Schemas['HelmSyncTaskSpec'], 'helm_sync_job_id'> & { organization_id: number; id: number }
  >`
    SELECT organization_id, id, repository_url, coalesce(chart_filter, '{}') AS chart_filter, create_gather_jobs,
      credential_name, validators
    FROM helm_sync_jobs WHERE ${isJobOf(runs)}`.execute(db);
  return new Map(
    rows.map(({ organization_id, id, ...row }) => [
      keyOf(organization_id, id),
      { ...row, helm_sync_job_id: id },
    ]),
  );
}

/** Maximum number of repositories that the task of a group looks up. */
const maxUnlisted = 50;

/**
 * Repositories of a group that its list doesn't contain. The random order gives each of them a turn if many
 * are missing for a long time.
 */
const unlistedRepositories = sql`ARRAY(
  SELECT member.forge_id FROM discovery_jobs AS member
  WHERE member.organization_id = discovery_jobs.organization_id AND member.group_job_id = discovery_jobs.id
    AND member.unlisted_since IS NOT NULL AND NOT member.is_removed AND coalesce(member.unlisted_reason, 'moved') = 'moved'
  ORDER BY random() LIMIT ${sql.lit(maxUnlisted)})`;

async function describeDiscoveries(
  db: Database,
  runs: readonly ClaimedRun[],
): Promise<Map<string, Schemas['DiscoveryTaskSpec']>> {
  if (runs.length === 0) return new Map();
  const { rows } = await sql<
    Omit<Schemas['DiscoveryTaskSpec'], 'discovery_job_id' | 'cluster' | 'host' | 'group'> & {
      organization_id: number;
      id: number;
      cluster_name: string | null;
      cluster_uid: string | null;
      helm_secrets: boolean;
      host_name: string | null;
      host_uid: string | null;
      group_url: string | null;
      forge: Schemas['ForgeKind'] | null;
      repository_filter: Schemas['RepositoryFilter'] | null;
      unlisted: string[];
    }
  >`
    SELECT organization_id, id, repository_url, ref, cluster_name, cluster_uid, helm_secrets, host_name, host_uid,
      group_url, forge, repository_filter, include, exclude, extractors, label_rules,
      CASE WHEN kind = 'git_repository'
        THEN custom_extractors || coalesce(${storedSetting(sql.ref('discovery_jobs.organization_id'), 'discovery.custom_extractors')}, '[]')
        ELSE custom_extractors END AS custom_extractors,
      credential_name, validators,
      CASE WHEN kind = 'repository_group' THEN ${unlistedRepositories} ELSE '{}' END AS unlisted
    FROM discovery_jobs WHERE ${isJobOf(runs)}`.execute(db);
  return new Map(
    rows.map(
      ({
        organization_id,
        id,
        cluster_name,
        cluster_uid,
        helm_secrets,
        host_name,
        host_uid,
        group_url,
        forge,
        repository_filter,
        unlisted,
        ...row
      }) => [
        keyOf(organization_id, id),
        {
          ...row,
          discovery_job_id: id,
          ...(group_url !== null &&
            forge !== null && {
              group: { url: group_url, forge, filter: repository_filter ?? {}, unlisted },
            }),
          ...(cluster_name !== null && {
            cluster: {
              name: cluster_name,
              uid: cluster_uid,
              helm_secrets,
            },
          }),
          ...(host_name !== null && {
            host: {
              name: host_name,
              uid: host_uid,
            },
          }),
        },
      ],
    ),
  );
}

async function describeReferences(
  db: Database,
  runs: readonly ClaimedRun[],
): Promise<Map<string, Schemas['ReferenceTaskSpec']>> {
  if (runs.length === 0) return new Map();
  const { rows } = await sql<Schemas['ReferenceTaskSpec'] & { organization_id: number; id: number }>`
    SELECT organization_id, id, name AS source, url, validators FROM reference_sources
    WHERE url IS NOT NULL AND ${isJobOf(runs)}`.execute(db);
  return new Map(rows.map(({ organization_id, id, ...spec }) => [keyOf(organization_id, id), spec]));
}

function isJobOf(runs: readonly ClaimedRun[]) {
  return sql`(organization_id, id) IN (SELECT * FROM unnest(
    ${runs.map((run) => run.organization_id)}::bigint[], ${runs.map((run) => run.job_id)}::bigint[]))`;
}

function keyOf(organizationId: number, jobId: number): string {
  return `${organizationId}/${jobId}`;
}
