import { rejection } from '../../channels/receiver-response.ts';
import { omittedCountText, truncate } from '../clean-text.ts';
import { describeEvent, type EventMessage, type MessageLevel } from '../event-message.ts';
import type { Preset } from './preset.ts';

/**
 * Maximum length of a body in characters. Teams accepts messages of about 28 KB and counts two bytes per character. The
 * rest is reserved for data that the workflow adds.
 */
const lengthLimit = 13_000;
const colors: Record<MessageLevel, string> = {
  critical: 'Attention',
  high: 'Warning',
  moderate: 'Warning',
  info: 'Accent',
  good: 'Good',
};

/**
 * Creates an Adaptive Card for a Workflows webhook. Teams parses Markdown in text blocks and facts, but not
 * in text runs, so names are only in text runs. A mention requires an entity, and the card has none.
 */
export const teamsPreset: Preset = {
  label: 'Microsoft Teams',
  about: 'Posts an Adaptive Card to a channel or chat.',
  urlLabel: 'Workflow URL',
  urlExample: 'https://….logic.azure.com/workflows/…',
  urlSource: 'A workflow that starts when a webhook request is received',
  steps: [
    'In Teams, open the channel menu and select "Workflows".',
    'Use the "Post to a channel when a webhook request is received" template.',
    'Copy the URL from the last step.',
  ],
  receiver: 'hosted',
  options: [],
  // Connectors and some workflows report errors of Teams as text: "Microsoft Teams endpoint returned HTTP error 429".
  findRejection: ({ text }) => (/\b(?:failed|error)\b/iu.test(text) ? rejection(text) : null),
  render(event) {
    const message = describeEvent(event);
    for (let shown = Math.min(message.items.length, 100); ; shown = Math.floor(shown / 2)) {
      const body = asMessage(message, shown);
      if (shown === 0 || JSON.stringify(body).length <= lengthLimit) return body;
    }
  },
};

function asMessage(message: EventMessage, shownItems: number): object {
  const left = message.items.length - shownItems;
  const lines = [
    ...message.facts.map(({ label, value }) => richText([bold(`${label}: `), run(value)])),
    ...message.items.slice(0, shownItems).map((item) => richText([run(item.title)])),
    ...(left > 0 ? [richText([run(omittedCountText(left))])] : []),
  ];
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      richText([{ ...bold(message.title), size: 'Large', color: colors[message.level] }]),
      ...lines,
      richText([{ ...run(`${message.footer} · ${message.time}`), isSubtle: true, size: 'Small' }]),
    ],
    actions: message.links.map(({ label, url }) => ({ type: 'Action.OpenUrl', title: label, url })),
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}

function richText(inlines: object[]): object {
  return { type: 'RichTextBlock', inlines };
}

function run(text: string): object {
  // Break up mention tags even though the card has no entities, because a workflow can copy the text to
  // another place.
  return { type: 'TextRun', text: truncate(text, 600).replace(/<(?=\/?at\b)/gi, '<\u200b') };
}

function bold(text: string): object {
  return { ...run(text), weight: 'Bolder' };
}
