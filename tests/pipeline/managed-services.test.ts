import { hash } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { toResultItem } from '../../src/agent/discovery/result-item.ts';
import { loadLifecycles } from '../../src/modules/reference/load-lifecycles.ts';
import { discoverFiles } from '../helpers/discover-files.ts';
import { lifecycleProduct } from '../helpers/reference-fixture.ts';
import { createScanner } from '../helpers/scan-by-hand.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { createClock, createPipelineWorld } from './pipeline-world.ts';

const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const server = await startTestServer();
const { db } = server;
const clock = createClock(server);
const dayIn = (days: number) => clock.daysAgo(-days).slice(0, 10);

const load = () =>
  loadLifecycles(db, {
    asOfMs: Date.parse(clock.inMinutes(0)),
    products: [
      lifecycleProduct('amazon-rds-postgresql', { '14': dayIn(100), '18': '2090-11-14' }),
      lifecycleProduct('amazon-eks', { '1.31': '2090-01-01' }),
      lifecycleProduct('aws-lambda', { 'nodejs18.x': dayIn(-10), 'nodejs24.x': '2090-01-01' }),
    ],
    isConfirmed: true,
  });
beforeEach(() => load());

const terraform = (postgres: string) => ({
  'db.tf': `resource "aws_db_instance" "orders" {\n  engine = "postgres"\n  engine_version = "${postgres}"\n}\n`,
  'eks.tf': 'resource "aws_eks_cluster" "main" {\n  version = "1.31"\n}\n',
});

/** Returns the items of files, in the form that agents submit. */
function resultsOf(files: Readonly<Record<string, string>>) {
  return discoverFiles(files).items.map((item) => {
    const blobId = hash('sha1', files[item.place.file]!);
    return toResultItem(item, blobId);
  });
}

async function start(files: Readonly<Record<string, string>> = terraform('14.9')) {
  const world = await createPipelineWorld(server, inbox);
  const { api } = world;
  const { id: jobId } = await api.call('createDiscoveryJob', {
    body: { name: 'Infrastructure', repository_url: 'https://git.example.org/acme/infrastructure' },
  });
  const scanner = createScanner(api);
  const scan = (given: Readonly<Record<string, string>>) => scanner.scan(jobId, resultsOf(given));
  await scan(files);
  const filter = { discovery_job_id: jobId };
  return {
    ...world,
    scan,
    filter,
    accept: (rule_id: number) => api.call('acceptDiscoveredItems', { body: { filter, rule_id } }),
    configs: async () => (await api.call('listAlertConfigs', { query: { sort: 'name' } })).items,
  };
}

const endOfLife = { rule_type: 'end_of_life', thresholds: { moderate: 180, high: 60, critical: 0 } } as const;

describe('a managed service in Terraform', () => {
  test('gets an alert before its support ends, which an upgrade resolves', async () => {
    const world = await start();
    const accepted = await world.accept(await world.createRule(endOfLife));
    expect(accepted).toMatchObject({
      accepted_count: 2,
      rejected_count: 0,
      created: { gather_jobs: 2, scrape_jobs: 2, alert_configs: 2 },
      hosts_without_credential: [],
    });
    await world.settled();
    const { items: jobs } = await world.api.call('listGatherJobs', {
      query: { source_type: 'lifecycle', sort: 'name' },
    });
    expect(jobs).toMatchObject(
      ['amazon-eks', 'amazon-rds-postgresql'].map((product) => ({
        artifact_name: product,
        lifecycle_product: product,
        cron_expression: null,
        status: 'completed',
        last_run: null,
        next_run_at: null,
        waiting_for: null,
        release_count: 0,
      })),
    );
    expect(await world.openAlert()).toMatchObject({
      severity: 'moderate',
      reason: 'end_of_life',
      artifact_name: 'amazon-rds-postgresql',
      days_left: 101,
      latest_version: '18',
    });
    const { items } = await world.api.call('getSupport', {});
    expect(items.map(({ product, line }) => [product, line])).toContainEqual(['amazon-rds-postgresql', '14']);

    await world.scan(terraform('18.1'));
    await world.settled();
    expect(await world.openAlert()).toBeUndefined();
    expect(world.heardTypes()).toEqual(['alert.created', 'alert.resolved']);
  });

  test('has no runs, so it is never failing or stale', async () => {
    const world = await start();
    await world.accept(await world.createRule(endOfLife));
    await world.settled();
    const [job] = (await world.api.call('listGatherJobs', { query: { source_type: 'lifecycle' } })).items;
    await clock.pass(3 * 24 * 60);
    await load();
    await world.settled();
    expect((await world.configs()).map(({ state }) => state)).toEqual(['ok', 'alerting']);
    const path = { id: job!.id };
    expect((await world.api.call('listGatherJobRuns', { path })).items).toEqual([]);
    await expect(world.api.call('runGatherJob', { path })).rejects.toMatchObject({ status: 409 });
  });

  test('is accepted only with a rule that needs no releases', async () => {
    const world = await start();
    const result = await world.accept(await world.createRule());
    expect(result).toMatchObject({ accepted_count: 0, rejected_count: 2, created: { gather_jobs: 0 } });
    expect(result.items[0]!.message).toBe(
      'It has only a lifecycle, and the rule compares releases. Accept it with an end_of_life rule.',
    );
  });

  test('is accepted automatically if it is certain, because nothing is fetched for it', async () => {
    const world = await createPipelineWorld(server, inbox);
    const { api } = world;
    const { id } = await api.call('createDiscoveryJob', {
      body: {
        name: 'Infrastructure',
        repository_url: 'https://git.example.org/acme/infrastructure',
        accept: 'known',
        default_rule_id: await world.createRule(endOfLife),
      },
    });
    const files = {
      ...terraform('14.9'),
      'prod.tfvars': 'a = {\n  engine = "postgres"\n  engine_version = "14"\n}\n',
    };
    await createScanner(api).scan(id, resultsOf(files));
    const query = { discovery_job_id: id, sort: 'place' } as const;
    const { items } = await api.call('listDiscoveredItems', { query });
    expect(items.map(({ place, status }) => [place.file, status])).toEqual([
      ['db.tf', 'accepted'],
      ['eks.tf', 'accepted'],
      ['prod.tfvars', 'new'],
    ]);
  });
});

describe('a lifecycle job', () => {
  test('causes the state "no data", with a reason, in monitors whose rules compare releases', async () => {
    const world = await createPipelineWorld(server, inbox);
    const { id: gatherJobId } = await world.api.call('createGatherJob', {
      body: {
        name: 'RDS',
        source_type: 'lifecycle',
        artifact_name: 'aws-lambda',
        lifecycle_product: 'aws-lambda',
      },
    });
    const scrapeJobId = await world.createManualJob();
    const ids: number[] = [];
    for (const rule of [
      { rule_type: 'majors_behind', thresholds: { high: 1 } },
      { rule_type: 'days_behind', thresholds: { high: 1 } },
      { rule_type: 'upstream_silent', thresholds: { high: 1 } },
      { rule_type: 'known_vulnerabilities', thresholds: { high: 1 } },
      endOfLife,
    ] as const) {
      const ruleId = await world.createRule(rule);
      ids.push(await world.createConfig({ gatherJobId, scrapeJobId, ruleId }, { name: rule.rule_type }));
    }
    const states = async () => {
      await world.settled();
      const found = await Promise.all(ids.map((id) => world.api.call('getAlertConfig', { path: { id } })));
      return found.map(({ state, state_reason }) => [state, state_reason]);
    };
    const lag = ['no_data', 'lifecycle_only'];
    const vulnerabilities = ['no_data', expect.any(String)];
    expect(await states()).toEqual([lag, lag, lag, vulnerabilities, ['no_data', 'no_version']]);
    await world.setVersion(scrapeJobId, 'nodejs18.x');
    expect(await states()).toEqual([lag, lag, lag, vulnerabilities, ['alerting', 'end_of_life']]);
    // The deployed text isn't a version, but the lifecycle data has a line with this name.
    const path = { id: ids.at(-1)! };
    const { explanation } = await world.api.call('getAlertConfigExplanation', { path });
    expect(explanation).toMatchObject({
      deployed: { version: 'nodejs18.x', match: 'no_releases' },
      lifecycle: { line: 'nodejs18.x' },
    });
    const preview = await world.api.call('previewRule', {
      body: {
        rule: { rule_type: 'majors_behind', thresholds: { high: 1 } },
        deployed_version: '14',
        source: { source_type: 'lifecycle', artifact_name: 'amazon-rds-postgresql' },
      },
    });
    expect(preview).toMatchObject({ state: 'no_data', state_reason: 'lifecycle_only' });
  });

  test('of a product that the data does not contain is pending, and its monitor shows the reason', async () => {
    const world = await createPipelineWorld(server, inbox);
    const body = {
      name: 'X',
      source_type: 'lifecycle',
      artifact_name: 'amazon-new',
      lifecycle_product: 'amazon-new',
    } as const;
    const job = await world.api.call('createGatherJob', { body });
    expect(job).toMatchObject({ status: 'pending', lifecycle_product_source: 'set' });
    const scrapeJobId = await world.createManualJob();
    const ruleId = await world.createRule(endOfLife);
    const id = await world.createConfig({ gatherJobId: job.id, scrapeJobId, ruleId });
    await world.setVersion(scrapeJobId, '1.0');
    await world.settled();
    expect(await world.api.call('getAlertConfig', { path: { id } })).toMatchObject({
      state: 'no_data',
      state_reason: 'no_lifecycle',
    });
    const listed = async (status: 'pending' | 'completed') =>
      (await world.api.call('listGatherJobs', { query: { status, scope: 'organization' } })).items.length;
    expect([await listed('pending'), await listed('completed')]).toEqual([1, 0]);
    await world.api.call('updateGatherJob', {
      path: { id: job.id },
      body: { artifact_name: 'amazon-eks', lifecycle_product: 'amazon-eks' },
    });
    await world.settled();
    expect(await world.api.call('getAlertConfig', { path: { id } })).toMatchObject({
      state_reason: 'no_support_date',
    });
    expect([await listed('pending'), await listed('completed')]).toEqual([0, 1]);
  });
});
