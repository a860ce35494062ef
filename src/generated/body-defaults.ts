// Generated from spec/openapi-client.yaml by `npm run generate -- contract`. Do not edit.

import type { operations } from './client-api.ts';

type Body<Id extends keyof operations> = NonNullable<operations[Id]['requestBody']> extends { content: { 'application/json': infer B } } ? B : never;
type Defaults<Id extends keyof operations, Names extends keyof Body<Id>> = Required<Pick<Body<Id>, Names>>;

/** The fields that a request body can omit, and what they are then, by the operationId. */
export const bodyDefaults: {
  createGatherJob: Defaults<'createGatherJob', 'source_options' | 'version_pattern' | 'include_prereleases' | 'max_releases' | 'cron_expression' | 'cron_timezone' | 'credential_name' | 'is_active'>;
  previewGatherJob: Defaults<'previewGatherJob', 'deployed_version'>;
  createScrapeJob: Defaults<'createScrapeJob', 'repository_url' | 'target_file' | 'parse_expression' | 'version_transform' | 'credential_name' | 'cron_expression' | 'cron_timezone' | 'history_limit' | 'is_active'>;
  previewScrapeJob: Defaults<'previewScrapeJob', 'version_transform'>;
  createHelmSyncJob: Defaults<'createHelmSyncJob', 'chart_filter' | 'create_gather_jobs' | 'cron_expression' | 'cron_timezone' | 'credential_name' | 'is_active'>;
  createRule: Defaults<'createRule', 'description' | 'stable_only' | 'min_release_age_days' | 'is_active'>;
  createAlertConfig: Defaults<'createAlertConfig', 'labels' | 'candidate_pattern' | 'ignored_versions' | 'counted_versions' | 'is_active'>;
  createNotificationChannel: Defaults<'createNotificationChannel', 'template' | 'templates' | 'preset' | 'preset_options' | 'headers' | 'signing_secret' | 'digest_minutes' | 'require_login_to_acknowledge' | 'is_active'>;
  createNotificationRule: Defaults<'createNotificationRule', 'description' | 'priority' | 'severities' | 'event_types' | 'label_matchers' | 'rule_ids' | 'alert_config_ids' | 'channel_ids' | 'stop_processing' | 'is_active'>;
  retryNotificationDeliveries: Defaults<'retryNotificationDeliveries', 'status'>;
  createAPIKey: Defaults<'createAPIKey', 'description' | 'expires_at'>;
} = {
  createGatherJob: { source_options: {}, version_pattern: null, include_prereleases: true, max_releases: null, cron_expression: null, cron_timezone: "UTC", credential_name: null, is_active: true },
  previewGatherJob: { deployed_version: null },
  createScrapeJob: { repository_url: null, target_file: null, parse_expression: null, version_transform: "none", credential_name: null, cron_expression: null, cron_timezone: "UTC", history_limit: 100, is_active: true },
  previewScrapeJob: { version_transform: "none" },
  createHelmSyncJob: { chart_filter: [], create_gather_jobs: true, cron_expression: null, cron_timezone: "UTC", credential_name: null, is_active: true },
  createRule: { description: "", stable_only: true, min_release_age_days: 0, is_active: true },
  createAlertConfig: { labels: {}, candidate_pattern: null, ignored_versions: [], counted_versions: [], is_active: true },
  createNotificationChannel: { template: null, templates: {}, preset: "generic", preset_options: {}, headers: {}, signing_secret: null, digest_minutes: null, require_login_to_acknowledge: true, is_active: true },
  createNotificationRule: { description: "", priority: 100, severities: [], event_types: [], label_matchers: [], rule_ids: [], alert_config_ids: [], channel_ids: null, stop_processing: false, is_active: true },
  retryNotificationDeliveries: { status: "dead_letter" },
  createAPIKey: { description: "", expires_at: null },
};
