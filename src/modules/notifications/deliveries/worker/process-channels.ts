import { isPerAlertPreset } from '../../../../domain/templates/presets.ts';
import { releaseDueRows, retryDelayMs } from '../../../../platform/due-rows/index.ts';
import type { AlertNotes } from '../../../notes/index.ts';
import { readNotesOfDeliveriesAcrossOrganizations } from '../message/delivery-notes.ts';
import { readIncidentHost } from '../message/incident-host.ts';
import { type MessageTools, type PreparedMessage, prepareMessage } from '../message/prepare-message.ts';
import { needsSandbox } from '../message/render-once.ts';
import { isWaiting } from '../model/channel-row.ts';
import {
  type DeliverySettings,
  deliverySettingsAcrossOrganizations,
  type InstallationDefaults,
} from '../model/delivery-settings.ts';
import { dueChannelsTable } from '../model/due-channels-table.ts';
import {
  type DeliveryLease,
  type DueDelivery,
  leaseDeliveriesAcrossOrganizations,
  readDigestEventsAcrossOrganizations,
  readDueDeliveriesAcrossOrganizations,
} from '../model/pick-deliveries.ts';
import type { StoredEvent } from '../model/stored-events.ts';
import { type AttemptTools, attemptDelivery } from '../send/attempt-delivery.ts';
import { holdForLimitAcrossOrganizations } from './hold-for-limit.ts';
import type { InFlightTracker } from './in-flight.ts';
import { type ChannelPass, maintainChannel, needsMaintenance } from './maintain-channel.ts';
import type { AttemptRecorder } from './record-attempts.ts';
import { separateDigestsAcrossOrganizations } from './separate-digests.ts';

export interface PassTools extends MessageTools, AttemptTools {
  defaults?: InstallationDefaults;
  /** Tracks the capacity that the passes reserved. Processing a pass releases its capacity. */
  inFlight: InFlightTracker;
  recorder: AttemptRecorder;
  /** Called when capacity is available again. */
  wake(): void;
}

/** Longest delay of a channel whose pass failed. */
const longestRetryMs = 60_000;

/** A claimed channel with its deliveries and the data to process them. */
interface Pass {
  turn: ChannelPass;
  deliveries: DueDelivery[];
  settings: DeliverySettings;
  digestEvents: ReadonlyMap<number, StoredEvent[]>;
}

/**
 * Processes claimed channels: maintains them, reads their next deliveries, creates messages, leases
 * deliveries, sends, and records the results. Each channel is released when all results of its pass are
 * recorded. Never rejects.
 */
export async function processChannels(tools: PassTools, turns: readonly ChannelPass[]): Promise<void> {
  const { db, log, inFlight, recorder } = tools;
  let left = turns;
  try {
    const organizationIds = [...new Set(turns.map(({ claim }) => claim.row.organization_id))];
    const readSettings = deliverySettingsAcrossOrganizations(db, organizationIds, tools.defaults);
    // Most channels need no maintenance, so settings and deliveries can be read in parallel.
    const [settings, dueAtOnce] = await Promise.all([
      readSettings,
      turns.some(needsMaintenance) ? null : readDue(turns),
    ]);
    const settingsOf = ({ claim }: ChannelPass) => settings.get(claim.row.organization_id)!;
    if (dueAtOnce === null) left = await maintainChannels(turns, settingsOf);
    let due = dueAtOnce ?? (await readDue(left));
    if (await separateDigestsAcrossOrganizations(db, due)) due = await readDue(left);
    const digestEvents = await readDigestEventsAcrossOrganizations(
      db,
      due.filter((delivery) => delivery.event.eventType === 'digest' && delivery.bodySealed === null),
    );
    const passes = left.map((turn) => {
      const deliveries = due.filter((delivery) => delivery.channelId === turn.claim.row.id);
      return { turn, deliveries, settings: settingsOf(turn), digestEvents };
    });
    // User templates take time in the sandbox, so only their channels wait for them.
    const [slow, quick] = [passes.filter(isSandboxed), passes.filter((pass) => !isSandboxed(pass))];
    await Promise.all([processPasses(quick), ...slow.map((pass) => processPasses([pass]))]);
  } catch (error) {
    await releaseChannels(left, error);
  }

  function readDue(wanted: readonly ChannelPass[]): Promise<DueDelivery[]> {
    return readDueDeliveriesAcrossOrganizations(
      db,
      wanted
        .filter(({ claim }) => !isWaiting(claim))
        .map(({ claim: { row }, maxCount, onlyIds }) => ({
          organizationId: row.organization_id,
          channelId: row.id,
          maxCount,
          onlyIds,
        })),
    );
  }

  /**
   * Maintains channels, and returns those to continue with. A channel that fails is released without affecting the
   * others.
   */
  async function maintainChannels(
    wanted: readonly ChannelPass[],
    settingsOf: (turn: ChannelPass) => DeliverySettings,
  ): Promise<ChannelPass[]> {
    const done: ChannelPass[] = [];
    for (const turn of wanted) {
      try {
        const onlyIds = await maintainChannel(db, turn, settingsOf(turn));
        done.push({ ...turn, onlyIds });
      } catch (error) {
        await releaseChannels([turn], error);
      }
    }
    return done;
  }

  /** Creates the messages of channels, leases all of their deliveries in one statement, and sends them. */
  async function processPasses(passes: readonly Pass[]): Promise<void> {
    const left = new Set(passes.map(({ turn }) => turn));
    const prepared: { turn: ChannelPass; messages: PreparedMessage[] }[] = [];
    let leases: ReadonlyMap<number, DeliveryLease>;
    try {
      const notes = await readNotesOfDeliveriesAcrossOrganizations(db, passes);
      const hasIncidents = passes.some(({ deliveries }) => deliveries.some(opensIncident));
      const incidentHost = hasIncidents ? await readIncidentHost(db, tools.baseUrl) : null;
      for (const { turn, deliveries, settings, digestEvents } of passes) {
        try {
          const messages = deliveries.map((delivery) =>
            prepareMessage(
              tools,
              delivery,
              digestEvents.get(delivery.deliveryId) ?? [],
              settings,
              notes.get(delivery.organizationId) ?? noNotes,
              incidentHost,
            ),
          );
          prepared.push({ turn, messages: await Promise.all(messages) });
        } catch (error) {
          left.delete(turn);
          await releaseChannels([turn], error);
        }
      }
      const all = prepared.flatMap(({ messages }) => messages);
      const held = await holdForLimitAcrossOrganizations(db, all);
      leases = await leaseDeliveriesAcrossOrganizations(
        db,
        all.map(({ start }) => start).filter(({ delivery }) => !held.has(delivery.deliveryId)),
      );
    } catch (error) {
      return releaseChannels([...left], error);
    }
    await Promise.all(prepared.map(({ turn, messages }) => send(turn, messages, leases)));
  }

  /** Sends the messages of one channel in parallel, and releases the channel with the last result. */
  async function send(
    { claim, maxCount }: ChannelPass,
    messages: readonly PreparedMessage[],
    leases: ReadonlyMap<number, DeliveryLease>,
  ): Promise<void> {
    const { organization_id: organizationId, id: channelId } = claim.row;
    const ready = messages.flatMap((message) => {
      const lease = leases.get(message.start.delivery.deliveryId);
      return lease ? [{ message, lease }] : [];
    });
    if (inFlight.release(organizationId, maxCount - ready.length)) tools.wake();
    let sending = ready.length;
    let finished = sending === 0 ? recorder.finish(claim) : Promise.resolve();
    const stored = ready.map(async ({ message, lease }) => {
      const isStored = recorder.record(await attemptDelivery(tools, message, lease));
      sending -= 1;
      if (sending === 0) finished = recorder.finish(claim);
      await isStored;
      // Release capacity now, because other deliveries of this channel can take longer.
      if (inFlight.release(organizationId, 1)) tools.wake();
    });
    await Promise.all(stored);
    await finished;
    inFlight.leave(channelId);
    tools.wake();
  }

  async function releaseChannels(lost: readonly ChannelPass[], error: unknown): Promise<void> {
    if (lost.length === 0) return;
    const channelIds = lost.map(({ claim }) => claim.row.id);
    log.error({ err: error, channel_ids: channelIds }, 'processing channels failed; will retry');
    for (const { claim, maxCount } of lost) {
      const delayMs = retryDelayMs(error, claim.attempts, longestRetryMs);
      await releaseDueRows(db, dueChannelsTable, [claim], delayMs).catch((cause: unknown) => {
        log.warn({ err: cause }, 'releasing a channel failed; its lease will expire');
      });
      inFlight.release(claim.row.organization_id, maxCount);
      inFlight.leave(claim.row.id);
    }
    tools.wake();
  }
}

const noNotes: ReadonlyMap<number, AlertNotes> = new Map();

/** True if the message of a delivery must still be created and will contain the key of an incident. */
function opensIncident({ bodySealed, channel }: DueDelivery): boolean {
  return bodySealed === null && isPerAlertPreset(channel.preset);
}

/** True if a user template must still render the body of a delivery. */
function isSandboxed({ deliveries, settings }: Pass): boolean {
  return deliveries.some(
    ({ bodySealed, event, channel }) =>
      bodySealed === null && needsSandbox(event.eventType, channel, settings.templates),
  );
}
