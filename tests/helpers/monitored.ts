import { sql } from 'kysely';
import type { Schemas } from '../../src/generated/client-api.ts';
import type { SharedTestServer, TestOrganization } from './test-server.ts';

export interface Monitored {
  gatherJobId: number;
  scrapeJobId: number;
  ruleId: number;
  configId: number;
}

export interface MonitoredOptions {
  /** Upstream versions, oldest first. Releases are 30 days apart, and the last one is dated now. */
  releases?: readonly string[];
  /** Manually set deployed version, or null for none. */
  deployed?: string | null;
  rule?: Partial<Schemas['CreateMonitoringRuleRequest']>;
  labels?: Record<string, string>;
}

/** Creates an inactive gather job and inserts releases for it, as if they had been gathered. */
export async function createReleases(
  { db }: Pick<SharedTestServer, 'db'>,
  { id: organizationId, api }: Pick<TestOrganization, 'id' | 'api'>,
  versions: readonly string[],
): Promise<number> {
  const job = await api.call('createGatherJob', {
    body: {
      name: 'web',
      source_type: 'github_releases',
      artifact_name: 'github.com/acme/web',
      is_active: false,
    },
  });
  await addReleases(db, organizationId, job.id, versions);
  return job.id;
}

export async function addReleases(
  db: SharedTestServer['db'],
  organizationId: number,
  gatherJobId: number,
  versions: readonly string[],
): Promise<void> {
  await sql`
    INSERT INTO releases (organization_id, gather_job_id, tag, version, released_at, is_prerelease)
    SELECT ${organizationId}, ${gatherJobId}, version, version,
      pacekeeper_now() - (${versions.length} - place) * interval '30 days', false
    FROM unnest(${[...versions]}::text[]) WITH ORDINALITY AS release (version, place)`.execute(db);
  await sql`UPDATE gather_jobs SET releases_revision = releases_revision + 1 WHERE id = ${gatherJobId}`.execute(
    db,
  );
}

/**
 * Creates an alert configuration with its gather job, scrape job, and rule. By default, the deployed version
 * is two majors behind, which is severity `high`.
 */
export async function createMonitoredSoftware(
  server: Pick<SharedTestServer, 'db'>,
  organization: Pick<TestOrganization, 'id' | 'api'>,
  {
    releases = ['1.0.0', '2.0.0', '3.0.0'],
    deployed = '1.0.0',
    rule = {},
    labels = {},
  }: MonitoredOptions = {},
): Promise<Monitored> {
  const { api } = organization;
  const gatherJobId = await createReleases(server, organization, releases);
  const scrapeJob = await api.call('createScrapeJob', {
    body: { name: 'web in production', parser_type: 'manual' },
  });
  if (deployed !== null)
    await api.call('setScrapeJobVersion', { path: { id: scrapeJob.id }, body: { version: deployed } });
  const { id: ruleId } = await api.call('createRule', {
    body: {
      name: 'Majors',
      rule_type: 'majors_behind',
      thresholds: { moderate: 1, high: 2, critical: 3 },
      ...rule,
    },
  });
  const config = await api.call('createAlertConfig', {
    body: { name: 'web', scrape_job_id: scrapeJob.id, gather_job_id: gatherJobId, rule_id: ruleId, labels },
  });
  return { gatherJobId, scrapeJobId: scrapeJob.id, ruleId, configId: config.id };
}
