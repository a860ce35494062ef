import { escapeWithin, joinWithin, truncate, withoutMentions } from '../clean-text.ts';
import { describeEvent, type MessageLevel } from '../event-message.ts';
import type { Preset } from './preset.ts';

/**
 * Maximum lengths in characters. Discord rejects longer embeds. In addition, all texts of a message's embeds together
 * can have at most 6,000 characters.
 */
const limits = {
  title: 256,
  description: 4_096,
  fieldName: 256,
  fieldValue: 1_024,
  footer: 2_048,
  total: 6_000,
};
const colors: Record<MessageLevel, number> = {
  critical: 0xd32f2f,
  high: 0xf57c00,
  moderate: 0xfbc02d,
  info: 0x1976d2,
  good: 0x388e3c,
};

export const discordPreset: Preset = {
  label: 'Discord',
  about: 'Posts an embed to a channel.',
  urlLabel: 'Webhook URL',
  urlExample: 'https://discord.com/api/webhooks/…',
  urlSource: 'The channel settings, under Integrations',
  steps: [
    'In the channel settings, open "Integrations", then "Webhooks".',
    'Select "New Webhook" and copy its URL.',
  ],
  receiver: 'hosted',
  options: [],
  render(event) {
    const message = describeEvent(event);
    const title = escaped(message.title, limits.title);
    // Don't escape the footer. It is the only text in which Discord doesn't parse Markdown, so backslashes
    // would be visible.
    const footer = truncate(withoutMentions(message.footer), 300);
    const links = message.links.map(({ label, url }) => `[${label}](${url})`).join(' · ');
    const fields = message.facts.map(({ label, value }) => ({
      name: label,
      value: escaped(value, 500),
      inline: value.length <= 40,
    }));
    const spent =
      title.length +
      footer.length +
      fields.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
    const lines = message.items.map((item) => itemLine(item.title, item.links[0]?.url));
    const room = Math.min(limits.description, limits.total - spent);
    const description = lines.length > 0 ? joinWithin(lines, room) : links.length <= room ? links : '';
    const [open] = message.links;
    const embed = {
      title,
      color: colors[message.level],
      timestamp: message.timestamp,
      footer: { text: footer },
      fields,
      ...(description === '' ? {} : { description }),
      ...(open ? { url: open.url } : {}),
    };
    return { embeds: [embed], allowed_mentions: { parse: [] } };
  },
};

function itemLine(title: string, url: string | undefined): string {
  const text = escaped(title, 400);
  return url === undefined ? `- ${text}` : `- [${text}](${url})`;
}

/**
 * Escapes punctuation. Discord supports a backslash before any punctuation mark. `<` begins mentions, and `:`
 * begins links and emoji.
 */
function escaped(text: string, limit: number): string {
  return escapeWithin(withoutMentions(text), limit, (character) =>
    /[\\*_~`|<>[\]()#:-]/.test(character) ? `\\${character}` : character,
  );
}
