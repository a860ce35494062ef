import { sql } from 'kysely';
import type { SuccessCondition } from '../../../domain/channels/receiver-response.ts';
import type {
  BodyFormat,
  ClosingMethod,
  RequestFormat,
  RequestMethod,
} from '../../../domain/channels/request-format.ts';
import type { NotificationTemplateCategory } from '../../../domain/routing/notification-event.ts';
import type { AlertSeverity } from '../../../domain/rules/severity.ts';
import type { SendingHours } from '../../../domain/scheduling/sending-hours.ts';
import type { PresetId } from '../../../domain/templates/presets.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import {
  containsWords,
  type Database,
  defineTable,
  maxChoices,
  type Page,
  type PageRequest,
  readPage,
  sortOrder,
  type Tx,
} from '../../../platform/database/index.ts';
import type { SealedChannel } from '../deliveries/secrets/channel-secrets.ts';

export type ChannelTemplates = Partial<Record<NotificationTemplateCategory, string>>;

export type ChannelType = Schemas['NotificationChannelType'];

export interface ChannelRow extends SealedChannel, RequestFormat {
  id: number;
  name: string;
  channel_type: ChannelType;
  recipients: string[];
  project: string | null;
  issue_type: string | null;
  account_email: string | null;
  ticket_labels: string[];
  url_sealed: Buffer;
  url_masked: string;
  preset: PresetId;
  template: string | null;
  templates: ChannelTemplates;
  header_names: string[];
  previous_signing_secret_until: Date | null;
  digest_minutes: number | null;
  digest_schedule: string | null;
  sending_hours: SendingHours[];
  timezone: string;
  always_for: AlertSeverity[];
  owners: string[];
  require_login_to_acknowledge: boolean;
  interactivity_id: string | null;
  is_active: boolean;
  is_default: boolean;
  consecutive_failures: number;
  next_send_at: Date | null;
  success_condition: SuccessCondition | null;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  created_at: Date;
  updated_at: Date;
  revision: number;
  now: Date;
}

const isDefault = sql<boolean>`EXISTS (
  SELECT FROM settings
  WHERE settings.organization_id = notification_channels.organization_id
    AND settings.key = 'default_notification_channel_id'
    AND settings.value = to_jsonb(notification_channels.id))`;

const channelType = sql<ChannelType>`notification_channels.channel_type`.as('channel_type');

const columns = [
  'notification_channels.id',
  'notification_channels.name',
  channelType,
  'notification_channels.recipients',
  'notification_channels.project',
  'notification_channels.issue_type',
  'notification_channels.account_email',
  'notification_channels.ticket_labels',
  'notification_channels.tracker_sealed',
  'notification_channels.url_sealed',
  'notification_channels.url_masked',
  'notification_channels.closing_path_sealed',
  sql<PresetId>`notification_channels.preset`.as('preset'),
  'notification_channels.preset_options_sealed',
  'notification_channels.template',
  sql<ChannelTemplates>`notification_channels.templates`.as('templates'),
  'notification_channels.headers_sealed',
  'notification_channels.header_names',
  'notification_channels.signing_secret_sealed',
  'notification_channels.previous_signing_secret_sealed',
  'notification_channels.previous_signing_secret_until',
  'notification_channels.digest_minutes',
  'notification_channels.digest_schedule',
  sql<SendingHours[]>`notification_channels.sending_hours`.as('sending_hours'),
  'notification_channels.timezone',
  sql<AlertSeverity[]>`notification_channels.always_for`.as('always_for'),
  'notification_channels.owners',
  'notification_channels.require_login_to_acknowledge',
  'notification_channels.interactivity_id',
  'notification_channels.is_active',
  isDefault.as('is_default'),
  'notification_channels.consecutive_failures',
  'notification_channels.next_send_at',
  sql<SuccessCondition | null>`notification_channels.success_condition`.as('success_condition'),
  sql<RequestMethod>`notification_channels.request_method`.as('request_method'),
  sql<BodyFormat>`notification_channels.body_format`.as('body_format'),
  sql<ClosingMethod>`notification_channels.closing_method`.as('closing_method'),
  'notification_channels.last_success_at',
  'notification_channels.last_failure_at',
  'notification_channels.created_at',
  'notification_channels.updated_at',
  'notification_channels.revision',
  sql<Date>`pacekeeper_now()`.as('now'),
] as const;

function selectChannels(db: Database | Tx) {
  return db.selectFrom('notification_channels').select(columns);
}

/** While a channel is locked, no other transaction can change the channel or plan deliveries to it. */
export const {
  find: findChannel,
  listById: listChannelsById,
  lock: lockChannel,
  update: updateChannel,
  delete: deleteChannel,
} = defineTable('notification_channels', selectChannels, { toColumns });

const sorts = { created_at: 'notification_channels.created_at', name: 'lower(notification_channels.name)' };

export interface ChannelFilters {
  q?: string | undefined;
  is_active?: boolean | undefined;
  sort?: string | undefined;
}

export async function listChannels(
  db: Database,
  organizationId: number,
  filters: ChannelFilters,
  page: PageRequest,
): Promise<Page<ChannelRow>> {
  const { q, is_active, sort = '-created_at' } = filters;
  const query = selectChannels(db)
    .where('notification_channels.organization_id', '=', organizationId)
    .$if(q !== undefined, (query) => query.where(containsWords(['notification_channels.name'], q!)))
    .$if(is_active !== undefined, (query) => query.where('notification_channels.is_active', '=', is_active!));
  return readPage(db, query, page, sortOrder(sort, sorts, 'notification_channels.id'));
}

export async function listChannelChoices(
  db: Database,
  organizationId: number,
): Promise<Pick<ChannelRow, 'id' | 'name' | 'channel_type' | 'is_active' | 'is_default'>[]> {
  return db
    .selectFrom('notification_channels')
    .select(['id', 'name', channelType, 'is_active', isDefault.as('is_default')])
    .where('organization_id', '=', organizationId)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .limit(sql.lit(maxChoices))
    .execute();
}

/** Column values to write for a channel. Sealed values are bound to the ID of the channel. */
export interface ChannelValues extends SealedChannel, RequestFormat {
  name: string;
  channel_type: ChannelType;
  recipients: string[];
  project: string | null;
  issue_type: string | null;
  account_email: string | null;
  ticket_labels: string[];
  url_sealed: Buffer;
  url_masked: string;
  preset: PresetId;
  template: string | null;
  templates: ChannelTemplates;
  success_condition: SuccessCondition | null;
  header_names: string[];
  digest_minutes: number | null;
  digest_schedule: string | null;
  sending_hours: SendingHours[];
  timezone: string;
  always_for: AlertSeverity[];
  owners: string[];
  require_login_to_acknowledge: boolean;
  interactivity_id: string | null;
  is_active: boolean;
  /** True if the previous signing secret stays valid for 24 hours. False if no previous secret is kept. */
  keepsPreviousSecret: boolean;
}

interface ChannelChanges extends Partial<ChannelValues> {
  /** True if the channel gets a new target or is enabled. */
  resetsFailures: boolean;
}

function toColumns({
  templates,
  sending_hours,
  success_condition,
  always_for,
  keepsPreviousSecret,
  resetsFailures,
  ...values
}: ChannelChanges) {
  const hasOtherHours =
    sending_hours !== undefined || always_for !== undefined || values.timezone !== undefined;
  const hasOtherSecrets = Object.keys(values).some((name) => name.endsWith('_sealed'));
  return {
    ...values,
    ...(templates !== undefined && { templates: JSON.stringify(templates) }),
    ...(success_condition !== undefined && {
      success_condition: success_condition && JSON.stringify(success_condition),
    }),
    ...(sending_hours !== undefined && { sending_hours: JSON.stringify(sending_hours) }),
    ...(always_for !== undefined && { always_for: [...always_for] }),
    // Set `held_until` to a time that isn't the start of sending hours, so that the next pass recalculates which
    // deliveries are held.
    ...(hasOtherHours && { held_until: sql<Date>`pacekeeper_now()` }),
    ...(keepsPreviousSecret !== undefined && {
      previous_signing_secret_until: keepsPreviousSecret
        ? sql<Date>`pacekeeper_now() + interval '24 hours'`
        : null,
    }),
    // Reset the failures, so that deliveries run at full speed. Keep `failing_notified_at` until a delivery succeeds
    // and `channel.recovered` reports it.
    ...(resetsFailures && {
      failing_since: null,
      consecutive_failures: 0,
      probe_count: 0,
      last_duration_ms: null,
      next_send_at: null,
      send_interval_ms: 0,
      send_interval_floor_ms: 0,
      rate_limited_at: null,
      accepted_since: null,
      accepted_count: 0,
      inactive_reason: null,
    }),
    // For other changes, the database updates these columns itself. It can't detect a changed secret,
    // because sealing the same secret again returns a different value.
    updated_at: hasOtherSecrets ? sql<Date>`pacekeeper_now()` : sql<Date>`updated_at`,
    ...(hasOtherSecrets && { revision: sql<number>`revision + 1` }),
  };
}

/**
 * Inserts channels. IDs are reserved first, because sealed values are bound to them.
 *
 * @returns The IDs, in the order of the channels.
 */
export async function insertChannels(
  tx: Tx,
  organizationId: number,
  count: number,
  valuesFor: (id: number, index: number) => ChannelValues,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT nextval(pg_get_serial_sequence('notification_channels', 'id')) AS id
    FROM generate_series(1, ${count}::integer)`.execute(tx);
  const ids = rows.map(({ id }) => id);
  const channels = ids.map((id, index) => {
    const {
      templates,
      sending_hours,
      success_condition,
      keepsPreviousSecret: _,
      ...values
    } = valuesFor(id, index);
    const json = {
      templates: JSON.stringify(templates),
      sending_hours: JSON.stringify(sending_hours),
      success_condition: success_condition && JSON.stringify(success_condition),
    };
    return { organization_id: organizationId, id, ...json, ...values };
  });
  const names = Object.keys(channels[0]!) as (keyof (typeof channels)[number])[];
  const tuples = channels.map((row) => sql`(${sql.join(names.map((name) => row[name]))})`);
  await sql`
    INSERT INTO notification_channels (${sql.join(names.map((name) => sql.ref(name)))})
    OVERRIDING SYSTEM VALUE VALUES ${sql.join(tuples)}`.execute(tx);
  return ids;
}

/** Rules that changed because their channel was deleted. */
export interface AffectedRules {
  changed: number[];
  turnedOff: number[];
}

/**
 * Removes the channel from all notification rules. A rule with only this channel is disabled. It would
 * otherwise send to the default channel, which no one requested. A rule that routes to owners stays enabled,
 * and falls back to the default channel.
 */
export async function removeFromRules(
  tx: Tx,
  organizationId: number,
  channelId: number,
): Promise<AffectedRules> {
  const { rows } = await sql<{ id: number; is_empty: boolean }>`
    WITH locked AS (
      SELECT id, is_active, route_to_owner, array_remove(channel_ids, ${channelId}::bigint) AS rest
      FROM notification_rules
      WHERE organization_id = ${organizationId} AND ${channelId}::bigint = ANY(channel_ids)
      ORDER BY id FOR UPDATE
    ), naming AS (
      SELECT id, is_active, CASE WHEN rest = '{}' AND route_to_owner THEN NULL ELSE rest END AS channel_ids,
        rest = '{}' AND NOT route_to_owner AS is_empty
      FROM locked
    )
    UPDATE notification_rules
    SET channel_ids = naming.channel_ids, updated_at = pacekeeper_now(),
        is_active = naming.is_active AND NOT naming.is_empty,
        inactive_reason = CASE WHEN naming.is_active AND naming.is_empty THEN 'channel_deleted'
          ELSE notification_rules.inactive_reason END
    FROM naming
    WHERE notification_rules.organization_id = ${organizationId} AND notification_rules.id = naming.id
    RETURNING notification_rules.id, naming.is_active AND naming.is_empty AS is_empty`.execute(tx);
  return {
    changed: rows.map((row) => row.id),
    turnedOff: rows.filter((row) => row.is_empty).map((row) => row.id),
  };
}
