import { createHash } from 'node:crypto';
import { originOf } from '../../../../domain/channels/channel-target.ts';
import {
  buttonDays,
  type ChatButtons,
  type ChatPlatform,
  chatActions,
} from '../../../../domain/channels/chat-buttons.ts';
import type { EventData } from '../../../../domain/routing/notification-event.ts';
import type { PresetId } from '../../../../domain/templates/presets.ts';
import type { TokenSigner } from '../../../../platform/secrets/index.ts';
import type { ChannelSecrets } from '../secrets/channel-secrets.ts';

/** The message that contains a button. */
export interface ButtonTarget {
  organizationId: number;
  channelId: number;
  alertId: number;
  eventId: string;
  /** The channel's realm when the message was created, in base64url. */
  realm: string;
}

/**
 * Creates the token of the buttons in a message, valid for seven days after its event.
 * @param signer Signer for the purpose `chat-button`.
 */
export function makeButtonToken(signer: TokenSigner, target: ButtonTarget, eventAt: Date): string {
  const { organizationId: o, channelId: c, alertId: a, eventId: e, realm: r } = target;
  return signer.sign({ o, c, a, e, r }, new Date(eventAt.getTime() + buttonDays * 86_400_000));
}

export function readButtonToken(
  signer: TokenSigner,
  token: string,
  now: Date,
): { ok: true; target: ButtonTarget } | { ok: false; reason: 'invalid' | 'expired' } {
  const result = signer.verify(token, now);
  if (!result.ok) return { ok: false, reason: result.reason === 'expired' ? 'expired' : 'invalid' };
  const { o, c, a, e, r } = result.claims;
  if (typeof o !== 'number' || typeof c !== 'number' || typeof a !== 'number')
    return { ok: false, reason: 'invalid' };
  if (typeof e !== 'string' || typeof r !== 'string') return { ok: false, reason: 'invalid' };
  return { ok: true, target: { organizationId: o, channelId: c, alertId: a, eventId: e, realm: r } };
}

/** The authority that verifies who clicked a button in the messages of a channel. */
export interface ChatRealm {
  platform: ChatPlatform;
  /**
   * Slack channels with the same signing secret are one realm and share an ID. Mattermost doesn't sign
   * clicks, so only the token in the message verifies a click, and only the channel's Mattermost server has
   * this token. Each Mattermost channel is therefore a separate realm, and changing its server changes the
   * ID.
   */
  id: Buffer;
}

/** @returns `null` for a channel whose messages have no buttons. */
export function chatRealm(
  channelId: number,
  preset: PresetId,
  { url, presetOptions }: Pick<ChannelSecrets, 'url' | 'presetOptions'>,
): ChatRealm | null {
  const { slack_signing_secret: secret, buttons_url: buttonsUrl } = presetOptions;
  if (preset === 'slack' && secret !== undefined) return { platform: 'slack', id: digest(['slack', secret]) };
  if (preset === 'mattermost' && buttonsUrl !== undefined)
    return { platform: 'mattermost', id: digest(['mattermost', channelId, originOf(url), buttonsUrl]) };
  return null;
}

/**
 * Returns the buttons of a new message. `null` if the alert can't be acknowledged or the channel can't verify
 * who clicks.
 */
export function createChatButtons(
  signer: TokenSigner,
  event: EventData,
  message: { organizationId: number; channelId: number; realm: ChatRealm | null; eventAt: Date },
): ChatButtons | null {
  const { organizationId, channelId, realm, eventAt } = message;
  if (realm === null || event.event === 'digest' || event.acknowledge_url === null) return null;
  if (!('alert' in event)) return null;
  const ids = { organizationId, channelId, alertId: event.alert.id, eventId: event.event_id };
  const token = makeButtonToken(signer, { ...ids, realm: realm.id.toString('base64url') }, eventAt);
  return { token, actions: chatActions, outcome: null };
}

function digest(parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16);
}
