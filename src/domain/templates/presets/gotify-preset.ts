import { joinWithin, truncate } from '../clean-text.ts';
import { describeEvent, type MessageLevel } from '../event-message.ts';
import type { Preset } from './preset.ts';

/** Maximum lengths in characters. Gotify documents no limits. These keep notifications readable. */
const limits = { title: 250, message: 8_000 };
/** Gotify priorities. From 8 on, the app plays a prominent sound. 0 shows nothing. */
const priorities: Record<MessageLevel, number> = { critical: 8, high: 6, moderate: 5, info: 4, good: 4 };

export const gotifyPreset: Preset = {
  label: 'Gotify',
  about: 'Sends a push notification through your Gotify server.',
  urlLabel: 'Message URL',
  urlExample: 'https://gotify.example.com/message',
  steps: [
    'In Gotify, open "Apps" and create an application.',
    'Enter your server URL with /message, and add the app token as the X-Gotify-Key header.',
  ],
  receiver: 'self_hosted',
  header: 'X-Gotify-Key',
  options: [
    {
      name: 'priority',
      label: 'Priority',
      description:
        'A number from 0 to 10 for every message. Leave empty to set the priority by alert severity.',
      isRequired: false,
      isSecret: false,
      pattern: /^([0-9]|10)$/,
      expected: 'a number from 0 to 10',
    },
  ],
  render(event, options) {
    const message = describeEvent(event);
    const lines = [
      ...message.facts.map(({ label, value }) => `${label}: ${value}`),
      ...message.items.map(({ title }) => `• ${title}`),
    ];
    const links = [...message.links.map(({ label, url }) => `${label}: ${url}`), message.footer].join('\n');
    const [open] = message.links;
    return {
      title: truncate(message.title, limits.title),
      // The message is plain text, so it needs no escaping.
      message: lines.length > 0 ? `${joinWithin(lines, limits.message)}\n${links}` : links,
      priority: Number(options['priority'] ?? priorities[message.level]),
      extras: {
        'client::display': { contentType: 'text/plain' },
        ...(open ? { 'client::notification': { click: { url: open.url } } } : {}),
      },
    };
  },
};
