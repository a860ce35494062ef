import type { Schemas } from '../../../../src/generated/client-api.ts';

export type Preset = Schemas['NotificationPreset'];

export interface PresetOptionGuide {
  name: string;
  label: string;
  description: string;
  placeholder: string;
  isRequired: boolean;
  isSecret: boolean;
}

/** How a person sets a channel to a platform up. What the options may hold, the server says. */
export interface PresetGuide {
  /** Which message it sends, in a few words. */
  about: string;
  /** What the address is called there. */
  urlLabel: string;
  urlPlaceholder: string;
  /** Where the address is the same for everybody. */
  urlDefault?: string;
  /** Where to find what is asked for, step by step. */
  steps: readonly string[];
  options: readonly PresetOptionGuide[];
  /** A header that the platform wants a secret in. */
  header?: string;
}

export const presetGuides: Readonly<Record<Preset, PresetGuide>> = {
  generic: {
    about: 'JSON to any program; you may write the message yourself.',
    urlLabel: 'Address',
    urlPlaceholder: 'https://hooks.example.com/pacekeeper',
    steps: [
      'Give the address of a program that takes a POST with JSON and answers 2xx.',
      'A signing secret lets it check that a message is from here (Standard Webhooks).',
    ],
    options: [],
  },
  slack: {
    about: 'A message with buttons in one channel.',
    urlLabel: 'Webhook URL',
    urlPlaceholder: 'https://hooks.slack.com/services/T…/B…/…',
    steps: [
      'At api.slack.com/apps open your app, or create one from scratch.',
      'Under “Incoming Webhooks” turn them on and choose “Add New Webhook to Workspace”.',
      'Choose the channel and copy the webhook URL.',
    ],
    options: [],
  },
  discord: {
    about: 'An embed in one channel.',
    urlLabel: 'Webhook URL',
    urlPlaceholder: 'https://discord.com/api/webhooks/…',
    steps: [
      'Open the settings of the channel, then “Integrations” and “Webhooks”.',
      'Choose “New Webhook” and copy its URL.',
    ],
    options: [],
  },
  teams: {
    about: 'An adaptive card in a channel or chat.',
    urlLabel: 'Workflow URL',
    urlPlaceholder: 'https://….logic.azure.com/workflows/…',
    steps: [
      'In Teams open the menu of the channel and choose “Workflows”.',
      'Take the template that posts to a channel when a webhook request is received.',
      'Copy the URL that it shows at the end.',
    ],
    options: [],
  },
  pagerduty: {
    about: 'Incidents that open, are acknowledged and resolve with their alert.',
    urlLabel: 'Events API address',
    urlPlaceholder: 'https://events.pagerduty.com/v2/enqueue',
    urlDefault: 'https://events.pagerduty.com/v2/enqueue',
    steps: [
      'Open the service, then “Integrations”, and add “Events API V2”.',
      'Copy its integration key. Accounts in the EU use https://events.eu.pagerduty.com/v2/enqueue.',
    ],
    options: [
      {
        name: 'routing_key',
        label: 'Integration key',
        description: '32 letters and digits.',
        placeholder: 'R0…',
        isRequired: true,
        isSecret: true,
      },
    ],
  },
  telegram: {
    about: 'A message of a bot to a chat, group or channel.',
    urlLabel: 'Bot address',
    urlPlaceholder: 'https://api.telegram.org/bot<token>/sendMessage',
    steps: [
      'Ask @BotFather for a bot with /newbot and put its token into the address.',
      'Add the bot to the group or channel.',
      'The chat id stands at /getUpdates of the bot once somebody has written there.',
    ],
    options: [
      {
        name: 'chat_id',
        label: 'Chat',
        description: 'The id of the chat, or @name of a public channel.',
        placeholder: '-1001234567890',
        isRequired: true,
        isSecret: false,
      },
      {
        name: 'message_thread_id',
        label: 'Topic',
        description: 'The id of a topic, where the group has topics.',
        placeholder: 'none',
        isRequired: false,
        isSecret: false,
      },
    ],
  },
  mattermost: {
    about: 'A message with an attachment in one channel.',
    urlLabel: 'Webhook URL',
    urlPlaceholder: 'https://chat.example.com/hooks/…',
    steps: [
      'Open “Integrations” in the product menu, then “Incoming Webhooks”.',
      'Add one, choose the channel and copy its URL.',
    ],
    options: [],
  },
  gotify: {
    about: 'A push message by your own Gotify server.',
    urlLabel: 'Message address',
    urlPlaceholder: 'https://gotify.example.com/message',
    steps: [
      'In Gotify open “Apps” and create an application.',
      'Give the address of the server with /message, and the token of the application as the header X-Gotify-Key.',
    ],
    options: [
      {
        name: 'priority',
        label: 'Priority',
        description: '0 to 10 for every message. Without it the severity decides.',
        placeholder: 'by severity',
        isRequired: false,
        isSecret: false,
      },
    ],
    header: 'X-Gotify-Key',
  },
  ntfy: {
    about: 'A push message to whoever follows a topic.',
    urlLabel: 'Server',
    urlPlaceholder: 'https://ntfy.sh',
    urlDefault: 'https://ntfy.sh',
    steps: [
      'Give the root of the server, without the topic.',
      'Choose a topic that nobody guesses, and subscribe to it in the app.',
    ],
    options: [
      {
        name: 'topic',
        label: 'Topic',
        description: 'At most 64 letters, digits, - and _. Who knows it can read it.',
        placeholder: 'acme-updates-8f3k2',
        isRequired: true,
        isSecret: true,
      },
    ],
  },
};
