import { type RawBuilder, sql } from 'kysely';
import { type LookupTarget, versionToLookUp } from '../../../domain/rules/resolve-deployed.ts';

/** Result of resolving the deployed version in the last evaluation of a configuration. */
export interface EvaluatedDeployed extends LookupTarget {
  readonly text: string | null;
  /**
   * Application versions by chart version, for charts whose releases contain the application version. `null`
   * for other software.
   */
  readonly app_versions: Readonly<Record<string, string>> | null;
}

/**
 * Returns the `EvaluatedDeployed` of the alert configuration `c` with the gather job `g`, or null if it hasn't
 * been evaluated. Reading the stored result costs two index lookups; resolving the text again would require
 * all releases of the job.
 */
export function evaluatedDeployedSql(): RawBuilder<EvaluatedDeployed | null> {
  return sql<EvaluatedDeployed | null>`(
    SELECT jsonb_build_object('text', found.deployed ->> 'version', 'match', found.deployed ->> 'match',
      'release', found.deployed ->> 'release', 'app_versions',
      CASE WHEN g.source_type = 'helm_repository' AND g.source_options ->> 'version_field' IS DISTINCT FROM 'app_version'
        THEN coalesce((
          SELECT jsonb_object_agg(release.version, release.app_version) FROM releases release
          WHERE release.organization_id = g.organization_id AND release.gather_job_id = g.id
            AND release.version = ANY(ARRAY[found.deployed ->> 'version', found.deployed ->> 'release'])
            AND release.app_version <> ''), '{}') END)
    FROM (
      SELECT e.explanation -> 'deployed' AS deployed FROM alert_config_explanations e
      WHERE e.organization_id = c.organization_id AND e.alert_config_id = c.id
    ) AS found)`;
}

/** Returns the version to look up in data about support or vulnerabilities, or `null` if there is none. */
export function evaluatedLookupVersion(deployed: EvaluatedDeployed | null): string | null {
  if (deployed === null) return null;
  const { app_versions: versions } = deployed;
  return versionToLookUp(deployed, versions && new Map(Object.entries(versions)));
}
