import { sql } from 'kysely';
import { resolutionOnDeletion } from '../../domain/alerts/alert-actions.ts';
import type { Actor } from '../../domain/audit/actor.ts';
import { changeTopic, type Tx, wake } from '../../platform/database/index.ts';
import { detachEntries } from '../audit/index.ts';
import { detachDeliveries, lockOpenDeliveries } from '../notifications/index.ts';
import { type LockedAlert, lockAlerts, toSubject } from './alert-queries.ts';
import { toAlertState } from './alert-row.ts';
import { recordChanges } from './apply-alert-changes.ts';

/**
 * Maximum number of alerts that one step reads and deletes. Deleting takes several steps if a rule has very
 * many alerts.
 */
const alertsPerStep = 1_000;

/**
 * Deletes the alerts of a rule or of configurations before the rule or the configurations are deleted. Channels that
 * were notified of an alert also receive its resolution. Other pending deliveries are canceled. Deliveries and trail
 * entries are kept. The caller must have locked the configurations.
 */
export async function deleteAlerts(
  tx: Tx,
  organizationId: number,
  of: { ruleId: number } | { alertConfigIds: readonly number[] },
  actor: Actor,
): Promise<void> {
  // If a rule is deleted, first delete the alerts that refer to the rule, then the remaining alerts of the
  // configurations that are deleted with the rule.
  const choices =
    'ruleId' in of
      ? [sql`a.rule_id = ${of.ruleId}`, sql`c.rule_id = ${of.ruleId}`]
      : [sql`a.alert_config_id = ANY(${of.alertConfigIds}::bigint[])`];
  for (const chosen of choices) {
    let rows: LockedAlert[];
    let lastId = 0;
    do {
      rows = await lockAlerts(tx, organizationId, sql`${chosen} AND a.id > ${lastId}`, alertsPerStep);
      await deleteStep(tx, organizationId, rows, actor);
      lastId = rows.at(-1)?.alert.id ?? lastId;
    } while (rows.length === alertsPerStep);
  }
}

async function deleteStep(
  tx: Tx,
  organizationId: number,
  rows: readonly LockedAlert[],
  actor: Actor,
): Promise<void> {
  const first = rows[0];
  if (!first) return;
  const alertIds = rows.map((row) => row.alert.id);
  await lockOpenDeliveries(tx, organizationId, alertIds);
  const announced = rows.flatMap((row) => {
    const state = toAlertState(row.alert);
    const change = resolutionOnDeletion(state, row.alert.last_notified_at !== null, actor, row.now.getTime());
    return change === null
      ? []
      : {
          subject: toSubject(row),
          alertId: row.alert.id,
          lastSequence: row.alert.last_sequence,
          before: state,
          after: state,
          changes: [change],
        };
  });
  await recordChanges(tx, organizationId, announced, first.now);
  await detachDeliveries(tx, organizationId, alertIds);
  await detachEntries(tx, organizationId, alertIds);
  await sql`DELETE FROM alerts WHERE organization_id = ${organizationId} AND id = ANY(${alertIds}::bigint[])`.execute(
    tx,
  );
  for (const id of alertIds) wake(tx, changeTopic(organizationId, 'alert', id, 'deleted'));
}
