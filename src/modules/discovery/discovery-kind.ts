import { sql } from 'kysely';
import type { Schemas } from '../../generated/agent-api.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { evaluateManagedScrapeJobs } from '../deployed/index.ts';
import {
  type ClaimedRun,
  isJobOfRuns,
  type JobKind,
  jobKey,
  startScheduleLoop,
  type TaskBody,
} from '../runs/index.ts';
import { storedSettingSql } from '../settings/index.ts';
import { applyDiscoveryRun, applyUnchangedDiscovery } from './intake/apply-discovery-run.ts';
import { discoveryJobs } from './model/discovery-job-queries.ts';

/** Jobs that find deployed versions in a repository, a cluster, or a container host, or list a group's repositories. */
export const discoveryKind: JobKind = {
  ...discoveryJobs,
  resultFields: ['key', 'forge_id'],
  wholeResult: null,
  ofOrganizations: {
    isListedAsNext: false,
    evaluateStale: (tx, organizationId, jobId) => evaluateManagedScrapeJobs(tx, organizationId, [jobId]),
    isReportedElsewhere: waitsForList,
    listUsersOfGlobalJob: () => Promise.resolve([]),
  },
  startSchedules: (deps) => startScheduleLoop(discoveryJobs, deps),
  describe,

  async applyParts(tx, _deps, run, { leaseToken, partCount, summary }) {
    return { applied: await applyDiscoveryRun(tx, run, leaseToken, partCount, summary) };
  },

  async applyTogether(tx, _deps, tasks) {
    const jobs = tasks.map(({ run }) => ({ organizationId: run.organization_id, jobId: run.job_id }));
    return (await applyUnchangedDiscovery(tx, jobs)).map((applied) => ({ applied }));
  },
};

/**
 * True if a repository in a group isn't scanned because the group's list fails or no longer contains the repository. In
 * this case, only the group is reported. Reads the last finished run instead of the outcome of the job, because each
 * list that requests a scan clears the outcome.
 */
async function waitsForList(tx: Tx, organizationId: number, id: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM discovery_jobs jobs
    WHERE organization_id = ${organizationId} AND id = ${id} AND group_job_id IS NOT NULL
      AND (unlisted_since IS NOT NULL OR (
        SELECT status FROM runs
        WHERE runs.organization_id = jobs.organization_id AND runs.discovery_job_id = jobs.id
          AND runs.status IN ('succeeded', 'failed')
        ORDER BY runs.id DESC LIMIT 1) IS DISTINCT FROM 'failed')`.execute(tx);
  return rows.length > 0;
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

async function describe(db: Database, runs: readonly ClaimedRun[]): Promise<Map<string, TaskBody>> {
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
        THEN custom_extractors || coalesce(${storedSettingSql(sql.ref('discovery_jobs.organization_id'), 'discovery.custom_extractors')}, '[]')
        ELSE custom_extractors END AS custom_extractors,
      credential_name, validators,
      CASE WHEN kind = 'repository_group' THEN ${unlistedRepositories} ELSE '{}' END AS unlisted
    FROM discovery_jobs WHERE ${isJobOfRuns(runs)}`.execute(db);
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
        jobKey(organization_id, id),
        {
          kind: 'discovery',
          spec: {
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
        },
      ],
    ),
  );
}
