import { ownValue } from '../../../../src/domain/json/own-value.ts';
import { toUiWords } from '../../components/ui-words.ts';

/**
 * Groups of settings in the order of the page. A setting belongs to the group that lists its key or a prefix
 * of its key.
 */
export const settingGroups: readonly { title: string; keys: readonly string[] }[] = [
  { title: 'Notifications', keys: ['default_notification_channel_id', 'notification.'] },
  { title: 'Deliveries', keys: ['delivery.'] },
  { title: 'Collection and agents', keys: ['gather.', 'versions.', 'discovery.', 'task.', 'agents.'] },
  {
    title: 'Deployments, environments, and freshness',
    keys: ['default_rule_id', 'environments.', 'freshness.'],
  },
  { title: 'Vulnerabilities', keys: ['vulnerabilities.'] },
  { title: 'Metrics, badges, and calendars', keys: ['metrics.', 'badges.', 'calendars.'] },
  { title: 'Login', keys: ['login.'] },
  { title: 'Retention', keys: ['retention.'] },
  { title: 'Limits', keys: ['limits.'] },
];

const titles: Readonly<Record<string, string>> = {
  default_notification_channel_id: 'Default channel',
  default_rule_id: 'Default rule of reported deployments',
  'notification.template.alert.new': 'New alert template',
  'notification.template.alert.acknowledged': 'Acknowledged alert template',
  'notification.template.alert.resolved': 'Resolved alert template',
  'notification.fallback_to_default': 'Unmatched events',
  'notification.reminder_interval_hours': 'Reminders',
  'notification.owner_label': 'Owner label',
  'delivery.retry_schedule_seconds': 'Retry schedule',
  'delivery.timeout_seconds': 'Webhook timeout',
  'task.lease_seconds': 'Task lease timeout',
  'task.max_attempts': 'Attempts per run',
  'gather.max_releases': 'Releases kept per source',
  'versions.platform_words': 'Platform words',
  'discovery.custom_extractors': 'Custom patterns',
  'agents.use_embedded': 'Embedded agent',
  'environments.label': 'Environment label',
  'environments.service_label': 'Service label',
  'environments.component_label': 'Component label',
  'environments.order': 'Environment order',
  'freshness.labels': 'Freshness labels',
  'freshness.monthly_report': 'Monthly freshness report',
  'metrics.alert_configs': 'Monitor metrics',
  'metrics.labels': 'Metrics labels',
  'badges.enabled': 'Badges',
  'calendars.enabled': 'Calendars',
  'login.require_two_factor': 'Two-factor authentication',
  'limits.agents': 'Agents',
  'limits.hooks': 'Hooks',
  'limits.freshness_targets': 'Freshness targets',
  'limits.silences': 'Silences',
  'limits.environments': 'Environments compared',
  'limits.service_jobs': 'Version trackers compared per service',
  'limits.simulated_configs': 'Monitors per simulation',
  'retention.deliveries_days': 'Deliveries',
  'retention.runs_days': 'Runs',
  'retention.resolved_alerts_days': 'Resolved alerts',
  'retention.deployments_days': 'Reported deployments',
  'retention.versions_days': 'Version changes and exposures',
  'retention.audit_log_days': 'Audit log',
  'vulnerabilities.critical_patch_days': 'Fix critical vulnerabilities',
  'vulnerabilities.high_patch_days': 'Fix high vulnerabilities',
  'vulnerabilities.moderate_patch_days': 'Fix moderate vulnerabilities',
  'vulnerabilities.low_patch_days': 'Fix low vulnerabilities',
  'vulnerabilities.unknown_patch_days': 'Fix unrated vulnerabilities',
  'vulnerabilities.known_exploited_patch_days': 'Fix known exploited vulnerabilities',
};

/** Returns the title of a setting. A setting without a title is shown with its key. */
export const settingTitle = (key: string): string => ownValue(titles, key) ?? key;

/**
 * Returns the settings that contain all words of the search text, in any order, in their group, title, key,
 * or description.
 */
export function searchSettings<Setting extends { key: string; description: string }>(
  settings: readonly Setting[],
  text: string,
): Setting[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return settings.filter(({ key, description }) => {
    const group = settingGroups.find(({ keys }) => keys.some((prefix) => key.startsWith(prefix)));
    const searched =
      `${group?.title ?? ''} ${settingTitle(key)} ${key} ${description} ${toUiWords(description)}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}

const switches: Readonly<Record<string, readonly [off: string, on: string]>> = {
  'notification.fallback_to_default': ['not sent', 'sent to the default channel'],
  'agents.use_embedded': ['disabled', 'enabled for this organization'],
  'metrics.alert_configs': ['not exported', 'exported to anyone who can read metrics'],
  'login.require_two_factor': ['optional', 'required for members who log in with a password'],
  'badges.enabled': ['disabled', 'visible to anyone with the URL'],
  'calendars.enabled': ['disabled', 'visible to anyone with the URL'],
};

/** Returns the labels of a boolean setting for off and on. */
export function booleanSettingLabels(key: string): readonly [off: string, on: string] {
  return ownValue(switches, key) ?? ['off', 'on'];
}

/** Formats the value of a setting. The unit is derived from the suffix of the key. */
export function formatSetting(key: string, value: unknown): string {
  if (value === null || value === undefined) return key.endsWith('interval_hours') ? 'never' : 'none';
  if (typeof value === 'boolean') return booleanSettingLabels(key)[value ? 1 : 0];
  if (Array.isArray(value)) {
    if (value.length === 0) return 'none';
    return value.map(formatItem).join(', ');
  }
  if (typeof value === 'number') {
    const unit = /_(seconds|hours|days)$/.exec(key)?.[1];
    if (unit === undefined) return value.toLocaleString('en');
    return `${value.toLocaleString('en')} ${value === 1 ? unit.slice(0, -1) : unit}`;
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Formats an item of a list. Objects, such as custom patterns, have names. */
function formatItem(item: unknown): string {
  if (typeof item === 'number') return formatDuration(item);
  return String(typeof item === 'object' && item !== null && 'name' in item ? item.name : item);
}

/** Formats a duration: 90 → "90 s", 600 → "10 min", 14400 → "4 h". */
export function formatDuration(seconds: number): string {
  if (seconds % 3_600 === 0 && seconds > 0) return `${seconds / 3_600} h`;
  if (seconds % 60 === 0 && seconds > 0) return `${seconds / 60} min`;
  return `${seconds} s`;
}
