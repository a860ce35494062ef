import { sql } from 'kysely';
import type { Schemas } from '../../generated/client-api.ts';
import type { Database } from '../../platform/database/index.ts';
import { systemOrganizationId } from '../accounts/index.ts';
import { type SettingKey, settingDefinitions } from '../settings/index.ts';
import { behindByNow } from './alert-configs/alert-config-queries.ts';

type AlertConfig = Schemas['AlertConfig'];

/** An alert configuration of an organization that exports its configurations to the metrics. */
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
  /** Keys of the labels that the organization exports. */
  label_keys: readonly string[];
  /** Labels of the configuration with these keys. */
  labels: Readonly<Record<string, string>>;
};

/**
 * A batch of consecutive alert configurations in the metrics, in ascending order of ID. Excludes
 * configurations that aren't in the metrics.
 */
export interface FleetBatch {
  first_id: number;
  last_id: number;
  size: number;
  organization_ids: number[];
  /** Hash that changes whenever the metrics of the batch change. */
  fingerprint: string;
  /** Total number of configurations, including those beyond the limit. */
  total: number;
}

const optIn = 'metrics.alert_configs' satisfies SettingKey;
const labelKeys = 'metrics.labels' satisfies SettingKey;

const globalValue = (key: SettingKey) =>
  sql`(SELECT value FROM settings WHERE organization_id = ${systemOrganizationId} AND key = ${key})`;

/** Keys of the labels that the organization `o` exports. */
const labelKeysOf = sql`coalesce(
  (SELECT value FROM settings WHERE organization_id = o.id AND key = ${labelKeys}), ${globalValue(labelKeys)},
  ${JSON.stringify(settingDefinitions[labelKeys].default)}::jsonb)`;

/**
 * Returns the oldest alert configurations of all organizations that opted in, in one statement. Because the
 * oldest come first, a new configuration never displaces another one. The query reads nothing of
 * organizations that didn't opt in, and only counts the configurations beyond the limit. The lateral join
 * guarantees this by reading one organization at a time, which a plain join might not do.
 */
export async function listFleetBatchesAcrossOrganizations(
  db: Database,
  limit: number,
  batchSize: number,
): Promise<FleetBatch[]> {
  const { rows } = await sql<FleetBatch>`
    WITH opted_in AS (
      SELECT organization_id FROM settings WHERE key = ${optIn} AND value = 'true'
      UNION ALL
      SELECT o.id FROM organizations o
      WHERE ${globalValue(optIn)} = 'true'
        AND NOT EXISTS (SELECT FROM settings own WHERE own.organization_id = o.id AND own.key = ${optIn})
    ), shared AS MATERIALIZED (
      -- Values that all configurations of an organization share.
      SELECT o.id AS organization_id, hashtextextended(jsonb_build_array(o.name, ${labelKeysOf}, (
        SELECT jsonb_agg(jsonb_build_array(r.id, r.rule_type) ORDER BY r.id) FROM rules r WHERE r.organization_id = o.id
      ))::text, 0) AS fingerprint
      FROM opted_in JOIN organizations o ON o.id = opted_in.organization_id
    ), shown AS (
      SELECT c.*, row_number() OVER (ORDER BY c.id) - 1 AS place FROM shared CROSS JOIN LATERAL (
        -- xmin, the transaction that wrote a row last, changes with the contents of the row.
        SELECT c.organization_id, c.id,
          concat_ws(' ', c.id, c.xmin, ${behindByNow}, shared.fingerprint) AS contents
        FROM alert_configs c WHERE c.organization_id = shared.organization_id ORDER BY c.id LIMIT ${limit}
      ) AS c
      ORDER BY c.id LIMIT ${limit}
    )
    SELECT min(id) AS first_id, max(id) AS last_id, count(*) AS size, array_agg(DISTINCT organization_id) AS organization_ids,
      md5(string_agg(contents, ',' ORDER BY id)) AS fingerprint,
      (SELECT sum(amount)::bigint FROM opted_in JOIN row_counts USING (organization_id)
        WHERE subject = 'alert_configs') AS total
    FROM shown GROUP BY place / ${batchSize}::bigint ORDER BY first_id`.execute(db);
  return rows;
}

/** Reads the alert configurations of a batch. */
export async function readFleetBatchAcrossOrganizations(
  db: Database,
  batch: Pick<FleetBatch, 'first_id' | 'last_id' | 'organization_ids'>,
): Promise<FleetRow[]> {
  const { rows } = await sql<FleetRow>`
    SELECT c.id, c.name, c.state, c.severity, c.deployed_version, c.latest_version, c.latest_stable_version,
      ${behindByNow} AS behind_by,
      c.organization_id, o.name AS organization_name, r.rule_type, o.label_keys,
      coalesce((SELECT jsonb_object_agg(key, value) FROM jsonb_each_text(c.effective_labels)
        WHERE jsonb_exists(o.label_keys, key)), '{}') AS labels
    FROM (
      SELECT o.id, o.name, ${labelKeysOf} AS label_keys FROM organizations o
      WHERE o.id = ANY(${batch.organization_ids}::bigint[])
    ) AS o
    JOIN alert_configs c ON c.organization_id = o.id AND c.id BETWEEN ${batch.first_id} AND ${batch.last_id}
    JOIN rules r ON r.organization_id = c.organization_id AND r.id = c.rule_id
    ORDER BY c.id`.execute(db);
  return rows;
}
