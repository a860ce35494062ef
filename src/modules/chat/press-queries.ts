import { sql } from 'kysely';
import type { Database, Tx } from '../../platform/database/index.ts';

/**
 * Records a button press.
 * @returns `false` if the press was already recorded.
 */
export async function recordPress(
  db: Database,
  { organizationId, id }: { organizationId: number; id: number },
  key: Buffer,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO chat_presses (organization_id, channel_id, key)
    SELECT organization_id, id, ${key} FROM notification_channels
    WHERE organization_id = ${organizationId} AND id = ${id}
    ON CONFLICT DO NOTHING`.execute(db);
  return numAffectedRows === 1n;
}

/**
 * Deletes button presses that are older than one hour.
 * @returns The number of deleted presses.
 */
export async function deleteOldPressesAcrossOrganizations(tx: Tx, max: number): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM chat_presses USING (
      SELECT organization_id, channel_id, key FROM chat_presses
      WHERE received_at < pacekeeper_now() - interval '1 hour'
      ORDER BY received_at LIMIT ${max} FOR UPDATE SKIP LOCKED
    ) AS old
    WHERE chat_presses.organization_id = old.organization_id AND chat_presses.channel_id = old.channel_id
      AND chat_presses.key = old.key`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
