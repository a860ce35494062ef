import { sql } from 'kysely';
import type { ChatAction, ChatButtons } from '../../../../domain/channels/chat-buttons.ts';
import { type PresetId, renderPreset } from '../../../../domain/templates/presets.ts';
import type { Database } from '../../../../platform/database/index.ts';
import type { SecretBox, TokenSigner } from '../../../../platform/secrets/index.ts';
import { readNotesOfAlerts } from '../../../notes/index.ts';
import { toEventData } from '../model/event-data.ts';
import type { StoredEvent } from '../model/stored-events.ts';
import {
  type ChannelSecrets,
  type SealedChannel,
  tryUnsealChannelSecrets,
} from '../secrets/channel-secrets.ts';
import { type ButtonTarget, type ChatRealm, chatRealm, makeButtonToken } from './chat-button.ts';
import { versionsOf } from './delivery-notes.ts';

/** A channel whose messages have buttons. */
export interface ChatChannel {
  organizationId: number;
  id: number;
  preset: PresetId;
  /** Time zone in which messages show times. */
  timezone: string;
  secrets: ChannelSecrets;
  realm: ChatRealm;
}

interface ChannelRow extends SealedChannel {
  organization_id: number;
  id: number;
  preset: PresetId;
  timezone: string;
}

const columns = sql`c.organization_id, c.id, c.preset, c.timezone, c.url_sealed, c.preset_options_sealed, c.headers_sealed,
  c.signing_secret_sealed, c.previous_signing_secret_sealed, c.closing_path_sealed, c.tracker_sealed`;

/**
 * Returns the channel with this Slack interactivity ID, and the current time. The channel is `null` if it
 * doesn't exist or has no signing secret.
 */
export async function findSlackChannelAcrossOrganizations(
  db: Database,
  secretBox: SecretBox,
  interactivityId: string,
): Promise<{ channel: ChatChannel | null; now: Date }> {
  const { rows } = await sql<{ now: Date } & (ChannelRow | { id: null })>`
    SELECT pacekeeper_now() AS now, ${columns}
    FROM (VALUES (1)) AS one LEFT JOIN notification_channels c ON c.interactivity_id = ${interactivityId}`.execute(
    db,
  );
  const { now, ...row } = rows[0]!;
  const channel = row.id === null ? null : toChatChannel(secretBox, row);
  return { now, channel: channel?.realm.platform === 'slack' ? channel : null };
}

/**
 * Returns the channel of a message, and the current time. The channel is `null` if it was deleted or its
 * messages no longer have buttons.
 */
export async function findChatChannel(
  db: Database,
  secretBox: SecretBox,
  organizationId: number,
  id: number,
): Promise<{ channel: ChatChannel | null; now: Date }> {
  const { rows } = await sql<{ now: Date } & (ChannelRow | { id: null })>`
    SELECT pacekeeper_now() AS now, ${columns}
    FROM (VALUES (1)) AS one
    LEFT JOIN notification_channels c ON c.organization_id = ${organizationId} AND c.id = ${id}`.execute(db);
  const { now, ...row } = rows[0]!;
  return { now, channel: row.id === null ? null : toChatChannel(secretBox, row) };
}

function toChatChannel(secretBox: SecretBox, row: ChannelRow): ChatChannel | null {
  const { organization_id: organizationId, id, preset, timezone } = row;
  const secrets = tryUnsealChannelSecrets(secretBox, organizationId, id, row);
  const realm = secrets && chatRealm(id, preset, secrets);
  return realm && { organizationId, id, preset, timezone, secrets, realm };
}

/**
 * Renders a message after one of its buttons was clicked, in the format of its preset.
 * @returns `null` if the event is no longer stored.
 */
export async function renderClickedMessage(
  {
    db,
    ...tools
  }: { db: Database; acknowledgeSigner: TokenSigner; buttonSigner: TokenSigner; baseUrl: string },
  { preset, timezone, secrets, realm }: ChatChannel,
  target: ButtonTarget,
  { outcome, actions }: { outcome: string; actions: readonly ChatAction[] },
): Promise<object | null> {
  const { organizationId, channelId, alertId, eventId } = target;
  const { rows } = await sql<StoredEvent & { organizationName: string }>`
    SELECT o.name AS "organizationName", e.event_id AS "eventId", e.event_type AS "eventType", e.sequence,
      e.alert_id AS "alertId", e.created_at AS at, e.data
    FROM audit_entries e JOIN organizations o ON o.id = e.organization_id
    WHERE e.organization_id = ${organizationId} AND e.event_id = ${eventId}::uuid AND e.alert_id = ${alertId}`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { organizationName, ...event } = row;
  const notes = await readNotesOfAlerts(db, organizationId, versionsOf(event));
  // Tokens are valid from the time of the event, so a click doesn't extend the validity of links or buttons.
  const sentAt = event.at;
  const data = toEventData(event, {
    organizationId,
    organizationName,
    channelId,
    timezone,
    sentAt,
    notes,
    ...tools,
  });
  const token = makeButtonToken(
    tools.buttonSigner,
    { ...target, realm: realm.id.toString('base64url') },
    sentAt,
  );
  const buttons: ChatButtons = { token, actions, outcome };
  return JSON.parse(renderPreset(preset, data, secrets.presetOptions, buttons)) as object;
}
