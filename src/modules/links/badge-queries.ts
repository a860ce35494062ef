import { sql } from 'kysely';
import type { Schemas } from '../../generated/client-api.ts';
import type { Database } from '../../platform/database/index.ts';
import { systemOrganizationId } from '../accounts/index.ts';
import { behindByNow, daysLeftNow } from '../monitoring/index.ts';
import { type SettingKey, settingDefinitions } from '../settings/index.ts';

type AlertConfig = Schemas['AlertConfig'];

/** Data that a badge shows of an alert configuration. */
export type BadgeRow = Pick<
  AlertConfig,
  | 'name'
  | 'state'
  | 'state_reason'
  | 'severity'
  | 'deployed_version'
  | 'latest_version'
  | 'behind_by'
  | 'days_left'
> & {
  rule_type: Schemas['MonitoringRuleType'];
};

const key = 'badges.enabled' satisfies SettingKey;

/**
 * Finds a configuration by its primary key. Reads everything in a single statement, because this query runs for every
 * badge request. Returns undefined if the configuration doesn't exist or its organization has disabled badges.
 */
export async function findBadge(
  db: Database,
  organizationId: number,
  alertConfigId: number,
): Promise<BadgeRow | undefined> {
  const setting = (of: number) =>
    sql`(SELECT value FROM settings WHERE organization_id = ${of} AND key = ${key})`;
  const { rows } = await sql<BadgeRow>`
    SELECT c.name, c.state, c.state_reason, c.severity, c.deployed_version, c.latest_version, r.rule_type,
      ${behindByNow} AS behind_by, ${daysLeftNow} AS days_left
    FROM alert_configs c JOIN rules r ON r.organization_id = c.organization_id AND r.id = c.rule_id
    WHERE c.organization_id = ${organizationId} AND c.id = ${alertConfigId}
      AND coalesce(${setting(organizationId)}, ${setting(systemOrganizationId)},
        ${JSON.stringify(settingDefinitions[key].default)}::jsonb) = 'true'`.execute(db);
  return rows[0];
}
