import { sql } from 'kysely';
import type { Explanation } from '../../domain/rules/explanation.ts';
import { versionToLookUp } from '../../domain/rules/resolve-deployed.ts';
import type { SourceTypeId } from '../../domain/source-types/source-types.ts';
import type { VersionSchemeId } from '../../domain/versions/version-scheme.ts';
import type { Database } from '../../platform/database/index.ts';
import { systemOrganizationId } from '../accounts/index.ts';

/** The fields of a gather job that are needed to read its releases. */
export interface NotesJob {
  organizationId: number;
  id: number;
  sourceType: SourceTypeId;
  artifactName: string;
  scheme: VersionSchemeId;
  /** Platform words, as returned by `joinPlatformWords`. */
  platformWords: string;
  latestVersion: string | null;
  latestStableVersion: string | null;
  /** URL of the repository of the packaged software. */
  projectUrl: string | null;
  /**
   * True if the releases are chart versions, and each chart packages an application whose version differs from the chart's.
   */
  hasAppVersions: boolean;
  /** Changes when the set of releases changes. */
  revision: number;
}

/** A gather job and the gather job of its project, which has notes for the same versions. */
export interface JobWithProject {
  job: NotesJob;
  project: NotesJob | null;
}

/** The versions and jobs that an alert configuration compares. */
export interface ComparedConfig extends JobWithProject {
  deployedVersion: string | null;
  latestVersion: string | null;
  stableOnly: boolean;
}

interface JobJson {
  organization_id: number;
  id: number;
  source_type: SourceTypeId;
  artifact_name: string;
  source_options: { version_field?: string };
  project_url: string | null;
  version_scheme: VersionSchemeId;
  platform_words: string;
  latest_version: string | null;
  latest_stable_version: string | null;
  releases_revision: number;
}

const jobJson = (job: 'g' | 'p') => sql<JobJson>`json_build_object(
  'organization_id', ${sql.ref(`${job}.organization_id`)}, 'id', ${sql.ref(`${job}.id`)},
  'source_type', ${sql.ref(`${job}.source_type`)}, 'artifact_name', ${sql.ref(`${job}.artifact_name`)},
  'source_options', ${sql.ref(`${job}.source_options`)}, 'project_url', ${sql.ref(`${job}.project_url`)}, 'version_scheme', ${sql.ref(`${job}.version_scheme`)},
  'platform_words', ${sql.ref(`${job}.platform_words`)}, 'latest_version', ${sql.ref(`${job}.latest_version`)},
  'latest_stable_version', ${sql.ref(`${job}.latest_stable_version`)},
  'releases_revision', ${sql.ref(`${job}.releases_revision`)})`;

/**
 * Joins the job that reads the releases of the project's repository. The organization's job takes precedence
 * over a global one. A job that reads releases from a repository has notes itself, so it has no project.
 */
function projectFor(organizationId: number) {
  return sql`LEFT JOIN LATERAL (
    SELECT * FROM gather_jobs
    WHERE gather_jobs.organization_id = ANY(${[organizationId, systemOrganizationId]}::bigint[])
      AND gather_jobs.artifact_name = regexp_replace(g.project_url, '^https?://', '')
      AND gather_jobs.source_type = ANY(${repositoryTypes}::text[]) AND g.source_type <> ALL(${repositoryTypes}::text[])
    ORDER BY gather_jobs.organization_id = ${organizationId} DESC, gather_jobs.id
    LIMIT 1
  ) p ON true`;
}

const repositoryTypes: readonly SourceTypeId[] = ['github_releases', 'gitlab_releases', 'gitea_releases'];

const columns = sql`${jobJson('g')} AS job, CASE WHEN p.id IS NOT NULL THEN ${jobJson('p')} END AS project`;

interface JobColumns {
  job: JobJson;
  project: JobJson | null;
}

/** Finds a job of the organization or a global job. */
export async function findNotesJob(
  db: Database,
  organizationId: number,
  id: number,
): Promise<JobWithProject | undefined> {
  const { rows } = await sql<JobColumns>`
    SELECT ${columns} FROM gather_jobs g ${projectFor(organizationId)}
    WHERE g.organization_id = ANY(${[organizationId, systemOrganizationId]}::bigint[]) AND g.id = ${id}`.execute(
    db,
  );
  return rows[0] && toJobs(rows[0]);
}

export async function findComparedConfig(
  db: Database,
  organizationId: number,
  id: number,
): Promise<ComparedConfig | undefined> {
  const { rows } = await sql<
    JobColumns & {
      deployed_version: string | null;
      deployed: Explanation['deployed'] | null;
      latest_version: string | null;
      stable_only: boolean;
    }
  >`
    SELECT c.deployed_version, e.explanation -> 'deployed' AS deployed, c.latest_version, r.stable_only, ${columns}
    FROM alert_configs c
    JOIN rules r ON r.organization_id = c.organization_id AND r.id = c.rule_id
    JOIN gather_jobs g ON g.organization_id = c.gather_organization_id AND g.id = c.gather_job_id ${projectFor(organizationId)}
    LEFT JOIN alert_config_explanations e ON e.organization_id = c.organization_id AND e.alert_config_id = c.id
    WHERE c.organization_id = ${organizationId} AND c.id = ${id}`.execute(db);
  const [row] = rows;
  return (
    row && {
      ...toJobs(row),
      deployedVersion: comparedVersion(row),
      latestVersion: row.latest_version,
      stableOnly: row.stable_only,
    }
  );
}

/**
 * Returns the version from which the release notes start. A moving tag is resolved to the release that it points to. A
 * tag that names only a platform has no version, so the result is `null`.
 */
function comparedVersion({ deployed_version: text, deployed }: ComparedRow): string | null {
  if (deployed === null || deployed.version !== text) return text;
  return versionToLookUp({ ...deployed, text }, null);
}

interface ComparedRow {
  readonly deployed_version: string | null;
  readonly deployed: Explanation['deployed'] | null;
}

/**
 * Returns the jobs of alerts by alert ID. The versions aren't included, because each alert stores the
 * versions that it compares.
 */
export async function listJobsOfAlerts(
  db: Database,
  organizationId: number,
  alertIds: readonly number[],
): Promise<Map<number, JobWithProject & { stableOnly: boolean }>> {
  const { rows } = await sql<JobColumns & { alert_id: number; stable_only: boolean }>`
    SELECT a.id AS alert_id, r.stable_only, ${columns}
    FROM alerts a
    JOIN alert_configs c ON c.organization_id = a.organization_id AND c.id = a.alert_config_id
    JOIN rules r ON r.organization_id = c.organization_id AND r.id = c.rule_id
    JOIN gather_jobs g ON g.organization_id = c.gather_organization_id AND g.id = c.gather_job_id ${projectFor(organizationId)}
    WHERE a.organization_id = ${organizationId} AND a.id = ANY(${[...alertIds]}::bigint[])`.execute(db);
  return new Map(rows.map((row) => [row.alert_id, { ...toJobs(row), stableOnly: row.stable_only }]));
}

function toJobs({ job, project }: JobColumns): JobWithProject {
  return { job: toNotesJob(job), project: project && toNotesJob(project) };
}

function toNotesJob(row: JobJson): NotesJob {
  return {
    organizationId: row.organization_id,
    id: row.id,
    sourceType: row.source_type,
    artifactName: row.artifact_name,
    scheme: row.version_scheme,
    platformWords: row.version_scheme === 'semver' ? '' : row.platform_words,
    latestVersion: row.latest_version,
    latestStableVersion: row.latest_stable_version,
    // The API contract guarantees that the response contains a web URL, so the stored value is checked too.
    projectUrl: row.project_url !== null && /^https?:\/\//i.test(row.project_url) ? row.project_url : null,
    revision: row.releases_revision,
    hasAppVersions:
      row.source_type === 'helm_repository' && row.source_options.version_field !== 'app_version',
  };
}
