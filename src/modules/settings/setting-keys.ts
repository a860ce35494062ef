import type { NotificationTemplateCategory } from '../../domain/routing/notification-event.ts';
import { defaultTemplates } from '../../domain/templates/default-templates.ts';

interface SettingInfo<Value> {
  /** The built-in default: what holds when neither an operator nor an organization has said anything. */
  default: Value;
  /** JSON Schema of the value. */
  schema: Readonly<Record<string, unknown>>;
  /** What it does, with its unit. */
  description: string;
  /** What the audit log says was changed, whichever way it was. */
  resource: 'setting' | 'notification_template' | 'notification_settings';
}

/** Every setting there is. */
export const settingKeys = {
  default_notification_channel_id: setting<number | null>({
    default: null,
    schema: { type: ['integer', 'null'], minimum: 1 },
    description:
      'Channel for events that no notification rule routes, and for rules without channels. Null: none.',
    resource: 'notification_settings',
  }),
  'notification.template.alert.new': templateSetting('new_alert', 'new, escalated and still open alerts'),
  'notification.template.alert.acknowledged': templateSetting(
    'acknowledged',
    'alerts that were acknowledged or no longer are',
  ),
  'notification.template.alert.resolved': templateSetting('resolved', 'alerts that were resolved'),
  'notification.fallback_to_default': setting<boolean>({
    default: true,
    schema: { type: 'boolean' },
    description: 'Whether an event that no notification rule matches goes to the default channel.',
    resource: 'notification_settings',
  }),
  'notification.reminder_interval_hours': setting<number | null>({
    default: null,
    schema: { type: ['integer', 'null'], minimum: 1, maximum: 8_760 },
    description: 'Hours after which an unacknowledged alert is told of again. Null: never.',
    resource: 'notification_settings',
  }),
  'delivery.retry_schedule_seconds': setting<readonly number[]>({
    default: [10, 30, 60, 300, 900, 1_800, 3_600, 7_200, 14_400, 14_400, 14_400],
    schema: {
      type: 'array',
      items: { type: 'integer', minimum: 1, maximum: 604_800 },
      minItems: 1,
      maxItems: 50,
    },
    description: 'Seconds between the attempts of a delivery; there is one attempt more than pauses.',
    resource: 'setting',
  }),
  'delivery.timeout_seconds': setting<number>({
    default: 15,
    schema: { type: 'integer', minimum: 1, maximum: 30 },
    description: 'Seconds that a webhook may take in all.',
    resource: 'setting',
  }),
  'task.lease_seconds': setting<number>({
    default: 60,
    schema: { type: 'integer', minimum: 15, maximum: 3_600 },
    description:
      'Seconds after which the task of an agent that is no longer heard of is given to another one.',
    resource: 'setting',
  }),
  'task.max_attempts': setting<number>({
    default: 3,
    schema: { type: 'integer', minimum: 1, maximum: 20 },
    description: 'How often a run is tried before it has failed.',
    resource: 'setting',
  }),
  'gather.max_releases': setting<number>({
    default: 1_000,
    schema: { type: 'integer', minimum: 1, maximum: 100_000 },
    description: 'How many releases a gather job keeps for each variant, the highest ones.',
    resource: 'setting',
  }),
  'agents.use_embedded': setting<boolean>({
    default: true,
    schema: { type: 'boolean' },
    description: 'Whether the embedded agent does work of the organization.',
    resource: 'setting',
  }),
  'retention.deliveries_days': setting<number>({
    default: 90,
    schema: { type: 'integer', minimum: 1, maximum: 3_650 },
    description: 'Days that deliveries which are final are kept.',
    resource: 'setting',
  }),
  'retention.runs_days': setting<number>({
    default: 30,
    schema: { type: 'integer', minimum: 1, maximum: 3_650 },
    description: 'Days that runs are kept; the last and the last successful one of a job always are.',
    resource: 'setting',
  }),
  'retention.resolved_alerts_days': setting<number>({
    default: 365,
    schema: { type: 'integer', minimum: 1, maximum: 3_650 },
    description: 'Days that resolved alerts are kept.',
    resource: 'setting',
  }),
  'retention.audit_log_days': setting<number>({
    default: 365,
    schema: { type: 'integer', minimum: 1, maximum: 3_650 },
    description: 'Days that entries of the audit log are kept.',
    resource: 'setting',
  }),
  'metrics.alert_configs': setting<boolean>({
    default: false,
    schema: { type: 'boolean' },
    description:
      'Whether the metrics for Prometheus tell what is deployed, what is latest and how far behind each alert configuration is. Whoever may read the metrics of the installation sees it.',
    resource: 'setting',
  }),
  'metrics.labels': setting<readonly string[]>({
    default: [],
    schema: {
      type: 'array',
      items: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_./-]{0,62}$' },
      maxItems: 5,
      uniqueItems: true,
    },
    description:
      'Keys of labels of alert configurations that the metrics tell as well, five at most: team becomes label_team.',
    resource: 'setting',
  }),
  'badges.enabled': setting<boolean>({
    default: true,
    schema: { type: 'boolean' },
    description: 'Whether the badges of alert configurations are shown to whoever has their address.',
    resource: 'setting',
  }),
};

export type SettingKey = keyof typeof settingKeys;
/** One value for each key. */
export type SettingValues = { [Key in SettingKey]: (typeof settingKeys)[Key]['default'] };

export const settingKeyNames = Object.keys(settingKeys) as SettingKey[];

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settingKeys, key);
}

/** Where the template of a category is kept: the setting and the template are two doors to one value. */
export const templateSettingKeys = {
  new_alert: 'notification.template.alert.new',
  acknowledged: 'notification.template.alert.acknowledged',
  resolved: 'notification.template.alert.resolved',
} as const satisfies Record<NotificationTemplateCategory, SettingKey>;

/** The category whose template the setting is, or `null` when it is no template. */
export function categoryOfSetting(key: SettingKey): NotificationTemplateCategory | null {
  const found = Object.entries(templateSettingKeys).find(([, templateKey]) => templateKey === key);
  return found ? (found[0] as NotificationTemplateCategory) : null;
}

/** What the operator of an installation has chosen with variables of the environment. */
export interface InstallationDefaults {
  /** The built-in default of `delivery.retry_schedule_seconds`. */
  retryScheduleSeconds?: readonly number[];
}

export function builtInSettings({ retryScheduleSeconds }: InstallationDefaults): SettingValues {
  const values = Object.fromEntries(settingKeyNames.map((key) => [key, settingKeys[key].default]));
  if (retryScheduleSeconds) values['delivery.retry_schedule_seconds'] = retryScheduleSeconds;
  return values as SettingValues;
}

function setting<Value>(info: SettingInfo<Value>): SettingInfo<Value> {
  return info;
}

function templateSetting(category: NotificationTemplateCategory, of: string): SettingInfo<string> {
  return {
    default: defaultTemplates[category],
    schema: { type: 'string', minLength: 1, maxLength: 32_768 },
    description: `Template in Liquid of messages about ${of}.`,
    resource: 'notification_template',
  };
}
