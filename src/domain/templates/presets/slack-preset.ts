import { type ChatButtons, type ChatReply, chatActionLabels } from '../../channels/chat-buttons.ts';
import { findOkRejection } from '../../channels/receiver-response.ts';
import { ownValue } from '../../json/own-value.ts';
import { escapeWithin, omittedCountText, withoutMentions } from '../clean-text.ts';
import { describeEvent, type EventMessage } from '../event-message.ts';
import type { Preset } from './preset.ts';

/**
 * Slack's limits: blocks of a message, characters of a header and of a section text, and fields of a section.
 * Slack rejects messages that exceed them. A field can have 2,000 characters, but all texts of a message
 * together must stay below about 12,000. Each block adds about 125 to that total
 * (https://github.com/slackapi/bolt-js/issues/2509).
 */
const limits = { digestSections: 40, header: 150, section: 3_000, field: 700, fields: 10, fallback: 3_000 };
const digestLength = 9_000;
const blockLength = 125;

/** Uses Block Kit. Names are only in `plain_text`, so none of their characters is parsed as formatting. */
export const slackPreset: Preset = {
  label: 'Slack',
  about: 'Posts a message with buttons to a channel.',
  urlLabel: 'Webhook URL',
  urlExample: 'https://hooks.slack.com/services/T…/B…/…',
  urlSource: 'An incoming webhook of a Slack app',
  steps: [
    'Go to api.slack.com/apps and open your app, or create one.',
    'Open "Incoming Webhooks", enable the feature, and select "Add New Webhook to Workspace".',
    'Select a channel and copy the webhook URL.',
    'For Acknowledge and Snooze buttons, also copy "Signing Secret" from "Basic Information".',
  ],
  receiver: 'hosted',
  options: [
    {
      name: 'slack_signing_secret',
      label: 'Slack signing secret',
      description:
        'Adds Acknowledge and Snooze buttons. Save the channel, then paste its interactivity URL into the Slack app. Leave empty for no buttons.',
      isRequired: false,
      isSecret: true,
      isSent: false,
      pattern: /^[0-9a-f]{32}$/,
      expected: '32 lowercase hexadecimal digits',
    },
  ],
  findRejection: ({ json }) => findOkRejection(json, ['error', 'msg', 'detail']),
  render(event, _options, buttons) {
    const message = describeEvent(event);
    return {
      text: escaped(message.title, limits.fallback),
      unfurl_links: false,
      unfurl_media: false,
      blocks: [
        { type: 'header', text: plain(message.title, limits.header) },
        ...bodyBlocks(message, buttons ?? null),
        footer(message),
      ],
    };
  },
};

function bodyBlocks(message: EventMessage, buttons: ChatButtons | null): object[] {
  if (message.items.length > 0) return digestBlocks(message.items);
  const fields = message.facts
    .slice(0, limits.fields)
    .map(({ label, value }) => plain(`${label}: ${value}`, limits.field));
  const links = message.links
    .filter(({ label }) => buttons === null || label !== 'Acknowledge')
    .map(({ label, url }) => ({
      type: 'button',
      action_id: label.toLowerCase(),
      text: plain(label, 75),
      url,
    }));
  const elements = [...actionButtons(buttons), ...links];
  return [
    // The header truncates long titles, so a section contains the full title.
    ...(message.title.length > limits.header
      ? [{ type: 'section', text: plain(message.title, limits.section) }]
      : []),
    ...(fields.length > 0 ? [{ type: 'section', fields }] : []),
    ...(buttons?.outcome == null ? [] : [{ type: 'section', text: plain(buttons.outcome, limits.section) }]),
    ...(elements.length > 0
      ? [{ type: 'actions', ...(buttons && { block_id: 'pacekeeper' }), elements }]
      : []),
  ];
}

function actionButtons(buttons: ChatButtons | null): object[] {
  return (buttons?.actions ?? []).map((action) => ({
    type: 'button',
    action_id: `pacekeeper_${action}`,
    text: plain(chatActionLabels[action], 75),
    value: buttons?.token,
  }));
}

function digestBlocks(items: readonly EventMessage[]): object[] {
  const shown: object[] = [];
  let length = 0;
  for (const item of items.slice(0, limits.digestSections)) {
    const text = plain(item.title, limits.section);
    const [link] = item.links;
    length += text.text.length + (link?.url.length ?? 0) + blockLength;
    if (length > digestLength) break;
    const accessory = link && {
      type: 'button',
      action_id: 'open',
      text: plain(link.label, 75),
      url: link.url,
    };
    shown.push({ type: 'section', text, ...(accessory ? { accessory } : {}) });
  }
  const left = items.length - shown.length;
  return left > 0
    ? [...shown, { type: 'section', text: plain(omittedCountText(left), limits.section) }]
    : shown;
}

function footer(message: EventMessage): object {
  return {
    type: 'context',
    elements: [plain(`${message.footer} · ${message.time}`, limits.section)],
  };
}

function plain(text: string, limit: number): { type: 'plain_text'; emoji: false; text: string } {
  return { type: 'plain_text', emoji: false, text: escaped(text, limit) };
}

/**
 * Formats a reply that only the person who clicked a button sees. The reply is text with markup, in which a
 * URL is a link.
 */
export function slackReply({ text, url }: ChatReply): string {
  const shown = escaped(text, limits.section);
  return url === null ? shown : `${shown} <${url}>`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Escapes text. `<!channel>` and `<@U…>` begin with an escaped character. `@here` is also broken up as a
 * precaution.
 */
function escaped(text: string, limit: number): string {
  return escapeWithin(
    withoutMentions(text),
    limit,
    (character) => ownValue(entities, character) ?? character,
  );
}
