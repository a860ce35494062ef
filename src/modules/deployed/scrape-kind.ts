import { sql } from 'kysely';
import type { RunFigures } from '../../domain/runs/describe-run-result.ts';
import type { Schemas } from '../../generated/agent-api.ts';
import type { Database } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/errors.ts';
import { triggerEvaluation } from '../monitoring/index.ts';
import {
  type ClaimedRun,
  type HeldRun,
  isJobOfRuns,
  type JobKind,
  jobKey,
  readParts,
  startScheduleLoop,
  type TaskBody,
} from '../runs/index.ts';
import { scrapeJobs } from './scrape-jobs/scrape-job-queries.ts';
import {
  type FoundVersion,
  type RecordedVersion,
  recordVersion,
  recordVersionsAcrossOrganizations,
} from './versions/record-version.ts';

/**
 * Maximum age of a shared Prometheus response in scheduled runs. Runs of jobs with the same cron expression
 * start within 30 seconds of each other, so runs with the same query share a response.
 */
const scheduledMaxAgeSeconds = 60;

/** Jobs that read a deployed version from a repository, a URL, or Prometheus. */
export const scrapeKind: JobKind = {
  ...scrapeJobs,
  resultFields: ['raw_version'],
  wholeResult: 'item',
  ofOrganizations: {
    isListedAsNext: true,
    evaluateStale: (tx, organizationId, scrapeJobId) =>
      triggerEvaluation(tx, { organizationId, scrapeJobId }),
    isReportedElsewhere: () => Promise.resolve(false),
    listUsersOfGlobalJob: () => Promise.resolve([]),
  },
  startSchedules: (deps) => startScheduleLoop(scrapeJobs, deps),
  describe,

  async applyParts(tx, _deps, run, { leaseToken, partCount }) {
    let found: Schemas['ScrapeResultItem'] | undefined;
    for await (const items of readParts<Schemas['ScrapeResultItem']>(tx, run, leaseToken, partCount))
      found ??= items[0];
    if (!found) throw new ApiError('conflict', 'A scrape task must be completed with a version.');
    const recorded = await recordVersion(tx, 'agent', toFoundVersion(run, found), { endsRun: true });
    if (!recorded) throw new ApiError('conflict', 'The job was deleted.');
    return { applied: toFigures(recorded) };
  },

  async applyTogether(tx, _deps, tasks) {
    const outcomes = await recordVersionsAcrossOrganizations(
      tx,
      'agent',
      tasks.map(({ run, item }) => toFoundVersion(run, item!)),
      { endsRun: true },
    );
    return outcomes.map((outcome) => {
      if ('recorded' in outcome) return { applied: toFigures(outcome.recorded) };
      return {
        rejected: 'noVersion' in outcome ? `The version ${outcome.noVersion}` : 'The job was deleted.',
      };
    });
  },
};

function toFigures({ version, is_change }: RecordedVersion): RunFigures {
  return { version, is_change };
}

function toFoundVersion(
  run: HeldRun,
  { raw_version, commit_sha }: Schemas['ScrapeResultItem'],
): FoundVersion {
  return {
    organizationId: run.organization_id,
    scrapeJobId: run.job_id,
    rawVersion: raw_version,
    commitSha: commit_sha,
  };
}

async function describe(db: Database, runs: readonly ClaimedRun[]): Promise<Map<string, TaskBody>> {
  const { rows } = await sql<
    Omit<Schemas['ScrapeTaskSpec'], 'scrape_job_id'> & { organization_id: number; id: number }
  >`
    SELECT organization_id, id, source, repository_url, ref, target_file, url, query, label, series, parser_type,
      parse_expression, version_transform, credential_name
    FROM scrape_jobs WHERE parser_type <> 'manual' AND ${isJobOfRuns(runs)}`.execute(db);
  const triggers = new Map(runs.map((run) => [jobKey(run.organization_id, run.job_id), run.trigger]));
  return new Map(
    rows.map(({ organization_id, id, ...row }) => {
      const key = jobKey(organization_id, id);
      const isScheduled = triggers.get(key) === 'schedule';
      return [
        key,
        {
          kind: 'scrape',
          spec: {
            ...row,
            scrape_job_id: id,
            ...(isScheduled && { max_age_seconds: scheduledMaxAgeSeconds }),
          },
        },
      ];
    }),
  );
}
