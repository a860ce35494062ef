import { sql } from 'kysely';
import { deploymentChange } from '../../../domain/deployments/deployment-change.ts';
import { ownValue } from '../../../domain/json/own-value.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { getsDeploymentEvents, planDeploymentEvents } from '../../notifications/index.ts';
import { readSettingsAcrossOrganizations, type SettingValues } from '../../settings/index.ts';

/** A scrape job whose version has just changed. */
export interface ChangedJob {
  organizationId: number;
  scrapeJobId: number;
  artifact: string | null;
  commitSha: string | null;
}

interface JobRow {
  organizationId: number;
  id: number;
  labels: Record<string, string>;
  version: string;
  previousVersion: string | null;
  isManual: boolean;
  deployedAt: Date;
}

/**
 * Plans events about changed versions for organizations with channels that receive such events. A scrape job
 * without labels for the service and the environment has no event, because CDEvents requires both. The first
 * version that a job reads isn't a change, because the job doesn't know when the version was deployed.
 * Organizations without such a channel, which are most, cost only one statement.
 */
export async function reportChangesAcrossOrganizations(
  tx: Tx,
  changed: readonly ChangedJob[],
): Promise<void> {
  if (changed.length === 0) return;
  const { rows } = await sql<JobRow>`
    SELECT jobs.organization_id AS "organizationId", jobs.id, jobs.labels, jobs.latest_version AS version,
      jobs.previous_version AS "previousVersion", jobs.parser_type = 'manual' AS "isManual",
      coalesce(jobs.latest_deployed_at, jobs.latest_version_at) AS "deployedAt"
    FROM scrape_jobs AS jobs
    WHERE (jobs.organization_id, jobs.id) IN (SELECT * FROM unnest(
        ${changed.map((each) => each.organizationId)}::bigint[], ${changed.map((each) => each.scrapeJobId)}::bigint[]))
      AND ${getsDeploymentEvents}
    ORDER BY jobs.organization_id, jobs.id`.execute(tx);
  if (rows.length === 0) return;
  const byOrganization = Map.groupBy(rows, ({ organizationId }) => organizationId);
  const settings = await readSettingsAcrossOrganizations(tx, [...byOrganization.keys()]);
  const found = new Map(changed.map((each) => [`${each.organizationId}/${each.scrapeJobId}`, each]));
  for (const [organizationId, jobs] of byOrganization) {
    const deployments = jobs.flatMap((job) => {
      const place = placeOf(settings.get(organizationId)!, job.labels);
      if (place === null || (job.previousVersion === null && !job.isManual)) return [];
      const { artifact, commitSha } = found.get(`${organizationId}/${job.id}`)!;
      return {
        id: job.id,
        ...place,
        version: job.version,
        previous_version: job.previousVersion,
        change: deploymentChange(job.version, job.previousVersion),
        artifact,
        commit: commitSha,
        deployed_at: job.deployedAt.toISOString(),
      };
    });
    await planDeploymentEvents(tx, organizationId, deployments);
  }
}

function placeOf(
  settings: SettingValues,
  labels: Readonly<Record<string, string>>,
): { service: string; environment: string } | null {
  const label = (key: 'environments.service_label' | 'environments.label' | 'environments.component_label') =>
    ownValue(labels, settings[key]) ?? '';
  const [service, environment] = [label('environments.service_label'), label('environments.label')];
  if (service === '' || environment === '') return null;
  const component = label('environments.component_label');
  return { service: component === '' ? service : `${service}/${component}`, environment };
}
