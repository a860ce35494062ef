import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { deliveryCodes } from '../../../../domain/channels/delivery-codes.ts';
import {
  isPaced,
  nextPace,
  pausedUntil,
  type SendingPace,
} from '../../../../domain/channels/sending-pace.ts';
import {
  changeTopic,
  type Database,
  hasSqlState,
  type Tx,
  transaction,
  wake,
} from '../../../../platform/database/index.ts';
import type { Claim } from '../../../../platform/due-rows/index.ts';
import type { Log } from '../../../../platform/log.ts';
import { createRateLimitedLog } from '../../../../platform/log-sparingly.ts';
import type { SecretBox } from '../../../../platform/secrets/index.ts';
import { type NewEntry, writeEntriesAcrossOrganizations } from '../../../audit/index.ts';
import { responseContext } from '../message/prepare-message.ts';
import {
  type AttemptRow,
  type ChannelHealth,
  completeDigestedDeliveries,
  finishChannels,
  type HealthRow,
  lockChannels,
  makeFailedDeliveriesDue,
  readNowAndLockAlerts,
  recordAttemptRows,
  recordDeadLetters,
  updateChannelHealth,
  updateChannelPace,
} from '../model/attempt-queries.ts';
import { type ChannelRow, minFailuresForProbes, nextProbeAt, paceOf } from '../model/channel-row.ts';
import { type AttemptOutcome, deliveryAuditEntry } from '../model/delivery-audit-entry.ts';
import type { AttemptResult } from '../send/attempt-delivery.ts';
import { attemptOutcome } from '../send/attempt-outcome.ts';
import { disableChannels } from './disable-channels.ts';

export interface AttemptRecorder {
  /** Resolves when the result is stored or can no longer be stored. */
  record(result: AttemptResult): Promise<void>;
  /** Releases a channel after the results of its pass are stored. */
  finish(claim: Claim<ChannelRow>): Promise<void>;
  /** Stores the remaining results. */
  close(): Promise<void>;
}

export interface AttemptRecorderOptions {
  db: Database;
  log: Log;
  secretBox: SecretBox;
  onOutcome?: (outcome: AttemptOutcome['status'], durationMs: number) => void;
}

/**
 * Time in which results are collected into one transaction. Thousands of deliveries then require only a few
 * dozen transactions per second.
 */
const gatherMs = 10;
const maxBatch = 500;
/**
 * Time after which results are dropped. It's longer than any lease, so another worker has already recorded
 * the delivery.
 */
const maxBufferMs = 90_000;
/**
 * Maximum time that results of several organizations wait for a lock. A change to many alerts or channels can
 * hold locks for as long as a request takes.
 */
const maxLockWaitMs = 250;
/**
 * Time for which the results of an organization are stored separately after they have waited longer than
 * `maxLockWaitMs` for a lock.
 */
const separateMs = 10_000;

const plainMessage = "The delivery failed. The receiver's message can't be stored.";

type Item = { kind: 'result'; result: AttemptResult } | { kind: 'finish'; claim: Claim<ChannelRow> };
interface BufferedItem {
  item: Item;
  since: number;
  resolve(): void;
}

/** Items that are stored in order. */
interface Lane {
  waiting: BufferedItem[];
  flushing: Promise<void> | null;
  /** Time until which the lane has all items of its organization. Null for the lane that organizations share. */
  separateUntil: number | null;
}

/**
 * Stores results in batches, in order of arrival. Results stay in memory while the database is unavailable.
 * If rows of an organization are locked, its results are stored separately, so that the results of other
 * organizations don't wait.
 */
export function createAttemptRecorder(options: AttemptRecorderOptions): AttemptRecorder {
  const { db, log, secretBox } = options;
  const warn = createRateLimitedLog(log);
  const shared: Lane = { waiting: [], flushing: null, separateUntil: null };
  const separate = new Map<number, Lane>();
  let isClosing = false;

  function add(item: Item): Promise<void> {
    return new Promise((resolve) => {
      const lane = separate.get(organizationOf(item)) ?? shared;
      addTo(lane, [{ item, since: performance.now(), resolve }]);
    });
  }

  function addTo(lane: Lane, items: readonly BufferedItem[]): void {
    lane.waiting.push(...items);
    lane.flushing ??= flushAll(lane);
  }

  async function flushAll(lane: Lane): Promise<void> {
    while (lane.waiting.length > 0) {
      if (!isClosing && lane.waiting.length < maxBatch) await sleep(gatherMs);
      const startedAt = performance.now();
      await flushOrSplit(lane.waiting.splice(0, maxBatch), lane);
      const endedAt = performance.now();
      if (lane.separateUntil !== null && endedAt - startedAt > maxLockWaitMs)
        lane.separateUntil = endedAt + separateMs;
    }
    // No `await` separates this line from the last check, so no item is added to a loop that has ended.
    // Otherwise, the end of a channel's pass could stay unstored, and the channel would never be claimed
    // again.
    lane.flushing = null;
    for (const [organizationId, { flushing, separateUntil }] of separate)
      if (flushing === null && separateUntil! <= performance.now()) separate.delete(organizationId);
  }

  /** Moves each organization of a batch to a separate lane, with all of the organization's items. */
  function separateOrganizations(batch: readonly BufferedItem[]): void {
    const organizationIds = new Set(batch.map(({ item }) => organizationOf(item)));
    const isOfOne = ({ item }: BufferedItem) => organizationIds.has(organizationOf(item));
    const items = [...batch, ...shared.waiting.filter(isOfOne)];
    shared.waiting = shared.waiting.filter((each) => !isOfOne(each));
    for (const [organizationId, ofOne] of Map.groupBy(items, ({ item }) => organizationOf(item))) {
      // The lane ends with these items, unless they wait for a lock again.
      const lane: Lane = separate.get(organizationId) ?? { waiting: [], flushing: null, separateUntil: 0 };
      separate.set(organizationId, lane);
      addTo(lane, ofOne);
    }
  }

  /** Stores a batch, and splits it on data errors, so that one invalid result doesn't block the others. */
  async function flushOrSplit(batch: readonly BufferedItem[], lane: Lane): Promise<void> {
    for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 2_000)) {
      try {
        const outcomes = await transaction(db, async (tx) => {
          if (lane === shared) await sql`SET LOCAL lock_timeout = ${sql.lit(maxLockWaitMs)}`.execute(tx);
          return recordBatch(
            tx,
            secretBox,
            batch.map(({ item }) => item),
          );
        });
        for (const { status, durationMs } of outcomes) options.onOutcome?.(status, durationMs);
        return resolveAll(batch);
      } catch (error) {
        if (lane === shared && hasSqlState(error, '55P03')) return separateOrganizations(batch);
        if (isDataError(error)) {
          if (batch.length === 1) {
            log.error({ err: error }, 'storing a delivery result failed');
            const [result] = batch.flatMap(withPlainMessage);
            // Without any stored result, the delivery would be sent again each time its lease expires.
            return result ? flushOrSplit([result], lane) : resolveAll(batch);
          }
          const middle = Math.ceil(batch.length / 2);
          await flushOrSplit(batch.slice(0, middle), lane);
          return flushOrSplit(batch.slice(middle), lane);
        }
        const isExpired = batch.every(({ since }) => performance.now() - since > maxBufferMs);
        if (isExpired || isClosing) {
          log.error(
            { err: error, results: batch.length },
            'delivery results not stored; deliveries will be resent',
          );
          return resolveAll(batch);
        }
        warn({ err: error, results: batch.length }, 'delivery results buffered: database unavailable');
        await sleep(pauseMs);
      }
    }
  }

  return {
    record: (result) => add({ kind: 'result', result }),
    finish: (claim) => add({ kind: 'finish', claim }),
    async close() {
      isClosing = true;
      const lanes = () => [shared, ...separate.values()].flatMap(({ flushing }) => flushing ?? []);
      while (lanes().length > 0) await Promise.all(lanes());
    },
  };
}

function organizationOf(item: Item): number {
  return item.kind === 'result' ? item.result.delivery.organizationId : item.claim.row.organization_id;
}

function resolveAll(batch: readonly BufferedItem[]): void {
  for (const { resolve } of batch) resolve();
}

interface StoredOutcome {
  status: AttemptOutcome['status'];
  durationMs: number;
}

async function recordBatch(tx: Tx, secretBox: SecretBox, items: readonly Item[]): Promise<StoredOutcome[]> {
  const results = items.flatMap((item) => (item.kind === 'result' ? item.result : []));
  const claims = items.flatMap((item) => (item.kind === 'finish' ? item.claim : []));
  const { now, alertIds } = await readNowAndLockAlerts(
    tx,
    results.flatMap(({ delivery: { organizationId, alertId } }) =>
      alertId === null ? [] : { organizationId, alertId },
    ),
  );
  const attempts = results.map((result) => ({ result, outcome: outcomeOf(result, now) }));
  const recorded =
    attempts.length === 0
      ? []
      : await recordAttemptRows(
          tx,
          attempts.map((attempt) => toRow(attempt, secretBox)),
        );
  const statusById = new Map(recorded.map((row) => [row.id, row.status]));
  const stored = attempts.filter(({ result }) => statusById.has(result.delivery.deliveryId));

  const closedDigests = stored.filter(
    ({ result: { delivery }, outcome }) =>
      delivery.event.eventType === 'digest' && outcome.status !== 'failed',
  );
  const digested = await completeDigestedDeliveries(
    tx,
    recorded.filter(({ id }) => closedDigests.some(({ result }) => result.delivery.deliveryId === id)),
  );
  const trail: (NewEntry & { organizationId: number })[] = [];
  for (const { result, outcome } of stored) {
    const { organizationId, deliveryId, alertId, channelName, event } = result.delivery;
    if (outcome.status === 'failed' || outcome.reason === 'no_ticket') continue;
    if (alertId !== null && alertIds.has(alertId)) {
      trail.push({ organizationId, ...deliveryAuditEntry(alertId, channelName, event.eventType, outcome) });
    }
    for (const { alert_id, event_type, digest_id } of digested) {
      if (alert_id === null || digest_id !== deliveryId) continue;
      trail.push({ organizationId, ...deliveryAuditEntry(alert_id, channelName, event_type, outcome) });
    }
  }
  await writeEntriesAcrossOrganizations(tx, trail);

  const attempted = healthRows(stored.map(({ result }) => result));
  const finished = claims.map(({ row }) => ({ organization_id: row.organization_id, id: row.id }));
  const attemptedIds = new Set(attempted.map(({ id }) => id));
  // Lock all channels in one statement. Otherwise, health updates and finished channels would lock them in two
  // statements, and an evaluation that triggers channels in between would cause a deadlock that blocks all requests of
  // the organization.
  const locked = finished.some(({ id }) => !attemptedIds.has(id))
    ? await lockChannels(tx, [...attempted, ...finished])
    : [];
  const health = await updateChannelHealth(tx, attempted, minFailuresForProbes);
  const acceptedAgain = new Set(
    recorded.flatMap((row) => (row.was_brought_forward && row.status === 'succeeded' ? row.id : [])),
  );
  const acceptedBy = Map.groupBy(
    stored.filter(({ result }) => acceptedAgain.has(result.delivery.deliveryId)),
    ({ result }) => result.delivery.channelId,
  );
  await makeFailedDeliveriesDue(
    tx,
    health
      .map(({ organization_id: organizationId, id: channelId, has_recovered: hasRecovered }) => {
        return { organizationId, channelId, hasRecovered, accepted: acceptedBy.get(channelId)?.length ?? 0 };
      })
      .filter(({ hasRecovered, accepted }) => hasRecovered || accepted > 0),
  );
  const deadLetters = stored.filter(
    ({ result: { delivery }, outcome }) =>
      outcome.status === 'dead_letter' &&
      outcome.reason !== 'gone' &&
      // If a report of a dead letter becomes a dead letter, don't report that, because the new report could be lost
      // too.
      delivery.event.eventType !== 'delivery.failed',
  );
  await recordDeadLetters(
    tx,
    deadLetters.map(({ result }) => result.delivery),
  );
  const gone = stored.filter(({ outcome }) => outcome.status === 'dead_letter' && outcome.reason === 'gone');
  await disableChannels(
    tx,
    gone.map(({ result }) => result.delivery),
    'gone',
  );
  // Publish only one change per organization and batch. Clients refetch the list after a change, so thousands
  // of changes per second would add no information.
  for (const [organizationId, id] of new Map(recorded.map((row) => [row.organization_id, row.id]))) {
    wake(tx, changeTopic(organizationId, 'notification_delivery', id));
  }
  const paces = pacesAfter(
    health,
    stored.map(({ result }) => result),
    now,
  );
  await updateChannelPace(tx, [...paces.values()]);
  // Another server can have stored a success since the claim, so the columns that the claim returned can be
  // outdated.
  const healthById = new Map([...locked, ...health].map((row) => [row.id, row]));
  await finishChannels(
    tx,
    claims.map(({ row, leaseToken, requestedSeq }) => {
      const current = healthById.get(row.id) ?? row;
      return {
        organization_id: row.organization_id,
        id: row.id,
        lease_token: leaseToken,
        requested_seq: requestedSeq,
        not_before: notBefore(current, paces.get(row.id) ?? paceOf(current), now),
      };
    }),
  );
  return stored.map(({ result, outcome }) => ({
    status: outcome.status,
    durationMs: result.answer?.durationMs ?? 0,
  }));
}

function outcomeOf({ answer, series }: AttemptResult, now: Date): AttemptOutcome {
  if (answer === null) return { status: 'failed', nextAttemptAt: now };
  return attemptOutcome(answer, series, now, Math.random());
}

function toRow(
  { result, outcome }: { result: AttemptResult; outcome: AttemptOutcome },
  secretBox: SecretBox,
): AttemptRow {
  const { delivery, lease, answer } = result;
  const { organizationId, deliveryId, attemptCount } = delivery;
  const body = answer?.body ?? null;
  // The lease increased the stored attempt count, so this attempt has the next number.
  const context = responseContext(organizationId, deliveryId, attemptCount + 1);
  const error =
    answer === null ? { code: 'worker_lost', message: deliveryCodes.worker_lost[0] } : answer.error;
  return {
    organization_id: organizationId,
    id: deliveryId,
    lease_token: lease.token,
    status: outcome.status,
    next_attempt_at: outcome.status === 'failed' ? outcome.nextAttemptAt.toISOString() : null,
    is_rate_limited: outcome.status === 'failed' && outcome.isRateLimited === true,
    reason: outcome.status === 'failed' ? null : (outcome.reason ?? null),
    accepted_recipients: answer?.accepted ?? [],
    started_at: lease.startedAt.toISOString(),
    duration_ms: answer?.durationMs ?? 0,
    response_status: answer?.status ?? null,
    response_body_sealed: body === null ? null : secretBox.seal(body, context).toString('base64'),
    error_code: error?.code ?? null,
    error_message: error?.message ?? null,
  };
}

function healthRows(results: readonly AttemptResult[]): HealthRow[] {
  const rows = new Map<number, HealthRow>();
  for (const { delivery, answer } of results) {
    // Attempts that send nothing provide no information about the receiver.
    if (answer === null || answer.reason === 'no_ticket' || answer.reason === 'no_incident') continue;
    // A mail server that accepted the message for at least one recipient is healthy.
    const isSuccess = answer.error === null || (answer.accepted?.length ?? 0) > 0;
    const before = rows.get(delivery.channelId);
    // A rate limit isn't a failure of the receiver, and the duration of a rejected attempt isn't meaningful.
    if (answer.rateLimit != null) {
      const unchanged = { has_succeeded: false, failures: 0, accepted: 0, last_duration_ms: null };
      const { organizationId: organization_id, channelId: id } = delivery;
      rows.set(id, before ?? { organization_id, id, ...unchanged });
      continue;
    }
    rows.set(delivery.channelId, {
      organization_id: delivery.organizationId,
      id: delivery.channelId,
      has_succeeded: isSuccess || (before?.has_succeeded ?? false),
      failures: isSuccess ? 0 : (before?.failures ?? 0) + 1,
      accepted: (before?.accepted ?? 0) + (isSuccess ? 1 : 0),
      last_duration_ms: answer.durationMs,
    });
  }
  return [...rows.values()];
}

/** Returns the pace of channels that already have one, or whose receiver requested a lower rate. */
function pacesAfter(
  health: readonly ChannelHealth[],
  results: readonly AttemptResult[],
  now: Date,
): Map<number, { organization_id: number; id: number } & SendingPace> {
  const paces = new Map<number, { organization_id: number; id: number } & SendingPace>();
  const byChannel = Map.groupBy(results, ({ delivery }) => delivery.channelId);
  for (const row of health) {
    const ofChannel = byChannel.get(row.id) ?? [];
    const limits = ofChannel.flatMap(({ answer, lease }) =>
      answer?.rateLimit == null ? [] : { ...answer.rateLimit, startedAt: lease.startedAt },
    );
    const waits = ofChannel.flatMap(({ answer }) => answer?.usedUpWaitMs ?? []);
    const pace = paceOf(row);
    if (limits.length === 0 && waits.length === 0 && !isPaced(pace, now)) continue;
    const acceptedCount = ofChannel.filter(({ answer }) => answer !== null && answer.error === null).length;
    const usedUpWaitMs = waits.length === 0 ? null : Math.max(...waits);
    const respondedAtMs = Math.max(0, ...ofChannel.map(({ answer }) => answer?.respondedAtMs ?? 0));
    const elapsedMs = respondedAtMs === 0 ? 0 : performance.now() - respondedAtMs;
    const after = nextPace(pace, { acceptedCount, usedUpWaitMs, limits, elapsedMs }, now);
    paces.set(row.id, { organization_id: ofChannel[0]!.delivery.organizationId, id: row.id, ...after });
  }
  return paces;
}

/** Returns the earliest time of the next pass of a channel, in RFC 3339, or `null` if it can be now. */
function notBefore(
  health: Pick<ChannelRow, 'consecutive_failures' | 'probe_count' | 'last_failure_at'>,
  pace: SendingPace,
  now: Date,
): string | null {
  const times = [nextProbeAt(health, now), pausedUntil(pace, now)].filter((time) => time !== null);
  return times.length === 0 ? null : new Date(Math.max(...times.map(Number))).toISOString();
}

/**
 * Returns the result with a fixed error message that can be stored, or an empty list if it already has that
 * message.
 */
function withPlainMessage({ item, ...waiting }: BufferedItem): BufferedItem[] {
  const answer = item.kind === 'result' ? item.result.answer : null;
  if (item.kind !== 'result' || !answer?.error || answer.error.message === plainMessage) return [];
  const error = { ...answer.error, message: plainMessage };
  return [{ ...waiting, item: { ...item, result: { ...item.result, answer: { ...answer, error } } } }];
}

function isDataError(error: unknown): boolean {
  // PostgreSQL error classes: 22 data exception, 23 integrity constraint violation, 54 program limit
  // exceeded.
  return error instanceof Error && 'code' in error && /^(22|23|54)/.test(String(error.code));
}
