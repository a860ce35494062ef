import { sql } from 'kysely';
import type { Database, WakeUps } from '../../../platform/database/index.ts';
import { type Claim, releaseDueRows, startDueLoop } from '../../../platform/due-rows/index.ts';
import type { Log } from '../../../platform/log.ts';
import type { OutboundClient } from '../../../platform/outbound/index.ts';
import type { AttemptOutcome } from './attempt-outcome.ts';
import {
  type ChannelRow,
  isWaitingForProbe,
  needsCare,
  type Turn,
  takeCare,
  wantedCount,
} from './channel-turn.ts';
import { channelsDue } from './channels-due.ts';
import {
  type DeliverySettings,
  deliverySettingsAcrossOrganizations,
  type InstallationDefaults,
} from './delivery-settings.ts';
import { type StoredEvent, webhookId } from './event-data.ts';
import { InFlight, type InFlightLimits, inFlightLimits } from './in-flight.ts';
import {
  type DeliveryLease,
  type DueDelivery,
  leaseDeliveriesAcrossOrganizations,
  readDigestEventsAcrossOrganizations,
  readDueDeliveriesAcrossOrganizations,
} from './pick-deliveries.ts';
import {
  type MessageTools,
  type PreparedMessage,
  prepareMessage,
  signingSecrets,
} from './prepare-message.ts';
import { type AttemptResult, createAttemptRecorder } from './record-attempts.ts';
import { recoverFromClockJumpAcrossOrganizations } from './recover-deliveries.ts';
import { needsSandbox } from './render-once.ts';
import { sendWebhook } from './send-webhook.ts';

export interface DeliveryLoopOptions extends MessageTools {
  db: Database;
  wakeUps: WakeUps;
  log: Log;
  outbound: OutboundClient;
  /** Of Pacekeeper, for `User-Agent`. */
  version: string;
  defaults?: InstallationDefaults;
  limits?: InFlightLimits;
  /** For metrics: told of every attempt whose result is stored. */
  onOutcome?: (outcome: AttemptOutcome['status'], durationMs: number) => void;
}

export interface DeliveryLoop {
  /** Takes nothing new, waits for what is in flight (20 s at most), and gives the leases back. */
  stop(): Promise<void>;
}

const channelsPerClaim = 64;
/** As long as that of a delivery with the usual timeout; it keeps others away, but safe is what the deliveries' own leases make. */
const channelLeaseMs = 45_000;
const stopWithinMs = 20_000;
const recoverEveryMs = 30_000;

/**
 * Sends what is due, channel by channel: claims channels, reads their next deliveries, makes the messages, takes
 * leases, sends, records. A channel is in one worker's hands at a time, until all of its pass is recorded.
 */
export function startDeliveryLoop(options: DeliveryLoopOptions): DeliveryLoop {
  const { db, wakeUps, outbound } = options;
  const log = options.log.child({ part: 'deliveries' });
  const inFlight = new InFlight(options.limits ?? inFlightLimits);
  const recorder = createAttemptRecorder({ ...options, log });
  const passes = new Set<Promise<void>>();
  const stopping = new AbortController();

  const loop = startDueLoop<ChannelRow>({
    db,
    wakeUps,
    log,
    table: channelsDue,
    topic: channelsDue.name,
    batchSize: channelsPerClaim,
    // Deliveries are counted, not channels.
    maxInFlight: Number.MAX_SAFE_INTEGER,
    leaseMs: channelLeaseMs,
    columns: [
      'is_active',
      'digest_minutes',
      'consecutive_failures',
      'last_failure_at',
      'last_duration_ms',
      'probe_count',
    ],
    where: () =>
      inFlight.isFull
        ? sql`false`
        : sql`organization_id <> ALL(${inFlight.fullOrganizationIds}::bigint[]) AND id <> ALL(${inFlight.channelIds}::bigint[])`,
    handle,
  });

  /** Begins passes; they go on after it, so that a slow target holds nothing back but itself. */
  async function handle(claims: Claim<ChannelRow>[]): Promise<void> {
    const turns: Turn[] = [];
    const refused: Claim<ChannelRow>[] = [];
    for (const claim of claims) {
      const maxCount = inFlight.take(claim.row.organization_id, claim.row.id, wantedCount(claim.row));
      if (maxCount > 0) turns.push({ claim, maxCount });
      else refused.push(claim);
    }
    // Those that need care must not hold up the others.
    for (const group of [turns.filter((turn) => !needsCare(turn)), turns.filter(needsCare)]) {
      if (group.length === 0) continue;
      const pass = begin(group).finally(() => passes.delete(pass));
      passes.add(pass);
    }
    await releaseDueRows(db, channelsDue, refused, 0);
  }

  async function begin(turns: readonly Turn[]): Promise<void> {
    let left = turns;
    try {
      const organizationIds = [...new Set(turns.map(({ claim }) => claim.row.organization_id))];
      const readSettings = deliverySettingsAcrossOrganizations(db, organizationIds, options.defaults);
      // Nothing is to be settled for most channels: then one need not wait for the other.
      const [settings, dueAtOnce] = await Promise.all([
        readSettings,
        turns.some(needsCare) ? null : readDue(turns),
      ]);
      const settingsOf = ({ claim }: Turn) => settings.get(claim.row.organization_id)!;
      if (dueAtOnce === null) left = await takeCareOfAll(turns, settingsOf);
      const due = dueAtOnce ?? (await readDue(left));
      const digestEvents = await readDigestEventsAcrossOrganizations(
        db,
        due.filter((delivery) => delivery.event.eventType === 'digest' && delivery.bodySealed === null),
      );
      const passes = left.map((turn) => {
        const deliveries = due.filter((delivery) => delivery.channelId === turn.claim.row.id);
        return { turn, deliveries, settings: settingsOf(turn), digestEvents };
      });
      // The templates of users take their time in the sandbox; only their own channels wait for them.
      const [slow, quick] = [passes.filter(isSandboxed), passes.filter((pass) => !isSandboxed(pass))];
      await Promise.all([serve(quick), ...slow.map((pass) => serve([pass]))]);
    } catch (error) {
      await giveUp(left, error);
    }
  }

  function readDue(turns: readonly Turn[]): Promise<DueDelivery[]> {
    return readDueDeliveriesAcrossOrganizations(
      db,
      turns
        .filter(({ claim }) => !isWaitingForProbe(claim))
        .map(({ claim: { row }, maxCount }) => ({
          organizationId: row.organization_id,
          channelId: row.id,
          maxCount,
        })),
    );
  }

  /** Returns those that can go on; one that fails gives up alone. */
  async function takeCareOfAll(
    turns: readonly Turn[],
    settingsOf: (turn: Turn) => DeliverySettings,
  ): Promise<Turn[]> {
    const done: Turn[] = [];
    for (const turn of turns) {
      try {
        await takeCare(db, turn, settingsOf(turn));
        done.push(turn);
      } catch (error) {
        await giveUp([turn], error);
      }
    }
    return done;
  }

  /** Makes the messages of some channels, takes the leases of all of them at once, and sends. */
  async function serve(passes: readonly Pass[]): Promise<void> {
    const prepared: { turn: Turn; messages: PreparedMessage[] }[] = [];
    let leases: ReadonlyMap<number, DeliveryLease>;
    try {
      for (const { turn, deliveries, settings, digestEvents } of passes) {
        try {
          const messages = deliveries.map((delivery) =>
            prepareMessage(options, delivery, digestEvents.get(delivery.deliveryId) ?? [], settings),
          );
          prepared.push({ turn, messages: await Promise.all(messages) });
        } catch (error) {
          await giveUp([turn], error);
        }
      }
      leases = await leaseDeliveriesAcrossOrganizations(
        db,
        prepared.flatMap(({ messages }) => messages.map(({ start }) => start)),
      );
    } catch (error) {
      return giveUp(
        prepared.map(({ turn }) => turn),
        error,
      );
    }
    await Promise.all(prepared.map(({ turn, messages }) => send(turn, messages, leases)));
  }

  /** Sends the messages of one channel side by side, and gives the channel back with the last result. */
  async function send(
    { claim, maxCount }: Turn,
    messages: readonly PreparedMessage[],
    leases: ReadonlyMap<number, DeliveryLease>,
  ): Promise<void> {
    const { organization_id: organizationId, id: channelId } = claim.row;
    const ready = messages.flatMap((message) => {
      const lease = leases.get(message.start.delivery.deliveryId);
      return lease ? [{ message, lease }] : [];
    });
    inFlight.giveBack(organizationId, maxCount - ready.length);
    let sending = ready.length;
    let finished = sending === 0 ? recorder.finish(claim) : Promise.resolve();
    const stored = ready.map(async ({ message, lease }) => {
      const isStored = recorder.record(await attempt(message, lease));
      sending -= 1;
      if (sending === 0) finished = recorder.finish(claim);
      await isStored;
      inFlight.giveBack(organizationId, 1);
    });
    await Promise.all(stored);
    await finished;
    inFlight.leave(channelId);
    loop.wake();
  }

  async function giveUp(turns: readonly Turn[], error: unknown): Promise<void> {
    if (turns.length === 0) return;
    const channelIds = turns.map(({ claim }) => claim.row.id);
    log.error({ err: error, channel_ids: channelIds }, 'channels could not be served; they come again');
    for (const { claim, maxCount } of turns) {
      const delayMs = Math.min(300_000, 1_000 * 2 ** Math.min(claim.attempts, 9));
      await releaseDueRows(db, channelsDue, [claim], delayMs).catch((cause: unknown) => {
        log.warn({ err: cause }, 'a channel could not be given back; its lease runs out');
      });
      inFlight.giveBack(claim.row.organization_id, maxCount);
      inFlight.leave(claim.row.id);
    }
    loop.wake();
  }

  async function attempt(
    { start, body, secrets, settings }: PreparedMessage,
    lease: DeliveryLease,
  ): Promise<AttemptResult> {
    const { delivery } = start;
    const answer = await sendWebhook(outbound, {
      url: secrets.url,
      headers: secrets.headers,
      webhookId: webhookId(delivery.event.eventId),
      body,
      at: lease.startedAt,
      signingSecrets: signingSecrets(secrets, delivery.channel.has_previous_secret),
      timeoutMs: settings.timeoutSeconds * 1_000,
      version: options.version,
      signal: stopping.signal,
    }).catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error;
      return null;
    });
    const series = {
      attemptCount: delivery.seriesAttemptCount + 1,
      startedAt: delivery.seriesStartedAt,
      retryScheduleSeconds: settings.retryScheduleSeconds,
      timeoutSeconds: settings.timeoutSeconds,
    };
    return { delivery, lease, series, answer };
  }

  const recovering = setInterval(() => {
    recoverFromClockJumpAcrossOrganizations(db).then(
      (count) => count > 0 && loop.wake(),
      (error: unknown) => log.warn({ err: error }, 'looking for deliveries in the future failed'),
    );
  }, recoverEveryMs).unref();

  return {
    async stop() {
      clearInterval(recovering);
      const timer = setTimeout(() => {
        stopping.abort();
        void recorder.close();
      }, stopWithinMs);
      await loop.stop();
      await Promise.all(passes);
      clearTimeout(timer);
      await recorder.close();
    },
  };
}

interface Pass {
  turn: Turn;
  deliveries: DueDelivery[];
  settings: DeliverySettings;
  digestEvents: ReadonlyMap<number, StoredEvent[]>;
}

/** One of whose deliveries the body is still to be made by a template of its user. */
function isSandboxed({ deliveries, settings }: Pass): boolean {
  return deliveries.some(
    ({ bodySealed, event, channel }) =>
      bodySealed === null && needsSandbox(event.eventType, channel, settings.templates),
  );
}
