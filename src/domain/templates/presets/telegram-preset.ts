import { findOkRejection } from '../../channels/receiver-response.ts';
import { ownValue } from '../../json/own-value.ts';
import { escapeWithin, joinWithin, withoutMentions } from '../clean-text.ts';
import { describeEvent, type MessageLink } from '../event-message.ts';
import type { Preset } from './preset.ts';

/**
 * Maximum length of a message. Telegram's limit is 4,096 characters without markup. Here, the markup is
 * included, so messages are always within Telegram's limit.
 */
const textLimit = 4_096;

/**
 * Uses `sendMessage` with HTML. Links are in the text instead of in buttons, because Telegram rejects the
 * whole message if the URL of a button isn't public (an IP address or a host name without a dot).
 */
export const telegramPreset: Preset = {
  label: 'Telegram',
  about: 'Posts a bot message to a chat, group, or channel.',
  urlLabel: 'Bot URL',
  urlExample: 'https://api.telegram.org/bot<token>/sendMessage',
  steps: [
    'Create a bot with @BotFather (/newbot) and put its token in the URL.',
    'Add the bot to your group or channel.',
    "Send a message there, then find the chat ID with the bot's /getUpdates method.",
  ],
  receiver: 'hosted',
  options: [
    {
      name: 'chat_id',
      label: 'Chat ID',
      description: 'The chat ID, or @name for a public channel.',
      example: '-1001234567890',
      isRequired: true,
      isSecret: false,
      pattern: /^(-?[0-9]{1,19}|@[A-Za-z][A-Za-z0-9_]{3,31})$/,
      expected: 'a number or @name',
    },
    {
      name: 'message_thread_id',
      label: 'Topic ID',
      description: 'If the group uses topics. Leave empty for the main topic.',
      isRequired: false,
      isSecret: false,
      pattern: /^[1-9][0-9]{0,9}$/,
      expected: 'a positive number',
    },
  ],
  findRejection: ({ json }) => findOkRejection(json, ['description']),
  render(event, options) {
    const message = describeEvent(event);
    const thread = options['message_thread_id'];
    const lines = [
      `<b>${escaped(message.title, 800)}</b>`,
      ...message.facts.map(({ label, value }) => `${label}: ${escaped(value, 600)}`),
      ...message.items.map(({ title, links }) => `• ${escaped(title, 600)}${linkText(links.slice(0, 1))}`),
    ];
    const links = linkText(message.links);
    const footer = `\n<i>${escaped(message.footer, 300)}</i>`;
    const text = joinWithin(lines, textLimit - links.length - footer.length) + links + footer;
    return {
      chat_id: options['chat_id'] ?? '',
      ...(thread === undefined ? {} : { message_thread_id: Number(thread) }),
      // Omit the links if the message is too long. Three links of 2,000 characters leave no space for the
      // text.
      text: text.length <= textLimit ? text : joinWithin(lines, textLimit - footer.length) + footer,
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
    };
  },
};

function linkText(links: readonly MessageLink[]): string {
  return links.map(({ label, url }) => ` <a href="${url.replaceAll('&', '&amp;')}">${label}</a>`).join('');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Escapes text and breaks up mentions, because Telegram would notify the owner of `@name` regardless of the
 * markup.
 */
function escaped(text: string, limit: number): string {
  return escapeWithin(
    withoutMentions(text),
    limit,
    (character) => ownValue(entities, character) ?? character,
  );
}
