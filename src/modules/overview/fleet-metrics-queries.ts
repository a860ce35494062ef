import { sql } from 'kysely';
import type { Schemas } from '../../generated/client-api.ts';
import type { Database } from '../../platform/database/index.ts';
import { systemOrganizationId } from '../accounts/index.ts';
import { behindByNow } from '../monitoring/index.ts';
import { type SettingKey, settingKeys } from '../settings/index.ts';

type AlertConfig = Schemas['AlertConfig'];

/** An alert configuration of an organization that wants them in the metrics. */
export type FleetRow = Pick<
  AlertConfig,
  | 'id'
  | 'name'
  | 'state'
  | 'severity'
  | 'deployed_version'
  | 'latest_version'
  | 'latest_stable_version'
  | 'behind_by'
> & {
  organization_id: number;
  organization_name: string;
  rule_type: Schemas['MonitoringRuleType'];
  /** The keys of the labels that the organization wants to see. */
  label_keys: readonly string[];
  /** Its labels of these keys. */
  labels: Readonly<Record<string, string>>;
  /** How many configurations there are in all, those beyond the limit included. */
  total: number;
};

const optIn = 'metrics.alert_configs' satisfies SettingKey;
const labelKeys = 'metrics.labels' satisfies SettingKey;

/**
 * The oldest alert configurations of all organizations that opted in, in one statement: with the oldest, none leaves when
 * another one comes. Nothing is read of those that did not opt in, and nothing of the rest beyond the limit but their number:
 * that is why it goes from organization to organization, which a join would not always do.
 */
export async function listFleetAcrossOrganizations(db: Database, limit: number): Promise<FleetRow[]> {
  const globalValue = (key: SettingKey) =>
    sql`(SELECT value FROM settings WHERE organization_id = ${systemOrganizationId} AND key = ${key})`;
  const { rows } = await sql<FleetRow>`
    WITH opted_in AS (
      SELECT organization_id FROM settings WHERE key = ${optIn} AND value = 'true'
      UNION ALL
      SELECT o.id FROM organizations o
      WHERE ${globalValue(optIn)} = 'true'
        AND NOT EXISTS (SELECT FROM settings own WHERE own.organization_id = o.id AND own.key = ${optIn})
    ), shown AS (
      SELECT c.* FROM opted_in CROSS JOIN LATERAL (
        SELECT * FROM alert_configs c WHERE c.organization_id = opted_in.organization_id ORDER BY c.id LIMIT ${limit}
      ) AS c
      ORDER BY c.id LIMIT ${limit}
    )
    SELECT c.id, c.name, c.state, c.severity, c.deployed_version, c.latest_version, c.latest_stable_version,
      ${behindByNow} AS behind_by,
      c.organization_id, o.name AS organization_name, r.rule_type, wanted.label_keys,
      coalesce((SELECT jsonb_object_agg(key, value) FROM jsonb_each_text(c.effective_labels)
        WHERE jsonb_exists(wanted.label_keys, key)), '{}') AS labels,
      (SELECT sum(amount)::bigint FROM opted_in JOIN row_counts USING (organization_id)
        WHERE subject = 'alert_configs') AS total
    FROM shown c
    JOIN organizations o ON o.id = c.organization_id
    JOIN rules r ON r.organization_id = c.organization_id AND r.id = c.rule_id
    LEFT JOIN settings own ON own.organization_id = c.organization_id AND own.key = ${labelKeys}
    CROSS JOIN LATERAL (SELECT coalesce(own.value, ${globalValue(labelKeys)},
      ${JSON.stringify(settingKeys[labelKeys].default)}::jsonb) AS label_keys) AS wanted
    ORDER BY c.id`.execute(db);
  return rows;
}
