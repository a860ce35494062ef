import type { ApiOperationId } from '../../client/api-client.ts';
import { kindOf, type Section, templateSettings } from '../../domain/configuration/kinds.ts';
import { formatAmount } from '../../domain/rules/format-lag.ts';
import { type RuleTypeId, ruleTypes } from '../../domain/rules/rule-types.ts';
import { formatDaysLeft } from '../../domain/support/format-support.ts';
import { pluralOf } from '../../domain/text/plural.ts';
import type { Schemas } from '../../generated/client-api.ts';
import { type Item, isItem } from '../call-operation.ts';
import { withSeparators } from '../output/counted.ts';
import { formatTime, isTimeField } from '../output/format-time.ts';
import type { Column } from '../output/print-result.ts';

/** A kind of resource, and the API operations that the CLI can perform on it. */
export interface Resource {
  /** Name on the command line: `gather-jobs`. */
  name: string;
  singular: string;
  /** Alternative names. */
  aliases: readonly string[];
  /** Noun for sentences: `gather job`. */
  word: string;
  /** Noun for what the list contains, if it doesn't contain all resources of the kind: `open alert`. */
  listedWord?: string;
  list: ApiOperationId;
  /** True if the list is paginated. `canSearch` is true if `q` filters it. */
  hasPages: boolean;
  canSearch: boolean;
  /** Default sort order of the UI, if the API has a different one. */
  defaultSort?: string;
  get?: ApiOperationId;
  create?: ApiOperationId;
  update?: ApiOperationId;
  delete?: ApiOperationId;
  /**
   * Handling of --cascade: `requested` if the API requires the parameter; `always` if the API deletes
   * dependents without it, and only this command requires the option.
   */
  cascade?: 'requested' | 'always';
  toggle?: ApiOperationId;
  /** Set if the resource is a job. */
  job?: JobOperations;
  /** Schema names of the request bodies in the contract. */
  createSchema?: string;
  updateSchema?: string;
  /** Field that identifies a resource in paths and responses. */
  key: 'id' | 'key' | 'category' | 'name';
  /** Set if the ID isn't a number: a regular expression for it, and its name in paths. */
  textId?: { pattern: string; parameter: string };
  /** Returns the key for an alternative name, for example the setting key of a template. */
  keyOf?(name: string): string | undefined;
  /** Returns the name of a resource. Null if it has none. */
  nameOf(item: Item): string | null;
  columns: readonly Column[];
  /** Additional columns for `-o wide`. */
  wideColumns?: readonly Column[];
  /** True if the list can be filtered by label. */
  hasLabels?: boolean;
  /** True if deleting the resource resets it to its default. */
  isReset?: true;
  /** Warning that `delete` shows with its confirmation. */
  deleteWarning?: string;
}

export interface JobOperations {
  run: ApiOperationId;
  listRuns: Extract<ApiOperationId, `list${string}JobRuns`>;
  /** Noun for the results of a run. */
  finds: 'release' | 'version';
}

const column = (title: string, member: string): Column => ({
  title,
  value: (item) => item[member],
  ...(isTimeField(member) && { kind: 'time' }),
  ...(member.endsWith('_count') && { kind: 'count' }),
});
const id = column('ID', 'id');
const name = column('NAME', 'name');
const active = column('ACTIVE', 'is_active');
const nameOf = (item: Item) => (typeof item['name'] === 'string' ? item['name'] : null);
const nested = (title: string, member: string, inner: string): Column => ({
  title,
  ...(isTimeField(inner) && { kind: 'time' }),
  value(item) {
    const value = item[member];
    return typeof value === 'object' && value !== null ? (value as Item)[inner] : null;
  },
});
const labels: Column = {
  title: 'LABELS',
  value: ({ labels, effective_labels }) =>
    Object.entries((effective_labels ?? labels) as Item).map(([key, value]) => `${key}=${String(value)}`),
};
/** Possible source repositories of an item without a known source. */
const candidates: Column = {
  title: 'CANDIDATES',
  value({ proposal }) {
    const { artifact_name, candidates } = proposal as Schemas['DiscoveryProposal'];
    return artifact_name === null ? candidates.map((candidate) => candidate.artifact_name) : null;
  },
};
const thresholds: Column = {
  title: 'THRESHOLDS',
  value: ({ thresholds }) =>
    Object.entries(thresholds as Item).map(([key, value]) => `${key} ${String(value)}`),
};
/** Lag in the unit of the rule, if known. */
const behind: Column = {
  title: 'BEHIND',
  kind: 'count',
  value({ behind_by, days_left, rule_type }) {
    if (typeof days_left === 'number') return formatDaysLeft(days_left);
    const isKnown = typeof rule_type === 'string' && Object.hasOwn(ruleTypes, rule_type);
    return typeof behind_by === 'number' && isKnown
      ? formatAmount(behind_by, rule_type as RuleTypeId, 'shortUnit')
      : behind_by;
  },
};
/**
 * Status of an alert. Includes silences and snoozes, because otherwise an alert that sends no notifications would look
 * like any other.
 */
const alertStatus: Column = {
  title: 'STATUS',
  value: ({ status, silence, snoozed_until, snoozed_until_version_changes }) =>
    [
      status,
      ...(silence ? ['silenced'] : []),
      ...(snoozed_until || snoozed_until_version_changes ? ['snoozed'] : []),
    ].join(', '),
};
/** Status of a job. If the run must wait for user action or until a known time, the status includes the reason. */
const jobStatus: Column = {
  title: 'STATUS',
  value: ({ status, waiting_for, waiting_until }) => {
    if (waiting_for === 'agent') return `${String(status)}, waiting for an agent`;
    return waiting_for === 'host_limit'
      ? `${String(status)}, rate limited until ${String(formatTime(waiting_until))}`
      : status;
  },
};
/** Progress of applying an alias change to gather jobs and items. */
const applying: Column = {
  title: 'APPLYING',
  value({ applying }) {
    const progress = applying as Schemas['ArtifactAlias']['applying'];
    return progress && `${withSeparators(progress.done)} of ${withSeparators(progress.total)}`;
  },
};
const created = column('CREATED', 'created_at');
const updated = column('UPDATED', 'updated_at');
const credential = column('CREDENTIAL', 'credential_name');
const schedule = column('SCHEDULE', 'cron_expression');
const nextRun = column('NEXT RUN', 'next_run_at');
const inPages = { hasPages: true, canSearch: true, key: 'id', nameOf } as const;

/** All kinds of resources. To add a kind, add an entry. */
export const resources: readonly Resource[] = [
  {
    ...ofSection('rules', 'Rule'),
    aliases: ['r', 'monitoring-rule', 'monitoring-rules'],
    toggle: 'toggleRule',
    cascade: 'always',
    wideColumns: [
      column('STABLE ONLY', 'stable_only'),
      column('MIN AGE (DAYS)', 'min_release_age_days'),
      column('EXPLOITED (DAYS)', 'known_exploited_days'),
      column('MIN EPSS', 'min_epss'),
      column('DESCRIPTION', 'description'),
      updated,
    ],
    columns: [
      id,
      name,
      column('TYPE', 'rule_type'),
      thresholds,
      active,
      column('CONFIGS', 'alert_config_count'),
    ],
  },
  {
    ...ofSection('alert_configs', 'AlertConfig'),
    aliases: ['ac', 'config', 'configs'],
    toggle: 'toggleAlertConfig',
    hasLabels: true,
    wideColumns: [
      column('REASON', 'state_reason'),
      nested('IN MIRROR', 'mirror', 'version'),
      nested('SCRAPE JOB', 'scrape_job', 'name'),
      nested('GATHER JOB', 'gather_job', 'name'),
      column('SINCE', 'behind_since'),
      column('EVALUATED', 'last_evaluated_at'),
    ],
    columns: [
      id,
      name,
      column('STATE', 'state'),
      column('SEVERITY', 'severity'),
      column('DEPLOYED', 'deployed_version'),
      column('LATEST', 'latest_stable_version'),
      behind,
      nested('RULE', 'rule', 'name'),
      labels,
    ],
  },
  {
    ...ofSection('gather_jobs', 'GatherJob'),
    job: { run: 'runGatherJob', listRuns: 'listGatherJobRuns', finds: 'release' },
    aliases: ['gj', 'gather'],
    cascade: 'requested',
    wideColumns: [
      column('SOURCE', 'source_type'),
      nested('IN MIRROR', 'mirror', 'version'),
      column('RELEASED', 'latest_released_at'),
      schedule,
      nextRun,
      credential,
    ],
    columns: [
      id,
      name,
      column('SCOPE', 'scope'),
      column('ARTIFACT', 'artifact_name'),
      column('LATEST', 'latest_stable_version'),
      column('RELEASES', 'release_count'),
      column('STATUS', 'status'),
      active,
    ],
  },
  {
    ...ofSection('scrape_jobs', 'ScrapeJob'),
    job: { run: 'runScrapeJob', listRuns: 'listScrapeJobRuns', finds: 'release' },
    aliases: ['sj', 'scrape'],
    cascade: 'requested',
    wideColumns: [
      column('SOURCE', 'source'),
      column('MATCH', 'match'),
      column('REPOSITORY', 'repository_url'),
      column('FILE', 'target_file'),
      column('URL', 'url'),
      column('QUERY', 'query'),
      schedule,
      nextRun,
      credential,
    ],
    columns: [
      id,
      name,
      column('PARSER', 'parser_type'),
      column('VERSION', 'latest_version'),
      column('SINCE', 'latest_version_at'),
      column('STATUS', 'status'),
      active,
    ],
  },
  {
    ...ofSection('helm_sync_jobs', 'HelmSyncJob'),
    job: { run: 'runHelmSyncJob', listRuns: 'listHelmSyncJobRuns', finds: 'release' },
    aliases: ['hj', 'helm', 'helm-sync'],
    cascade: 'requested',
    wideColumns: [schedule, nextRun, credential],
    columns: [
      id,
      name,
      column('SCOPE', 'scope'),
      column('REPOSITORY', 'repository_url'),
      column('CHARTS', 'chart_count'),
      column('STATUS', 'status'),
      active,
    ],
  },
  {
    ...ofSection('discovery_jobs', 'DiscoveryJob'),
    job: { run: 'runDiscoveryJob', listRuns: 'listDiscoveryJobRuns', finds: 'version' },
    aliases: ['dj', 'discovery'],
    cascade: 'requested',
    wideColumns: [column('REF', 'ref'), column('ACCEPT', 'accept'), schedule, nextRun, credential],
    columns: [
      id,
      name,
      column('KIND', 'kind'),
      {
        title: 'SOURCE',
        value: ({ repository_url, group_url, cluster_name, host_name }) =>
          repository_url ?? group_url ?? cluster_name ?? host_name,
      },
      nested('NEW', 'item_counts', 'new'),
      nested('ACCEPTED', 'item_counts', 'accepted'),
      nested('UNRESOLVED', 'item_counts', 'unresolved'),
      jobStatus,
      active,
    ],
  },
  {
    name: 'discovered-items',
    singular: 'discovered-item',
    aliases: ['di', 'items'],
    word: 'discovered item',
    list: 'listDiscoveredItems',
    ...inPages,
    get: 'getDiscoveredItem',
    update: 'updateDiscoveredItem',
    updateSchema: 'UpdateDiscoveredItemRequest',
    wideColumns: [
      column('BY DIGEST', 'matched_version'),
      column('DIGEST', 'digest'),
      nested('SOURCE', 'proposal', 'source_type'),
      nested('WHY', 'proposal', 'why'),
      candidates,
      nested('LINE', 'place', 'line'),
      column('EXTRACTOR', 'extractor'),
      labels,
      column('IGNORED BY', 'ignored_by'),
      column('IGNORED BECAUSE', 'ignore_reason'),
      column('SEEN', 'last_seen_at'),
    ],
    columns: [
      id,
      name,
      nested('ARTIFACT', 'artifact', 'name'),
      column('VERSION', 'version'),
      nested('FILE', 'place', 'file'),
      nested('UPSTREAM', 'proposal', 'artifact_name'),
      column('STATUS', 'status'),
      column('REASON', 'reason'),
    ],
  },
  {
    ...ofSection('notification_channels', 'NotificationChannel'),
    aliases: ['nc', 'channel', 'channels'],
    toggle: 'toggleNotificationChannel',
    cascade: 'always',
    wideColumns: [
      column('URL', 'url'),
      column('RECIPIENTS', 'recipients'),
      column('OWNERS', 'owners'),
      column('PROJECT', 'project'),
      column('DIGEST (MIN)', 'digest_minutes'),
      column('DIGEST SCHEDULE', 'digest_schedule'),
      column('OPENS', 'opens_at'),
      nested('LAST SUCCESS', 'health', 'last_success_at'),
    ],
    columns: [
      id,
      name,
      column('TYPE', 'channel_type'),
      column('PRESET', 'preset'),
      column('DEFAULT', 'is_default'),
      nested('HEALTH', 'health', 'status'),
      active,
    ],
  },
  {
    ...ofSection('notification_rules', 'NotificationRule'),
    aliases: ['nr'],
    toggle: 'toggleNotificationRule',
    wideColumns: [
      column('TO OWNER', 'route_to_owner'),
      column('LAST MATCH', 'last_matched_at'),
      column('INACTIVE BECAUSE', 'inactive_reason'),
      column('DESCRIPTION', 'description'),
    ],
    columns: [
      id,
      name,
      column('PRIORITY', 'priority'),
      column('SEVERITIES', 'severities'),
      column('EVENTS', 'event_types'),
      column('CHANNELS', 'channel_ids'),
      column('MATCHES', 'match_count'),
      active,
    ],
  },
  {
    name: 'silences',
    singular: 'silence',
    aliases: ['sil'],
    word: 'silence',
    ...inPages,
    canSearch: false,
    ...operationsOf('Silence'),
    nameOf: () => null,
    wideColumns: [column('RULES', 'rule_ids'), nested('CREATED BY', 'created_by', 'name'), created],
    columns: [
      id,
      column('STATUS', 'status'),
      {
        title: 'LABELS',
        value: ({ label_matchers }) =>
          (label_matchers as Item[]).map((matcher) =>
            ['label', 'operator', 'value'].map((part) => matcher[part]).join(''),
          ),
      },
      column('SEVERITIES', 'severities'),
      column('STARTS', 'starts_at'),
      column('ENDS', 'ends_at'),
      column('REASON', 'reason'),
    ],
  },
  {
    ...ofSection('freshness_targets', 'FreshnessTarget'),
    aliases: ['ft', 'target', 'targets'],
    wideColumns: [column('UNKNOWN', 'unknown'), column('MET SINCE', 'met_since'), created],
    columns: [
      id,
      name,
      column('METRIC', 'metric'),
      column('LIMIT', 'limit'),
      column('GOAL %', 'goal_percent'),
      column('NOW %', 'now_percent'),
      column('OUT', 'out_of_target'),
      column('IN 30 DAYS', 'forecast_30d'),
      active,
    ],
  },
  {
    ...ofSection('artifact_aliases', 'ArtifactAlias'),
    aliases: ['aa', 'alias', 'aliases'],
    wideColumns: [column('READ', 'reads_mirror'), created, column('UPDATED', 'updated_at')],
    columns: [id, name, column('PREFIX', 'prefix'), column('UPSTREAM', 'upstream_prefix'), applying],
  },
  {
    ...ofSection('artifact_corrections', 'ArtifactCorrection'),
    aliases: ['correction', 'corrections'],
    nameOf: ({ artifact }) => String(artifact),
    wideColumns: [nested('BY', 'updated_by', 'name'), created, column('UPDATED', 'updated_at')],
    columns: [
      id,
      column('ARTIFACT', 'artifact'),
      column('SOURCE', 'source_type'),
      column('UPSTREAM', 'artifact_name'),
    ],
  },
  {
    name: 'software',
    singular: 'software',
    aliases: ['sw'],
    word: 'software',
    ...inPages,
    hasLabels: true,
    list: 'listSoftware',
    wideColumns: [column('SINCE', 'deployed_at'), nested('BEHIND SINCE', 'worst', 'behind_since'), labels],
    columns: [
      id,
      name,
      column('STATE', 'state'),
      column('SEVERITY', 'severity'),
      column('DEPLOYED', 'deployed_version'),
      nested('LATEST', 'worst', 'latest_stable_version'),
      { ...behind, value: ({ worst }) => (worst === null ? null : behind.value(worst as Item)) },
      column('ALERTS', 'open_alert_count'),
    ],
  },
  {
    name: 'freshness-things',
    singular: 'freshness-thing',
    aliases: [],
    word: 'deployed version',
    ...inPages,
    hasLabels: true,
    list: 'listFreshnessThings',
    nameOf: ({ alert_config }) => String((alert_config as Item)['name']),
    wideColumns: [
      column('ARTIFACT', 'artifact_name'),
      labels,
      column('ESTIMATE', 'is_estimate'),
      column('DOUBT', 'list_doubt'),
    ],
    columns: [
      id,
      nested('NAME', 'alert_config', 'name'),
      column('DEPLOYED', 'deployed_version'),
      column('LATEST', 'latest_version'),
      {
        title: 'LIBYEARS',
        value: ({ libyears }) => (typeof libyears === 'number' ? Math.round(libyears * 100) / 100 : null),
      },
      column('EXPOSURE DAYS', 'exposure_days'),
      column('MAJORS', 'majors'),
      column('MINORS', 'minors'),
      column('RELEASES', 'releases'),
      column('WITHIN TARGET', 'is_within_target'),
    ],
  },
  {
    name: 'notification-templates',
    singular: 'notification-template',
    aliases: ['nt', 'template', 'templates'],
    word: 'notification template',
    list: 'listNotificationTemplates',
    update: 'updateNotificationTemplate',
    updateSchema: 'UpdateNotificationTemplateRequest',
    delete: 'deleteNotificationTemplate',
    isReset: true,
    hasPages: false,
    canSearch: false,
    key: 'category',
    nameOf: ({ category }) => String(category),
    keyOf: (name) => Object.entries(templateSettings).find(([, setting]) => setting === name)?.[0],
    wideColumns: [
      { title: 'SETTING', value: ({ category }) => templateSettings[String(category)] },
      column('BODY', 'body'),
    ],
    columns: [
      column('CATEGORY', 'category'),
      column('SOURCE', 'source'),
      column('EVENTS', 'events'),
      column('UPDATED', 'updated_at'),
    ],
  },
  {
    name: 'settings',
    singular: 'setting',
    aliases: ['s'],
    word: 'setting',
    list: 'listEffectiveSettings',
    update: 'putOrgOverride',
    updateSchema: 'UpdateSettingRequest',
    delete: 'deleteOrgOverride',
    isReset: true,
    hasPages: false,
    canSearch: false,
    key: 'key',
    nameOf: ({ key }) => String(key),
    wideColumns: [column('DEFAULT', 'default_value'), column('DESCRIPTION', 'description')],
    columns: [column('KEY', 'key'), column('VALUE', 'value'), column('SCOPE', 'scope')],
  },
  {
    name: 'api-keys',
    singular: 'api-key',
    aliases: ['key', 'keys'],
    word: 'API key',
    ...inPages,
    ...operationsOf('APIKey'),
    delete: 'deactivateAPIKey',
    toggle: 'toggleAPIKey',
    deleteWarning: 'The key is revoked permanently.',
    wideColumns: [
      column('CAPABILITIES', 'agent_capabilities'),
      column('CREDENTIALS', 'agent_credential_names'),
      column('EXPIRES', 'expires_at'),
      nested('CREATED BY', 'created_by', 'name'),
      column('DESCRIPTION', 'description'),
      created,
    ],
    columns: [
      id,
      name,
      column('ROLE', 'role'),
      column('PREFIX', 'key_prefix'),
      column('STATUS', 'status'),
      column('LAST USED', 'last_used_at'),
    ],
  },
  {
    name: 'hooks',
    singular: 'hook',
    aliases: [],
    word: 'hook',
    list: 'listHooks',
    create: 'createHook',
    createSchema: 'CreateHookRequest',
    delete: 'deleteHook',
    hasPages: false,
    canSearch: false,
    key: 'id',
    nameOf,
    wideColumns: [created],
    columns: [
      id,
      name,
      column('KIND', 'kind'),
      column('URL', 'url'),
      column('RECEIVED', 'last_received_at'),
      column('JOBS', 'last_event_jobs'),
    ],
  },
  {
    name: 'deployment-trusts',
    singular: 'deployment-trust',
    aliases: ['trust', 'trusts'],
    word: 'trust',
    ...inPages,
    ...operationsOf('DeploymentTrust'),
    wideColumns: [
      column('AUDIENCE', 'audience'),
      column('EXPIRES', 'expires_at'),
      nested('SAVED BY', 'saved_by', 'name'),
      created,
    ],
    columns: [
      id,
      name,
      column('CODE', 'code'),
      column('ISSUER', 'issuer'),
      {
        title: 'CLAIMS',
        value: ({ claims }) =>
          Object.entries(claims as Item).map(([claim, pattern]) => `${claim}=${String(pattern)}`),
      },
      column('SERVICES', 'services'),
      column('ENVIRONMENTS', 'environments'),
      column('STATUS', 'status'),
      column('LAST USED', 'last_used_at'),
    ],
  },
  {
    name: 'audit-exports',
    singular: 'audit-export',
    aliases: [],
    word: 'audit export',
    list: 'listAuditExports',
    create: 'createAuditExport',
    createSchema: 'CreateAuditExportRequest',
    delete: 'deleteAuditExport',
    hasPages: false,
    canSearch: false,
    key: 'id',
    nameOf,
    wideColumns: [created],
    columns: [
      id,
      name,
      column('URL', 'url'),
      column('PENDING', 'pending_count'),
      column('LAST SUCCESS', 'last_success_at'),
      column('FAILING SINCE', 'failing_since'),
    ],
  },
  {
    name: 'members',
    singular: 'member',
    aliases: ['m'],
    word: 'member',
    ...inPages,
    list: 'listMembers',
    create: 'inviteMember',
    createSchema: 'InviteMemberRequest',
    update: 'updateMember',
    updateSchema: 'UpdateMemberRequest',
    delete: 'deleteMember',
    nameOf: ({ email }) => String(email),
    wideColumns: [created],
    columns: [id, name, column('EMAIL', 'email'), column('ROLE', 'role'), column('TWO-FACTOR', 'two_factor')],
  },
  {
    name: 'agents',
    singular: 'agent',
    aliases: [],
    word: 'agent',
    ...inPages,
    canSearch: false,
    list: 'listAgents',
    wideColumns: [column('HOST', 'hostname'), column('CAPABILITIES', 'capabilities')],
    columns: [
      id,
      name,
      column('KIND', 'kind'),
      column('STATUS', 'status'),
      column('VERSION', 'version'),
      column('CREDENTIALS', 'credential_names'),
      column('LAST SEEN', 'last_heartbeat_at'),
    ],
  },
  {
    name: 'deliveries',
    singular: 'delivery',
    aliases: ['notification-delivery', 'notification-deliveries', 'd'],
    word: 'notification delivery',
    ...inPages,
    canSearch: false,
    list: 'listNotificationDeliveries',
    get: 'getNotificationDelivery',
    nameOf: () => null,
    wideColumns: [
      column('RESPONSE', 'response_status'),
      column('NEXT ATTEMPT', 'next_attempt_at'),
      column('WAITING FOR', 'waiting_for'),
      column('COMPLETED', 'completed_at'),
    ],
    columns: [
      id,
      column('CHANNEL', 'channel_name'),
      column('EVENT', 'event_type'),
      column('ALERT', 'alert_id'),
      column('STATUS', 'status'),
      column('ATTEMPTS', 'attempt_count'),
      nested('ERROR', 'error', 'message'),
      column('CREATED', 'created_at'),
    ],
  },
  {
    name: 'releases',
    singular: 'release',
    aliases: [],
    word: 'release',
    ...inPages,
    list: 'listReleases',
    get: 'getRelease',
    nameOf: ({ version }) => String(version),
    wideColumns: [
      column('SOURCE', 'source_type'),
      column('TAG', 'tag'),
      column('DIGEST', 'digest'),
      column('COMMIT', 'commit'),
      nested('CHANGED', 'move', 'noticed_at'),
      column('REMOVED', 'is_withdrawn'),
      column('YANKED', 'is_yanked'),
      column('URL', 'url'),
    ],
    columns: [
      id,
      column('ARTIFACT', 'artifact_name'),
      column('VERSION', 'version'),
      column('RELEASED', 'released_at'),
      column('PRE-RELEASE', 'is_prerelease'),
    ],
  },
  {
    name: 'versions',
    singular: 'version',
    aliases: ['v'],
    word: 'version',
    ...inPages,
    canSearch: false,
    list: 'listVersions',
    nameOf: () => null,
    wideColumns: [column('RAW', 'raw_version'), column('COMMIT', 'commit_sha'), column('MATCH', 'match')],
    columns: [
      id,
      column('SCRAPE JOB', 'scrape_job_name'),
      column('VERSION', 'version'),
      column('SOURCE', 'source'),
      column('CHANGE', 'is_change'),
      column('DISCOVERED', 'discovered_at'),
    ],
  },
  {
    name: 'exposures',
    singular: 'exposure',
    aliases: ['exp'],
    word: 'exposure',
    ...inPages,
    canSearch: false,
    list: 'listExposures',
    nameOf: () => null,
    wideColumns: [
      column('COMMIT', 'commit'),
      column('SOURCE', 'source'),
      nested('SCRAPE JOB', 'scrape_job', 'id'),
      column('KNOWN SECONDS', 'known_seconds'),
      labels,
    ],
    columns: [
      id,
      column('NAME', 'name'),
      column('VERSION', 'version'),
      column('OWNER', 'owner'),
      column('STATUS', 'status'),
      column('FIRST SEEN', 'first_seen_at'),
      column('LAST SEEN', 'last_seen_at'),
      column('GAPS', 'gap_count'),
    ],
  },
  {
    name: 'deployments',
    singular: 'deployment',
    aliases: ['dep'],
    word: 'deployment',
    ...inPages,
    canSearch: false,
    list: 'listDeployments',
    nameOf: () => null,
    wideColumns: [
      column('ARTIFACT', 'artifact'),
      column('COMMIT', 'commit'),
      column('URL', 'url'),
      nested('SCRAPE JOB', 'scrape_job', 'name'),
      labels,
      column('LATE', 'is_late'),
      created,
    ],
    columns: [
      id,
      column('TIME', 'time'),
      column('SERVICE', 'service'),
      column('ENVIRONMENT', 'environment'),
      column('VERSION', 'version'),
      column('CURRENT', 'is_current'),
      nested('REPORTED BY', 'reported_by', 'name'),
    ],
  },
  {
    name: 'alerts',
    singular: 'alert',
    aliases: ['a'],
    word: 'alert',
    listedWord: 'open alert',
    ...inPages,
    list: 'listAlerts',
    defaultSort: 'worst',
    get: 'getAlert',
    nameOf: () => null,
    hasLabels: true,
    wideColumns: [
      column('RULE', 'rule_name'),
      column('ARTIFACT', 'artifact_name'),
      column('SNOOZED UNTIL', 'snoozed_until'),
      nested('SILENCED UNTIL', 'silence', 'ends_at'),
      labels,
    ],
    columns: [
      id,
      column('SEVERITY', 'severity'),
      alertStatus,
      column('CONFIG', 'alert_config_name'),
      column('DEPLOYED', 'discovered_version'),
      column('LATEST', 'latest_version'),
      behind,
      column('SINCE', 'created_at'),
    ],
  },
  {
    name: 'upgrades',
    singular: 'upgrade',
    aliases: ['up'],
    word: 'upgrade',
    ...inPages,
    list: 'listUpgrades',
    get: 'getUpgrade',
    textId: { pattern: String.raw`\d+-[\da-f]{16}`, parameter: 'upgrade_id' },
    nameOf: ({ gather_job: job }) => (isItem(job) ? nameOf(job) : null),
    wideColumns: [
      column('ARTIFACT', 'artifact_name'),
      column('REASONS', 'reasons'),
      column('FIRST SEEN', 'behind_since_is_first_seen'),
      column('ENDS', 'ends_at'),
      column('RELEASE', 'release_url'),
    ],
    columns: [
      id,
      column('STATUS', 'status'),
      column('SEVERITY', 'severity'),
      nested('SOURCE', 'gather_job', 'name'),
      column('UPGRADE TO', 'target_version'),
      column('STEP', 'jump'),
      nested('PLACES', 'places', 'total'),
      nested('OPEN', 'places', 'needs_action'),
      column('BEHIND SINCE', 'behind_since'),
    ],
  },
  {
    name: 'reference-sources',
    singular: 'reference-source',
    aliases: ['reference', 'reference-data'],
    word: 'reference source',
    list: 'listReferenceSources',
    hasPages: false,
    canSearch: false,
    key: 'name',
    nameOf,
    wideColumns: [
      column('FETCHED BY AN AGENT', 'is_fetched'),
      column('SKIPPED', 'skipped_count'),
      column('PARTIAL', 'is_partial'),
      nested('NEWER DATA WAITING SINCE', 'waiting', 'since'),
    ],
    columns: [
      name,
      column('SOURCE', 'label'),
      column('AS OF', 'as_of'),
      // Data that was never loaded is neither old nor current.
      { title: 'OLD', value: ({ as_of, is_old }) => (as_of === null ? null : is_old) },
      column('ENTRIES', 'product_count'),
      column('FETCHED', 'fetched_at'),
      column('FETCH ERROR', 'fetch_error'),
    ],
  },
  {
    name: 'lifecycle-products',
    singular: 'lifecycle-product',
    aliases: ['product', 'products'],
    word: 'lifecycle product',
    hasPages: true,
    canSearch: true,
    list: 'listLifecycleProducts',
    get: 'getLifecycleProduct',
    key: 'name',
    nameOf,
    wideColumns: [column('PURLS', 'purls')],
    columns: [
      name,
      column('LABEL', 'label'),
      column('RELEASE LINES', 'release_line_count'),
      column('URL', 'url'),
    ],
  },
  {
    name: 'audit-log',
    singular: 'audit-entry',
    aliases: ['audit'],
    word: 'audit entry',
    ...inPages,
    list: 'listAuditLog',
    nameOf: () => null,
    wideColumns: [column('KIND', 'resource'), column('ID', 'resource_id'), column('REQUEST', 'request_id')],
    columns: [
      id,
      column('TIME', 'created_at'),
      column('ACTION', 'action'),
      column('RESOURCE', 'resource_name'),
      nested('ACTOR', 'actor', 'name'),
    ],
  },
];

/** Returns the names and operations of a section of the configuration file. */
function ofSection(section: Section, noun: string) {
  const { word, createSchema } = kindOf(section);
  const name = nameOfSection(section);
  return {
    ...inPages,
    ...operationsOf(noun),
    name,
    singular: name.replace(/(?:(?<=s)es|s)$/, ''),
    word,
    createSchema,
    updateSchema: createSchema.replace(/^Create/, 'Update'),
  };
}

/** Converts a section name to a resource name: `gather_jobs` becomes `gather-jobs`. */
export function nameOfSection(section: Section): string {
  return section.replaceAll('_', '-');
}

/** Returns the operations and request bodies of a resource, which follow the naming of the contract. */
function operationsOf(
  noun: string,
): Pick<Resource, 'list' | 'get' | 'create' | 'update' | 'delete' | 'createSchema' | 'updateSchema'> {
  return {
    list: `list${pluralOf(noun)}` as ApiOperationId,
    get: `get${noun}` as ApiOperationId,
    create: `create${noun}` as ApiOperationId,
    update: `update${noun}` as ApiOperationId,
    delete: `delete${noun}` as ApiOperationId,
    createSchema: `Create${noun}Request`,
    updateSchema: `Update${noun}Request`,
  };
}
