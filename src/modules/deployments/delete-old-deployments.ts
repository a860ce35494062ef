import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import { systemOrganizationId } from '../accounts/index.ts';
import { settingDefinitions } from '../settings/index.ts';

/**
 * Deletes deployments after the retention period of their organization, except the last one of each scrape
 * job. For a late report, the period begins with its arrival.
 *
 * @returns The number of deleted deployments. If it reaches `limit`, call again.
 */
export async function deleteOldDeploymentsAcrossOrganizations(tx: Tx, limit: number): Promise<number> {
  const key = 'retention.deployments_days';
  const result = await sql`
    WITH retention AS (
      SELECT o.id AS organization_id, pacekeeper_now()
        - coalesce(own.value, global.value, to_jsonb(${settingDefinitions[key].default}::integer))::integer * interval '1 day' AS since
      FROM organizations o
      LEFT JOIN settings own ON own.organization_id = o.id AND own.key = ${key}
      LEFT JOIN settings global ON global.organization_id = ${systemOrganizationId} AND global.key = ${key}
    ), old AS (
      SELECT d.organization_id, d.id
      FROM retention
      CROSS JOIN LATERAL (
        SELECT d.organization_id, d.id FROM deployments d
        WHERE d.organization_id = retention.organization_id AND d.deployed_at < retention.since
          AND d.created_at < retention.since
          AND (d.scrape_job_id IS NULL OR EXISTS (
            SELECT FROM deployments later
            WHERE later.organization_id = d.organization_id AND later.scrape_job_id = d.scrape_job_id
              AND (later.deployed_at, later.id) > (d.deployed_at, d.id)))
        ORDER BY d.deployed_at, d.id LIMIT ${limit}
      ) AS d
      LIMIT ${limit}
    )
    DELETE FROM deployments USING old
    WHERE deployments.organization_id = old.organization_id AND deployments.id = old.id`.execute(tx);
  return Number(result.numAffectedRows ?? 0);
}
