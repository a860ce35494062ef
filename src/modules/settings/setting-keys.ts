import {
  type CustomExtractor,
  customExtractorSchema,
  maxCustomExtractors,
} from '../../domain/discovery/custom-patterns.ts';
import type { NotificationTemplateCategory } from '../../domain/routing/notification-event.ts';
import { defaultTemplates } from '../../domain/templates/default-templates.ts';
import { labelKeyPattern, labelKeyProblem } from '../../domain/text/label-key.ts';
import {
  maxPlatformWords,
  platformWordPattern,
  platformWordPatternProblem,
} from '../../domain/versions/platform-words.ts';

interface SettingInfo<Value> {
  /** Built-in default, which applies if neither the operator nor the organization has set a value. */
  default: Value;
  /** JSON Schema of the value. */
  schema: Readonly<Record<string, unknown>>;
  /** Effect of the setting, including its unit. */
  description: string;
  /** Resource type in the audit log, regardless of the API that changed the setting. */
  resource: 'setting' | 'notification_template' | 'notification_settings';
  /** True if only the operator can change the setting, because it protects the installation. */
  isOperatorOnly?: true;
}

const labelKey = { type: 'string', pattern: labelKeyPattern, 'x-pattern-problem': labelKeyProblem } as const;

/** Definitions of all settings. */
export const settingDefinitions = {
  default_notification_channel_id: setting<number | null>({
    default: null,
    schema: { type: ['integer', 'null'], minimum: 1 },
    description: 'Channel for events that match no notification rule, and for rules without channels.',
    resource: 'notification_settings',
  }),
  default_rule_id: setting<number | null>({
    default: null,
    schema: { type: ['integer', 'null'], minimum: 1 },
    description:
      'Monitoring rule of the alert configurations that reports of deployments create. Without a value, they create none.',
    resource: 'setting',
  }),
  'notification.template.alert.new': templateSetting('new_alert', 'new alerts, escalations, and reminders'),
  'notification.template.alert.acknowledged': templateSetting(
    'acknowledged',
    'acknowledged and unacknowledged alerts',
  ),
  'notification.template.alert.resolved': templateSetting('resolved', 'resolved alerts'),
  'notification.fallback_to_default': setting<boolean>({
    default: true,
    schema: { type: 'boolean' },
    description: 'Whether an event that no notification rule matches goes to the default channel.',
    resource: 'notification_settings',
  }),
  'notification.reminder_interval_hours': setting<number | null>({
    default: null,
    schema: { type: ['integer', 'null'], minimum: 1, maximum: 8_760 },
    description: 'Hours between reminders for unacknowledged alerts. Without a value, none are sent.',
    resource: 'notification_settings',
  }),
  'notification.owner_label': setting<string>({
    default: 'owner',
    schema: labelKey,
    description:
      'Label that names the owner of an alert, for notification rules that route to owners. Discovery sets the label owner from CODEOWNERS.',
    resource: 'setting',
  }),
  'delivery.retry_schedule_seconds': setting<readonly number[]>({
    default: [10, 30, 60, 300, 900, 1_800, 3_600, 7_200, 14_400, 14_400, 14_400],
    schema: {
      type: 'array',
      items: { type: 'integer', minimum: 1, maximum: 604_800 },
      minItems: 1,
      maxItems: 50,
    },
    description:
      'Delays between delivery attempts, in seconds. The number of attempts is one more than the number of delays.',
    resource: 'setting',
  }),
  'delivery.timeout_seconds': setting<number>({
    default: 15,
    schema: { type: 'integer', minimum: 1, maximum: 30 },
    description: 'Total timeout for a webhook request, in seconds.',
    resource: 'setting',
  }),
  'task.lease_seconds': setting<number>({
    default: 60,
    schema: { type: 'integer', minimum: 15, maximum: 3_600 },
    description: 'Seconds without a heartbeat after which a task is reassigned to another agent.',
    resource: 'setting',
  }),
  'task.max_attempts': setting<number>({
    default: 3,
    schema: { type: 'integer', minimum: 1, maximum: 20 },
    description: 'Maximum attempts per run.',
    resource: 'setting',
  }),
  'gather.max_releases': setting<number>({
    default: 1_000,
    schema: { type: 'integer', minimum: 1, maximum: 100_000 },
    description: 'Maximum releases a gather job keeps per variant (the highest versions).',
    resource: 'setting',
  }),
  'versions.platform_words': setting<readonly string[]>({
    default: [],
    schema: {
      type: 'array',
      items: {
        type: 'string',
        pattern: platformWordPattern,
        'x-pattern-problem': platformWordPatternProblem,
      },
      maxItems: maxPlatformWords,
      uniqueItems: true,
    },
    description:
      "Words to read as platforms in versions, in addition to the built-in ones: a number after one doesn't count toward a newer version. Applies to the organization's gather jobs; global gather jobs use the global value. A change also applies to stored releases.",
    resource: 'setting',
  }),
  'discovery.custom_extractors': setting<readonly CustomExtractor[]>({
    default: [],
    schema: { type: 'array', items: customExtractorSchema, maxItems: maxCustomExtractors },
    description:
      'Custom patterns for versions that no extractor reads, in addition to those of each discovery job. They apply to all repositories of the organization. Changes apply from the next scan of each job.',
    resource: 'setting',
  }),
  'agents.use_embedded': setting<boolean>({
    default: true,
    schema: { type: 'boolean' },
    description: "Whether the embedded agent runs this organization's tasks.",
    resource: 'setting',
  }),
  'login.require_two_factor': setting<boolean>({
    default: false,
    schema: { type: 'boolean' },
    description:
      "Whether members who log in with a password must use two-factor authentication. Until they set it up, they can't access anything in the organization. Single sign-on and API keys aren't affected.",
    resource: 'setting',
  }),
  'retention.deliveries_days': setting<number>({
    default: 90,
    schema: { type: 'integer', minimum: 1, maximum: 3_650 },
    description: 'Retention of completed deliveries, in days.',
    resource: 'setting',
  }),
  'retention.runs_days': setting<number>({
    default: 30,
    schema: { type: 'integer', minimum: 1, maximum: 3_650 },
    description:
      'Retention of runs, in days. The last run and the last successful run of each job are always kept.',
    resource: 'setting',
  }),
  'retention.resolved_alerts_days': setting<number>({
    default: 365,
    schema: { type: 'integer', minimum: 1, maximum: 3_650 },
    description: 'Retention of resolved alerts, in days.',
    resource: 'setting',
  }),
  'retention.deployments_days': setting<number>({
    default: 730,
    schema: { type: 'integer', minimum: 1, maximum: 3_650 },
    description:
      'Retention of reported deployments, in days. The last one of each scrape job is always kept.',
    resource: 'setting',
  }),
  'retention.versions_days': setting<number>({
    default: 730,
    schema: { type: 'integer', minimum: 1, maximum: 3_650 },
    description:
      'Retention of changes of deployed versions and of exposures, in days since another version was read. The current version of each scrape job is always kept.',
    resource: 'setting',
  }),
  'retention.audit_log_days': setting<number>({
    default: 365,
    // A shorter retention would let administrators remove the records of their own actions.
    schema: { type: 'integer', minimum: 30, maximum: 3_650 },
    description: 'Retention of audit log entries, in days (at least 30).',
    resource: 'setting',
  }),
  'vulnerabilities.critical_patch_days': patchDaysSetting(15, 'a critical vulnerability'),
  'vulnerabilities.high_patch_days': patchDaysSetting(30, 'a vulnerability of high severity'),
  'vulnerabilities.moderate_patch_days': patchDaysSetting(90, 'a vulnerability of moderate severity'),
  'vulnerabilities.low_patch_days': patchDaysSetting(null, 'a vulnerability of low severity'),
  'vulnerabilities.unknown_patch_days': patchDaysSetting(90, 'a vulnerability without a known severity'),
  'vulnerabilities.known_exploited_patch_days': setting<number | null>({
    default: 14,
    schema: { type: ['integer', 'null'], minimum: 1, maximum: 3_650 },
    description:
      "Days until a vulnerability that is known to be exploited is due, if that's earlier than for its severity: from when CISA listed it, a fix is available, and an affected version is deployed. Without a value, only the severity counts.",
    resource: 'setting',
  }),
  'metrics.alert_configs': setting<boolean>({
    default: false,
    schema: { type: 'boolean' },
    description:
      "Whether Prometheus metrics include the deployed version, latest version, and lag of each alert configuration. Anyone who can read the server's metrics can see them.",
    resource: 'setting',
  }),
  'metrics.labels': setting<readonly string[]>({
    default: [],
    schema: {
      type: 'array',
      items: labelKey,
      maxItems: 5,
      uniqueItems: true,
    },
    description:
      'Alert configuration labels to include in metrics (up to five). For example, team becomes label_team.',
    resource: 'setting',
  }),
  'environments.label': labelSetting('environment', 'environment'),
  'environments.service_label': labelSetting('service', 'service'),
  'environments.component_label': labelSetting('component', 'component of a service'),
  'environments.order': setting<readonly string[]>({
    default: [],
    schema: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 200 },
      maxItems: 50,
      uniqueItems: true,
    },
    description:
      'Environments in the order in which versions move through them, such as staging, production. Others follow in the usual order, from development to production.',
    resource: 'setting',
  }),
  'freshness.labels': setting<readonly string[]>({
    default: ['team'],
    schema: {
      type: 'array',
      items: labelKey,
      maxItems: 5,
      uniqueItems: true,
    },
    description:
      'Alert configuration labels to group freshness by (up to five). A change also applies to past days.',
    resource: 'setting',
  }),
  'freshness.monthly_report': setting<boolean>({
    default: false,
    schema: { type: 'boolean' },
    description:
      'Whether a freshness report is sent to the default channel at the beginning of each month (UTC), about the previous month.',
    resource: 'setting',
  }),
  'badges.enabled': setting<boolean>({
    default: true,
    schema: { type: 'boolean' },
    description: 'Whether anyone with a badge URL can view alert configuration badges.',
    resource: 'setting',
  }),
  'calendars.enabled': setting<boolean>({
    default: true,
    schema: { type: 'boolean' },
    description:
      'Whether anyone with a calendar URL can view the calendars of threshold crossings and of the last days of support.',
    resource: 'setting',
  }),
  'limits.agents': limitSetting(
    { default: 100, maximum: 10_000 },
    'Maximum number of remote agents of an organization, including offline ones.',
  ),
  'limits.hooks': limitSetting(
    { default: 50, maximum: 10_000 },
    'Maximum number of hooks of an organization.',
  ),
  'limits.freshness_targets': limitSetting(
    { default: 50, maximum: 1_000 },
    'Maximum number of freshness targets of an organization. Each freshness measurement includes all of them.',
  ),
  'limits.silences': limitSetting(
    { default: 200, maximum: 5_000 },
    "Maximum number of silences of an organization that haven't ended. Each event of an alert is compared with all of them.",
  ),
  'limits.environments': limitSetting(
    { default: 50, maximum: 500 },
    'Maximum number of environments that the matrix and promotions compare, in alphabetical order.',
  ),
  'limits.service_jobs': limitSetting(
    { default: 500, maximum: 10_000 },
    'Maximum number of scrape jobs of a service that the matrix and promotions compare.',
  ),
  'limits.simulated_configs': limitSetting(
    { default: 10_000, maximum: 100_000 },
    'Maximum number of alert configurations in a simulation, which stops after 10 seconds in any case.',
  ),
};

export type SettingKey = keyof typeof settingDefinitions;
/** The value of each setting. */
export type SettingValues = { [Key in SettingKey]: (typeof settingDefinitions)[Key]['default'] };

export const settingKeyNames = Object.keys(settingDefinitions) as SettingKey[];

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settingDefinitions, key);
}

/**
 * Setting that stores the template of a category. The settings API and the template API change the same
 * value.
 */
export const templateSettingKeys = {
  new_alert: 'notification.template.alert.new',
  acknowledged: 'notification.template.alert.acknowledged',
  resolved: 'notification.template.alert.resolved',
} as const satisfies Record<NotificationTemplateCategory, SettingKey>;

/**
 * Returns the category whose template the setting contains, or `null` if the setting doesn't contain a
 * template.
 */
export function categoryOfSetting(key: SettingKey): NotificationTemplateCategory | null {
  const found = Object.entries(templateSettingKeys).find(([, templateKey]) => templateKey === key);
  return found ? (found[0] as NotificationTemplateCategory) : null;
}

/** Defaults that the operator of an installation sets with environment variables. */
export interface InstallationDefaults {
  /** Built-in default of `delivery.retry_schedule_seconds`. */
  retryScheduleSeconds?: readonly number[];
}

export function builtInSettings({ retryScheduleSeconds }: InstallationDefaults): SettingValues {
  const values = Object.fromEntries(settingKeyNames.map((key) => [key, settingDefinitions[key].default]));
  if (retryScheduleSeconds) values['delivery.retry_schedule_seconds'] = retryScheduleSeconds;
  return values as SettingValues;
}

function setting<Value>(info: SettingInfo<Value>): SettingInfo<Value> {
  return info;
}

/**
 * Defines a limit that protects the installation from one organization, so organizations can't override it.
 */
function limitSetting(
  { default: value, maximum }: { default: number; maximum: number },
  description: string,
): SettingInfo<number> {
  return {
    default: value,
    schema: { type: 'integer', minimum: 1, maximum },
    description: `${description} Only the operator can change it.`,
    resource: 'setting',
    isOperatorOnly: true,
  };
}

function patchDaysSetting(value: number | null, what: string): SettingInfo<number | null> {
  return setting<number | null>({
    default: value,
    schema: { type: ['integer', 'null'], minimum: 1, maximum: 3_650 },
    description: `Days until ${what} is due, from when it's published, a fix is available, and an affected version is deployed. Without a value, it's never due.`,
    resource: 'setting',
  });
}

function labelSetting(key: string, part: string): SettingInfo<string> {
  return setting<string>({
    default: key,
    schema: labelKey,
    description: `Label of a scrape job that names the ${part}.`,
    resource: 'setting',
  });
}

function templateSetting(category: NotificationTemplateCategory, of: string): SettingInfo<string> {
  return {
    default: defaultTemplates[category],
    schema: { type: 'string', minLength: 1, maxLength: 32_768 },
    description: `Liquid template for messages about ${of}.`,
    resource: 'notification_template',
  };
}
