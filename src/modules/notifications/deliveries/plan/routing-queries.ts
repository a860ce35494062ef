import { sql } from 'kysely';
import type { SendingTimes } from '../../../../domain/replay/message-queue.ts';
import {
  type ChannelIndex,
  indexChannels,
  type OwningChannel,
} from '../../../../domain/routing/channel-index.ts';
import type { RoutingRule } from '../../../../domain/routing/match-rule.ts';
import type { Database, Tx } from '../../../../platform/database/index.ts';
import { createsTickets } from '../tickets/ticket-queries.ts';

export interface RoutingTable {
  /** Active rules in the order in which they are asked. */
  rules: RoutingRule[];
  channels: ChannelIndex<RoutingChannel>;
  now: Date;
}

export interface RoutingChannel extends SendingTimes, OwningChannel {
  createsTickets: boolean;
}

/** The active rules and all channels of an organization, in one statement. */
export async function readRoutingTable(db: Database | Tx, organizationId: number): Promise<RoutingTable> {
  const { rows } = await sql<{ rules: RoutingRule[]; channels: RoutingChannel[]; now: Date }>`
    SELECT
      (SELECT coalesce(jsonb_agg(jsonb_build_object(
          'id', id, 'priority', priority, 'isActive', is_active, 'severities', severities,
          'eventTypes', event_types, 'ruleIds', rule_ids, 'alertConfigIds', alert_config_ids,
          'labelMatchers', label_matchers, 'channelIds', channel_ids,
          'routesToOwner', route_to_owner, 'stopProcessing', stop_processing)
          ORDER BY priority, id), '[]')
        FROM notification_rules WHERE organization_id = ${organizationId} AND is_active) AS rules,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'isActive', is_active, 'owners', owners,
          'digestMinutes', digest_minutes, 'digestSchedule', digest_schedule, 'sendingHours', sending_hours,
          'timezone', timezone, 'alwaysFor', always_for, 'createsTickets', ${createsTickets}) ORDER BY id), '[]')
        FROM notification_channels c WHERE organization_id = ${organizationId}) AS channels,
      pacekeeper_now() AS now`.execute(db);
  const { rules, channels, now } = rows[0]!;
  return { rules, now, channels: indexChannels(channels) };
}
