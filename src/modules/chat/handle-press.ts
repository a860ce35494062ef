import {
  buttonDays,
  type ChatAction,
  type ChatPress,
  type ChatReply,
  snoozeMs,
} from '../../domain/channels/chat-buttons.ts';
import { applyButtonPress } from '../../domain/chat/press-alert.ts';
import { cleanLine } from '../../domain/templates/clean-text.ts';
import { readableTime } from '../../domain/text/readable-time.ts';
import type { Database } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/errors.ts';
import type { SecretBox, TokenSigner } from '../../platform/secrets/index.ts';
import { createChatLink, findChatMember, oneTimeLink, type SingleSignOn } from '../accounts/index.ts';
import { type AlertRow, actOnAlert, findAlert } from '../alerts/index.ts';
import { alertConfigAccess } from '../monitoring/index.ts';
import {
  type ButtonTarget,
  type ChatChannel,
  readButtonToken,
  renderClickedMessage,
} from '../notifications/index.ts';

export interface PressDeps {
  db: Database;
  secretBox: SecretBox;
  acknowledgeSigner: TokenSigner;
  buttonSigner: TokenSigner;
  singleSignOn: Pick<SingleSignOn, 'providers'>;
  baseUrl: string;
}

/**
 * Response to a button press in the chat: the updated message, or a reply that only the person who pressed
 * the button sees.
 */
export type PressResponse = { message: object } | { reply: ChatReply };

/**
 * Performs the action of a button for the member whose chat account pressed it.
 *
 * @param channel the channel of the message; null if it was deleted or its messages no longer have buttons
 * @param target the content of the button's token, which can be expired
 */
export async function handlePress(
  deps: PressDeps,
  press: ChatPress,
  { target, channel, now }: { target: ButtonTarget; channel: ChatChannel | null; now: Date },
): Promise<PressResponse> {
  const { organizationId, alertId } = target;
  const alertUrl = `${deps.baseUrl}/alerts/${alertId}`;
  if (channel === null)
    return reply(
      "The channel of this message was deleted or no longer has buttons in Pacekeeper, so these buttons don't work.",
    );
  if (!readButtonToken(deps.buttonSigner, press.token, now).ok)
    return reply(`Buttons work for ${buttonDays} days. Open the alert in Pacekeeper instead:`, alertUrl);

  const identity = {
    platform: channel.realm.platform,
    realm: channel.realm.id,
    workspaceId: press.workspace.id,
    chatUserId: press.user.id,
  };
  const issuers = deps.singleSignOn.providers.map(({ settings }) => settings.issuer);
  const member = await findChatMember(deps.db, organizationId, identity, issuers);
  if (member === undefined) {
    const names = { workspaceName: press.workspace.name, chatUserName: press.user.name };
    const token = await createChatLink(deps.db, organizationId, { ...identity, ...names });
    return reply('Link your account:', oneTimeLink(deps.baseUrl, '/link-chat-account', token));
  }
  if (member.isCheckDue) return reply('Log in to Pacekeeper, then try again.');
  if (member.isTwoFactorMissing)
    return reply(
      'Your organization requires two-factor authentication. Log in to Pacekeeper and set it up, then try again:',
      deps.baseUrl,
    );
  if (member.role === 'viewer')
    return reply("Your role in Pacekeeper is read-only, so you can't acknowledge or snooze alerts.");

  const actor = { type: 'user', id: member.userId, name: member.name } as const;
  const until = new Date(now.getTime() + snoozeMs);
  const isChanged = await actOnAlert(
    { ...deps, configs: alertConfigAccess },
    organizationId,
    alertId,
    (alert, config) => applyButtonPress(press.action, alert, config, actor, now.getTime()),
    // The configuration's state depends on the snooze, so it must be evaluated when the snooze expires.
    { evaluateAt: press.action === 'snooze' ? until : null },
  ).catch((error: unknown) => {
    if (error instanceof ApiError && (error.code === 'conflict' || error.code === 'not_found')) return null;
    throw error;
  });
  const after = await findAlert(deps.db, organizationId, alertId);
  if (after === undefined) return reply('This alert no longer exists.');
  if (!isChanged) return reply(whyUnchanged(press.action, after, channel.timezone));

  const outcome = outcomeOf(press.action, {
    name: member.name,
    until: readableTime(until.toISOString(), channel.timezone),
  });
  const actions: ChatAction[] =
    press.action === 'snooze' && after.acknowledged_at === null ? ['acknowledge'] : [];
  const message = await renderClickedMessage(deps, channel, target, { outcome, actions });
  return message === null ? reply(`${outcome}.`) : { message };
}

function outcomeOf(action: ChatAction, { name, until }: { name: string; until: string }): string {
  const by = cleanLine(name, 60) || '(no name)';
  return action === 'acknowledge' ? `Acknowledged by ${by}` : `Snoozed until ${until} by ${by}`;
}

function whyUnchanged(action: ChatAction, alert: AlertRow, timezone: string): string {
  if (alert.resolved_at !== null) return 'This alert is already resolved.';
  if (action === 'acknowledge') {
    const by = alert.acknowledged_by_type === 'link' ? null : alert.acknowledged_by_name;
    return `${by === null ? 'Someone' : cleanLine(by, 60)} already acknowledged this alert.`;
  }
  return alert.snoozed_until === null
    ? 'This alert is already snoozed until a version changes.'
    : `This alert is already snoozed until ${readableTime(alert.snoozed_until.toISOString(), timezone)}.`;
}

function reply(text: string, url: string | null = null): PressResponse {
  return { reply: { text, url } };
}
