import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { countLockWaits } from '../../../tests/helpers/lock-waits.ts';
import { createReleases } from '../../../tests/helpers/monitored.ts';
import { sharedTestServer, type TestOrganization } from '../../../tests/helpers/test-server.ts';
import type { Schemas } from '../../generated/client-api.ts';
import { transaction } from '../../platform/database/index.ts';
import type { TurnScheduler } from '../../platform/fairness/index.ts';
import { deleteOldDeploymentsAcrossOrganizations } from './delete-old-deployments.ts';
import { reportDeployment } from './report-deployment.ts';

type Report = Schemas['ReportDeploymentRequest'];

const server = await sharedTestServer();
let acme: TestOrganization;

beforeEach(async () => {
  acme = await server.createOrganization();
});

const checkout = { service: 'checkout', environment: 'production', version: '1.0.0' } as const;

const report = (body: Partial<Report> = {}, { api } = acme) =>
  api.call('reportDeployment', { body: { ...checkout, ...body } });

interface Filters {
  service?: string;
  environment?: string;
  scrape_job_id?: number;
  since?: string;
  until?: string;
}

const ledger = async (query: Filters = {}) => (await acme.api.call('listDeployments', { query })).items;

const jobs = async () => (await acme.api.call('listScrapeJobs', { query: { sort: 'created_at' } })).items;

/** Returns the time that is the given number of minutes before now. */
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

async function createDefaultRule(): Promise<number> {
  const { id } = await acme.api.call('createRule', {
    body: { name: 'Majors', rule_type: 'majors_behind', thresholds: { moderate: 1 } },
  });
  await acme.api.call('putOrgOverride', { path: { key: 'default_rule_id' }, body: { value: id } });
  return id;
}

/** Creates an active gather job, which reports can find by its artifact. */
async function createSource(): Promise<number> {
  const { id } = await acme.api.call('createGatherJob', {
    body: { name: 'web', source_type: 'github_releases', artifact_name: 'github.com/acme/web' },
  });
  return id;
}

describe('the first report of a deployment target', () => {
  test('creates a manual scrape job with its labels and sets its version', async () => {
    const { deployment, created, is_repeat } = await report({
      commit: '9fceb02',
      url: 'https://ci.example.org/runs/1',
      artifact: 'ghcr.io/acme/checkout',
      labels: { team: 'payments' },
    });
    expect(created).toEqual({ scrape_job: true, alert_config: false });
    expect(is_repeat).toBe(false);
    const [job] = await jobs();
    expect(job).toMatchObject({
      name: 'checkout (production)',
      parser_type: 'manual',
      latest_version: '1.0.0',
      status: 'completed',
      labels: { service: 'checkout', environment: 'production', team: 'payments' },
    });
    expect(deployment).toMatchObject({
      ...checkout,
      scrape_job: { id: job!.id, name: job!.name },
      commit: '9fceb02',
      url: 'https://ci.example.org/runs/1',
      artifact: 'ghcr.io/acme/checkout',
      labels: { team: 'payments' },
      is_late: false,
      is_current: true,
      reported_by: { type: 'api_key' },
    });
    const { items } = await acme.api.call('listScrapeJobVersions', { path: { id: job!.id } });
    expect(items).toMatchObject([{ version: '1.0.0', commit_sha: '9fceb02', source: 'manual' }]);
  });

  test('creates one scrape job even if several reports of the target arrive at the same time', async () => {
    await Promise.all(Array.from({ length: 6 }, (_, index) => report({ version: `1.0.${index}` })));
    expect(await jobs()).toHaveLength(1);
    expect(await ledger()).toHaveLength(6);
  });

  test('uses the label names from the settings', async () => {
    for (const [key, value] of Object.entries({
      'environments.label': 'stage',
      'environments.service_label': 'app',
    }))
      await acme.api.call('putOrgOverride', { path: { key }, body: { value } });
    await report();
    await report({ version: '1.1.0' });
    expect(await jobs()).toMatchObject([
      { labels: { app: 'checkout', stage: 'production' }, latest_version: '1.1.0' },
    ]);
  });

  test('adds entries to the audit log about the resources that it creates', async () => {
    await createDefaultRule();
    await report({ gather_job_id: await createReleases(server, acme, ['1.0.0', '2.0.0']) });
    const { items } = await acme.api.call('listAuditLog', { query: { limit: 2 } });
    expect(items).toMatchObject([
      { action: 'alert_config.created', resource_name: 'checkout (production)' },
      { action: 'scrape_job.created', resource_name: 'checkout (production)' },
    ]);
  });
});

describe('the scrape job of a report', () => {
  test('can be one that a person created for the service and environment, and gets the other labels of the report', async () => {
    const { id } = await acme.api.call('createScrapeJob', {
      body: {
        name: 'Our checkout',
        parser_type: 'manual',
        version_transform: 'add_v_lower',
        labels: { service: 'checkout', environment: 'production', owner: 'dana' },
      },
    });
    const { created, deployment } = await report({ labels: { team: 'payments' } });
    expect(created.scrape_job).toBe(false);
    expect(deployment).toMatchObject({ scrape_job: { id, name: 'Our checkout' }, version: '1.0.0' });
    expect(await jobs()).toMatchObject([
      {
        latest_version: 'v1.0.0',
        labels: { service: 'checkout', environment: 'production', owner: 'dana', team: 'payments' },
      },
    ]);
  });

  test('differs for another component and for another value of a label', async () => {
    await report({ labels: { cluster: 'eu' } });
    await report({ labels: { cluster: 'us' }, version: '1.1.0' });
    await report({ labels: { component: 'api' }, version: '1.2.0' });
    await report({ labels: { cluster: 'eu' }, version: '1.3.0' });
    expect((await jobs()).map(({ name, latest_version }) => [name, latest_version])).toEqual([
      ['checkout (production)', '1.3.0'],
      ['checkout (production, us)', '1.1.0'],
      ['checkout: api (production)', '1.2.0'],
    ]);
    const ids = (await jobs()).slice(0, 2).map(({ id }) => id);
    await expect(report()).rejects.toMatchObject({
      status: 409,
      detail: expect.stringContaining(`${ids.join(', ')}. Add a label`),
    });
  });

  test('is found by its labels, regardless of how many scrape jobs the service has in the environment', async () => {
    await sql`INSERT INTO scrape_jobs (organization_id, name, parser_type, labels)
      SELECT ${acme.id}, 'checkout ' || n, 'manual',
        jsonb_build_object('service', 'checkout', 'environment', 'production', 'cluster', 'c' || n)
      FROM generate_series(1, 600) AS n`.execute(server.db);
    const { created, deployment } = await report({ labels: { cluster: 'c600' } });
    expect(created.scrape_job).toBe(false);
    expect(deployment.scrape_job!.name).toBe('checkout 600');
    expect((await report({ labels: { cluster: 'c601' } })).created.scrape_job).toBe(true);
    expect((await report({ labels: { cluster: 'c601' } })).created.scrape_job).toBe(false);
  });

  test('keeps labels that someone changes while the report waits for them', async () => {
    const { deployment } = await report({ labels: { owner: 'dana' } });
    const { id } = deployment.scrape_job!;
    const waiting = await transaction(server.db, async (tx) => {
      await sql`UPDATE scrape_jobs SET labels = labels || '{"owner": "erin"}'
        WHERE organization_id = ${acme.id} AND id = ${id}`.execute(tx);
      const sent = report({ version: '2.0.0', labels: { team: 'payments' } });
      await expect.poll(() => countLockWaits(server.db)).toBeGreaterThan(0);
      return { sent };
    });
    expect((await waiting.sent).deployment.scrape_job).toMatchObject({ id });
    expect((await jobs())[0]!.labels).toMatchObject({ owner: 'erin', team: 'payments' });
  });

  test('is a different one if someone gives it the label of another target while the report waits', async () => {
    const { deployment } = await report();
    const { id } = deployment.scrape_job!;
    const waiting = await transaction(server.db, async (tx) => {
      await sql`UPDATE scrape_jobs SET labels = labels || '{"cluster": "eu"}'
        WHERE organization_id = ${acme.id} AND id = ${id}`.execute(tx);
      const sent = report({ version: '2.0.0', labels: { cluster: 'us' } });
      await expect.poll(() => countLockWaits(server.db)).toBeGreaterThan(0);
      return { sent };
    });
    expect((await waiting.sent).created.scrape_job).toBe(true);
    expect((await jobs()).map(({ latest_version }) => latest_version)).toEqual(['1.0.0', '2.0.0']);
  });

  test('is never one that reads its version from a repository', async () => {
    await acme.api.call('createScrapeJob', {
      body: {
        name: 'Git',
        parser_type: 'yq',
        repository_url: 'https://git.example.org/a/b',
        target_file: 'a.yaml',
        parse_expression: '.version',
        labels: { service: 'checkout', environment: 'production' },
        is_active: false,
      },
    });
    expect((await report()).created.scrape_job).toBe(true);
  });

  test('can’t have more labels than other scrape jobs', async () => {
    const labels = Object.fromEntries(Array.from({ length: 19 }, (_, index) => [`l${index}`, 'x']));
    await expect(report({ labels })).rejects.toMatchObject({ status: 400, errors: [{ field: 'labels' }] });
    await report({ labels: { l0: 'x' } });
    await expect(report({ labels })).rejects.toMatchObject({ status: 400, errors: [{ field: 'labels' }] });
    await expect(report({ labels: { service: 'shop' } })).rejects.toMatchObject({
      status: 400,
      errors: [{ field: 'labels', message: expect.stringContaining('service') }],
    });
    expect(await ledger()).toHaveLength(1);
  });
});

describe('the time of a report', () => {
  test('decides which version is current, regardless of the order of arrival', async () => {
    const times = [50, 10, 40, 30, 20];
    for (const [index, minutes] of times.entries())
      await report({ version: `${index}.0.0`, time: minutesAgo(minutes) });
    const [job] = await jobs();
    expect(job!.latest_version).toBe('1.0.0');
    expect(
      (await ledger()).map(({ version, is_late, is_current }) => [version, is_late, is_current]),
    ).toEqual([
      ['1.0.0', false, true],
      ['4.0.0', true, false],
      ['3.0.0', true, false],
      ['2.0.0', true, false],
      ['0.0.0', false, false],
    ]);
  });

  test('determines the order of reports, and reports with the same time are ordered by their arrival', async () => {
    const time = minutesAgo(5);
    await report({ version: '2.0.0', time });
    await report({ version: '1.0.0', time });
    expect((await ledger()).map(({ version, is_current }) => [version, is_current])).toEqual([
      ['1.0.0', true],
      ['2.0.0', false],
    ]);
    expect((await jobs())[0]!.latest_version).toBe('1.0.0');
  });

  test('is compared with the time at which a person set the version', async () => {
    const { deployment } = await report({ time: minutesAgo(60) });
    const path = { id: deployment.scrape_job!.id };
    await acme.api.call('setScrapeJobVersion', { path, body: { version: '5.0.0' } });
    expect((await ledger())[0]!.is_current).toBe(false);
    expect((await report({ version: '2.0.0', time: minutesAgo(30) })).deployment.is_late).toBe(true);
    expect((await jobs())[0]!.latest_version).toBe('5.0.0');
    expect((await report({ version: '3.0.0' })).deployment).toMatchObject({
      is_late: false,
      is_current: true,
    });
  });

  test('is the time of the latest version if none is given, even if the clock of another sender is ahead', async () => {
    await report({ version: '2.0.0', time: minutesAgo(-4) });
    const rollback = await report();
    expect(rollback.deployment).toMatchObject({ version: '1.0.0', is_late: false, is_current: true });
    expect(await report()).toMatchObject({ is_repeat: true, deployment: { id: rollback.deployment.id } });
    expect((await ledger()).map(({ is_current }) => is_current)).toEqual([true, false]);
  });

  test("isn't considered late because the clock of the server was ahead", async () => {
    const { deployment } = await report();
    await sql`UPDATE scrape_jobs SET latest_deployed_at = latest_deployed_at + interval '1 day'
      WHERE organization_id = ${acme.id} AND id = ${deployment.scrape_job!.id}`.execute(server.db);
    expect((await report({ version: '2.0.0' })).deployment).toMatchObject({
      is_late: false,
      is_current: true,
    });
    expect((await report({ version: '1.5.0', time: minutesAgo(1) })).deployment.is_late).toBe(true);
    expect((await jobs())[0]!.latest_version).toBe('2.0.0');
  });

  test('stays the same when the transform of the scrape job changes', async () => {
    const { deployment } = await report({ time: minutesAgo(60) });
    const path = { id: deployment.scrape_job!.id };
    await acme.api.call('updateScrapeJob', { path, body: { version_transform: 'add_v_lower' } });
    expect((await report({ version: '2.0.0', time: minutesAgo(30) })).deployment.is_late).toBe(false);
    expect((await jobs())[0]!.latest_version).toBe('v2.0.0');
  });

  test('is rejected if it is more than five minutes in the future', async () => {
    expect((await report({ time: minutesAgo(-4) })).deployment.is_late).toBe(false);
    await expect(report({ time: minutesAgo(-6) })).rejects.toMatchObject({
      status: 400,
      errors: [{ field: 'time', message: expect.stringContaining('more than five minutes after') }],
    });
    expect(await ledger()).toHaveLength(1);
  });

  test("identifies a repeated report together with the version, and the repeated report isn't stored again", async () => {
    await createDefaultRule();
    const gather_job_id = await createReleases(server, acme, ['1.0.0']);
    const time = minutesAgo(5);
    const first = await report({ time, gather_job_id });
    await report({ version: '2.0.0', time });
    const repeat = await report({ time, gather_job_id });
    expect(repeat).toMatchObject({
      is_repeat: true,
      created: { scrape_job: false, alert_config: false },
      deployment: { id: first.deployment.id, is_current: false },
      alert_config: first.alert_config,
    });
    expect(await ledger()).toHaveLength(2);
    expect((await jobs())[0]!.latest_version).toBe('2.0.0');
  });
});

test('a retried report without a time is stored once, but the same version can be deployed again', async () => {
  const first = await report({ url: 'https://ci.example.org/1' });
  const retry = await report({ url: 'https://ci.example.org/1' });
  expect(retry).toMatchObject({ is_repeat: true, deployment: { id: first.deployment.id } });
  expect((await report({ url: 'https://ci.example.org/2' })).is_repeat).toBe(false);
  await report({ version: '2.0.0' });
  expect((await report()).is_repeat).toBe(false);
  await sql`UPDATE deployments SET created_at = created_at - interval '5 minutes'
    WHERE organization_id = ${acme.id}`.execute(server.db);
  expect((await report()).is_repeat).toBe(false);
  expect((await ledger()).map(({ version }) => version)).toEqual([
    '1.0.0',
    '1.0.0',
    '2.0.0',
    '1.0.0',
    '1.0.0',
  ]);
});

describe('many reports at the same time', () => {
  test('are all stored, and each target ends up with the version of the latest report', async () => {
    const reports = Array.from({ length: 60 }, (_, index) => ({
      service: ['a', 'b', 'c'][index % 3]!,
      version: `1.0.${index}`,
      time: minutesAgo(1 + index),
    }));
    // Each report arrives once, in an order that is unrelated to its time.
    const waiting = reports.map((_, index) => reports[(index * 37) % reports.length]!);
    const send = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) await report(next);
    };
    await Promise.all(Array.from({ length: 10 }, send));
    expect((await acme.api.call('listDeployments', { query: { limit: 1 } })).total).toBe(60);
    for (const job of await jobs()) {
      const { service } = job.labels;
      const latest = reports.find((each) => each.service === service)!;
      expect(job.latest_version, service).toBe(latest.version);
      const [first] = await ledger({ service: service! });
      expect(first).toMatchObject({ version: latest.version, is_current: true, is_late: false });
    }
  });

  test("for other targets don't wait for a locked scrape job", async () => {
    const { deployment } = await report();
    await report({ service: 'shop' });
    await transaction(server.db, async (tx) => {
      await sql`SELECT FROM scrape_jobs WHERE organization_id = ${acme.id} AND id = ${deployment.scrape_job!.id}
        FOR UPDATE`.execute(tx);
      expect((await report({ service: 'shop', version: '2.0.0' })).deployment.is_current).toBe(true);
    });
  });
});

test.each([
  { configs: 200, turns: 0 },
  { configs: 201, turns: 1 },
])(
  'a report requires $turns evaluation turns if $configs configurations use its scrape job',
  async ({ configs, turns }) => {
    await createDefaultRule();
    const { alert_config } = await report({
      gather_job_id: await createReleases(server, acme, ['1.0.0']),
    });
    await sql`
      INSERT INTO alert_configs (organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, ordinal)
      SELECT organization_id, name || ' ' || n, scrape_job_id, gather_organization_id, gather_job_id, rule_id, n - 1
      FROM alert_configs, generate_series(2, ${configs}::integer) AS n
      WHERE organization_id = ${acme.id} AND id = ${alert_config!.id}`.execute(server.db);
    const owners: (number | string)[] = [];
    const evaluationTurns: TurnScheduler = {
      begin: () => Promise.reject(new Error('a request runs its work in a turn')),
      run(owner, work) {
        owners.push(owner);
        return work();
      },
    };
    const actor = { type: 'api_key', id: null, name: 'CI' } as const;
    const request = { caller: { organizationId: acme.id, actor }, requestId: 'r' };
    const empty = {
      artifact: null,
      gather_job_id: null,
      commit: null,
      url: null,
      time: null,
      labels: {},
      sbom: null,
    };
    const { row } = await reportDeployment(
      { db: server.db, evaluationTurns },
      request as unknown as Parameters<typeof reportDeployment>[1],
      { ...checkout, ...empty, version: '2.0.0' },
    );
    expect(row).toMatchObject({ version: '2.0.0', is_current: true });
    expect(owners).toEqual(Array(turns).fill(acme.id));
  },
);

describe('the alert configuration of a report', () => {
  test('compares the version with the reported gather job by the default rule, and opens alerts', async () => {
    const rule_id = await createDefaultRule();
    const gather_job_id = await createReleases(server, acme, ['1.0.0', '2.0.0']);
    const { alert_config, gather_job, created, not_compared } = await report({ gather_job_id });
    expect({ gather_job, not_compared, created }).toMatchObject({
      gather_job: { id: gather_job_id },
      not_compared: null,
      created: { alert_config: true },
    });
    const path = { id: alert_config!.id };
    expect(await acme.api.call('getAlertConfig', { path })).toMatchObject({
      rule_id,
      gather_job_id,
      effective_labels: { service: 'checkout', environment: 'production' },
    });
    await expect.poll(async () => (await acme.api.call('getAlertConfig', { path })).state).toBe('alerting');
    await report({ version: '2.0.0' });
    await expect.poll(async () => (await acme.api.call('getAlertConfig', { path })).state).toBe('ok');
  });

  test('compares the version with the gather job that reads the artifact', async () => {
    await createDefaultRule();
    const gather_job_id = await createSource();
    for (const artifact of ['https://github.com/ACME/web/releases', 'pkg:github/acme/web@1.0.0'])
      expect(await report({ artifact })).toMatchObject({
        gather_job: { id: gather_job_id },
        alert_config: { name: 'checkout (production)' },
      });
    expect((await acme.api.call('listAlertConfigs')).total).toBe(1);
  });

  test('names another scrape job that tracks the same upstream for the service and environment', async () => {
    const rule_id = await createDefaultRule();
    const gather_job_id = await createSource();
    const track = async (name: string, values: object) => {
      const labels = { service: 'checkout', environment: 'production', ...values };
      const body = { name, parser_type: 'manual', labels } as const;
      const { id } = await acme.api.call('createScrapeJob', { body });
      await acme.api.call('createAlertConfig', {
        body: { name, scrape_job_id: id, gather_job_id, rule_id },
      });
      return id;
    };
    await track('in staging', { environment: 'staging' });
    await track('in another cluster', { cluster: 'us', component: 'proxy' });
    const reported = { gather_job_id, labels: { cluster: 'eu' } };
    expect((await report(reported)).duplicate).toBeNull();
    const manual = await track('checkout: web', { component: 'web' });
    expect((await report(reported)).duplicate).toEqual({
      scrape_job: { id: manual, name: 'checkout: web' },
      message: expect.stringMatching(/checkout: web both track web .*To keep checkout: web, .*set-version/),
    });
    const { api } = acme;
    await api.call('updateScrapeJob', { path: { id: manual }, body: { is_active: false } });
    expect((await report(reported)).duplicate).toBeNull();
    const { id } = await api.call('createScrapeJob', {
      body: {
        name: 'Git',
        parser_type: 'yq',
        repository_url: 'https://git.example.org/a/b',
        target_file: 'a.yaml',
        parse_expression: '.version',
        labels: { service: 'checkout', environment: 'production' },
      },
    });
    expect((await report(reported)).duplicate).toBeNull();
    await api.call('createAlertConfig', {
      body: { name: 'Git', scrape_job_id: id, gather_job_id, rule_id },
    });
    expect((await report(reported)).duplicate).toMatchObject({
      scrape_job: { id },
      message: expect.stringContaining('Git reads its version from its source.'),
    });
    expect((await report({ labels: { cluster: 'eu' } })).duplicate).toBeNull();
  });

  test('respects the corrections and aliases of the organization', async () => {
    await createDefaultRule();
    const gather_job_id = await createSource();
    await acme.api.call('createArtifactCorrection', {
      body: {
        artifact: 'pkg:oci/web?repository_url=ghcr.io/acme/web',
        source_type: 'github_releases',
        artifact_name: 'github.com/acme/web',
      },
    });
    expect(await report({ artifact: 'ghcr.io/acme/web:1.0.0' })).toMatchObject({
      gather_job: { id: gather_job_id },
    });
    const redis = await acme.api.call('createGatherJob', {
      body: { name: 'redis', source_type: 'oci_registry', artifact_name: 'redis' },
    });
    await acme.api.call('createArtifactAlias', {
      body: { name: 'Hub', prefix: 'harbor.acme.dev/hub/', upstream_prefix: 'docker.io/' },
    });
    const artifact = 'harbor.acme.dev/hub/library/redis';
    expect(await report({ service: 'cache', version: '7.4.0', artifact })).toMatchObject({
      gather_job: { id: redis.id },
      not_compared: null,
    });
  });

  test.each<[code: string, body: Partial<Report>, rule: boolean]>([
    ['no_upstream', {}, true],
    ['unknown_artifact', { artifact: 'nothing that exists' }, true],
    ['own_software', { artifact: 'pkg:oci/own?repository_url=ghcr.io/acme/own' }, true],
    ['no_gather_job', { artifact: 'ghcr.io/acme/other' }, true],
    ['several_gather_jobs', { artifact: 'acme/web' }, true],
    ['no_default_rule', { artifact: 'github.com/acme/web' }, false],
  ])('isn’t created if the reason is %s, but the version is recorded', async (code, body, hasRule) => {
    if (hasRule) await createDefaultRule();
    await createSource();
    await acme.api.call('createGatherJob', {
      body: { name: 'image', source_type: 'oci_registry', artifact_name: 'acme/web' },
    });
    await acme.api.call('createArtifactCorrection', {
      body: {
        artifact: 'pkg:oci/own?repository_url=ghcr.io/acme/own',
        source_type: null,
        artifact_name: null,
      },
    });
    const { not_compared, alert_config, deployment } = await report(body);
    expect({ not_compared, alert_config, deployment }).toMatchObject({
      not_compared: { code, message: expect.stringMatching(/^[A-Z].*\.$/) },
      alert_config: null,
      deployment: { is_current: true },
    });
  });

  test('is created by a repeated report after the reason is resolved', async () => {
    const gather_job_id = await createReleases(server, acme, ['1.0.0']);
    expect(await report({ gather_job_id })).toMatchObject({ not_compared: { code: 'no_default_rule' } });
    await createDefaultRule();
    expect(await report({ gather_job_id })).toMatchObject({
      is_repeat: true,
      created: { alert_config: true },
      not_compared: null,
    });
  });

  test('isn’t created again after a person has deleted it, unless its rule was deleted', async () => {
    await createDefaultRule();
    const gather_job_id = await createReleases(server, acme, ['1.0.0']);
    const { alert_config } = await report({ gather_job_id });
    await acme.api.call('deleteAlertConfig', { path: { id: alert_config!.id } });
    expect(await report({ gather_job_id })).toMatchObject({
      alert_config: null,
      not_compared: { code: 'alert_config_deleted' },
    });
    const { items } = await acme.api.call('listRules');
    await acme.api.call('deleteRule', { path: { id: items[0]!.id } });
    expect(await report({ gather_job_id })).toMatchObject({ not_compared: { code: 'no_default_rule' } });
    await createDefaultRule();
    expect(await report({ gather_job_id })).toMatchObject({ created: { alert_config: true } });
  });

  test('is the existing one for the same comparison, even if it uses another rule', async () => {
    const gather_job_id = await createReleases(server, acme, ['1.0.0']);
    const rule = await createDefaultRule();
    const { deployment } = await report();
    const existing = await acme.api.call('createAlertConfig', {
      body: { name: 'Own', scrape_job_id: deployment.scrape_job!.id, gather_job_id, rule_id: rule },
    });
    await createDefaultRule();
    for (const body of [{}, { gather_job_id }])
      expect(await report(body)).toMatchObject({
        alert_config: { id: existing.id, name: 'Own' },
        not_compared: null,
        created: { alert_config: false },
      });
  });

  test("isn't created by a late report, which doesn't add labels either", async () => {
    await createDefaultRule();
    const gather_job_id = await createReleases(server, acme, ['1.0.0']);
    await report();
    expect(await report({ gather_job_id, time: minutesAgo(5), labels: { team: 'x' } })).toMatchObject({
      alert_config: null,
      not_compared: { code: 'late_report' },
    });
    expect((await jobs())[0]!.labels).toEqual({ service: 'checkout', environment: 'production' });
  });

  test('never uses a gather job of another organization', async () => {
    const other = await server.createOrganization();
    const gather_job_id = await createReleases(server, other, ['1.0.0']);
    await expect(report({ gather_job_id })).rejects.toMatchObject({
      status: 400,
      errors: [{ field: 'gather_job_id', message: 'gather job not found' }],
    });
    expect(await jobs()).toEqual([]);
  });
});

describe('the default rule', () => {
  test('must be a rule of the organization, and is cleared when the rule is deleted', async () => {
    const other = await server.createOrganization();
    const foreign = await other.api.call('createRule', {
      body: { name: 'x', rule_type: 'majors_behind', thresholds: { high: 1 } },
    });
    const path = { key: 'default_rule_id' };
    for (const value of [foreign.id, 9_000_000_000_000])
      await expect(acme.api.call('putOrgOverride', { path, body: { value } })).rejects.toMatchObject({
        status: 400,
        errors: [{ field: 'value', message: `monitoring rule ${value} not found` }],
      });
    const id = await createDefaultRule();
    await acme.api.call('deleteRule', { path: { id } });
    expect((await acme.api.call('listOrgOverrides')).items).toEqual([]);
    const { items } = await acme.api.call('listAuditLog', { query: { action: 'rule.deleted' } });
    expect(items[0]!.detail).toMatchObject({ was_default: true });
  });
});

test.each([
  ['https://ci:secret@ci.example.org/runs/1', 'user name or password'],
  ['https://token@ci.example.org/runs/1', 'user name or password'],
  ['https://[ci.example.org/runs/1', 'valid URL'],
])('the URL %s is rejected, and nothing is stored', async (url, message) => {
  await expect(report({ url })).rejects.toMatchObject({
    status: 400,
    errors: [{ field: 'url', message: expect.stringContaining(message) }],
  });
  expect(await ledger()).toEqual([]);
});

describe('the ledger', () => {
  test('is filtered by service, environment, scrape job, and time', async () => {
    await report({ version: '1.0.0', time: minutesAgo(30) });
    await report({ version: '2.0.0', time: minutesAgo(20), environment: 'staging' });
    const third = await report({ version: '3.0.0', time: minutesAgo(10), service: 'shop' });
    const versions = async (query: Filters) => (await ledger(query)).map(({ version }) => version);
    expect(await versions({})).toEqual(['3.0.0', '2.0.0', '1.0.0']);
    expect(await versions({ service: 'checkout' })).toEqual(['2.0.0', '1.0.0']);
    expect(await versions({ environment: 'production' })).toEqual(['3.0.0', '1.0.0']);
    expect(await versions({ scrape_job_id: third.deployment.scrape_job!.id })).toEqual(['3.0.0']);
    expect(await versions({ since: minutesAgo(25), until: minutesAgo(15) })).toEqual(['2.0.0']);
    expect(await versions({ service: 'check' })).toEqual([]);
  });

  test('keeps the deployments of a deleted scrape job', async () => {
    const { deployment } = await report();
    await acme.api.call('deleteScrapeJob', { path: { id: deployment.scrape_job!.id } });
    expect(await ledger()).toMatchObject([{ ...checkout, scrape_job: null, is_current: false }]);
  });

  test('keeps deployments for the period in the setting, and always keeps the last one of each scrape job', async () => {
    await acme.api.call('putOrgOverride', {
      path: { key: 'retention.deployments_days' },
      body: { value: 10 },
    });
    for (const days of [30, 20, 11, 9])
      await report({ version: `${days}.0.0`, time: minutesAgo(days * 1_440) });
    await report({ service: 'shop', time: minutesAgo(30 * 1_440) });
    await report({ service: 'retired', time: minutesAgo(30 * 1_440) });
    const retired = (await jobs()).find(({ name }) => name.startsWith('retired'))!;
    await acme.api.call('deleteScrapeJob', { path: { id: retired.id } });
    await sql`UPDATE deployments SET created_at = deployed_at WHERE organization_id = ${acme.id}`.execute(
      server.db,
    );
    // This report arrives now, so it's kept although its time is in the past.
    await report({ version: '25.0.0', time: minutesAgo(25 * 1_440) });
    await transaction(server.db, (tx) => deleteOldDeploymentsAcrossOrganizations(tx, 1_000));
    expect((await ledger()).map(({ service, version }) => [service, version])).toEqual([
      ['checkout', '9.0.0'],
      ['checkout', '25.0.0'],
      ['shop', '1.0.0'],
    ]);
  });
});
