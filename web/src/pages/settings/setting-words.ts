/** The settings in the order of the page; a key belongs to the group that names the beginning of it. */
export const settingGroups: readonly { title: string; keys: readonly string[] }[] = [
  { title: 'Notifications', keys: ['default_notification_channel_id', 'notification.'] },
  { title: 'Deliveries', keys: ['delivery.'] },
  { title: 'Gathering and agents', keys: ['gather.', 'task.', 'agents.'] },
  { title: 'Observing', keys: ['metrics.', 'badges.'] },
  { title: 'How long things are kept', keys: ['retention.'] },
];

const titles: Readonly<Record<string, string>> = {
  default_notification_channel_id: 'Default channel',
  'notification.template.alert.new': 'Message of new alerts',
  'notification.template.alert.acknowledged': 'Message of acknowledged alerts',
  'notification.template.alert.resolved': 'Message of resolved alerts',
  'notification.fallback_to_default': 'Events that no rule matches',
  'notification.reminder_interval_hours': 'Reminders',
  'delivery.retry_schedule_seconds': 'Pauses between attempts',
  'delivery.timeout_seconds': 'Time limit of a webhook',
  'task.lease_seconds': 'Patience with silent agents',
  'task.max_attempts': 'Tries of a run',
  'gather.max_releases': 'Releases kept of each job',
  'agents.use_embedded': 'Embedded agent',
  'metrics.alert_configs': 'Alert configurations in the metrics',
  'metrics.labels': 'Their labels in the metrics',
  'badges.enabled': 'Badges',
  'retention.deliveries_days': 'Deliveries',
  'retention.runs_days': 'Runs',
  'retention.resolved_alerts_days': 'Resolved alerts',
};

/** A setting that this page does not know yet is shown by its key. */
export const titleOf = (key: string): string => titles[key] ?? key;

const switches: Readonly<Record<string, readonly [off: string, on: string]>> = {
  'notification.fallback_to_default': ['nobody hears of them', 'go to the default channel'],
  'agents.use_embedded': ['not used', 'does work of this organization'],
  'metrics.alert_configs': ['not told', 'told to whoever reads the metrics'],
  'badges.enabled': ['shown to nobody', 'shown to whoever has their address'],
};

/** The word for a setting that is on or off. */
export function switchWords(key: string): readonly [off: string, on: string] {
  return switches[key] ?? ['off', 'on'];
}

/** What a value means, for people. The unit stands in the key. */
export function settingInWords(key: string, value: unknown): string {
  if (value === null || value === undefined) return key.endsWith('interval_hours') ? 'never' : 'none';
  if (typeof value === 'boolean') return switchWords(key)[value ? 1 : 0];
  if (Array.isArray(value)) {
    if (value.length === 0) return 'none';
    return value.map((item) => (typeof item === 'number' ? durationInWords(item) : String(item))).join(', ');
  }
  if (typeof value === 'number') {
    const unit = /_(seconds|hours|days)$/.exec(key)?.[1];
    if (unit === undefined) return value.toLocaleString('en');
    return `${value.toLocaleString('en')} ${value === 1 ? unit.slice(0, -1) : unit}`;
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** 90 → "90 s", 600 → "10 min", 14400 → "4 h". */
export function durationInWords(seconds: number): string {
  if (seconds % 3_600 === 0 && seconds > 0) return `${seconds / 3_600} h`;
  if (seconds % 60 === 0 && seconds > 0) return `${seconds / 60} min`;
  return `${seconds} s`;
}
