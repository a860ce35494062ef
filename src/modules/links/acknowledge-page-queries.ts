import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';

/**
 * Returns the current time, and whether links of this channel require a login. Links of deleted channels
 * always do.
 */
export async function readLinkRequirements(
  db: Database,
  organizationId: number,
  channelId: number,
): Promise<{ now: Date; needsLogin: boolean }> {
  const { rows } = await sql<{ now: Date; needsLogin: boolean }>`
    SELECT pacekeeper_now() AS now, coalesce((
      SELECT require_login_to_acknowledge FROM notification_channels
      WHERE organization_id = ${organizationId} AND id = ${channelId}), true) AS "needsLogin"`.execute(db);
  return rows[0]!;
}
