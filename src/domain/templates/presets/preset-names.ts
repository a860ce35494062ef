import type { PresetId } from './preset.ts';

/** The platforms by name, in the order they are offered. */
export const presetNames: Readonly<Record<PresetId, string>> = {
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
