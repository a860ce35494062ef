import { sql } from 'kysely';
import type { Database } from '../../../../platform/database/index.ts';
import type { PreparedMessage } from '../message/prepare-message.ts';
import {
  countUnreachedRecipients,
  refundEmailsAcrossOrganizations,
  reserveEmailsAcrossOrganizations,
} from '../send/email-budget.ts';

/**
 * Reserves the emails among these messages in the budgets of their organizations. Emails above the budget
 * wait, without an attempt, until the budget renews in the next hour. The caller must hold the leases of the
 * channels.
 *
 * @returns IDs of the deliveries that wait.
 */
export async function holdForLimitAcrossOrganizations(
  db: Database,
  messages: readonly PreparedMessage[],
): Promise<ReadonlySet<number>> {
  const emails = messages
    .map(({ start }) => start.delivery)
    // The budget already includes interrupted attempts, because emails are counted when an attempt starts.
    .filter(({ channel, isLost }) => channel.channel_type === 'email' && !isLost);
  if (emails.length === 0) return new Set();
  const byOrganization = Map.groupBy(emails, ({ organizationId }) => organizationId);
  const grants = await reserveEmailsAcrossOrganizations(
    db,
    'message',
    new Map(
      [...byOrganization].map(([id, own]) => [
        id,
        own.reduce((sum, email) => sum + countUnreachedRecipients(email), 0),
      ]),
    ),
  );
  const unused = new Map<number, number>();
  const held = [...byOrganization].flatMap(([organizationId, own]) => {
    const { granted, renewsAt } = grants.get(organizationId)!;
    let left = granted;
    const waiting = own.filter((email) => {
      if (countUnreachedRecipients(email) > left) return true;
      left -= countUnreachedRecipients(email);
      return false;
    });
    // Part of the budget can remain unused, because a message waits until the budget covers all of its recipients.
    if (left > 0) unused.set(organizationId, left);
    return waiting.map(({ deliveryId }) => ({ organizationId, deliveryId, renewsAt }));
  });
  await refundEmailsAcrossOrganizations(db, 'message', unused);
  if (held.length > 0) {
    await sql`
      UPDATE notification_deliveries d
      SET waits_for_limit = true, next_attempt_at = held.renews_at, updated_at = pacekeeper_now()
      FROM unnest(
        ${held.map(({ organizationId }) => organizationId)}::bigint[], ${held.map(({ deliveryId }) => deliveryId)}::bigint[],
        ${held.map(({ renewsAt }) => renewsAt.toISOString())}::timestamptz[]
      ) AS held (organization_id, id, renews_at)
      WHERE d.organization_id = held.organization_id AND d.id = held.id AND d.status IN ('pending', 'failed')`.execute(
      db,
    );
  }
  return new Set(held.map(({ deliveryId }) => deliveryId));
}
