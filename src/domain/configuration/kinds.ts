/** The lists of a configuration file. */
export type Section =
  | 'rules'
  | 'helm_sync_jobs'
  | 'gather_jobs'
  | 'scrape_jobs'
  | 'notification_channels'
  | 'alert_configs'
  | 'notification_rules';

/** A field that contains IDs in the API and names in the file. */
export interface ReferenceMember {
  /** In the file: `rule` for `rule_id`. */
  field: string;
  section: Section;
  isList: boolean;
}

export interface Kind {
  section: Section;
  /** For people: `alert configuration`. */
  word: string;
  /** The request body that creates one. The file uses its fields. */
  createSchema: string;
  /** By API field. */
  references: Readonly<Record<string, ReferenceMember>>;
}

/** The sections of a configuration file in creation order: each refers only to the ones before it. */
export const kinds: readonly Kind[] = [
  {
    section: 'rules',
    word: 'rule',
    createSchema: 'CreateMonitoringRuleRequest',
    references: {},
  },
  {
    section: 'helm_sync_jobs',
    word: 'helm sync job',
    createSchema: 'CreateHelmSyncJobRequest',
    references: {},
  },
  {
    section: 'gather_jobs',
    word: 'gather job',
    createSchema: 'CreateGatherJobRequest',
    references: {},
  },
  {
    section: 'scrape_jobs',
    word: 'scrape job',
    createSchema: 'CreateScrapeJobRequest',
    references: {},
  },
  {
    section: 'notification_channels',
    word: 'notification channel',
    createSchema: 'CreateNotificationChannelRequest',
    references: {},
  },
  {
    section: 'alert_configs',
    word: 'alert configuration',
    createSchema: 'CreateAlertConfigRequest',
    references: {
      scrape_job_id: { field: 'scrape_job', section: 'scrape_jobs', isList: false },
      gather_job_id: { field: 'gather_job', section: 'gather_jobs', isList: false },
      rule_id: { field: 'rule', section: 'rules', isList: false },
    },
  },
  {
    section: 'notification_rules',
    word: 'notification rule',
    createSchema: 'CreateNotificationRuleRequest',
    references: {
      rule_ids: { field: 'rules', section: 'rules', isList: true },
      alert_config_ids: { field: 'alert_configs', section: 'alert_configs', isList: true },
      channel_ids: { field: 'channels', section: 'notification_channels', isList: true },
    },
  },
];

export function kindOf(section: Section): Kind {
  return kinds.find((kind) => kind.section === section)!;
}

/** Of notification channels: the API never returns their values. */
export const writeOnlyMembers: ReadonlySet<string> = new Set(['headers', 'preset_options', 'signing_secret']);

/**
 * The fields that contain secrets. A file can use environment variables only here, because the values of other fields
 * are shown in plans and messages, and to every viewer.
 */
export const secretMembers: Readonly<Partial<Record<Section, ReadonlySet<string>>>> = {
  notification_channels: new Set(['url', ...writeOnlyMembers]),
};

/** The template categories, each with the setting that contains the same template. */
export const templateSettings: Readonly<Record<string, string>> = {
  new_alert: 'notification.template.alert.new',
  acknowledged: 'notification.template.alert.acknowledged',
  resolved: 'notification.template.alert.resolved',
};

/** The setting that contains an ID, and its name in the file. */
export const defaultChannelSetting = 'default_notification_channel_id';
export const defaultChannelField = 'default_notification_channel';

/**
 * Fields that have a default when a resource is created and stay unchanged if they are missing in a file. The scheme
 * depends on the source, the ordinal on other configurations, and the default of the basis has changed.
 */
export const membersWithoutDefault: ReadonlySet<string> = new Set([
  'version_scheme',
  'days_basis',
  'ordinal',
]);

/** The fields that a file can set for a gather job that a helm sync job manages. The sync sets the others. */
export const fedMembers: ReadonlySet<string> = new Set([
  'name',
  'key',
  'fed_by',
  'version_scheme',
  'version_pattern',
  'include_prereleases',
  'max_releases',
  'is_active',
]);

/** The chart of a gather job that a helm sync job manages. */
export function chartOf(gatherJob: Readonly<Record<string, unknown>>): string {
  return String(gatherJob['artifact_name']).split('/').at(-1) ?? '';
}

/** The default of an omitted field. Null if it has none. */
export function defaultOf(field: Readonly<Record<string, unknown>>): unknown {
  return field['default'] ?? null;
}
