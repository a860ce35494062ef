/** An operation with a stable contract for all clients. */
export interface PromisedOperation {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path relative to `/api/v1/client`. */
  path: string;
  /** Schema of the request body. `null` without a body. */
  takes: string | null;
  status: number;
  /** Schema of the response body, or `X[]` for a plain list. `null` without a body. */
  gives: string | null;
  /** Required query parameters. The operation can have others. */
  query: string[];
}

const page = ['limit', 'offset'];

/**
 * The 95 operations of version 1 of the client interface. They can be extended, but never renamed or removed.
 * 66 operations had these schemas and parameters from the start, and 29 are on the shared paths.
 */
export const promisedOperations: readonly PromisedOperation[] = [
  // Operations on shared paths.
  get('/gather-jobs', 'ListGatherJobsResponse', page),
  post('/gather-jobs', 'CreateGatherJobRequest', 201, 'GatherJob'),
  get('/gather-jobs/{id}', 'GatherJob'),
  put('/gather-jobs/{id}', 'UpdateGatherJobRequest', 'GatherJob'),
  remove('/gather-jobs/{id}'),
  post('/gather-jobs/{id}/run', null, 202, 'GatherJob'),
  post('/gather-jobs/{id}/clear-releases', null, 200, 'ClearReleasesResponse'),
  get('/scrape-jobs', 'ListScrapeJobsResponse', page),
  post('/scrape-jobs', 'CreateScrapeJobRequest', 201, 'ScrapeJob'),
  get('/scrape-jobs/{id}', 'ScrapeJob'),
  put('/scrape-jobs/{id}', 'UpdateScrapeJobRequest', 'ScrapeJob'),
  remove('/scrape-jobs/{id}'),
  get('/scrape-jobs/{id}/versions', 'ListVersionsResponse', page),
  post('/scrape-jobs/{id}/run', null, 202, 'ScrapeJob'),
  post('/scrape-jobs/{id}/set-version', 'SetVersionRequest', 200, 'Version'),
  get('/helm-sync-jobs', 'ListHelmSyncJobsResponse', page),
  post('/helm-sync-jobs', 'CreateHelmSyncJobRequest', 201, 'HelmSyncJob'),
  get('/helm-sync-jobs/{id}', 'HelmSyncJob'),
  put('/helm-sync-jobs/{id}', 'UpdateHelmSyncJobRequest', 'HelmSyncJob'),
  remove('/helm-sync-jobs/{id}'),
  post('/helm-sync-jobs/{id}/run', null, 202, 'HelmSyncJob'),
  get('/helm-sync-jobs/{id}/charts', 'ListHelmChartsResponse', page),
  get('/releases', 'ListReleasesResponse', page),
  get('/releases/{id}', 'ReleaseDetail'),
  get('/releases/summary', 'ListReleaseSummariesResponse', page),
  get('/versions', 'ListVersionsResponse', page),
  get('/settings', 'ListSettingsResponse'),
  get('/agents', 'ListAgentsResponse', page),
  post('/validate/regex', 'ValidateRegexRequest', 200, 'ValidateRegexResponse'),
  // Monitoring rules.
  get('/rules', 'ListMonitoringRulesResponse', page),
  post('/rules', 'CreateMonitoringRuleRequest', 201, 'MonitoringRule'),
  get('/rules/{id}', 'MonitoringRule'),
  put('/rules/{id}', 'UpdateMonitoringRuleRequest', 'MonitoringRule'),
  remove('/rules/{id}'),
  post('/rules/{id}/toggle', null, 200, 'MonitoringRule'),
  post('/rules/evaluate', null, 200, 'EvaluateRulesResponse'),
  // Alerts.
  get('/alerts', 'ListAlertsResponse', [...page, 'unacknowledged_only', 'severity']),
  get('/alerts/summary', 'AlertSummary'),
  get('/alerts/resolved', 'ListAlertsResponse', [...page, 'severity']),
  get('/alerts/{id}', 'Alert'),
  post('/alerts/{id}/resolve', null, 204, null),
  post('/alerts/{id}/acknowledge', null, 200, 'Alert'),
  post('/alerts/{id}/unacknowledge', null, 200, 'Alert'),
  post('/alerts/acknowledge', 'BulkAcknowledgeRequest', 200, 'BulkAcknowledgeResponse'),
  get('/alerts/{id}/deliveries', 'ListNotificationDeliveriesResponse', page),
  get('/alerts/{id}/actions', 'ListAuditTrailResponse', page),
  // Alert configurations.
  get('/alert-configs', 'ListAlertConfigsResponse', page),
  post('/alert-configs', 'CreateAlertConfigRequest', 201, 'AlertConfig'),
  get('/alert-configs/{id}', 'AlertConfig'),
  put('/alert-configs/{id}', 'UpdateAlertConfigRequest', 'AlertConfig'),
  remove('/alert-configs/{id}'),
  post('/alert-configs/{id}/toggle', null, 200, 'AlertConfig'),
  // Dropdowns.
  get('/dropdowns/org-members', 'OrgMemberDropdownItem[]'),
  get('/dropdowns/scrape-jobs', 'ScrapeJobDropdownItem[]'),
  get('/dropdowns/gather-jobs', 'GatherJobDropdownItem[]'),
  get('/dropdowns/gather-jobs/global', 'GatherJobDropdownItem[]'),
  get('/dropdowns/rules', 'RuleDropdownItem[]'),
  get('/dropdowns/notification-channels', 'NotificationChannelDropdownItem[]'),
  // Settings.
  get('/settings/effective', 'ListEffectiveSettingsResponse'),
  get('/settings/org-overrides', 'ListSettingsResponse'),
  put('/settings/org-overrides/{key}', 'UpdateSettingRequest', 'Setting'),
  remove('/settings/org-overrides/{key}'),
  // Notification channels.
  get('/notification-channels', 'ListNotificationChannelsResponse', page),
  post('/notification-channels', 'CreateNotificationChannelRequest', 201, 'NotificationChannel'),
  get('/notification-channels/{id}', 'NotificationChannel'),
  put('/notification-channels/{id}', 'UpdateNotificationChannelRequest', 'NotificationChannel'),
  remove('/notification-channels/{id}'),
  post('/notification-channels/{id}/test', null, 200, 'NotificationChannelTestResult'),
  post('/notification-channels/{id}/toggle', null, 200, 'NotificationChannel'),
  get('/notification-channels/{id}/stats', 'NotificationChannelStats'),
  post(
    '/notification-channels/validate',
    'ValidateWebhookConfigRequest',
    200,
    'WebhookConfigValidationResult',
  ),
  // Notification templates.
  get('/notification-templates', 'ListNotificationTemplatesResponse'),
  put('/notification-templates/{category}', 'UpdateNotificationTemplateRequest', 'NotificationTemplateInfo'),
  { ...remove('/notification-templates/{category}'), status: 200, gives: 'NotificationTemplateInfo' },
  post(
    '/notification-templates/preview',
    'NotificationTemplatePreviewRequest',
    200,
    'NotificationTemplatePreviewResponse',
  ),
  // Notification rules.
  get('/notification-rules', 'ListNotificationRulesResponse', page),
  post('/notification-rules', 'CreateNotificationRuleRequest', 201, 'NotificationRule'),
  get('/notification-rules/{id}', 'NotificationRule'),
  put('/notification-rules/{id}', 'UpdateNotificationRuleRequest', 'NotificationRule'),
  remove('/notification-rules/{id}'),
  post('/notification-rules/{id}/toggle', null, 200, 'NotificationRule'),
  get('/notification-rules/{id}/stats', 'NotificationRuleStats'),
  post(
    '/notification-rules/{id}/simulate',
    'SimulateNotificationRuleRequest',
    200,
    'NotificationRuleSimulationResult',
  ),
  // Notification settings and deliveries.
  get('/notification-settings', 'NotificationSettings'),
  put('/notification-settings', 'UpdateNotificationSettingsRequest', 'NotificationSettings'),
  get('/notification-deliveries', 'ListNotificationDeliveriesResponse', [
    ...page,
    'channel_id',
    'status',
    'event_type',
    'since',
  ]),
  get('/notification-deliveries/dead', 'ListNotificationDeliveriesResponse', page),
  post('/notification-deliveries/{id}/retry', null, 200, 'NotificationDelivery'),
  // Feedback.
  post('/feedback', 'CreateFeedbackRequest', 201, 'CreateFeedbackResponse'),
  // API keys.
  get('/api-keys', 'ListAPIKeysResponse', page),
  post('/api-keys', 'CreateAPIKeyRequest', 201, 'CreateAPIKeyResponse'),
  get('/api-keys/{id}', 'APIKey'),
  put('/api-keys/{id}', 'UpdateAPIKeyRequest', 'APIKey'),
  post('/api-keys/{id}/toggle', null, 200, 'APIKey'),
  post('/api-keys/{id}/deactivate', null, 204, null),
];

function get(path: string, gives: string, query: string[] = []): PromisedOperation {
  return { method: 'GET', path, takes: null, status: 200, gives, query };
}

function post(path: string, takes: string | null, status: number, gives: string | null): PromisedOperation {
  return { method: 'POST', path, takes, status, gives, query: [] };
}

function put(path: string, takes: string, gives: string): PromisedOperation {
  return { method: 'PUT', path, takes, status: 200, gives, query: [] };
}

function remove(path: string): PromisedOperation {
  return { method: 'DELETE', path, takes: null, status: 204, gives: null, query: [] };
}
