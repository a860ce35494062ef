import { randomUUID } from 'node:crypto';
import { createApiClient } from '../../src/client/api-client.ts';
import type { OperationId } from '../../src/generated/operations.ts';
import type { KeyRole, Role } from '../../src/platform/http/index.ts';
import { type ContractOperation, type Json, operationOf } from './contract-operations.ts';
import { type RawRequest, type RawResponse, sendRequest } from './send-request.ts';
import { foundVersion, oneDayFromNow, taskSummary, unchangedSummary, type World } from './world.ts';

/** Credential of a call: a key or a session of a role, custom headers, or `null` for an anonymous call. */
export type Credential =
  | { key: Role | KeyRole }
  | { login: Role }
  | { headers: Readonly<Record<string, string>> }
  | null;

/**
 * Parameters of a call. Without `as`, the call uses the least privileged credential that the contract
 * accepts.
 */
export interface Call {
  path?: Json;
  query?: Json;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  as?: Credential;
}

type MakeCall = (world: World) => Call | Promise<Call>;

/** Sends a call to its operation without validation. */
export async function callOperation(world: World, id: OperationId, call: Call): Promise<RawResponse> {
  return sendRequest(world.baseUrl, toRequest(world, operationOf(id), call));
}

export function toRequest(world: World, operation: ContractOperation, call: Call): RawRequest {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(call.path?.[name] ?? '')),
  );
  const query = Object.entries(call.query ?? {}).map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
  );
  const body = call.body === undefined ? undefined : JSON.stringify(call.body);
  return {
    method: operation.method,
    path: query.length > 0 ? `${path}?${query.join('&')}` : path,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headersOf(world, call.as === undefined ? leastPrivilegedCredential(operation) : call.as),
      ...call.headers,
    },
    body,
  };
}

/** Returns the least privileged credential that the contract accepts for an operation. */
export function leastPrivilegedCredential({ security, role, keyRoles }: ContractOperation): Credential {
  if (security.length === 0 || role === null) return null;
  if (!security.includes('ApiKey')) return { login: role };
  return { key: keyRoles.includes('agent') ? 'agent' : role };
}

export function headersOf(world: World, credential: Credential): Readonly<Record<string, string>> {
  if (credential === null) return {};
  if ('headers' in credential) return credential.headers;
  if ('login' in credential) return { authorization: `Bearer ${world.logins[credential.login].token}` };
  return { 'x-api-key': world.keys[credential.key] };
}

const first = (kind: keyof World['ids']) => (world: World) => world.ids[kind][0]!;
/** Creates a call on the first existing resource of a kind. */
const onFirst =
  (kind: keyof World['ids']): MakeCall =>
  (world) => ({ path: { id: first(kind)(world) } });
/** Creates a call on a new resource. */
const onNew =
  (make: (world: World) => Promise<number>): MakeCall =>
  async (world) => ({ path: { id: await make(world) } });

const onFirstUpgrade: MakeCall = async (world) => {
  const { items } = await world.admin.call('listUpgrades', { query: { limit: 1 } });
  return { path: { upgrade_id: items[0]!.id } };
};

const page = { limit: 2, offset: 1 };
const listed: MakeCall = () => ({ query: page });
const anyone: MakeCall = () => ({});
const since = '2026-01-01T00:00:00+02:00';

/**
 * Successful calls, one per operation, with all of its parameters and most of its fields. A missing operation
 * is a compile error.
 */
export const validCalls: Record<OperationId, MakeCall> = {
  listGatherJobs: (world) => ({
    query: {
      ...page,
      q: 'thing',
      sort: '-name',
      scope: 'organization',
      status: 'completed',
      is_active: true,
      source_type: 'helm_repository',
      helm_sync_job_id: first('helm_sync_job')(world),
    },
  }),
  createGatherJob: ({ make }) => ({
    body: {
      name: make.name(),
      source_type: 'http_json',
      artifact_name: 'https://json.example.com/a',
      is_active: false,
      source_options: {
        version_path: '.releases[*].name',
        date_path: '.releases[*].date',
      },
      version_scheme: 'semver',
      version_pattern: '^v(.+)$',
      include_prereleases: false,
      max_releases: 10,
      ignored_versions: ['2.0.0'],
      counted_versions: ['20250101'],
      purls: ['pkg:github/owner/tool'],
      lifecycle_product: 'postgresql',
      vulnerability_packages: ['Bitnami/postgresql'],
      project_url: 'https://github.com/owner/tool',
      version_of: 'artifact',
      cron_expression: '*/30 * * * *',
      cron_timezone: 'Europe/Berlin',
      credential_name: 'a name',
    },
  }),
  getGatherJob: onFirst('gather_job'),
  updateGatherJob: async ({ make }) => ({
    path: { id: await make.gatherJob() },
    body: {
      name: make.name(),
      artifact_name: 'github.com/other/one',
      cron_expression: '@daily',
      is_active: false,
    },
  }),
  deleteGatherJob: async ({ make }) => ({ path: { id: await make.gatherJob() }, query: { cascade: true } }),
  runGatherJob: onNew(({ make }) => make.gatherJob()),
  clearGatherJobReleases: onNew(({ make }) => make.gatherJob()),
  listGatherJobRuns: (world) => ({
    path: { id: first('gather_job')(world) },
    query: { ...page, status: 'succeeded' },
  }),

  listScrapeJobs: () => ({
    query: { ...page, q: 'thing', sort: 'name', status: 'pending', is_active: true, parser_type: 'manual' },
  }),
  createScrapeJob: ({ make }) => ({
    body: {
      name: make.name(),
      parser_type: 'regex',
      repository_url: 'ssh://git@git.example.com/deploy',
      ref: 'main',
      target_file: 'a/values.yaml',
      parse_expression: 'tag: (\\S+)',
      version_transform: 'strip_v_lower',
      credential_name: 'deploy',
      cron_expression: '0 * * * *',
      cron_timezone: 'UTC',
      history_limit: 7,
    },
  }),
  getScrapeJob: onFirst('scrape_job'),
  updateScrapeJob: async ({ make }) => ({
    path: { id: await make.gitScrapeJob() },
    body: {
      parser_type: 'jq',
      target_file: 'package.json',
      parse_expression: '.version',
      cron_expression: null,
    },
  }),
  deleteScrapeJob: async ({ make }) => ({ path: { id: await make.scrapeJob() }, query: { cascade: false } }),
  listScrapeJobVersions: (world) => ({
    path: { id: first('scrape_job')(world) },
    query: { ...page, changes_only: true, since },
  }),
  runScrapeJob: onNew(({ make }) => make.gitScrapeJob()),
  setScrapeJobVersion: async ({ make }) => ({
    path: { id: await make.scrapeJob() },
    body: { version: ' v1.2.3 ' },
  }),
  listScrapeJobRuns: (world) => ({
    path: { id: world.ids.scrape_job[1] },
    query: { ...page, status: 'in_progress', run_id: first('task')(world) },
  }),
  previewGatherJob: (world) => ({
    body: {
      gather_job_id: first('gather_job')(world),
      source_type: 'oci_registry',
      version_scheme: 'auto',
      version_pattern: '^v(.+)$',
      include_prereleases: false,
      deployed_version: '1.0.0',
    },
  }),
  previewGatherSource: () => ({
    body: {
      source_type: 'http_json',
      artifact_name: 'https://127.0.0.1:9/versions',
      source_options: {
        version_path: '.[*].version',
        date_path: '.[*].date',
        version_regex: '^v(.+)$',
      },
    },
  }),
  previewScrapeSource: () => ({
    body: {
      source: 'prometheus',
      url: 'https://127.0.0.1:9',
      query: 'build_info',
      label: 'version',
      series: { app: 'web' },
      parser_type: 'regex',
      parse_expression: '.+',
      version_transform: 'none',
    },
  }),
  previewScrapeJob: () => ({
    body: { parser_type: 'yq', parse_expression: '.a', version_transform: 'add_v_upper', content: 'a: 1.10' },
  }),

  listHelmSyncJobs: () => ({
    query: { ...page, q: 'thing', sort: 'name', scope: 'organization', status: 'completed', is_active: true },
  }),
  createHelmSyncJob: ({ make }) => ({
    body: {
      name: make.name(),
      repository_url: 'https://charts.example.com',
      chart_filter: ['ingress-*', '?'],
      create_gather_jobs: false,
      cron_expression: '@hourly',
      cron_timezone: 'Asia/Tokyo',
      is_active: true,
    },
  }),
  getHelmSyncJob: onFirst('helm_sync_job'),
  updateHelmSyncJob: async ({ make }) => ({
    path: { id: await make.helmSyncJob() },
    body: { repository_url: 'https://charts.example.com/other', chart_filter: [], credential_name: null },
  }),
  deleteHelmSyncJob: async ({ make }) => ({
    path: { id: await make.helmSyncJob() },
    query: { cascade: true },
  }),
  runHelmSyncJob: onNew(({ make }) => make.helmSyncJob()),
  listHelmSyncJobCharts: (world) => ({
    path: { id: first('helm_sync_job')(world) },
    query: { limit: 1, q: 'chart' },
  }),
  listHelmSyncJobRuns: (world) => ({
    path: { id: first('helm_sync_job')(world) },
    query: { status: 'succeeded' },
  }),

  listDiscoveryJobs: () => ({
    query: { ...page, q: 'thing', sort: 'name', status: 'pending', is_active: true },
  }),
  createDiscoveryJob: (world) => ({
    body: {
      name: world.make.name(),
      kind: 'git_repository',
      ref: 'main',
      accept: 'known',
      is_active: false,
      repository_url: 'https://git.example.com/deploy',
      include: ['clusters/'],
      exclude: ['**/test/*.yaml'],
      extractors: ['flux', 'helm_values'],
      default_rule_id: first('rule')(world),
      credential_name: 'a',
      label_rules: [
        {
          pattern: 'clusters/(?P<cluster>[^/]+)/',
          labels: { team: 'platform' },
        },
      ],
      custom_extractors: [
        {
          name: 'Images',
          path: '*.libsonnet',
          pattern: "'(?P<artifact>[^':]+):(?P<version>[^']+)'",
          templates: { source_type: 'oci_registry' },
        },
      ],
      ignore_rules: [
        { artifact: 'image:registry.local/shop', key: 'compose:service:a:web', path: 'a/', reason: 'Unused' },
        { path: 'b/', is_ignored: false },
      ],
      source_credentials: [
        {
          host: 'ghcr.io',
          credential_name: 'ghcr',
        },
      ],
      cron_expression: '@hourly',
      cron_timezone: 'Asia/Tokyo',
    },
  }),
  getDiscoveryJob: onFirst('discovery_job'),
  updateDiscoveryJob: async ({ make }) => ({
    path: { id: await make.discoveryJob() },
    body: { repository_url: 'ssh://git@git.example.com/other', exclude: ['sandbox/'], default_rule_id: null },
  }),
  deleteDiscoveryJob: async ({ make }) => ({
    path: { id: await make.discoveryJob() },
    query: { cascade: true, keep: false },
  }),
  runDiscoveryJob: onNew(({ make }) => make.discoveryJob()),
  confirmGoneItems: onNew(({ make }) => make.discoveryJob()),
  previewDiscovery: () => ({
    body: {
      files: [
        { path: 'prod/compose.yaml', content: 'services: { web: { image: "ghcr.io/acme/web:1.2.3" } }' },
      ],
      label_rules: [{ pattern: '^(?P<environment>[^/]+)/', labels: { team: 'platform' } }],
      custom_extractors: [
        {
          name: 'Images',
          path: '*.libsonnet',
          pattern: "'(?P<artifact>[^':]+):(?P<version>[^']+)'",
          templates: { source_type: 'oci_registry' },
        },
      ],
    },
  }),
  listDiscoveredItems: (world) => ({
    query: {
      limit: 1,
      q: 'web',
      discovery_job_id: first('discovery_job')(world),
      status: 'new',
      sort: '-place',
      extractor: 'kubernetes',
      environment: world.marker,
      artifact: `image:${world.marker}`,
      group_by: 'artifact',
    },
  }),
  getDiscoveredItem: onFirst('discovered_item'),
  updateDiscoveredItem: async ({ make }) => ({
    path: { id: await make.discoveredItem() },
    body: {
      source_type: 'helm_repository',
      artifact_name: 'charts.example.com/web',
      apply_to: 'artifact',
      source_options: { version_field: 'app_version' },
      name: 'web',
      labels: { team: 'platform' },
    },
  }),
  ignoreDiscoveredItems: async ({ make, ids }) => ({
    body: { item_ids: [await make.discoveredItem(), ids.discovered_item[0]], reason: 'Only used in tests' },
  }),
  acceptDiscoveredItems: async ({ make, ids }) => ({
    body: {
      item_ids: [await make.discoveredItem()],
      rule_id: ids.rule[0],
      labels: { team: 'platform' },
      dry_run: false,
    },
  }),
  restoreDiscoveredItems: async ({ make, admin }) => {
    const item_ids = [await make.discoveredItem()];
    await admin.call('ignoreDiscoveredItems', { body: { item_ids } });
    return { body: { item_ids } };
  },
  monitorDiscoveredItems: async ({ make, admin, ids }) => {
    const item_ids = [await make.discoveredItem()];
    await admin.call('acceptDiscoveredItems', { body: { item_ids, rule_id: null } });
    return { body: { item_ids: [...item_ids, ids.discovered_item[0]] } };
  },
  listDiscoveryJobRuns: (world) => ({
    path: { id: first('discovery_job')(world) },
    query: { ...page, status: 'queued' },
  }),

  listReleases: (world) => ({
    query: {
      ...page,
      gather_job_id: first('gather_job')(world),
      stable_only: true,
      monitored_only: false,
      scope: 'organization',
      since,
      q: '.',
    },
  }),
  getRelease: onFirst('release'),
  getReleaseSummary: (world) => ({
    query: { gather_job_id: first('gather_job')(world), scope: 'organization', q: 'thing' },
  }),
  listExposures: (world) => ({
    query: {
      ...page,
      gather_job_id: first('gather_job')(world),
      version: '1.0',
      version_range: '>=1.0 <2.0',
      digest: `sha256:${'a'.repeat(64)}`,
      scrape_job_id: first('scrape_job')(world),
      is_current: true,
      since,
      until: '2999-01-01T00:00:00Z',
    },
  }),
  listDeployments: (world) => ({
    query: {
      ...page,
      service: 'thing',
      environment: 'production',
      scrape_job_id: first('scrape_job')(world),
      since,
      until: '2999-01-01T00:00:00Z',
    },
  }),
  reportDeployment: ({ make, ids }) => ({
    body: {
      service: make.name(),
      environment: 'production',
      version: ' 1.14.2 ',
      artifact: 'ghcr.io/acme/checkout:1.14.2',
      gather_job_id: ids.gather_job[0]!,
      commit: '9fceb02d0ae598e95dc970b74767f19372d61af8',
      url: 'https://ci.example.org/runs/8171',
      time: '2026-01-01T00:00:00+02:00',
      labels: { team: 'payments' },
      sbom: {
        document: JSON.stringify({
          bomFormat: 'CycloneDX',
          specVersion: '1.6',
          components: [{ type: 'library', name: 'log4j-core', group: 'org.apache', version: '2.20.0' }],
        }),
        components: [{ name: 'log4j-core', group: 'org.apache' }, { purl: 'pkg:npm/lodash' }],
      },
    },
  }),
  reportDeploymentEvent: ({ make }) => ({
    body: {
      context: {
        version: '0.4.1',
        id: make.name(),
        source: 'https://ci.example.org/deployer',
        type: 'dev.cdevents.service.deployed.0.2.0',
        timestamp: '2026-01-01T00:00:00+02:00',
      },
      subject: {
        id: make.name(),
        type: 'service',
        content: {
          environment: { id: 'production' },
          artifactId: 'pkg:oci/checkout?repository_url=ghcr.io/acme/checkout&tag=1.14.2',
        },
      },
    },
  }),
  listVersions: (world) => ({
    query: { ...page, scrape_job_id: first('scrape_job')(world), changes_only: true, since },
  }),
  listSettings: anyone,
  listAgents: () => ({ query: { limit: 1, status: 'online' } }),
  validateRegex: () => ({ body: { pattern: 'v(\\d+)', sample: 'v12' } }),

  planConfiguration: ({ make }) => ({
    query: { prune: false, update_secrets: true },
    body: {
      rules: [{ name: make.name(), rule_type: 'majors_behind', thresholds: { high: 1 } }],
      scrape_jobs: [{ name: make.name(), parser_type: 'manual' }],
    },
  }),
  // An empty configuration has no changes, so the apply completes within the request.
  applyConfiguration: () => ({
    query: { prune: false, update_secrets: false, fingerprint: '0'.repeat(64) },
    body: {},
  }),
  getConfigurationApply: onNew(({ make }) => make.configurationApply()),

  listRules: () => ({
    query: { ...page, q: 'thing', rule_type: 'majors_behind', is_active: true, sort: '-name' },
  }),
  createRule: ({ make }) => ({
    body: {
      name: make.name(),
      description: 'Facing the internet',
      rule_type: 'days_behind',
      stable_only: false,
      thresholds: {
        moderate: 30,
        high: 60,
        critical: 90,
      },
      days_basis: 'first_newer_release',
      min_release_age_days: 3,
      is_active: true,
    },
  }),
  getRule: onFirst('rule'),
  updateRule: async ({ make }) => ({
    path: { id: await make.rule() },
    body: { thresholds: { high: 4 }, rule_type: 'minors_behind', is_active: false },
  }),
  deleteRule: onNew(({ make }) => make.rule()),
  toggleRule: onNew(({ make }) => make.rule()),
  evaluateRules: anyone,
  previewRule: (world) => ({
    body: {
      rule: {
        rule_type: 'days_behind',
        thresholds: { high: 20 },
        days_basis: 'first_newer_release',
      },
      deployed_version: '1.0.0',
      gather_job_id: first('gather_job')(world),
    },
  }),
  simulateRule: (world) => ({
    body: {
      rule: { rule_type: 'days_behind', thresholds: { high: 20 }, days_basis: 'first_newer_release' },
      rule_id: first('rule')(world),
      alert_config_ids: [first('alert_config')(world)],
      days: 30,
    },
  }),
  getForecast: (world) => ({
    query: {
      ...page,
      days: 60,
      severity: 'moderate',
      label: `team=${world.marker}`,
      rule_id: first('rule')(world),
    },
  }),
  getForecastCalendar: (world) => ({
    query: { days: 60, severity: 'high', label: `team=${world.marker}` },
  }),
  getSupport: (world) => ({
    query: {
      ...page,
      days: 365,
      label: `team=${world.marker}`,
      alert_config_ids: String(first('alert_config')(world)),
      scrape_job_ids: String(first('scrape_job')(world)),
    },
  }),
  getSupportCalendar: (world) => ({ query: { days: 365, label: `team=${world.marker}` } }),
  simulateAlertConfig: (world) => ({
    body: {
      alert_config: {
        scrape_job_id: first('scrape_job')(world),
        gather_job_id: first('gather_job')(world),
        rule_id: first('rule')(world),
        counted_versions: ['2.0.0'],
        candidate_pattern: '^[0-9]',
      },
      alert_config_id: first('alert_config')(world),
    },
  }),

  listAlerts: (world) => ({
    query: {
      limit: 1,
      unacknowledged_only: true,
      severity: 'moderate',
      q: 'thing',
      label: `team=${world.marker}`,
      rule_id: first('rule')(world),
      gather_job_id: first('gather_job')(world),
      scrape_job_id: first('scrape_job')(world),
      sort: '-created_at',
    },
  }),
  getAlertSummary: anyone,
  listResolvedAlerts: (world) => ({
    query: { ...page, severity: 'moderate', label: `team=${world.marker}` },
  }),
  getAlert: onFirst('alert'),
  resolveAlert: onNew(({ make }) => make.openAlert()),
  acknowledgeAlert: async ({ make }) => ({
    path: { id: await make.openAlert() },
    body: { comment: 'Planned.' },
  }),
  unacknowledgeAlert: onFirst('alert'),
  bulkAcknowledgeAlerts: async ({ make, ids }) => ({
    body: { alert_ids: [await make.openAlert(), ids.alert[1]], comment: 'Planned.' },
  }),
  listAlertDeliveries: (world) => ({ path: { id: first('alert')(world) }, query: page }),
  listAlertActions: (world) => ({ path: { id: first('alert')(world) }, query: { limit: 200 } }),
  snoozeAlert: async ({ make }) => ({
    path: { id: await make.openAlert() },
    body: { until: '2099-01-01T00:00:00+01:00' },
  }),
  unsnoozeAlert: onFirst('alert'),

  listAlertConfigs: (world) => ({
    query: {
      limit: 1,
      q: 'thing',
      state: 'alerting',
      severity: 'moderate',
      is_active: true,
      sort: 'name',
      rule_id: first('rule')(world),
      scrape_job_id: first('scrape_job')(world),
      label: `team=${world.marker}`,
    },
  }),
  createAlertConfig: async (world) => ({
    body: {
      name: world.make.name(),
      scrape_job_id: first('scrape_job')(world),
      gather_job_id: first('gather_job')(world),
      rule_id: await world.make.rule(),
      labels: { team: 'platform' },
      candidate_pattern: '^3\\.',
      ignored_versions: ['2.0.0'],
      counted_versions: ['20250101'],
      is_active: false,
      lifecycle_override: {
        ends_on: '2028-06-30',
        note: 'Contract',
      },
      ignored_vulnerabilities: [
        {
          id: 'CVE-2026-1',
          until: '2026-12-31T00:00:00Z',
          reason: 'vulnerable_code_not_in_execute_path',
          note: 'Not enabled',
        },
      ],
    },
  }),
  getAlertConfig: onFirst('alert_config'),
  updateAlertConfig: async ({ make }) => ({
    path: { id: await make.alertConfig() },
    body: { rule_id: await make.rule(), labels: {}, candidate_pattern: null },
  }),
  deleteAlertConfig: onNew(({ make }) => make.alertConfig()),
  toggleAlertConfig: onNew(({ make }) => make.alertConfig()),
  listAlertConfigVulnerabilities: onFirst('alert_config'),
  getAlertConfigExplanation: onFirst('alert_config'),
  getAlertConfigReleaseNotes: (world) => ({
    path: { id: first('alert_config')(world) },
    query: { from: '1.0.0', to: '3.0.0', include_prereleases: true, limit: 2 },
  }),
  getGatherJobReleaseNotes: onFirst('gather_job'),
  getAlertConfigBadge: onFirst('alert_config'),

  listOrgMembersDropdown: anyone,
  listScrapeJobsDropdown: anyone,
  listGatherJobsDropdown: anyone,
  listGlobalGatherJobsDropdown: anyone,
  listRulesDropdown: anyone,
  listNotificationChannelsDropdown: anyone,

  listEffectiveSettings: anyone,
  listOrgOverrides: anyone,
  putOrgOverride: () => ({ path: { key: 'delivery.timeout_seconds' }, body: { value: 9 } }),
  deleteOrgOverride: async ({ admin }) => {
    await admin.call('putOrgOverride', { path: { key: 'retention.runs_days' }, body: { value: 9 } });
    return { path: { key: 'retention.runs_days' } };
  },

  listNotificationChannels: () => ({ query: { ...page, q: 'thing', is_active: true, sort: 'name' } }),
  createNotificationChannel: ({ make }) => ({
    body: {
      name: make.name(),
      url: `${make.webhookUrl}new`,
      preset: 'telegram',
      preset_options: { chat_id: '1' },
      headers: { 'X-Team': 'a team' },
      signing_secret: `whsec_${Buffer.alloc(32).toString('base64')}`,
      template: '{{ alert.id }}',
      templates: { resolved: '{{ event }}' },
      digest_minutes: 5,
      sending_hours: [
        {
          days: ['mon'],
          from: '08:00',
          to: '18:00',
        },
      ],
      timezone: 'Europe/Berlin',
      owners: ['@acme/payments'],
    },
  }),
  getNotificationChannel: onFirst('channel'),
  updateNotificationChannel: async ({ make }) => ({
    path: { id: await make.channel({ headers: { 'X-Team': 'a' } }) },
    body: {
      name: make.name(),
      template: null,
      headers: { 'X-Team': null, 'X-More': 'b' },
      signing_secret: null,
      owners: ['@acme/search', 'Team A'],
    },
  }),
  deleteNotificationChannel: onNew(({ make }) => make.channel()),
  testNotificationChannel: onFirst('channel'),
  toggleNotificationChannel: onNew(({ make }) => make.channel()),
  getNotificationChannelStats: onFirst('channel'),
  validateWebhookConfig: () => ({
    body: {
      url: 'https://hooks.example.com/a',
      template: '{{ alert.id }}',
      category: 'resolved',
      preset: 'slack',
    },
  }),

  listNotificationTemplates: anyone,
  updateNotificationTemplate: () => ({
    path: { category: 'new_alert' },
    body: { body: '{"id": {{ alert.id | json }}}' },
  }),
  deleteNotificationTemplate: async ({ make }) => {
    await make.templateOverride('acknowledged');
    return { path: { category: 'acknowledged' } };
  },
  previewNotificationTemplate: () => ({
    body: { category: 'new_alert', body: '{{ alert.severity }}', sample: { alert: { severity: 'high' } } },
  }),

  listSoftware: (world) => ({
    query: {
      ...page,
      q: 'thing',
      state: 'alerting',
      severity: 'high',
      label: 'team=x',
      sort: '-behind_since',
      rule_id: first('rule')(world),
      gather_job_id: first('gather_job')(world),
    },
  }),
  commentOnAlert: (world) => ({ path: { id: first('alert')(world) }, body: { comment: ' Planned. ' } }),
  assignAlert: (world) => ({
    path: { id: first('alert')(world) },
    body: { member_id: first('member')(world) },
  }),
  changeAlerts: (world) => ({
    body: {
      alert_ids: world.ids.alert,
      action: 'snooze',
      comment: 'Planned.',
      until: '2999-01-01T00:00:00Z',
      until_version_changes: true,
      dry_run: true,
      member_id: first('member')(world),
    },
  }),
  listUpgrades: (world) => ({
    query: {
      ...page,
      status: 'needs_action',
      severity: 'high',
      gather_job_id: first('gather_job')(world),
      label: 'team=x',
      q: 'thing',
      sort: '-places',
    },
  }),
  getUpgrade: onFirstUpgrade,
  listUpgradePlaces: async (world) => ({
    ...(await onFirstUpgrade(world)),
    query: { ...page, label: 'team=x' },
  }),
  changeUpgrade: async (world) => ({
    ...(await onFirstUpgrade(world)),
    body: {
      action: 'snooze',
      label: 'team=x',
      comment: 'Planned.',
      until: '2999-01-01T00:00:00Z',
      until_version_changes: true,
      member_id: first('member')(world),
    },
  }),
  changeSoftware: (world) => ({
    body: {
      scrape_job_ids: world.ids.scrape_job,
      action: 'label',
      labels: {
        team: 'payments',
        owner: null,
      },
      rule_id: first('rule')(world),
      alert_config_ids: world.ids.alert_config,
      dry_run: true,
    },
  }),
  getSoftwareLabels: anyone,
  exportSoftwareBom: () => ({ query: { label: 'team=x' } }),
  exportIgnoredVulnerabilities: () => ({ query: { label: 'team=x' } }),
  listSavedViews: () => ({ query: { page: 'software' } }),
  createSavedView: ({ make }) => ({
    body: { page: 'alerts', name: make.name(), search: { label: 'team=x', sort: 'worst' }, is_shared: false },
  }),
  deleteSavedView: async ({ make }) => ({
    path: { id: await make.savedView() },
    as: { login: 'owner' },
  }),
  loadSampleData: async (world) => ({ as: await asNewMember(world) }),
  deleteSampleData: async (world) => {
    const { token } = await world.make.member();
    await createApiClient({ baseUrl: world.baseUrl, token }).call('loadSampleData');
    return { as: { headers: { authorization: `Bearer ${token}` } } };
  },
  getPatchTimes: () => ({ query: { months: 3 } }),
  getFreshness: (world) => ({
    query: {
      metric: 'majors',
      group_by: 'team',
      target_id: first('freshness_target')(world),
      since: '2026-01-01',
      until: '2026-02-01',
    },
  }),
  listFreshnessThings: () => ({
    query: { q: 'a', label: 'team=x', is_within_target: false, sort: '-majors', limit: 5, offset: 0 },
  }),
  listFreshnessTargets: () => ({ query: { q: 'a', is_active: true, sort: 'name', limit: 5, offset: 0 } }),
  createFreshnessTarget: () => ({
    body: {
      name: 'Payments',
      label_matchers: [{ label: 'team', operator: '=', value: 'payments' }],
      metric: 'libyears',
      limit: 0.5,
      goal_percent: 90,
      is_active: true,
    },
  }),
  listArtifactAliases: () => ({ query: { q: 'a', sort: '-prefix', limit: 5, offset: 0 } }),
  createArtifactAlias: ({ make }) => ({
    body: { name: make.name(), prefix: `mirror-${randomUUID()}.acme.dev/hub`, upstream_prefix: 'docker.io/' },
  }),
  listArtifactAliasSuggestions: anyone,
  getArtifactAlias: onFirst('artifact_alias'),
  updateArtifactAlias: async ({ make }) => ({
    path: { id: await make.artifactAlias() },
    body: { upstream_prefix: 'quay.io' },
  }),
  deleteArtifactAlias: onNew(({ make }) => make.artifactAlias()),
  listArtifactCorrections: () => ({ query: { q: 'a', sort: '-artifact', limit: 5, offset: 0 } }),
  createArtifactCorrection: () => ({
    body: {
      artifact: `image:registry.local/${randomUUID()}`,
      source_type: 'github_releases',
      artifact_name: 'github.com/acme/shop',
    },
  }),
  getArtifactCorrection: onFirst('artifact_correction'),
  updateArtifactCorrection: async ({ make }) => ({
    path: { id: await make.artifactCorrection() },
    body: { artifact_name: 'github.com/acme/other' },
  }),
  deleteArtifactCorrection: onNew(({ make }) => make.artifactCorrection()),
  listHooks: anyone,
  createHook: ({ make }) => ({ body: { name: make.name(), kind: 'generic' } }),
  deleteHook: onNew(({ make }) => make.hook()),
  listAuditExports: anyone,
  createAuditExport: ({ make }) => ({
    body: {
      name: make.name(),
      url: 'https://siem.example.com/ingest',
      headers: { Authorization: 'Bearer 1' },
      since: '2026-01-01T00:00:00Z',
    },
  }),
  deleteAuditExport: onNew(({ make }) => make.auditExport()),
  listDeploymentTrusts: () => ({ query: { q: 'a', is_active: true, sort: 'name', limit: 5, offset: 0 } }),
  createDeploymentTrust: ({ make }) => ({
    body: {
      name: make.name(),
      issuer: 'https://token.actions.githubusercontent.com',
      audience: 'https://pacekeeper.example.com',
      claims: { repository: 'acme/checkout', ref: 'refs/heads/*' },
      services: ['checkout'],
      environments: ['staging', 'prod-*'],
      expires_at: oneDayFromNow(),
      is_active: true,
    },
  }),
  getDeploymentTrust: onFirst('deployment_trust'),
  updateDeploymentTrust: async ({ make }) => ({
    path: { id: await make.deploymentTrust() },
    body: { environments: ['staging'] },
  }),
  deleteDeploymentTrust: onNew(({ make }) => make.deploymentTrust()),
  listReferenceSources: anyone,
  listLifecycleProducts: () => ({ query: { q: 'go', purl: 'pkg:github/golang/go', limit: 5, offset: 0 } }),
  getLifecycleProduct: async ({ make }) => ({ path: { name: await make.lifecycleProduct() } }),
  getFreshnessTarget: onFirst('freshness_target'),
  updateFreshnessTarget: async ({ make }) => ({
    path: { id: await make.freshnessTarget() },
    body: { goal_percent: 50, limit: 30 },
  }),
  deleteFreshnessTarget: onNew(({ make }) => make.freshnessTarget()),
  listNotificationRules: (world) => ({
    query: { q: 'thing', is_active: true, channel_id: first('channel')(world), sort: 'name' },
  }),
  createNotificationRule: (world) => ({
    body: {
      name: world.make.name(),
      description: 'Ours',
      priority: 7,
      severities: ['high'],
      event_types: ['alert.created'],
      label_matchers: [
        {
          label: 'team',
          operator: '=~',
          value: 'a|b',
        },
      ],
      route_to_owner: true,
      stop_processing: true,
      is_active: false,
      rule_ids: [first('rule')(world)],
      alert_config_ids: [first('alert_config')(world)],
      channel_ids: [first('channel')(world)],
    },
  }),
  getNotificationRule: onFirst('notification_rule'),
  updateNotificationRule: async ({ make }) => ({
    path: { id: await make.notificationRule() },
    body: { priority: 5, channel_ids: null, route_to_owner: true, label_matchers: [], is_active: false },
  }),
  deleteNotificationRule: onNew(({ make }) => make.notificationRule()),
  toggleNotificationRule: onNew(({ make }) => make.notificationRule()),
  getNotificationRuleStats: onFirst('notification_rule'),
  simulateNotificationRules: (world) => ({
    body: {
      notification_rule: {
        severities: ['high'],
        rule_ids: [first('rule')(world)],
        channel_ids: [first('channel')(world)],
        alert_config_ids: [first('alert_config')(world)],
        route_to_owner: true,
      },
      notification_rule_id: first('notification_rule')(world),
      days: 30,
    },
  }),
  simulateNotificationRule: (world) => ({
    path: { id: first('notification_rule')(world) },
    body: {
      severity: 'high',
      event_type: 'alert.created',
      labels: { team: 'a' },
      alert_config_id: first('alert_config')(world),
    },
  }),

  listSilences: () => ({ query: { status: 'active', sort: 'ends_at', limit: 5, offset: 0 } }),
  createSilence: (world) => ({
    body: {
      label_matchers: [
        {
          label: 'team',
          operator: '=~',
          value: 'nobody|no one',
        },
      ],
      rule_ids: [first('rule')(world)],
      severities: ['moderate'],
      starts_at: '2020-01-01T00:00:00Z',
      ends_at: oneDayFromNow(),
      reason: world.make.name(),
    },
  }),
  previewSilence: (world) => ({
    body: {
      label_matchers: [
        {
          label: 'team',
          operator: '!~',
          value: 'nobody',
        },
      ],
      rule_ids: [first('rule')(world)],
      severities: ['moderate'],
    },
  }),
  getSilence: onFirst('silence'),
  updateSilence: async ({ make }) => ({ path: { id: await make.silence() }, body: { reason: make.name() } }),
  deleteSilence: onNew(({ make }) => make.silence()),

  getNotificationSettings: anyone,
  updateNotificationSettings: (world) => ({
    body: {
      default_channel_id: first('channel')(world),
      fallback_to_default: true,
      reminder_interval_hours: null,
    },
  }),
  listNotificationDeliveries: (world) => ({
    query: {
      limit: 1,
      channel_id: first('channel')(world),
      status: 'succeeded',
      event_type: 'alert.created',
      since,
      alert_id: first('alert')(world),
      sort: '-created_at',
    },
  }),
  listDeadNotificationDeliveries: listed,
  retryNotificationDelivery: onNew(({ make }) => make.deadDelivery()),
  getNotificationDelivery: onFirst('delivery'),
  retryNotificationDeliveries: (world) => ({
    body: { status: 'canceled', channel_id: first('channel')(world), event_type: 'alert.created', since },
  }),

  createFeedback: () => ({ body: { message: 'Good.', category: 'idea', page: '/alerts' } }),

  listAPIKeys: () => ({ query: { ...page, q: 'thing', status: 'active', sort: 'name' } }),
  createAPIKey: ({ make }) => ({
    body: { name: make.name(), description: 'For CI', role: 'reporter', expires_at: '2099-01-01T00:00:00Z' },
  }),
  getCaller: anyone,
  getAPIKey: onFirst('api_key'),
  updateAPIKey: async ({ make }) => ({
    path: { id: (await make.apiKey()).api_key.id },
    body: { name: 'Other', description: '' },
  }),
  toggleAPIKey: onNew(async ({ make }) => (await make.apiKey()).api_key.id),
  deactivateAPIKey: onNew(async ({ make }) => (await make.apiKey()).api_key.id),

  listMembers: () => ({ query: { ...page, q: 'example', role: 'viewer', sort: 'name' } }),
  inviteMember: () => ({ body: { email: ' Somebody@Example.org ', role: 'viewer' } }),
  deleteInvitation: onNew(async ({ make }) => (await make.invitation()).id),
  previewMemberChange: async ({ make }) => ({
    path: { id: await make.memberId() },
    query: { role: 'viewer' },
  }),
  updateMember: async ({ make }) => ({ path: { id: await make.memberId() }, body: { role: 'member' } }),
  deleteMember: onNew(({ make }) => make.memberId()),
  createMemberResetLink: onNew(({ make }) => make.memberId()),
  listAuditLog: () => ({ query: { ...page, q: 'thing', resource: 'api_key', since } }),
  getEnvironmentMatrix: () => ({
    query: { ...page, q: 'web', label: 'team=web', drift: 'any', environments: 'staging,production' },
  }),
  compareEnvironments: (world) => ({
    body: {
      environment: 'production',
      compare_with: 'staging',
      rule_id: first('rule')(world),
      service: 'web',
      q: 'web',
      label: 'team=web',
      dry_run: true,
    },
  }),
  listPromotions: () => ({
    query: { ...page, q: 'web', service: 'web', from: 'staging', to: 'production', since },
  }),
  getOverview: anyone,
  getToday: () => ({ query: { since, label: 'team=x' } }),
  streamEvents: anyone,

  sendHeartbeat: (world) => ({
    body: {
      name: world.marker,
      hostname: 'host',
      version: '0.1.0',
      capabilities: ['scrape'],
      credential_names: ['a'],
      running: [first('task')(world)],
    },
  }),
  claimTasks: async ({ make }) => ({
    body: {
      agent_id: await make.heartbeat(),
      capabilities: ['scrape'],
      credential_names: [],
      max: 1,
      wait_seconds: 0,
    },
  }),
  renewTask: (world) => ({ path: { id: first('task')(world) }, body: { lease_token: world.leaseToken } }),
  submitTaskResults: (world) => ({
    path: { id: first('task')(world) },
    body: { lease_token: world.leaseToken, sequence: 7, items: [] },
  }),
  listTaskPackages: async ({ make }) => {
    const { task, leaseToken } = await make.referenceTask('vulnerabilities');
    return { path: { id: task }, body: { lease_token: leaseToken } };
  },
  listTaskCves: async ({ make }) => {
    const { task, leaseToken } = await make.referenceTask('epss');
    return { path: { id: task }, body: { lease_token: leaseToken } };
  },
  findMissingRecords: async ({ make }) => {
    const { task, leaseToken } = await make.referenceTask('vulnerabilities');
    const records = [{ id: 'GHSA-6vm3-jj99-7229', modified: '2026-11-20T05:47:39.989396Z' }];
    return {
      path: { id: task },
      body: { lease_token: leaseToken, packages: [{ package: 'Go/k8s.io/kubernetes', records }] },
    };
  },
  completeTask: async ({ make, agent }) => {
    const { task, leaseToken: lease_token } = await make.task();
    const body = { lease_token, sequence: 1, items: [foundVersion] };
    await agent.call('submitTaskResults', { path: { id: task }, body });
    return { path: { id: task }, body: { lease_token, parts: 1, summary: taskSummary } };
  },
  completeTasks: async ({ make }) => {
    const [gather, scrape] = [await make.gatherTask(), await make.task()];
    return {
      body: {
        tasks: [
          { task_id: gather.task, lease_token: gather.leaseToken, summary: unchangedSummary },
          { task_id: scrape.task, lease_token: scrape.leaseToken, summary: taskSummary, item: foundVersion },
        ],
      },
    };
  },
  failTask: async ({ make }) => {
    const { task, leaseToken } = await make.task();
    const error = { code: 'file_not_found', message: 'It is not there.' };
    return { path: { id: task }, body: { lease_token: leaseToken, error, retryable: false, retry_at: null } };
  },

  login: ({ logins: { viewer } }) => ({
    body: { email: viewer.email.toUpperCase(), password: viewer.password },
  }),
  refreshLogin: async ({ make }) => ({ as: { headers: { cookie: (await make.member()).cookies } } }),
  logout: async ({ make }) => ({ as: { headers: { cookie: (await make.member()).cookies } } }),
  getMe: anyone,
  changePassword: async ({ make }) => {
    const { token, password } = await make.member();
    return {
      as: { headers: { authorization: `Bearer ${token}` } },
      body: { current_password: password, new_password: 'another password' },
    };
  },
  resetPassword: async ({ make }) => ({
    body: { token: await make.resetToken(), new_password: 'another password' },
  }),
  listSessions: listed,
  endSession: async ({ make, baseUrl }) => {
    const { token } = await make.member();
    const { items } = await createApiClient({ baseUrl, token }).call('listSessions', {});
    return { path: { id: items[0]!.id }, as: { headers: { authorization: `Bearer ${token}` } } };
  },
  endOtherSessions: async ({ make }) => {
    const { token } = await make.member();
    return { as: { headers: { authorization: `Bearer ${token}` } } };
  },
  listLoginProviders: anyone,
  getSingleSignOn: anyone,
  startDeviceLogin: anyone,
  getDeviceLogin: async (world) => ({
    query: { user_code: (await world.make.deviceLogin()).user_code },
    as: await asNewMember(world),
  }),
  approveDeviceLogin: async (world) => ({
    body: { user_code: (await world.make.deviceLogin()).user_code },
    as: await asNewMember(world),
  }),
  claimDeviceLogin: async ({ make, baseUrl }) => {
    const { user_code, device_code } = await make.deviceLogin();
    const { token, cookies } = await make.member();
    await createApiClient({ baseUrl, token, headers: { cookie: cookies } }).call('approveDeviceLogin', {
      body: { user_code },
    });
    return { body: { device_code } };
  },
  exchangeDeploymentToken: async ({ make }) => ({ body: await make.identityToken() }),
  useLoginLink: async ({ make }) => ({ body: { token: await make.loginLink() } }),
  listIdentities: anyone,
  linkIdentity: async (world) => ({ body: { provider: 'corp' }, as: await asNewMember(world) }),
  unlinkIdentity: async ({ make, admin }) => {
    const { email, token } = await make.member();
    const { items } = await admin.call('listMembers', { query: { q: email } });
    return {
      path: { id: await make.identity(items[0]!.id) },
      as: { headers: { authorization: `Bearer ${token}` } },
    };
  },
  listChatAccounts: anyone,
  previewChatAccount: async (world) => ({
    body: { token: await world.make.chatLink() },
    as: await asNewMember(world),
  }),
  linkChatAccount: async (world) => ({
    body: { token: await world.make.chatLink() },
    as: await asNewMember(world),
  }),
  unlinkChatAccount: async ({ make, admin }) => {
    const { email, token } = await make.member();
    const { items } = await admin.call('listMembers', { query: { q: email } });
    return {
      path: { id: await make.chatAccount(items[0]!.id) },
      as: { headers: { authorization: `Bearer ${token}` } },
    };
  },
  getTwoFactor: anyone,
  startTwoFactor: async ({ make }) => {
    const { token, cookies, password } = await make.member();
    return { as: { headers: { authorization: `Bearer ${token}`, cookie: cookies } }, body: { password } };
  },
  confirmTwoFactor: ({ make }) => make.twoFactor('started'),
  replaceRecoveryCodes: ({ make }) => make.twoFactor(),
  disableTwoFactor: ({ make }) => make.twoFactor(),
  switchOrganization: ({ organizationId }) => ({ body: { organization_id: organizationId } }),
  acceptInvitation: async ({ make }) => ({
    body: { token: (await make.invitation()).token, name: 'Ada', password: 'a password of hers' },
  }),
};

/** Returns the credential of a new member, because each account is limited to a few attempts per minute. */
async function asNewMember({ make }: World): Promise<Credential> {
  const { token, cookies } = await make.member();
  return { headers: { authorization: `Bearer ${token}`, cookie: cookies } };
}
