import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import type { OperationId } from '../../src/generated/operations.ts';
import { startTestServer, type TestServer } from '../helpers/test-server.ts';
import { type Call, callOperation, validCalls } from './calls.ts';
import { startContractInbox } from './contract-inbox.ts';
import { contractOperations, operationOf } from './contract-operations.ts';
import { loginProviderEnvironment } from './contract-provider.ts';
import { buildWorld, logIn, type World } from './world.ts';

const inbox = await startContractInbox();
afterAll(() => inbox.close());
let server: TestServer;
let world: World;
let make: World['make'];

// Start a new server for each retry of a test, because the previous attempt has already added its data and logins are
// rate-limited.
beforeEach(async () => {
  server = await startTestServer(await loginProviderEnvironment());
  const owner = await server.createOrganization();
  world = await buildWorld({ baseUrl: server.url, owner, webhookUrl: inbox.url, db: server.db });
  ({ make } = world);
  // Add a scrape job whose run isn't leased by an agent.
  world.ids.scrape_job[1] = await make.gitScrapeJob();
});

/** All operations that return several items. */
const lists = contractOperations.filter(
  ({ method, id }) =>
    method === 'GET' && (id.startsWith('list') || id === 'getReleaseSummary' || id === 'getOverview'),
);

interface Cost {
  statements: number;
  items: number;
}

/**
 * Counts the statements of one response. Background loops run statements during some attempts only, so the
 * function repeats the request five times, or until the count is at most `expected`, and returns the lowest
 * count.
 */
async function costOf(id: OperationId, expected?: number): Promise<Cost> {
  const { path } = await validCalls[id](world);
  const { parameters, security } = operationOf(id);
  const hasLimit = parameters.some(({ name }) => name === 'limit');
  const call: Call = {
    ...(path && { path }),
    ...(hasLimit && { query: { limit: 200 } }),
    as: security.includes('ApiKey') ? { key: 'admin' } : { login: 'admin' },
  };
  let [statements, items] = [Infinity, 0];
  for (let count = 0; expected === undefined ? count < 5 : count < 50 && statements > expected; count++) {
    if (count >= 5) await setTimeout(50);
    const seen = await server.statementsOf(async () => {
      const answer = await callOperation(world, id, call);
      expect(answer.status, answer.text).toBe(200);
      items = (
        answer.text.match(/"id":|"key":|"category":|"gather_job_id":|"promoted":|"release_line_count":/g) ??
        []
      ).length;
    });
    statements = Math.min(statements, seen.length);
  }
  return { statements, items };
}

test('a list needs the same small number of statements for many items as for few', async () => {
  await growService('first');
  await everythingEvaluated();
  const few = new Map<OperationId, Cost>();
  for (const { id } of lists) few.set(id, await costOf(id));
  for (let count = 0; count < 3; count++) await growOnce(count);
  await make.deadDelivery();
  await make.memberId();
  const grown: string[] = [];
  for (const { id } of lists) {
    const [before, now] = [few.get(id)!, await costOf(id, few.get(id)!.statements)];
    // Fewer statements are fine: a background loop can have run during each of the first attempts.
    expect(
      now.statements,
      `${id}: statements for ${now.items} things as for ${before.items}`,
    ).toBeLessThanOrEqual(before.statements);
    expect(now.statements, id).toBeLessThanOrEqual(id === 'getOverview' ? 25 : 7);
    if (now.items > before.items) grown.push(id);
  }
  const alike = lists.map(({ id }) => id).filter((id) => !grown.includes(id));
  expect(alike, 'lists whose length never changes').toEqual([
    'listSettings',
    // This operation reads all artifact addresses in one statement. Its list contains only mirrors with known
    // artifacts, and this test adds none.
    'listArtifactAliasSuggestions',
    // The upgrade has the same number of places before and after the items are added. query-plans.slow.test.ts
    // checks the plans of this list.
    'listUpgradePlaces',
    // These lists contain reference data of the installation.
    'listAlertConfigVulnerabilities',
    'listEffectiveSettings',
    'listNotificationTemplates',
    'listReferenceSources',
    // This server has no login provider.
    'listLoginProviders',
    'listIdentities',
  ]);
});

/**
 * Waits until all configurations are evaluated, because a configuration without a version needs fewer
 * statements.
 */
async function everythingEvaluated(): Promise<void> {
  await vi.waitFor(
    async () => {
      const { items } = await world.admin.call('listAlertConfigs', { query: { limit: 200 } });
      const waiting = items.filter((each) => each.is_active && each.last_evaluated_at === null);
      expect(waiting.map(({ name }) => name)).toEqual([]);
    },
    { timeout: 60_000, interval: 100 },
  );
}

/** Creates a service in two environments. */
async function growService(service: string): Promise<void> {
  for (const environment of ['staging', 'production']) {
    const labels = { service, environment };
    const { id } = await world.admin.call('createScrapeJob', {
      body: { name: service, parser_type: 'manual', labels },
    });
    await world.admin.call('setScrapeJobVersion', { path: { id }, body: { version: '1.0' } });
  }
}

/** Adds one item to every list. */
async function growOnce(count: number): Promise<void> {
  const { ids, admin, agent } = world;
  await growService(`service ${count}`);
  await make.openAlert();
  await make.resolvedAlert();
  await make.channel();
  await make.notificationRule();
  await make.freshnessTarget();
  await make.artifactAlias();
  await make.artifactCorrection();
  await make.silence();
  await make.savedView();
  await make.hook();
  await make.chatAccount(world.logins.admin.memberId);
  await make.auditExport();
  await make.deploymentTrust();
  await make.lifecycleProduct();
  await make.apiKey();
  await logIn(server.url, world.logins.admin);
  await make.gitScrapeJob();
  await make.helmSyncJob();
  await make.discoveryJob();
  await make.discoveredItem(ids.discovery_job[0]!);
  await make.deployed(ids.scrape_job[0]!, `1.0.${count}`);
  await make.deployment();
  await admin.call('acknowledgeAlert', { path: { id: ids.alert[0]! } });
  await admin.call('unacknowledgeAlert', { path: { id: ids.alert[0]! } });
  await admin.call('putOrgOverride', {
    path: { key: overrides[count % overrides.length]! },
    body: { value: 5 },
  });
  await server.system.call('createGatherJob', {
    body: { name: 'global', source_type: 'github_releases', artifact_name: `github.com/global/${count}` },
  });
  const beat = { hostname: 'a', version: '1', capabilities: [], credential_names: [], running: [] };
  await agent.call('sendHeartbeat', { body: { name: `agent ${count}`, ...beat } });
  await runAll(ids, `chart-${count}`);
}

const overrides = ['task.max_attempts', 'gather.max_releases', 'retention.runs_days'];

/** Adds one run to each listed job, and one chart. */
async function runAll(
  { gather_job, scrape_job, helm_sync_job, discovery_job }: World['ids'],
  name: string,
): Promise<void> {
  const { admin } = world;
  await make.gathered();
  await admin.call('runGatherJob', { path: { id: gather_job[0]! } });
  await make.gathered();
  await admin.call('runHelmSyncJob', { path: { id: helm_sync_job[0]! } });
  const [sync] = await make.claimed();
  const chart = { name, latest_version: '1.0.0', app_version: null, description: null };
  const known = await admin.call('listHelmSyncJobCharts', { path: { id: helm_sync_job[0]! } });
  const names = [...known.items.map((each) => each.name), name];
  const items = names.map((each) => ({
    chart: { ...chart, name: each, deprecated: false, version_count: 1 },
    releases: [],
  }));
  await make.done(sync!, items);
  await admin.call('runScrapeJob', { path: { id: scrape_job[1]! } });
  // No agent runs in this test, so cancel the previous scan to allow another one.
  await sql`UPDATE runs SET status = 'canceled' WHERE kind = 'discovery'`.execute(server.db);
  await admin.call('runDiscoveryJob', { path: { id: discovery_job[0]! } });
  await make.gathered();
}
