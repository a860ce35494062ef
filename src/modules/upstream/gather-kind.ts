import { sql } from 'kysely';
import type { SourceOptions } from '../../domain/source-types/source-type.ts';
import { splitPlatformWords } from '../../domain/versions/platform-words.ts';
import type { Schemas } from '../../generated/agent-api.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { maxRequestedTags } from '../../sources/oci-dates.ts';
import { sourceOf } from '../../sources/sources.ts';
import {
  type AppliedResults,
  type ClaimedRun,
  type CompletedTask,
  isJobOfRuns,
  type JobKind,
  jobKey,
  markFullRunsAcrossOrganizations,
  readParts,
  shouldRecordSuccess,
  startScheduleLoop,
  type TaskBody,
} from '../runs/index.ts';
import { triggerFanOuts } from './fan-out-evaluation.ts';
import { listOrganizationsUsingGlobalJobs } from './job-scope.ts';
import { isFullReadDue } from './releases/job-record-queries.ts';
import {
  type RecordDeps,
  recordReleases,
  recordReleasesOfJobs,
  recordUnchanged,
  toReadOutcome,
} from './releases/record-releases.ts';
import { gatherJobs } from './source-jobs.ts';

type GatherSpec = Schemas['GatherTaskSpec'];

/** Jobs that read the releases of one artifact from its source. */
export const gatherKind: JobKind<RecordDeps> = {
  ...gatherJobs,
  resultFields: ['tag'],
  wholeResult: 'releases',
  ofOrganizations: {
    isListedAsNext: true,
    evaluateStale: (tx, organizationId, jobId) => triggerFanOuts(tx, organizationId, [jobId]),
    isReportedElsewhere: () => Promise.resolve(false),
    listUsersOfGlobalJob: (tx, jobId) => listOrganizationsUsingGlobalJobs(tx, sql`g.id = ${jobId}`),
  },
  startSchedules: (deps) => startScheduleLoop(gatherJobs, deps),
  describe,

  async applyParts(tx, deps, run, { leaseToken, partCount, summary }) {
    const job = { organizationId: run.organization_id, jobId: run.job_id, isFull: run.is_full };
    const parts = readParts<Schemas['GatherResultItem']>(tx, run, leaseToken, partCount);
    return { applied: await recordReleases(tx, deps, job, parts, toReadOutcome(summary)) };
  },

  async applyTogether(tx, deps, tasks) {
    const unchanged = tasks.filter(({ releases }) => releases === undefined);
    const recovered = await recordUnchanged(
      tx,
      gatherJobs,
      shouldRecordSuccess(sql`last_success_at`),
      unchanged.map(({ run }) => run),
    );
    for (const [organizationId, ids] of recovered) await triggerFanOuts(tx, organizationId, ids);
    const applied = await recordLists(
      tx,
      deps,
      tasks.filter(({ releases }) => releases !== undefined),
    );
    return tasks.map(({ run }) => ({ applied: applied.get(run.id) ?? {} }));
  },
};

/**
 * Stores the lists of releases, in the order in which transactions lock gather jobs.
 * @returns The recorded counts by run ID.
 */
async function recordLists(
  tx: Tx,
  deps: RecordDeps,
  tasks: readonly CompletedTask[],
): Promise<Map<number, AppliedResults['applied']>> {
  const applied = new Map<number, AppliedResults['applied']>();
  const byOrganization = Map.groupBy(tasks, ({ run }) => run.organization_id);
  for (const [organizationId, ofOne] of [...byOrganization].sort(([one], [other]) => one - other)) {
    const recorded = await recordReleasesOfJobs(
      tx,
      deps,
      organizationId,
      ofOne.map(({ run, releases = [], summary }) => ({
        jobId: run.job_id,
        isFull: run.is_full,
        releases,
        outcome: toReadOutcome(summary),
      })),
    );
    ofOne.forEach(({ run }, index) => applied.set(run.id, recorded[index]!));
  }
  return applied;
}

/**
 * Minimum time between checks for whether a repository is archived. Repositories are rarely archived, and each check
 * requires a request.
 */
const archivedCheckInterval = '7 days';
/** Source types of forges that report whether a repository is archived. */
const forgeSourceTypes = ['github_releases', 'gitlab_releases', 'gitea_releases'];
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

async function describe(db: Database, runs: readonly ClaimedRun[]): Promise<Map<string, TaskBody>> {
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
    FROM gather_jobs WHERE ${isJobOfRuns(runs)}`.execute(db);
  const full = new Set(rows.filter((row) => row.is_full).map((row) => jobKey(row.organization_id, row.id)));
  await markFullRunsAcrossOrganizations(
    db,
    runs.filter((run) => full.has(jobKey(run.organization_id, run.job_id))),
  );
  await postponeDates(
    db,
    rows.filter((row) => row.undated_tags.length > 0),
  );
  return new Map(
    rows.map((given) => {
      const { organization_id, id, is_archived_due, ...rest } = given;
      const { known_tags, undated_tags, platform_words, changelog_path, ...row } = rest;
      const key = jobKey(organization_id, id);
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
          kind: 'gather',
          spec: {
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
