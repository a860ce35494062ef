// Generated from spec/openapi-client.yaml by `npm run generate -- contract`. Do not edit.

import type { operations } from './client-api.ts';

type Body<Id extends keyof operations> = NonNullable<operations[Id]['requestBody']> extends { content: { 'application/json': infer B } } ? B : never;
type Defaults<Id extends keyof operations, Names extends keyof Body<Id>> = Required<Pick<Body<Id>, Names>>;

/** The fields that a request body can omit, and what they are then, by the operationId. */
export const bodyDefaults: {
  createGatherJob: Defaults<'createGatherJob', 'source_options' | 'version_pattern' | 'include_prereleases' | 'max_releases' | 'ignored_versions' | 'counted_versions' | 'purls' | 'project_url' | 'version_of' | 'lifecycle_product' | 'vulnerability_packages' | 'changelog_path' | 'cron_expression' | 'cron_timezone' | 'credential_name' | 'is_active'>;
  previewGatherJob: Defaults<'previewGatherJob', 'deployed_version'>;
  previewGatherSource: Defaults<'previewGatherSource', 'source_options'>;
  createScrapeJob: Defaults<'createScrapeJob', 'source' | 'repository_url' | 'target_file' | 'url' | 'query' | 'label' | 'series' | 'parse_expression' | 'version_transform' | 'credential_name' | 'cron_expression' | 'cron_timezone' | 'history_limit' | 'labels' | 'is_active'>;
  previewScrapeJob: Defaults<'previewScrapeJob', 'version_transform'>;
  previewScrapeSource: Defaults<'previewScrapeSource', 'query' | 'label' | 'series' | 'parser_type' | 'parse_expression' | 'version_transform'>;
  createHelmSyncJob: Defaults<'createHelmSyncJob', 'chart_filter' | 'create_gather_jobs' | 'cron_expression' | 'cron_timezone' | 'credential_name' | 'is_active'>;
  acceptDiscoveredItems: Defaults<'acceptDiscoveredItems', 'labels' | 'dry_run'>;
  createDiscoveryJob: Defaults<'createDiscoveryJob', 'kind' | 'repository_url' | 'ref' | 'cluster_name' | 'helm_secrets' | 'host_name' | 'group_url' | 'forge' | 'repository_filter' | 'include' | 'exclude' | 'extractors' | 'label_rules' | 'custom_extractors' | 'ignore_rules' | 'accept' | 'accept_roles' | 'default_rule_id' | 'credential_name' | 'source_credentials' | 'cron_expression' | 'cron_timezone' | 'is_active'>;
  previewDiscovery: Defaults<'previewDiscovery', 'label_rules' | 'custom_extractors' | 'organization_extractors'>;
  createArtifactAlias: Defaults<'createArtifactAlias', 'reads_mirror'>;
  createArtifactCorrection: Defaults<'createArtifactCorrection', 'artifact_name' | 'source_options'>;
  ignoreDiscoveredItems: Defaults<'ignoreDiscoveredItems', 'reason'>;
  updateDiscoveredItem: Defaults<'updateDiscoveredItem', 'apply_to'>;
  createRule: Defaults<'createRule', 'description' | 'stable_only' | 'known_exploited_days' | 'min_epss' | 'min_release_age_days' | 'is_active'>;
  simulateRule: Defaults<'simulateRule', 'days'>;
  changeAlerts: Defaults<'changeAlerts', 'dry_run'>;
  createAlertConfig: Defaults<'createAlertConfig', 'labels' | 'candidate_pattern' | 'ignored_versions' | 'counted_versions' | 'lifecycle_override' | 'ignored_vulnerabilities' | 'is_active'>;
  simulateAlertConfig: Defaults<'simulateAlertConfig', 'days'>;
  createNotificationChannel: Defaults<'createNotificationChannel', 'channel_type' | 'url' | 'recipients' | 'project' | 'issue_type' | 'account_email' | 'ticket_labels' | 'token' | 'template' | 'templates' | 'preset' | 'preset_options' | 'headers' | 'signing_secret' | 'digest_minutes' | 'digest_schedule' | 'sending_hours' | 'timezone' | 'always_for' | 'owners' | 'success_condition' | 'request_method' | 'body_format' | 'closing_path' | 'closing_method' | 'require_login_to_acknowledge' | 'is_active'>;
  createNotificationRule: Defaults<'createNotificationRule', 'description' | 'priority' | 'severities' | 'event_types' | 'label_matchers' | 'rule_ids' | 'alert_config_ids' | 'channel_ids' | 'route_to_owner' | 'stop_processing' | 'is_active'>;
  simulateNotificationRules: Defaults<'simulateNotificationRules', 'days'>;
  createFreshnessTarget: Defaults<'createFreshnessTarget', 'label_matchers' | 'goal_percent' | 'is_active'>;
  createSilence: Defaults<'createSilence', 'label_matchers' | 'rule_ids' | 'severities'>;
  previewSilence: Defaults<'previewSilence', 'label_matchers' | 'rule_ids' | 'severities'>;
  retryNotificationDeliveries: Defaults<'retryNotificationDeliveries', 'status'>;
  createAPIKey: Defaults<'createAPIKey', 'description' | 'expires_at' | 'agent_capabilities' | 'agent_credential_names'>;
  createAuditExport: Defaults<'createAuditExport', 'headers' | 'since'>;
  changeSoftware: Defaults<'changeSoftware', 'dry_run'>;
  createSavedView: Defaults<'createSavedView', 'is_shared'>;
  reportDeployment: Defaults<'reportDeployment', 'artifact' | 'gather_job_id' | 'commit' | 'url' | 'time' | 'labels' | 'sbom'>;
  createDeploymentTrust: Defaults<'createDeploymentTrust', 'audience' | 'expires_at' | 'is_active'>;
  compareEnvironments: Defaults<'compareEnvironments', 'dry_run'>;
} = {
  createGatherJob: { source_options: {}, version_pattern: null, include_prereleases: true, max_releases: null, ignored_versions: [], counted_versions: [], purls: null, project_url: null, version_of: "artifact", lifecycle_product: null, vulnerability_packages: null, changelog_path: null, cron_expression: null, cron_timezone: "UTC", credential_name: null, is_active: true },
  previewGatherJob: { deployed_version: null },
  previewGatherSource: { source_options: {} },
  createScrapeJob: { source: "git", repository_url: null, target_file: null, url: null, query: null, label: null, series: {}, parse_expression: null, version_transform: "none", credential_name: null, cron_expression: null, cron_timezone: "UTC", history_limit: 100, labels: {}, is_active: true },
  previewScrapeJob: { version_transform: "none" },
  previewScrapeSource: { query: null, label: null, series: {}, parser_type: "regex", parse_expression: null, version_transform: "none" },
  createHelmSyncJob: { chart_filter: [], create_gather_jobs: true, cron_expression: null, cron_timezone: "UTC", credential_name: null, is_active: true },
  acceptDiscoveredItems: { labels: {}, dry_run: false },
  createDiscoveryJob: { kind: "git_repository", repository_url: null, ref: "HEAD", cluster_name: null, helm_secrets: false, host_name: null, group_url: null, forge: null, repository_filter: null, include: [], exclude: [], extractors: [], label_rules: [], custom_extractors: [], ignore_rules: [], accept: "ask", accept_roles: ["deployed"], default_rule_id: null, credential_name: null, source_credentials: [], cron_expression: null, cron_timezone: "UTC", is_active: true },
  previewDiscovery: { label_rules: [], custom_extractors: [], organization_extractors: null },
  createArtifactAlias: { reads_mirror: false },
  createArtifactCorrection: { artifact_name: null, source_options: {} },
  ignoreDiscoveredItems: { reason: null },
  updateDiscoveredItem: { apply_to: "item" },
  createRule: { description: "", stable_only: true, known_exploited_days: null, min_epss: null, min_release_age_days: 0, is_active: true },
  simulateRule: { days: 180 },
  changeAlerts: { dry_run: false },
  createAlertConfig: { labels: {}, candidate_pattern: null, ignored_versions: [], counted_versions: [], lifecycle_override: null, ignored_vulnerabilities: [], is_active: true },
  simulateAlertConfig: { days: 180 },
  createNotificationChannel: { channel_type: "webhook", url: null, recipients: [], project: null, issue_type: null, account_email: null, ticket_labels: [], token: null, template: null, templates: {}, preset: "generic", preset_options: {}, headers: {}, signing_secret: null, digest_minutes: null, digest_schedule: null, sending_hours: [], timezone: "UTC", always_for: ["critical"], owners: [], success_condition: null, request_method: "POST", body_format: "json", closing_path: null, closing_method: "POST", require_login_to_acknowledge: true, is_active: true },
  createNotificationRule: { description: "", priority: 100, severities: [], event_types: [], label_matchers: [], rule_ids: [], alert_config_ids: [], channel_ids: null, route_to_owner: false, stop_processing: false, is_active: true },
  simulateNotificationRules: { days: 180 },
  createFreshnessTarget: { label_matchers: [], goal_percent: 100, is_active: true },
  createSilence: { label_matchers: [], rule_ids: [], severities: [] },
  previewSilence: { label_matchers: [], rule_ids: [], severities: [] },
  retryNotificationDeliveries: { status: "dead_letter" },
  createAPIKey: { description: "", expires_at: null, agent_capabilities: null, agent_credential_names: null },
  createAuditExport: { headers: {}, since: null },
  changeSoftware: { dry_run: false },
  createSavedView: { is_shared: false },
  reportDeployment: { artifact: null, gather_job_id: null, commit: null, url: null, time: null, labels: {}, sbom: null },
  createDeploymentTrust: { audience: null, expires_at: null, is_active: true },
  compareEnvironments: { dry_run: false },
};
