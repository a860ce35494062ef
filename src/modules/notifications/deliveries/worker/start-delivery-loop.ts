import type { Database } from '../../../../platform/database/index.ts';
import { type Claim, releaseDueRows, startDueLoop } from '../../../../platform/due-rows/index.ts';
import type { Mailer } from '../../../../platform/email/index.ts';
import type { Log } from '../../../../platform/log.ts';
import { createRateLimitedLog } from '../../../../platform/log-sparingly.ts';
import type { OutboundClient } from '../../../../platform/outbound/index.ts';
import type { Sandbox } from '../../../../platform/sandbox/index.ts';
import type { MessageTools } from '../message/prepare-message.ts';
import { batchLimit, type ChannelRow, channelColumns } from '../model/channel-row.ts';
import type { AttemptOutcome } from '../model/delivery-audit-entry.ts';
import type { InstallationDefaults } from '../model/delivery-settings.ts';
import { dueChannelsTable } from '../model/due-channels-table.ts';
import { isNextToClaim } from './choose-channels.ts';
import { type InFlightLimits, InFlightTracker, inFlightLimits } from './in-flight.ts';
import { type ChannelPass, needsMaintenance } from './maintain-channel.ts';
import { type PassTools, processChannels } from './process-channels.ts';
import { createAttemptRecorder } from './record-attempts.ts';
import { createClockRecovery } from './recover-deliveries.ts';

export interface DeliveryLoopOptions extends MessageTools {
  db: Database;
  log: Log;
  outbound: OutboundClient;
  /** Sandbox that parses large responses of receivers. */
  responseSandbox: Pick<Sandbox, 'run'>;
  /** `null` if the operator hasn't configured a mail server. */
  mailer: Mailer | null;
  /** Pacekeeper version for `User-Agent`. */
  version: string;
  defaults?: InstallationDefaults;
  limits?: InFlightLimits;
  /** Interval of clock checks. Defaults to 30 seconds, and is shorter in tests. */
  clockCheckIntervalMs?: number;
  /** Called for metrics after the result of an attempt is stored. */
  onOutcome?: (outcome: AttemptOutcome['status'], durationMs: number) => void;
}

export interface DeliveryLoop {
  /** Stops claiming channels, waits up to 20 seconds for attempts in flight, and releases the leases. */
  stop(): Promise<void>;
}

const channelsPerClaim = 64;
/**
 * Channel lease, as long as the lease of a delivery with the usual timeout. It only reduces contention
 * between workers. The leases of the deliveries guarantee correctness.
 */
const channelLeaseMs = 45_000;
const stopWithinMs = 20_000;

/**
 * Sends due deliveries, channel by channel. One worker processes a channel at a time, until all results of
 * its pass are recorded.
 */
export function startDeliveryLoop(options: DeliveryLoopOptions): DeliveryLoop {
  const { db } = options;
  const log = options.log.child({ part: 'deliveries' });
  const inFlight = new InFlightTracker(options.limits ?? inFlightLimits);
  const recorder = createAttemptRecorder({ ...options, log });
  const clock = createClockRecovery(db);
  const passes = new Set<Promise<void>>();
  const stopping = new AbortController();

  const loop = startDueLoop<ChannelRow>({
    db,
    log,
    table: dueChannelsTable,
    batchSize: channelsPerClaim,
    // Don't limit the number of channels, because the capacity limits apply to deliveries.
    maxInFlight: Number.MAX_SAFE_INTEGER,
    leaseMs: channelLeaseMs,
    columns: channelColumns,
    where: () => isNextToClaim(inFlight, channelsPerClaim),
    handle,
  });
  const tools: PassTools = {
    ...options,
    log,
    logSparingly: createRateLimitedLog(log),
    inFlight,
    recorder,
    signal: stopping.signal,
    wake: () => loop.wake(),
  };

  /** Starts passes without waiting for their results, so that a slow target delays only its own channel. */
  async function handle(claims: Claim<ChannelRow>[]): Promise<void> {
    clock.recordTime(claims[0]!.now);
    const turns: ChannelPass[] = [];
    const rejectedClaims: Claim<ChannelRow>[] = [];
    for (const claim of claims) {
      const wanted = batchLimit(claim.row, claim.now, inFlight.limits);
      const maxCount = inFlight.reserve(claim.row.organization_id, claim.row.id, wanted);
      if (maxCount > 0) turns.push({ claim, maxCount });
      else rejectedClaims.push(claim);
    }
    // Process the channels that need maintenance separately, so that they don't delay the others.
    for (const group of [turns.filter((turn) => !needsMaintenance(turn)), turns.filter(needsMaintenance)]) {
      if (group.length === 0) continue;
      const pass = processChannels(tools, group).finally(() => passes.delete(pass));
      passes.add(pass);
    }
    await releaseDueRows(db, dueChannelsTable, rejectedClaims, 0);
  }

  const lookingAtClock = setInterval(() => {
    clock.checkClock().then(
      (count) => count > 0 && loop.wake(),
      (error: unknown) => log.warn({ err: error }, 'checking for future-dated deliveries failed'),
    );
  }, options.clockCheckIntervalMs ?? 30_000).unref();

  return {
    async stop() {
      clearInterval(lookingAtClock);
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
