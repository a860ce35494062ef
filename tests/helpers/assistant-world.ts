import { sql } from 'kysely';
import { versionScheme } from '../../src/domain/versions/versions.ts';
import type { Schemas } from '../../src/generated/client-api.ts';
import { createMonitoredSoftware, type Monitored } from './monitored.ts';
import type { SharedTestServer, TestOrganization } from './test-server.ts';

export interface AssistantWorld extends Monitored {
  organization: TestOrganization;
  alertId: number;
  upgradeId: string;
  releaseId: number;
}

/** Creates an organization with an alert, release notes, and a service in two environments. */
export async function createAssistantWorld(
  server: SharedTestServer,
  name: string,
  notes: Record<string, string> = {},
): Promise<AssistantWorld> {
  const organization = await server.createOrganization(name);
  const { api } = organization;
  const labels = { team: name, service: name, environment: 'production' };
  const monitored = await createMonitoredSoftware(server, organization, { releases: [], labels });
  const { parse, sortKey } = versionScheme('auto');
  for (const [place, version] of ['1.0.0', '2.0.0', '3.0.0'].entries())
    await sql`
      INSERT INTO releases (organization_id, gather_job_id, tag, version, sort_key, variant, is_prerelease, released_at, notes)
      VALUES (${organization.id}, ${monitored.gatherJobId}, ${version}, ${version}, ${sortKey(parse(version)!)}, '',
        false, pacekeeper_now() - ${place * -30 + 60} * interval '1 day', ${notes[version] ?? null})`.execute(
      server.db,
    );
  await sql`UPDATE gather_jobs SET releases_revision = releases_revision + 1
    WHERE id = ${monitored.gatherJobId}`.execute(server.db);
  await api.call('updateScrapeJob', {
    path: { id: monitored.scrapeJobId },
    body: { name: `${name} in production`, labels: { service: name, environment: 'production' } },
  });
  const staging = await api.call('createScrapeJob', {
    body: {
      name: `${name} in staging`,
      parser_type: 'manual',
      labels: { service: name, environment: 'staging' },
    },
  });
  await api.call('setScrapeJobVersion', { path: { id: staging.id }, body: { version: '3.0.0' } });
  await api.call('evaluateRules');
  const config = await api.call('getAlertConfig', { path: { id: monitored.configId } });
  const { items: upgrades } = await api.call('listUpgrades', {
    query: { gather_job_id: monitored.gatherJobId },
  });
  const { items: releases } = await api.call('listReleases', {
    query: { gather_job_id: monitored.gatherJobId },
  });
  return {
    ...monitored,
    organization,
    alertId: config.active_alert_id!,
    upgradeId: upgrades[0]!.id,
    releaseId: releases[0]!.id,
  };
}

/** Arguments for every tool that match data of the test organization. */
export function toolArgumentsFor({
  alertId,
  configId,
  gatherJobId,
  releaseId,
  ruleId,
  upgradeId,
}: AssistantWorld) {
  return {
    list_upgrades: {},
    get_upgrade: { upgrade_id: upgradeId },
    explain_state: { alert_id: alertId },
    list_changes: { alert_config_id: configId },
    get_release: { release_id: releaseId },
    list_software: {},
    list_environments: {},
    list_exposures: { gather_job_id: gatherJobId },
    list_releases: { gather_job_id: gatherJobId },
    list_support_ends: {},
    simulate_rule: { rule_id: ruleId },
    search: {},
    list_labels: {},
    get_caller: {},
  } satisfies Record<string, Record<string, unknown>>;
}

export async function createKey(
  { owner }: TestOrganization,
  role: Schemas['APIKey']['role'],
): Promise<string> {
  return (await owner.call('createAPIKey', { body: { name: `Key of the role ${role}`, role } })).key;
}
