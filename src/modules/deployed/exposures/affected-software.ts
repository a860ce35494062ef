import { sql } from 'kysely';
import type { ExploitationState } from '../../../domain/vulnerabilities/exploits.ts';
import type { Database } from '../../../platform/database/index.ts';
import { invalidField } from '../../../platform/errors.ts';
import { TimeSlices } from '../../../platform/time-slices.ts';
import { systemOrganizationId } from '../../accounts/index.ts';
import {
  readAdvisories,
  readApplicationVersions,
  toKnownVulnerabilities,
  vulnerabilityPackagesSql,
} from '../../monitoring/index.ts';
import { maxVersions, type SelectedSoftware, versionsOf } from './exposure-queries.ts';

/** Maximum number of gather jobs whose versions are checked for one vulnerability. */
const maxGatherJobs = 200;

interface SoftwareRow {
  gatherJobId: number;
  organizationId: number;
  packages: string[];
  isChart: boolean;
  versions: string[];
}

interface AffectedSoftware {
  software: SelectedSoftware[];
  /** Time at which the first record of the vulnerability was published. Null if no record contains a time. */
  knownSince: Date | null;
  exploitation: ExploitationState;
  /** Start of the day on which the vulnerability was listed as known to be exploited. Null if it isn't. */
  knownExploitedSince: Date | null;
}

/**
 * Finds the software that a vulnerability affects, with its affected versions among those that scrape jobs
 * have had.
 *
 * @param name ID of the vulnerability, or one of its aliases
 * @throws ApiError 400 if no record of the vulnerability is loaded, because an empty result would state that
 * nothing was affected.
 */
export async function findAffectedSoftware(
  db: Database,
  organizationId: number,
  name: string,
  gatherJobId: number | undefined,
): Promise<AffectedSoftware> {
  const { names, knownSince } = await readGroup(db, name);
  const { rows } = await sql<SoftwareRow>`
    WITH named AS MATERIALIZED (
      SELECT key, purls || catalog_keys AS keys FROM vulnerability_packages
      WHERE organization_id = 1 AND key IN (
        SELECT package_key FROM vulnerabilities WHERE organization_id = 1 AND array_append(aliases, id) && ${names}::text[])
    ), candidates AS MATERIALIZED (
      -- Array comparisons first exclude almost all gather jobs, so that packages are looked up only for a
      -- few.
      SELECT g.id, g.organization_id FROM gather_jobs g
      WHERE g.organization_id IN (${organizationId}, ${sql.lit(systemOrganizationId)})
        ${gatherJobId === undefined ? sql`` : sql`AND g.id = ${gatherJobId}`}
        AND EXISTS (
          SELECT FROM named WHERE CASE WHEN g.vulnerability_packages IS NULL
            THEN named.keys && array_append(g.purls, g.source_type || ' ' || g.artifact_name)
            ELSE named.key = ANY(g.vulnerability_packages) END)
    )
    SELECT g.id AS "gatherJobId", g.organization_id AS "organizationId", ${vulnerabilityPackagesSql('g')} AS packages,
      g.source_type = 'helm_repository' AND g.source_options ->> 'version_field' IS DISTINCT FROM 'app_version' AS "isChart",
      ${versionsOf(organizationId, sql`g.id`)} AS versions
    FROM candidates JOIN gather_jobs g ON g.organization_id = candidates.organization_id AND g.id = candidates.id
    WHERE ${vulnerabilityPackagesSql('g')} && ARRAY(SELECT key FROM named)
    LIMIT ${sql.lit(maxGatherJobs + 1)}`.execute(db);
  if (rows.length > maxGatherJobs)
    throw invalidField(
      'vulnerability_id',
      `concerns more than ${maxGatherJobs} gather jobs. Add gather_job_id`,
    );
  const tooLarge = rows.find((row) => row.versions.length > maxVersions);
  if (tooLarge)
    throw invalidField(
      'vulnerability_id',
      `can't be checked, because gather job ${tooLarge.gatherJobId} has had more than ${maxVersions} different versions`,
    );
  const advisories = await readAdvisories(db, [...new Set(rows.flatMap(({ packages }) => packages))]);
  const ids = new Set(names);
  const software: SelectedSoftware[] = [];
  const slices = new TimeSlices();
  for (const row of rows) {
    const ofSoftware = row.packages.flatMap((key) => advisories.get(key) ?? []);
    const known = toKnownVulnerabilities(ofSoftware.filter(({ id }) => ids.has(id)));
    const applications = row.isChart
      ? await readApplicationVersions(db, { organizationId: row.organizationId, id: row.gatherJobId })
      : null;
    const versions: string[] = [];
    for (const text of row.versions) {
      const version = applications === null ? text : applications.get(text);
      if (version !== undefined && (known.find(version)?.length ?? 0) > 0) versions.push(text);
      await slices.pause();
    }
    if (versions.length > 0) software.push({ gatherJobId: row.gatherJobId, versions });
  }
  return { software, knownSince, ...(await readExploitation(db, names)) };
}

/**
 * Reads all names of a vulnerability and the time of its first publication. The names are the IDs and aliases
 * of all records that share a name with `name`, directly or through other records.
 */
async function readGroup(db: Database, name: string): Promise<{ names: string[]; knownSince: Date | null }> {
  let names = [name];
  for (;;) {
    const { rows } = await sql<{ names: string[] | null; known_since: Date | null }>`
      SELECT array_agg(DISTINCT record.name) AS names, min(published_at) FILTER (WHERE NOT is_withdrawn) AS known_since
      FROM vulnerabilities, unnest(array_append(aliases, id)) AS record (name)
      WHERE organization_id = 1 AND array_append(aliases, id) && ${names}::text[]`.execute(db);
    const { names: found, known_since: knownSince } = rows[0]!;
    if (found === null)
      throw invalidField(
        'vulnerability_id',
        'no record of this vulnerability is loaded for the software that is tracked',
      );
    if (found.length <= names.length) return { names, knownSince };
    names = found;
  }
}

async function readExploitation(
  db: Database,
  names: readonly string[],
): Promise<Pick<AffectedSoftware, 'exploitation' | 'knownExploitedSince'>> {
  const { rows } = await sql<{ is_loaded: boolean; since: Date | null }>`
    SELECT as_of IS NOT NULL AS is_loaded, (
      SELECT min(added_on)::timestamp AT TIME ZONE 'UTC' FROM known_exploited_vulnerabilities
      WHERE organization_id = 1 AND cve = ANY(${names}::text[])) AS since
    FROM reference_sources WHERE organization_id = 1 AND name = 'known_exploited'`.execute(db);
  const { is_loaded: isLoaded, since } = rows[0]!;
  if (!isLoaded) return { exploitation: 'not_loaded', knownExploitedSince: null };
  return { exploitation: since === null ? 'not_listed' : 'known_exploited', knownExploitedSince: since };
}
