import { sql } from 'kysely';
import type { ApiClient } from '../../src/client/api-client.ts';
import type { Database } from '../../src/platform/database/index.ts';
import type { WebhookInbox } from '../helpers/webhook-inbox.ts';
import { createControlledAgent, daysAgo } from '../pipeline/pipeline-world.ts';

export interface WatchedService {
  gatherJobId: number;
  scrapeJobId: number;
  ruleId: number;
  configIds: number[];
  /** Inbox paths that receive every event. They are also the names of the channels. */
  channelNames: string[];
  /**
   * Publishes a major release through an agent of this server, so that every configuration is one more major
   * version behind.
   */
  publish(api: ApiClient, major: number): Promise<void>;
}

/**
 * Creates a service with version 1.0.0 deployed, which is the latest release. `counts.configs` configurations
 * watch the service, and every event goes to `counts.channels` channels.
 */
export async function createWatchedService(
  db: Database,
  api: ApiClient,
  inbox: WebhookInbox,
  counts: { configs: number; channels: number },
): Promise<WatchedService> {
  const channels = [];
  for (let index = 0; index < counts.channels; index++) {
    const name = `/channel-${index}`;
    channels.push(
      await api.call('createNotificationChannel', { body: { name, url: new URL(name, inbox.url).href } }),
    );
  }
  await api.call('createNotificationRule', {
    body: { name: 'to all', channel_ids: channels.map((channel) => channel.id) },
  });
  const gatherJob = await api.call('createGatherJob', {
    body: { name: 'nginx', source_type: 'github_releases', artifact_name: 'github.com/acme/nginx' },
  });
  const release = (major: number) => ({ tag: `${major}.0.0`, at: daysAgo(100 - major) });
  const publish = (by: ApiClient, major: number) =>
    createControlledAgent(by).gather(
      gatherJob.id,
      Array.from({ length: major }, (_, index) => release(index + 1)),
    );
  await publish(api, 1);
  const scrapeJob = await api.call('createScrapeJob', { body: { name: 'by hand', parser_type: 'manual' } });
  await api.call('setScrapeJobVersion', { path: { id: scrapeJob.id }, body: { version: '1.0.0' } });
  const rule = await api.call('createRule', {
    body: { name: 'majors', rule_type: 'majors_behind', thresholds: { moderate: 1 } },
  });
  const config = await api.call('createAlertConfig', {
    body: { name: 'service', scrape_job_id: scrapeJob.id, gather_job_id: gatherJob.id, rule_id: rule.id },
  });
  // Creating 1,000 configurations through the API would take longer than the rest of the test.
  const { rows } = await sql<{ id: number }>`
    INSERT INTO alert_configs (organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, ordinal)
    SELECT organization_id, name || ' ' || n, scrape_job_id, gather_organization_id, gather_job_id, rule_id, n - 1
    FROM alert_configs, generate_series(2, ${counts.configs}::integer) AS n WHERE id = ${config.id}
    RETURNING id`.execute(db);
  return {
    gatherJobId: gatherJob.id,
    scrapeJobId: scrapeJob.id,
    ruleId: rule.id,
    configIds: [config.id, ...rows.map((row) => row.id)],
    channelNames: channels.map((channel) => channel.name),
    publish,
  };
}
