import { sql } from 'kysely';
import { isPerAlertPreset } from '../../../../domain/templates/presets.ts';
import { type Database, transaction } from '../../../../platform/database/index.ts';
import { isOpen } from '../model/delivery-lines.ts';
import type { DueDelivery } from '../model/pick-deliveries.ts';

/**
 * Splits due digests whose channel has since switched to a preset with one incident for each alert. Sent as a
 * digest, the events would open an incident that nothing closes. The digests become superseded, and each
 * event is due now with a full series of attempts. The caller must hold the leases of the channels.
 *
 * @returns True if such digests existed.
 */
export async function separateDigestsAcrossOrganizations(
  db: Database,
  due: readonly DueDelivery[],
): Promise<boolean> {
  const digests = due.filter(
    ({ event, channel }) => event.eventType === 'digest' && isPerAlertPreset(channel.preset),
  );
  for (const { organizationId, deliveryId } of digests) {
    await transaction(db, async (tx) => {
      const { rows } = await sql<{ max_attempts: number }>`
        UPDATE notification_deliveries d
        SET status = 'canceled', reason = 'superseded', next_attempt_at = NULL, lease_token = NULL, lease_until = NULL,
          completed_at = pacekeeper_now(), updated_at = pacekeeper_now()
        WHERE d.organization_id = ${organizationId} AND d.id = ${deliveryId} AND ${isOpen}
        RETURNING d.max_attempts - d.attempt_count + d.series_attempt_count AS max_attempts`.execute(tx);
      for (const { max_attempts } of rows)
        await sql`
          UPDATE notification_deliveries d
          SET digest_delivery_id = NULL, status = 'pending', attempt_count = 0, series_attempt_count = 0,
            series_started_at = pacekeeper_now(), max_attempts = ${max_attempts}, next_attempt_at = pacekeeper_now(),
            updated_at = pacekeeper_now()
          WHERE d.organization_id = ${organizationId} AND d.digest_delivery_id = ${deliveryId} AND ${isOpen}`.execute(
          tx,
        );
    });
  }
  return digests.length > 0;
}
