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
    about: 'Sends JSON to any URL. You can customize the message.',
    urlLabel: 'URL',
    urlPlaceholder: 'https://hooks.example.com/pacekeeper',
    steps: [
      'Enter a URL that accepts JSON POST requests and responds with 2xx.',
      'Under Advanced options, add a signing secret so your receiver can verify messages (Standard Webhooks).',
    ],
    options: [],
  },
  slack: {
    about: 'Posts a message with buttons to a channel.',
    urlLabel: 'Webhook URL',
    urlPlaceholder: 'https://hooks.slack.com/services/T…/B…/…',
    steps: [
      'Go to api.slack.com/apps and open your app, or create one.',
      'Open “Incoming Webhooks”, enable the feature, and select “Add New Webhook to Workspace”.',
      'Select a channel and copy the webhook URL.',
    ],
    options: [],
  },
  discord: {
    about: 'Posts an embed to a channel.',
    urlLabel: 'Webhook URL',
    urlPlaceholder: 'https://discord.com/api/webhooks/…',
    steps: [
      'In the channel settings, open “Integrations”, then “Webhooks”.',
      'Select “New Webhook” and copy its URL.',
    ],
    options: [],
  },
  teams: {
    about: 'Posts an Adaptive Card to a channel or chat.',
    urlLabel: 'Workflow URL',
    urlPlaceholder: 'https://….logic.azure.com/workflows/…',
    steps: [
      'In Teams, open the channel menu and select “Workflows”.',
      'Use the “Post to a channel when a webhook request is received” template.',
      'Copy the URL from the last step.',
    ],
    options: [],
  },
  pagerduty: {
    about: 'Opens, acknowledges, and resolves incidents along with alerts.',
    urlLabel: 'Events API URL',
    urlPlaceholder: 'https://events.pagerduty.com/v2/enqueue',
    urlDefault: 'https://events.pagerduty.com/v2/enqueue',
    steps: [
      'In the service, open “Integrations” and add “Events API V2”.',
      'Copy the integration key. EU accounts use https://events.eu.pagerduty.com/v2/enqueue.',
    ],
    options: [
      {
        name: 'routing_key',
        label: 'Integration key',
        description: '32 alphanumeric characters.',
        placeholder: 'R0…',
        isRequired: true,
        isSecret: true,
      },
    ],
  },
  telegram: {
    about: 'Posts a bot message to a chat, group, or channel.',
    urlLabel: 'Bot URL',
    urlPlaceholder: 'https://api.telegram.org/bot<token>/sendMessage',
    steps: [
      'Create a bot with @BotFather (/newbot) and put its token in the URL.',
      'Add the bot to your group or channel.',
      "Send a message there, then find the chat ID with the bot's /getUpdates method.",
    ],
    options: [
      {
        name: 'chat_id',
        label: 'Chat ID',
        description: 'The chat ID, or @name for a public channel.',
        placeholder: '-1001234567890',
        isRequired: true,
        isSecret: false,
      },
      {
        name: 'message_thread_id',
        label: 'Topic ID',
        description: 'Optional. The topic ID if the group uses topics.',
        placeholder: 'none',
        isRequired: false,
        isSecret: false,
      },
    ],
  },
  mattermost: {
    about: 'Posts a message with an attachment to a channel.',
    urlLabel: 'Webhook URL',
    urlPlaceholder: 'https://chat.example.com/hooks/…',
    steps: [
      'In the product menu, open “Integrations”, then “Incoming Webhooks”.',
      'Add a webhook, select a channel, and copy its URL.',
    ],
    options: [],
  },
  gotify: {
    about: 'Sends a push notification through your Gotify server.',
    urlLabel: 'Message URL',
    urlPlaceholder: 'https://gotify.example.com/message',
    steps: [
      'In Gotify, open “Apps” and create an application.',
      'Enter your server URL with /message, and add the app token as the X-Gotify-Key header.',
    ],
    options: [
      {
        name: 'priority',
        label: 'Priority',
        description:
          'A number from 0 to 10 for every message. Leave empty to set the priority by alert severity.',
        placeholder: 'by severity',
        isRequired: false,
        isSecret: false,
      },
    ],
    header: 'X-Gotify-Key',
  },
  ntfy: {
    about: "Sends a push notification to a topic's subscribers.",
    urlLabel: 'Server URL',
    urlPlaceholder: 'https://ntfy.sh',
    urlDefault: 'https://ntfy.sh',
    steps: [
      'Enter the server URL without the topic.',
      'Choose a hard-to-guess topic and subscribe to it in the app.',
    ],
    options: [
      {
        name: 'topic',
        label: 'Topic',
        description: 'Up to 64 letters, digits, - and _. Anyone who knows the topic can read it.',
        placeholder: 'acme-updates-8f3k2',
        isRequired: true,
        isSecret: true,
      },
    ],
  },
};
