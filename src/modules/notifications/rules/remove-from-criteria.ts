import { sql } from 'kysely';
import { changeTopic, type Tx, wake } from '../../../platform/database/index.ts';

/** Notification rules that referenced the deleted monitoring rules or alert configurations. */
export interface RemovedCriteria {
  left_notification_rule_ids: number[];
  turned_off_notification_rule_ids: number[];
}

/**
 * Removes deleted monitoring rules and alert configurations from the criteria of notification rules. Disables
 * a notification rule when one of its criteria becomes empty, because an empty criterion matches everything.
 * Must be called after the last event of the deleted resources was planned.
 *
 * @returns The changed and the disabled notification rules, for the audit log entry of the deletion.
 */
export async function removeFromCriteria(
  tx: Tx,
  organizationId: number,
  deleted: { ruleIds?: readonly number[]; alertConfigIds?: readonly number[] },
): Promise<RemovedCriteria> {
  const { ruleIds = [], alertConfigIds = [] } = deleted;
  // A rule that is already disabled also gets the reason, because it can't be enabled until its criteria are
  // set again.
  const { rows } = await sql<{ id: number; was_turned_off: boolean }>`
    WITH naming AS (
      SELECT id, is_active, rule_ids, alert_config_ids,
        ARRAY(SELECT kept FROM unnest(rule_ids) WITH ORDINALITY AS given (kept, place)
          WHERE kept <> ALL(${ruleIds}::bigint[]) ORDER BY place) AS rules_left,
        ARRAY(SELECT kept FROM unnest(alert_config_ids) WITH ORDINALITY AS given (kept, place)
          WHERE kept <> ALL(${alertConfigIds}::bigint[]) ORDER BY place) AS configs_left
      FROM notification_rules
      WHERE organization_id = ${organizationId}
        AND (rule_ids && ${ruleIds}::bigint[] OR alert_config_ids && ${alertConfigIds}::bigint[])
      -- This lock doesn't wait for transactions that plan deliveries, which hold key locks on the rules that
      -- matched.
      ORDER BY id FOR NO KEY UPDATE
    ), emptied AS (
      SELECT *, rule_ids <> '{}' AND rules_left = '{}' OR alert_config_ids <> '{}' AND configs_left = '{}' AS is_emptied
      FROM naming
    )
    UPDATE notification_rules r
    SET rule_ids = e.rules_left, alert_config_ids = e.configs_left, updated_at = pacekeeper_now(),
      is_active = r.is_active AND NOT e.is_emptied,
      inactive_reason = CASE WHEN e.is_emptied THEN 'criteria_deleted' ELSE r.inactive_reason END
    FROM emptied e
    WHERE r.organization_id = ${organizationId} AND r.id = e.id
    RETURNING r.id, e.is_active AND e.is_emptied AS was_turned_off`.execute(tx);
  const ids = rows.map(({ id }) => id).toSorted((a, b) => a - b);
  for (const id of ids) wake(tx, changeTopic(organizationId, 'notification_rule', id));
  return {
    left_notification_rule_ids: ids,
    turned_off_notification_rule_ids: ids.filter((id) =>
      rows.some((row) => row.id === id && row.was_turned_off),
    ),
  };
}
