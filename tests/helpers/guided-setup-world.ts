import type { ApiClient } from '../../src/client/api-client.ts';

/**
 * Creates the same resources as guided setup in docs/getting-started.md. If the docs create another resource
 * with one of these names, a documented command that refers to the name is ambiguous and fails.
 */
export async function createFromGuidedSetup(api: ApiClient): Promise<void> {
  await api.call('createGatherJob', {
    body: { name: 'grafana', source_type: 'github_releases', artifact_name: 'grafana/grafana' },
  });
  await api.call('createScrapeJob', { body: { name: 'grafana', parser_type: 'manual' } });
  await api.call('createRule', {
    body: {
      name: 'Ninety days',
      rule_type: 'days_behind',
      thresholds: { moderate: 30, high: 60, critical: 90 },
    },
  });
  await api.call('createNotificationChannel', {
    body: { name: 'Slack', preset: 'slack', url: 'https://hooks.slack.com/services/T0/B0/x' },
  });
}
