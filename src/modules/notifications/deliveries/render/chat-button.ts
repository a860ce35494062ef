import { createHash } from 'node:crypto';
import { originOf } from '../../../../domain/channels/channel-target.ts';
import {
  buttonDays,
  type ChatButtons,
  type ChatPlatform,
  chatActions,
} from '../../../../domain/chat/chat-buttons.ts';
import type { EventData } from '../../../../domain/routing/notification-event.ts';
import type { PresetId } from '../../../../domain/templates/presets.ts';
import type { TokenSigner } from '../../../../platform/secrets/index.ts';
import type { ChannelSecrets } from '../secrets/channel-secrets.ts';

/** The message that a button is in. */
export interface ButtonTarget {
  organizationId: number;
  channelId: number;
  alertId: number;
  eventId: string;
  /** The realm of the channel when the message was written, in base64url. */
  realm: string;
}

/**
 * The token of the buttons of a message: for seven days from its event.
 * @param signer for the purpose `chat-button`
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

/** Whoever vouches for who pressed a button in messages of a channel. */
export interface ChatRealm {
  platform: ChatPlatform;
  /**
   * At Slack the same for all channels with one signing secret. Mattermost signs nothing: only the server that a channel
   * sends to knows its tokens, so that each channel is a realm, and another server is another one.
   */
  id: Buffer;
}

/** @returns null for a channel whose messages have no buttons */
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

/** The buttons of a new message; null if there is nothing to acknowledge, or no one to vouch for who presses. */
export function buttonsOf(
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
