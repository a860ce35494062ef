import { sql } from 'kysely';
import type { Tx, WakeUps } from '../../platform/database/index.ts';

/**
 * Gives the open alert of a configuration the labels that the configuration has now: later events of it are routed by
 * them, whoever causes them. The caller has locked the configuration.
 */
export async function relabelOpenAlert(
  tx: Tx,
  organizationId: number,
  alertConfigId: number,
  labels: Record<string, string>,
  wakeUps: WakeUps,
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    UPDATE alerts SET labels = ${JSON.stringify(labels)}::jsonb, updated_at = pacekeeper_now()
    WHERE organization_id = ${organizationId} AND alert_config_id = ${alertConfigId} AND resolved_at IS NULL
      AND labels <> ${JSON.stringify(labels)}::jsonb
    RETURNING id`.execute(tx);
  for (const { id } of rows) wakeUps.wakeAfterCommit(tx, `changes:${organizationId}/alert/${id}`);
}
