import { sql } from 'kysely';
import {
  type MessageChannel,
  MessageCount,
  type RoutedEvent,
} from '../../../../domain/replay/count-messages.ts';
import { indexChannels } from '../../../../domain/routing/channel-index.ts';
import type { RoutingRule } from '../../../../domain/routing/match-rule.ts';
import type { Database } from '../../../../platform/database/index.ts';
import { deliverySettings } from '../model/delivery-settings.ts';
import { neverCombines } from './never-combined.ts';
import { readRoutingTable } from './routing-queries.ts';

/**
 * Counts the messages that each channel would receive for simulated events, highest count first.
 *
 * @param pause Called after each event.
 * @param assumesChannel True to assume a default channel if there's neither one nor a notification rule. Its messages
 * have the ID 0.
 */
export async function countMessagesByChannel(
  db: Database,
  organizationId: number,
  events: readonly RoutedEvent[],
  pause: () => Promise<void> | undefined,
  { assumesChannel = false }: { assumesChannel?: boolean } = {},
): Promise<ChannelMessages[]> {
  return (await simulateMessages(db, organizationId, events, null, pause, assumesChannel)).messages;
}

interface ChannelMessages {
  channel_id: number;
  name: string;
  count: number;
}

interface SimulatedMessages {
  messages: ChannelMessages[];
  /** Messages without the simulated rule. `null` if no rule was simulated. */
  compared_with: { messages: ChannelMessages[] } | null;
  /** Number of events that the simulated rule matches. `null` if no rule was simulated. */
  matched: number | null;
}

/**
 * Counts messages as in `countMessagesByChannel`, with a notification rule that isn't stored, and compares
 * the counts with those of the stored rules.
 *
 * @param rule Added to the stored rules, or replaces the stored rule with the same ID. `null` uses only the
 * stored rules.
 */
export async function simulateMessages(
  db: Database,
  organizationId: number,
  events: readonly RoutedEvent[],
  rule: RoutingRule | null,
  pause: () => Promise<void> | undefined,
  assumesChannel = false,
): Promise<SimulatedMessages> {
  if (events.length === 0) {
    const none = { messages: [] };
    return { ...none, compared_with: rule && none, matched: rule && 0 };
  }
  const { rules } = await readRoutingTable(db, organizationId);
  const settings = await deliverySettings(db, organizationId);
  const isUnrouted = assumesChannel && rules.length === 0 && settings.defaultChannelId === null;
  const defaults = isUnrouted ? { ...settings, defaultChannelId: assumedChannel.id } : settings;
  const channels = indexChannels([
    ...(await readMessageChannels(db, organizationId)),
    ...(isUnrouted ? [assumedChannel] : []),
  ]);
  const inOrder = events.toSorted((a, b) => a.atMs - b.atMs);

  async function countMessages(of: readonly RoutingRule[]) {
    const count = new MessageCount({ rules: of, defaults, channels });
    let matched = 0;
    for (const event of inOrder) {
      if (count.add(event).includes(rule?.id ?? 0)) matched++;
      await pause();
    }
    const messages = [...count.byChannel]
      .map(([id, sent]) => ({ channel_id: id, name: channels.byId.get(id)?.name ?? '', count: sent }))
      .toSorted((a, b) => b.count - a.count || a.channel_id - b.channel_id);
    return { messages, matched };
  }

  const { messages } = await countMessages(rules);
  if (rule === null) return { messages, compared_with: null, matched: null };
  const after = await countMessages([...rules.filter(({ id }) => id !== rule.id), rule]);
  return { ...after, compared_with: { messages } };
}

type NamedChannel = MessageChannel & { name: string };

/** Default channel that a new organization is about to create. */
const assumedChannel: NamedChannel = {
  id: 0,
  name: '',
  isActive: true,
  owners: [],
  digestMinutes: null,
  digestSchedule: null,
  sendingHours: [],
  timezone: 'UTC',
  alwaysFor: [],
};

async function readMessageChannels(db: Database, organizationId: number): Promise<NamedChannel[]> {
  const { rows } = await sql<NamedChannel>`
    SELECT id, name, is_active AS "isActive", owners, digest_minutes AS "digestMinutes", digest_schedule AS "digestSchedule",
      sending_hours AS "sendingHours", timezone, always_for AS "alwaysFor",
      ${neverCombines} AS "neverCombines"
    FROM notification_channels c WHERE organization_id = ${organizationId} ORDER BY id`.execute(db);
  return rows;
}
