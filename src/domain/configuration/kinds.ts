import { artifactOfScrapeJob } from '../source-types/deployed-versions-source-type.ts';

/** Lists of a configuration file. */
export type Section =
  | 'rules'
  | 'helm_sync_jobs'
  | 'discovery_jobs'
  | 'gather_jobs'
  | 'scrape_jobs'
  | 'notification_channels'
  | 'alert_configs'
  | 'notification_rules'
  | 'freshness_targets'
  | 'artifact_aliases'
  | 'artifact_corrections';

/** Field that contains IDs in the API and names in the file. */
export interface ReferenceField {
  /** Name of the field in the file, such as `rule` for `rule_id`. */
  field: string;
  section: Section;
  isList: boolean;
}

export interface ResourceKind {
  section: Section;
  /** Display name, such as `alert configuration`. */
  word: string;
  /** Field that identifies a resource of this kind in the file. Defaults to `name`. */
  nameField?: string;
  /** Schema of the request that creates a resource of this kind. The file uses the same fields. */
  createSchema: string;
  /** Reference fields by API name. */
  references: Readonly<Record<string, ReferenceField>>;
}

/** Sections of a configuration file in creation order. Each section refers only to earlier ones. */
export const kinds: readonly ResourceKind[] = [
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
  {
    section: 'artifact_aliases',
    word: 'artifact alias',
    createSchema: 'CreateArtifactAliasRequest',
    references: {},
  },
  {
    section: 'artifact_corrections',
    word: 'artifact correction',
    nameField: 'artifact',
    createSchema: 'CreateArtifactCorrectionRequest',
    references: {},
  },
];

export function kindOf(section: Section): ResourceKind {
  return kinds.find((kind) => kind.section === section)!;
}

/** Returns the field that identifies the resources of a section in the file, which can't change. */
export function nameFieldOf(section: Section): string {
  return kindOf(section).nameField ?? 'name';
}

/** Fields of notification channels whose values the API never returns. */
export const writeOnlyFields: ReadonlySet<string> = new Set([
  'headers',
  'preset_options',
  'signing_secret',
  'token',
]);

/**
 * Fields that contain secrets. A file can use environment variables only in these fields, because the values
 * of other fields appear in plans and messages and are visible to every viewer.
 */
export const secretFields: Readonly<Partial<Record<Section, ReadonlySet<string>>>> = {
  notification_channels: new Set(['url', 'closing_path', ...writeOnlyFields]),
};

/** Settings that store the templates of the `templates` section, by template category. */
export const templateSettings: Readonly<Record<string, string>> = {
  new_alert: 'notification.template.alert.new',
  acknowledged: 'notification.template.alert.acknowledged',
  resolved: 'notification.template.alert.resolved',
};

/** Setting that contains the ID of a resource. A file refers to the resource by name, in another field. */
export interface ReferenceSetting {
  readonly key: string;
  readonly field: string;
  readonly section: Section;
  /** Noun for messages, such as `channel`. */
  readonly word: string;
}

export const referenceSettings: readonly ReferenceSetting[] = [
  {
    key: 'default_notification_channel_id',
    field: 'default_notification_channel',
    section: 'notification_channels',
    word: 'channel',
  },
  { key: 'default_rule_id', field: 'default_rule', section: 'rules', word: 'rule' },
];

/** Returns the setting with this key if its value is the ID of a resource. */
export function findReferenceSetting(key: string): ReferenceSetting | undefined {
  return referenceSettings.find((setting) => setting.key === key);
}

/**
 * Fields that get a default when a resource is created, but keep their stored value if a file omits them in
 * an update. Their defaults aren't constant: the version scheme depends on the source, the ordinal depends on
 * other configurations, and the default of `days_basis` has changed over time.
 */
export const fieldsKeptWhenOmitted: ReadonlySet<string> = new Set([
  'version_scheme',
  'days_basis',
  'support_phase',
  'ordinal',
]);

/**
 * Fields that a file can set for a gather job that a helm sync job manages. The sync sets the other fields.
 */
export const managedJobFields: ReadonlySet<string> = new Set([
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

/**
 * Fields that Pacekeeper derives unless they are set. Each of them is mapped to the field that states whether
 * its value was set or derived.
 */
const derivedMembers: ReadonlyMap<string, string> = new Map([
  ['gather_jobs.purls', 'purls_source'],
  ['gather_jobs.project_url', 'project_url_source'],
  ['gather_jobs.lifecycle_product', 'lifecycle_product_source'],
  ['gather_jobs.vulnerability_packages', 'vulnerability_packages_source'],
]);

/** Returns the value of a field as a file contains it: `null` if the value is derived. */
export function valueInFile(
  section: Section,
  field: string,
  item: Readonly<Record<string, unknown>>,
): unknown {
  const source = derivedMembers.get(`${section}.${field}`);
  return source === undefined || item[source] === 'set' ? item[field] : null;
}

/** Fields that a file can set for a scrape job that a discovery job manages. */
export const discoveredFields: ReadonlySet<string> = new Set([
  'name',
  'key',
  'fed_by',
  'history_limit',
  'labels',
  'is_active',
]);

/** Returns the chart of a gather job that a helm sync job manages. */
export function chartOfManagedJob(gatherJob: Readonly<Record<string, unknown>>): string {
  return String(gatherJob['artifact_name']).split('/').at(-1) ?? '';
}

/**
 * Field that contains the artifact of a gather job. In the file, its value can be an object with
 * `trackedField`, which references a scrape job: `{scrape_job: shop in staging}`.
 */
export const artifactField = 'artifact_name';
export const trackedField = 'scrape_job';

/** Returns the API value of a reference: an ID, or the artifact name that contains the ID. */
export function apiReferenceValue(member: string, id: number): number | string {
  return member === artifactField ? artifactOfScrapeJob(id) : id;
}

/** Returns the default of an omitted field, or `null` if the field has no default. */
export function defaultOf(field: Readonly<Record<string, unknown>>): unknown {
  return field['default'] ?? null;
}
