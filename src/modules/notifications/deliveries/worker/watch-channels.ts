import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../../platform/database/index.ts';
import { planServiceEvent } from '../plan/plan-service-event.ts';
import {
  endProblem,
  findEndedProblems,
  lockEndedProblems,
  type ProblemEnd,
} from '../plan/reported-problems.ts';

interface ChannelWithProblem {
  id: number;
  name: string;
}

/** Minimum time without a success, and minimum number of failures, before a channel is reported as failing. */
const minFailingAge = sql`interval '30 minutes'`;
const minFailures = 3;
/** Time after a report of dead letters during which further dead letters of the channel aren't reported. */
const deadLetterPause = sql`interval '1 day'`;

const isFailing = sql`(failing_since <= pacekeeper_now() - ${minFailingAge} AND failing_notified_at IS NULL
  AND is_active AND consecutive_failures >= ${minFailures})`;
/**
 * True for an active channel with dead letters since its last report, which is at least a day old. A dead
 * letter can be in the future after the clock was set back. Without the last condition, each report of such a
 * dead letter would be followed by another one immediately.
 */
const hasDeadLetters = sql`(is_active
  AND last_dead_letter_at >= coalesce(dead_letters_notified_at + ${deadLetterPause}, '-infinity')
  AND coalesce(dead_letters_notified_at, '-infinity') <= pacekeeper_now() - ${deadLetterPause})`;

/** Maximum number of recoveries that one transaction reports. */
const maxEnded = 500;
const isDisabled = sql<boolean>`NOT s.is_active`;
/** Problems of channels, with the conditions under which they are over. */
const ends: readonly ProblemEnd[] = (
  [
    {
      type: 'channel.failing',
      isOver: sql<boolean>`(s.failing_since IS NULL AND s.last_success_at > s.failing_notified_at)`,
      isDisabled,
    },
    { type: 'channel.disabled', isOver: sql<boolean>`s.is_active` },
    {
      type: 'delivery.failed',
      // The report covers the dead letters of a day, so another dead letter within this time causes no
      // further report.
      isOver: sql<boolean>`(s.last_success_at > s.last_dead_letter_at
      AND s.dead_letters_notified_at <= pacekeeper_now() - ${deadLetterPause})`,
      isDisabled,
    },
  ] satisfies Omit<ProblemEnd, 'subjectKind' | 'table'>[]
).map((end) => ({ subjectKind: 'channel', table: 'notification_channels', ...end }));

/**
 * Notifies an organization of channels that fail, of their recovery, and of dead letters: once for each problem,
 * through other channels or by email to the owners. A failing channel is reported once until it succeeds again, and
 * dead letters at most once a day for each channel.
 *
 * @returns True if an organization was found. Call again, in another transaction, until none is.
 */
export async function notifyChannelProblemsAcrossOrganizations(tx: Tx): Promise<boolean> {
  const organizationId = await findProblemAcrossOrganizations(tx);
  if (organizationId === null) return false;
  // Lock all channels in key order, as recording attempts does, because the routed events can trigger any of them.
  await sql`
    SELECT FROM notification_channels WHERE organization_id = ${organizationId}
    ORDER BY id FOR NO KEY UPDATE`.execute(tx);
  // All failing channels are marked before the first event is routed, so that none of them gets it.
  const failing = await mark(tx, organizationId, {
    column: sql`failing_notified_at`,
    value: sql`pacekeeper_now()`,
    where: isFailing,
  });
  const withDeadLetters = await mark(tx, organizationId, {
    column: sql`dead_letters_notified_at`,
    value: sql`pacekeeper_now()`,
    where: hasDeadLetters,
  });
  const kinds = [
    ['channel.failing', failing],
    ['delivery.failed', withDeadLetters],
  ] as const;
  for (const [type, channels] of kinds) {
    for (const { id, name } of channels) {
      const reason = await readLastError(tx, organizationId, id, type);
      await planServiceEvent(tx, organizationId, { type, data: { channel: { id, name, reason } } });
    }
  }
  for (const end of ends) await reportEnded(tx, organizationId, end);
  return true;
}

async function reportEnded(tx: Tx, organizationId: number, end: ProblemEnd): Promise<void> {
  const ended = await lockEndedProblems(tx, organizationId, end, maxEnded);
  if (end.type === 'channel.failing') {
    // A channel that fails again after it was enabled is reported again.
    await sql`
      UPDATE notification_channels SET failing_notified_at = NULL
      WHERE organization_id = ${organizationId} AND id = ANY(${ended.map(({ subjectId }) => subjectId)}::bigint[])`.execute(
      tx,
    );
  }
  for (const each of ended) await endProblem(tx, { ...each, changes: { reason: null } });
}

/**
 * Returns an organization with channel problems to report, or `null` if there is none. Each part of the query uses its
 * own index. Doesn't lock the problems, because recording attempts locks channels before problems.
 */
async function findProblemAcrossOrganizations(tx: Tx): Promise<number | null> {
  const { rows } = await sql<{ organization_id: number }>`
    (SELECT organization_id FROM notification_channels WHERE ${isFailing} LIMIT 1)
    UNION ALL (SELECT organization_id FROM notification_channels WHERE ${hasDeadLetters} LIMIT 1)
    LIMIT 1`.execute(tx);
  if (rows[0] !== undefined) return rows[0].organization_id;
  for (const end of ends) {
    const [ended] = await findEndedProblems(tx, null, end, 1);
    if (ended !== undefined) return ended.organizationId;
  }
  return null;
}

async function mark(
  tx: Tx,
  organizationId: number,
  { column, value, where }: Record<'column' | 'value' | 'where', RawBuilder<unknown>>,
): Promise<ChannelWithProblem[]> {
  const { rows } = await sql<ChannelWithProblem>`
    UPDATE notification_channels SET ${column} = ${value}
    WHERE organization_id = ${organizationId} AND ${where}
    RETURNING id, name`.execute(tx);
  return rows.toSorted((a, b) => a.id - b.id);
}

/** Returns the message of the newest error of a channel, or of its newest dead letter. */
async function readLastError(
  tx: Tx,
  organizationId: number,
  channelId: number,
  type: 'channel.failing' | 'delivery.failed',
): Promise<string | null> {
  const { rows } = await sql<{ error_message: string | null }>`
    SELECT error_message FROM notification_deliveries
    WHERE organization_id = ${organizationId} AND channel_id = ${channelId} AND error_message IS NOT NULL
      AND ${type === 'delivery.failed' ? sql`status = 'dead_letter'` : sql`status <> 'succeeded'`}
    ORDER BY created_at DESC, id DESC LIMIT 1`.execute(tx);
  return rows[0]?.error_message ?? null;
}
