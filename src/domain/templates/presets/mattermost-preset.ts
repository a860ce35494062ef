import { type ChatButtons, type ChatReply, chatActionLabels } from '../../channels/chat-buttons.ts';
import { ownValue } from '../../json/own-value.ts';
import { withoutTrailing } from '../../text/trailing.ts';
import { escapeWithin, joinWithin, withoutMentions } from '../clean-text.ts';
import { describeEvent, type EventMessage, type MessageLevel } from '../event-message.ts';
import type { Preset } from './preset.ts';

/**
 * Maximum length of a text. A post can have 16,383 characters, but older versions allow only a few thousand in
 * attachments.
 */
const textLimit = 7_000;
const colors: Record<MessageLevel, string> = {
  critical: '#d32f2f',
  high: '#f57c00',
  moderate: '#fbc02d',
  info: '#1976d2',
  good: '#388e3c',
};

export const mattermostPreset: Preset = {
  label: 'Mattermost',
  about: 'Posts a message with an attachment to a channel.',
  urlLabel: 'Webhook URL',
  urlExample: 'https://chat.example.com/hooks/…',
  urlSource: 'An incoming webhook',
  steps: [
    'In the product menu, open "Integrations", then "Incoming Webhooks".',
    'Add a webhook, select a channel, and copy its URL.',
  ],
  receiver: 'self_hosted',
  options: [
    {
      name: 'buttons_url',
      label: 'Pacekeeper URL for buttons',
      description:
        'Adds Acknowledge and Snooze buttons. Enter the URL at which your Mattermost server reaches Pacekeeper. Leave empty for no buttons.',
      example: 'https://pacekeeper.example.com',
      isRequired: false,
      isSecret: false,
      isSent: false,
      pattern: /^https?:\/\/[^\s"'<>\\?#@]{1,500}$/,
      expected: 'an http:// or https:// URL without a query',
    },
  ],
  render(event, options, buttons = null) {
    const message = describeEvent(event);
    return {
      text: escaped(message.title, 1_000),
      attachments: [
        {
          fallback: withoutAngleBrackets(message.title),
          color: colors[message.level],
          text: bodyText(message, buttons),
          fields: message.facts.slice(0, 10).map(({ label, value }) => ({
            short: value.length <= 40,
            title: label,
            value: escaped(value, 600),
          })),
          footer: withoutAngleBrackets(message.footer),
          ...(buttons !== null && { actions: actionsOf(buttons, options['buttons_url'] ?? '') }),
        },
      ],
    };
  },
};

function bodyText(message: EventMessage, buttons: ChatButtons | null): string {
  if (message.items.length === 0) {
    const links = message.links
      .filter(({ label }) => buttons === null || label !== 'Acknowledge')
      .map(({ label, url }) => `[${label}](${url})`)
      .join(' · ');
    return buttons?.outcome == null ? links : `${escaped(buttons.outcome, 600)}\n${links}`;
  }
  const lines = message.items.map(({ title, links: [link] }) => {
    const text = escaped(title, 600);
    return link === undefined ? `- ${text}` : `- ${text} ([${link.label}](${link.url}))`;
  });
  return joinWithin(lines, textLimit);
}

/**
 * Creates buttons. Their IDs can contain only letters and digits.
 *
 * @see https://developers.mattermost.com/integrate/plugins/interactive-messages/
 */
function actionsOf({ token, actions }: ChatButtons, buttonsUrl: string): object[] {
  return actions.map((action) => ({
    id: action,
    type: 'button',
    name: chatActionLabels[action],
    integration: { url: mattermostUrl(buttonsUrl), context: { action, token } },
  }));
}

function mattermostUrl(buttonsUrl: string): string {
  return `${withoutTrailing(buttonsUrl, '/')}/chat/mattermost`;
}

/** Formats a reply that only the person who clicked a button sees. */
export function mattermostReply({ text, url }: ChatReply): string {
  const shown = escaped(text, textLimit);
  return url === null ? shown : `${shown} ${url}`;
}

/**
 * Entities for angle brackets. Before it parses Markdown, Mattermost converts Slack's `<!channel>` to a
 * mention, wherever it is. A backslash doesn't prevent that.
 */
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escaped(text: string, limit: number): string {
  return escapeWithin(
    withoutMentions(text),
    limit,
    (character) =>
      ownValue(entities, character) ??
      (/[\\`*_{}[\]()#+\-.!|~]/.test(character) ? `\\${character}` : character),
  );
}

/**
 * Replaces angle brackets with similar characters in fields without markup, where entities would be visible.
 */
function withoutAngleBrackets(text: string): string {
  return withoutMentions(text).replaceAll('<', '‹').replaceAll('>', '›');
}
