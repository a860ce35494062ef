import { joinWithin, truncate } from '../clean-text.ts';
import { describeEvent, type MessageLevel } from '../event-message.ts';
import { utf8Length } from '../utf8-length.ts';
import type { Preset } from './preset.ts';

/**
 * Message limits. ntfy converts messages above 4,096 bytes to attachments, and allows at most three buttons.
 */
const limits = { title: 250, messageBytes: 4_000, actions: 3 };
/** ntfy priorities. 5 is the highest and 3 is the default. */
const priorities: Record<MessageLevel, number> = { critical: 5, high: 4, moderate: 3, info: 3, good: 2 };
const tags: Record<MessageLevel, string> = {
  critical: 'rotating_light',
  high: 'warning',
  moderate: 'warning',
  info: 'information_source',
  good: 'white_check_mark',
};

/**
 * Publishes messages as JSON in plain text, without the `markdown` option. Message content is never in
 * headers, so headers can't be forged.
 */
export const ntfyPreset: Preset = {
  label: 'ntfy',
  about: "Sends a push notification to a topic's subscribers.",
  urlLabel: 'Server URL',
  urlExample: 'https://ntfy.sh',
  urlDefault: 'https://ntfy.sh',
  steps: [
    'Enter the server URL without the topic.',
    'Choose a hard-to-guess topic and subscribe to it in the app.',
  ],
  receiver: 'self_hosted',
  options: [
    {
      name: 'topic',
      label: 'Topic',
      description: 'Up to 64 letters, digits, - and _. Anyone who knows the topic can read it.',
      example: 'acme-updates-8f3k2',
      isRequired: true,
      isSecret: true,
      pattern: /^[-_A-Za-z0-9]{1,64}$/,
      expected: 'up to 64 letters, digits, -, and _',
    },
  ],
  render(event, options) {
    const message = describeEvent(event);
    const [open] = message.links;
    const lines = [
      ...message.facts.map(({ label, value }) => `${label}: ${value}`),
      ...message.items.map(({ title }) => `• ${title}`),
      message.footer,
    ];
    return {
      topic: options['topic'] ?? '',
      title: truncate(message.title, limits.title),
      message: joinWithin(lines, limits.messageBytes, utf8Length),
      priority: priorities[message.level],
      tags: [tags[message.level]],
      ...(open ? { click: open.url } : {}),
      actions: message.links
        .slice(0, limits.actions)
        .map(({ label, url }) => ({ action: 'view', label, url })),
    };
  },
};
