import type { Schemas } from '../../../src/generated/client-api.ts';

type Preset = Schemas['NotificationPreset'];

/** The platforms by name. */
export const presetNames: Readonly<Record<Preset, string>> = {
  generic: 'Generic webhook',
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Microsoft Teams',
  pagerduty: 'PagerDuty',
  telegram: 'Telegram',
  mattermost: 'Mattermost',
  gotify: 'Gotify',
  ntfy: 'ntfy',
};

export const presetList = Object.keys(presetNames) as Preset[];

/** Those that have a message of their own: all but the generic one. */
export const presetOptions = presetList
  .filter((value) => value !== 'generic')
  .map((value) => ({ value, label: presetNames[value] }));
