import { type RawBuilder, sql } from 'kysely';
import type { SendingTimes } from '../../../../domain/channels/sending-times.ts';
import {
  type ChannelIndex,
  indexChannels,
  type OwningChannel,
} from '../../../../domain/routing/channel-index.ts';
import type { RoutingRule } from '../../../../domain/routing/match-rule.ts';
import type { PresetId } from '../../../../domain/templates/presets.ts';
import type { Database, Tx } from '../../../../platform/database/index.ts';
import { type StoredSetting, storedSettingsSql } from '../../../settings/index.ts';
import { minFailuresForProbes } from '../model/channel-row.ts';
import { type DeliverySettings, deliverySettingsOf } from '../model/delivery-settings.ts';
import { createsTickets } from '../model/ticket-queries.ts';
import type { RoutedEvent } from './plan-deliveries.ts';
import { deferredReportsSql, lockedSilencesSql, type SilenceState } from './silenced-alerts.ts';

export interface RoutingTable {
  /** Active rules in evaluation order. */
  rules: RoutingRule[];
  channels: ChannelIndex<RoutingChannel>;
  now: Date;
}

export interface RoutingChannel extends SendingTimes, OwningChannel {
  createsTickets: boolean;
  channelType: string;
  preset: PresetId;
  /** True if the channel's receiver doesn't accept messages. */
  isFailing: boolean;
}

/** All data that determines which channels receive events. */
export interface Routing extends RoutingTable, SilenceState {
  settings: DeliverySettings;
}

interface TableRow {
  rules: RoutingRule[];
  channels: RoutingChannel[];
  now: Date;
}

/** Reads the active rules and all channels of an organization in one statement. */
export async function readRoutingTable(db: Database | Tx, organizationId: number): Promise<RoutingTable> {
  const { rows } = await sql<TableRow>`SELECT ${tableColumns(organizationId)}`.execute(db);
  const { rules, channels, now } = rows[0]!;
  return { rules, now, channels: indexChannels(channels) };
}

/**
 * Reads the routing table with settings, silences, and deferred reports in one statement, because it runs for
 * each event.
 */
export async function readRouting(
  tx: Tx,
  organizationId: number,
  events: readonly RoutedEvent[],
): Promise<Routing> {
  const alertIds = [...new Set(events.flatMap(({ alertId }) => alertId ?? []))];
  const { rows } = await sql<TableRow & SilenceState & { settings: StoredSetting[] }>`
    SELECT ${tableColumns(organizationId)}, ${storedSettingsSql(organizationId)} AS settings,
      ${lockedSilencesSql(organizationId, sql`${alertIds.length > 0}::boolean`)} AS silences,
      ${deferredReportsSql(organizationId, alertIds)} AS deferred`.execute(tx);
  const { channels, settings, ...row } = rows[0]!;
  return {
    ...row,
    channels: indexChannels(channels),
    settings: deliverySettingsOf(settings, organizationId),
  };
}

function tableColumns(organizationId: number): RawBuilder<unknown> {
  return sql`
      (SELECT coalesce(jsonb_agg(jsonb_build_object(
          'id', id, 'priority', priority, 'isActive', is_active, 'severities', severities,
          'eventTypes', event_types, 'ruleIds', rule_ids, 'alertConfigIds', alert_config_ids,
          'labelMatchers', label_matchers, 'channelIds', channel_ids,
          'routesToOwner', route_to_owner, 'stopProcessing', stop_processing)
          ORDER BY priority, id), '[]')
        FROM notification_rules WHERE organization_id = ${organizationId} AND is_active) AS rules,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'isActive', is_active, 'owners', owners,
          'digestMinutes', digest_minutes, 'digestSchedule', digest_schedule, 'sendingHours', sending_hours,
          'timezone', timezone, 'alwaysFor', always_for, 'createsTickets', ${createsTickets}, 'channelType', channel_type, 'preset', preset,
          'isFailing', failing_notified_at IS NOT NULL OR consecutive_failures >= ${sql.lit(minFailuresForProbes)})
          ORDER BY id), '[]')
        FROM notification_channels c WHERE organization_id = ${organizationId}) AS channels,
      pacekeeper_now() AS now`;
}
