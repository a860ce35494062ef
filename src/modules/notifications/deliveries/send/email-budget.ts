import { sql } from 'kysely';
import type { Database } from '../../../../platform/database/index.ts';
import type { DueDelivery } from '../model/pick-deliveries.ts';

/**
 * Maximum number of emails per organization and hour, counted per recipient, so that a long recipient list
 * can't bypass the limit. Each limit covers at least the maximum number of recipients of a channel.
 */
export const emailsPerHour = { message: 200, test: 50 } as const;

export interface EmailGrant {
  /** Number of emails that can be sent now. */
  granted: number;
  /** Start of the next hour. */
  renewsAt: Date;
}

/**
 * Reserves emails in the budgets of organizations, up to the remaining number. The hour of a budget starts
 * with its first email.
 */
export async function reserveEmailsAcrossOrganizations(
  db: Database,
  kind: keyof typeof emailsPerHour,
  wanted: ReadonlyMap<number, number>,
): Promise<Map<number, EmailGrant>> {
  if (wanted.size === 0) return new Map();
  const limit = sql.lit(emailsPerHour[kind]);
  // An hour that starts in the future was stored before the clock was set back, so it counts as over.
  const isOver = sql`(b.started_at <= pacekeeper_now() - interval '1 hour' OR b.started_at > pacekeeper_now())`;
  const used = sql`CASE WHEN ${isOver} THEN 0 ELSE b.used END`;
  const granted = sql`least(excluded.used, ${limit} - ${used})`;
  const { rows } = await sql<{ organization_id: number; granted: number; renews_at: Date }>`
    INSERT INTO email_budgets AS b (organization_id, kind, started_at, used, granted)
    SELECT organization_id, ${sql.lit(kind)}, pacekeeper_now(), least(count, ${limit}), least(count, ${limit})
    FROM unnest(${[...wanted.keys()]}::bigint[], ${[...wanted.values()]}::integer[]) AS wanted (organization_id, count)
    ORDER BY organization_id
    ON CONFLICT (organization_id, kind) DO UPDATE
    SET started_at = CASE WHEN ${isOver} THEN pacekeeper_now() ELSE b.started_at END,
      used = ${used} + ${granted}, granted = ${granted}
    RETURNING organization_id, granted, started_at + interval '1 hour' AS renews_at`.execute(db);
  return new Map(
    rows.map(({ organization_id, granted, renews_at }) => [
      organization_id,
      { granted, renewsAt: renews_at },
    ]),
  );
}

/**
 * Credits unsent emails back to the budget, so that an outage of the mail server doesn't use up the budget of
 * the hour.
 */
export async function refundEmailsAcrossOrganizations(
  db: Database,
  kind: keyof typeof emailsPerHour,
  unused: ReadonlyMap<number, number>,
): Promise<void> {
  if (unused.size === 0) return;
  await sql`
    UPDATE email_budgets b SET used = greatest(0, b.used - unused.count)
    FROM unnest(${[...unused.keys()]}::bigint[], ${[...unused.values()]}::integer[]) AS unused (organization_id, count)
    WHERE b.organization_id = unused.organization_id AND b.kind = ${kind}`.execute(db);
}

/** Returns the number of recipients that no earlier attempt has reached. */
export function countUnreachedRecipients({
  channel,
  acceptedRecipients,
}: Pick<DueDelivery, 'channel' | 'acceptedRecipients'>): number {
  return channel.recipients.filter((address) => !acceptedRecipients.includes(address)).length;
}
