import { artifactOfScrapeJob } from '../source-types/deployed-versions-source-type.ts';

/** The lists of a configuration file. */
export type Section =
  | 'rules'
  | 'helm_sync_jobs'
  | 'discovery_jobs'
  | 'gather_jobs'
  | 'scrape_jobs'
  | 'notification_channels'
  | 'alert_configs'
  | 'notification_rules'
  | 'freshness_targets';

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
    section: 'discovery_jobs',
    word: 'discovery job',
    createSchema: 'CreateDiscoveryJobRequest',
    references: {
      default_rule_id: { field: 'default_rule', section: 'rules', isList: false },
    },
  },
  {
    section: 'scrape_jobs',
    word: 'scrape job',
    createSchema: 'CreateScrapeJobRequest',
    references: {},
  },
  {
    section: 'gather_jobs',
    word: 'gather job',
    createSchema: 'CreateGatherJobRequest',
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
  {
    section: 'freshness_targets',
    word: 'freshness target',
    createSchema: 'CreateFreshnessTargetRequest',
    references: {},
  },
];

export function kindOf(section: Section): Kind {
  return kinds.find((kind) => kind.section === section)!;
}

/** Of notification channels: the API never returns their values. */
export const writeOnlyMembers: ReadonlySet<string> = new Set([
  'headers',
  'preset_options',
  'signing_secret',
  'token',
]);

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
  'support_phase',
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
  'ignored_versions',
  'counted_versions',
  'purls',
  'project_url',
  'version_of',
  'lifecycle_product',
  'vulnerability_packages',
  'is_active',
]);

/** Fields that Pacekeeper derives unless they are set, each with the field that contains where its value comes from. */
const derivedMembers: ReadonlyMap<string, string> = new Map([
  ['gather_jobs.purls', 'purls_source'],
  ['gather_jobs.project_url', 'project_url_source'],
  ['gather_jobs.lifecycle_product', 'lifecycle_product_source'],
  ['gather_jobs.vulnerability_packages', 'vulnerability_packages_source'],
]);

/** The value of a field as a file has it: null if it is derived. */
export function valueInFile(
  section: Section,
  field: string,
  item: Readonly<Record<string, unknown>>,
): unknown {
  const source = derivedMembers.get(`${section}.${field}`);
  return source === undefined || item[source] === 'set' ? item[field] : null;
}

/** The fields that a file can set for a scrape job that a discovery job feeds. */
export const discoveredMembers: ReadonlySet<string> = new Set([
  'name',
  'key',
  'fed_by',
  'history_limit',
  'labels',
  'is_active',
]);

/** The chart of a gather job that a helm sync job manages. */
export function chartOf(gatherJob: Readonly<Record<string, unknown>>): string {
  return String(gatherJob['artifact_name']).split('/').at(-1) ?? '';
}

/**
 * The field of a gather job that contains what it reads, and the form of it in the file that names a scrape job:
 * `{scrape_job: shop in staging}`.
 */
export const artifactField = 'artifact_name';
export const followedField = 'scrape_job';

/** What the API has for a reference: an ID, or the artifact that an ID is part of. */
export function memberOfId(member: string, id: number): number | string {
  return member === artifactField ? artifactOfScrapeJob(id) : id;
}

/** The default of an omitted field. Null if it has none. */
export function defaultOf(field: Readonly<Record<string, unknown>>): unknown {
  return field['default'] ?? null;
}
