import { type RawBuilder, sql } from 'kysely';
import { digestResolvedStates } from '../../../domain/discovery/digest-match.ts';
import { systemOrganizationId } from '../../accounts/index.ts';

/**
 * SQL condition: true if the digest of an item determines its version. This applies to an item without a
 * version, and to an item with the tag of a version line. Such a tag, for example `1.25` or `1.25-alpine`,
 * moves to each new version of the line.
 *
 * @param alias alias of `discovered_items`
 */
export function hasDecisiveDigest(alias: string): RawBuilder<boolean> {
  const state = sql.ref(`${alias}.version_state`);
  return sql<boolean>`${sql.ref(`${alias}.digest`)} IS NOT NULL
    AND (${state} = ANY(${[...digestResolvedStates]}::text[])
      OR ${state} = 'exact' AND ${sql.ref(`${alias}.version`)} ~ '^[vV]?[0-9]+[.][0-9]+(-[a-zA-Z].*)?$')`;
}

/**
 * Selects the version to compare: the running version, otherwise the version of the digest, otherwise the
 * declared version.
 */
export function comparedVersionSql(alias: string): RawBuilder<string | null> {
  return sql<string | null>`coalesce(${sql.ref(`${alias}.live_version`)}, ${itemVersionSql(alias)})`;
}

/** Selects the method that determined `comparedVersionSql`. */
export function comparedVersionMethodSql(alias: string): RawBuilder<'digest' | null> {
  const live = sql.ref(`${alias}.live_version`);
  return sql<'digest' | null>`CASE WHEN ${live} IS NOT NULL THEN ${sql.ref(`${alias}.live_match`)}
    ELSE ${itemMatchSql(alias)} END`;
}

/**
 * Selects the item's version, regardless of the running version. The result is null for a release that isn't
 * installed, because the version in its file isn't deployed.
 */
export function itemVersionSql(alias: string): RawBuilder<string | null> {
  return sql<string | null>`CASE WHEN ${sql.ref(`${alias}.reason`)} IS DISTINCT FROM 'not_installed' THEN
    coalesce(${sql.ref(`${alias}.matched_version`)},
      CASE WHEN ${sql.ref(`${alias}.version_state`)} = 'exact' THEN ${sql.ref(`${alias}.version`)} END) END`;
}

export function itemMatchSql(alias: string): RawBuilder<'digest' | null> {
  return sql<'digest' | null>`CASE WHEN ${sql.ref(`${alias}.matched_version`)} IS NOT NULL THEN 'digest' END`;
}

/**
 * Selects the image repository if the effective upstream is a registry. The effective upstream is the user's
 * choice for the item, otherwise the choice for the artifact, otherwise the proposal from the file.
 *
 * @param choice alias of the row of `artifact_corrections`, all columns of which are null without a correction
 */
export function effectiveRegistrySql(items: string, choice: string): RawBuilder<string | null> {
  const setSource = sql.ref(`${items}.set_source`);
  const proposal = sql.ref(`${items}.proposal`);
  return sql<string | null>`CASE
    WHEN ${setSource} IS NOT NULL THEN CASE WHEN ${setSource} ->> 'source_type' = 'oci_registry'
      THEN ${setSource} ->> 'artifact_name' END
    WHEN ${sql.ref(`${choice}.artifact_key`)} IS NOT NULL THEN CASE
      WHEN ${sql.ref(`${choice}.source_type`)} = 'oci_registry' THEN ${sql.ref(`${choice}.artifact_name`)} END
    WHEN ${proposal} ->> 'source_type' = 'oci_registry' THEN ${proposal} ->> 'artifact_name' END`;
}

/**
 * Selects the gather jobs whose releases an item is compared with, then the gather jobs of its repository.
 * The organization's jobs precede global ones.
 *
 * @param item the `scrape_job_id` and `registry` of the item
 */
export function gatherJobsOfItemSql(
  organizationId: number,
  item: { scrapeJobId: RawBuilder<unknown>; registry: RawBuilder<unknown> },
): RawBuilder<unknown> {
  return sql`
    SELECT configs.gather_organization_id AS organization_id, configs.gather_job_id AS id, 0 AS place
    FROM alert_configs AS configs
    WHERE configs.organization_id = ${organizationId} AND configs.scrape_job_id = ${item.scrapeJobId}
    UNION ALL
    SELECT jobs.organization_id, jobs.id, CASE WHEN jobs.organization_id = ${organizationId} THEN 1 ELSE 2 END
    FROM gather_jobs AS jobs
    WHERE jobs.organization_id = ANY(${[organizationId, systemOrganizationId]}::bigint[])
      AND jobs.artifact_name = ${item.registry} AND jobs.source_type = 'oci_registry'`;
}
