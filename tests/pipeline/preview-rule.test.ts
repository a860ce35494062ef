import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadLifecycles } from '../../src/modules/reference/load-lifecycles.ts';
import { loadVulnerabilities } from '../../src/modules/reference/load-vulnerabilities.ts';
import { osvBatches, osvRecord } from '../helpers/osv-records.ts';
import { lifecycleProduct } from '../helpers/reference-fixture.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { createClock, createPipelineWorld } from './pipeline-world.ts';

const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const server = await startTestServer();
const clock = createClock(server);
const dayIn = (days: number) => clock.daysAgo(-days).slice(0, 10);

const postgres = {
  source_type: 'github_releases',
  artifact_name: 'https://github.com/postgres/postgres',
} as const;
const endOfLife = { rule_type: 'end_of_life', thresholds: { moderate: 180, high: 60, critical: 0 } } as const;
const vulnerable = { rule_type: 'known_vulnerabilities', thresholds: { high: 1, moderate: 3 } } as const;
const majors = { rule_type: 'majors_behind', thresholds: { high: 2 } } as const;

const world = await createPipelineWorld(server, inbox);
const { api } = world;
let gatherJobId: number;
beforeAll(async () => {
  gatherJobId = await world.createGatherJob(
    ['1.0.0', '1.1.0', '2.0.0', '3.0.0'].map((tag, at) => ({ tag, at: clock.daysAgo(400 - at * 100) })),
    { vulnerability_packages: ['Bitnami/nginx'], lifecycle_product: 'nginx' },
  );
  const asOfMs = Date.parse(clock.inMinutes(0));
  await loadLifecycles(server.db, {
    asOfMs,
    isConfirmed: true,
    products: [
      lifecycleProduct('nginx', {
        '1': dayIn(100),
        '3': dayIn(900),
      }),
      lifecycleProduct('postgresql', { '14': dayIn(30) }, ['pkg:github/postgres/postgres']),
    ],
  });
  const record = osvRecord({ id: 'BIT-1', aliases: ['CVE-1'], fixed: '1.1.0', severity: 'High' });
  await loadVulnerabilities(server.db, {
    records: osvBatches([record]),
    asOfMs,
    isConfirmed: true,
  });
});

const preview = (body: Parameters<typeof api.call<'previewRule'>>[1]['body']) =>
  api.call('previewRule', { body });

test('a preview of a rule has the same result as an evaluation of the saved rule', async () => {
  for (const rule of [majors, { ...endOfLife }, { ...vulnerable }]) {
    const said = await preview({ rule, deployed_version: '1.0.0', gather_job_id: gatherJobId });
    const scrapeJobId = await world.createManualJob();
    const ruleId = await world.createRule({ name: rule.rule_type, ...rule });
    const configId = await world.createConfig({ scrapeJobId, gatherJobId, ruleId }, { name: rule.rule_type });
    await world.setVersion(scrapeJobId, '1.0.0');
    await world.settled();
    const path = { id: configId };
    const { explanation } = await api.call('getAlertConfigExplanation', { path });
    const config = await api.call('getAlertConfig', { path });
    expect(config.state, rule.rule_type).toBe('alerting');
    expect(said).toEqual({
      state: config.state,
      state_reason: config.state_reason,
      severity: config.severity,
      behind_by: config.behind_by,
      explanation,
    });
  }
});

test('reference data for a source without a gather job is found by its package URL', async () => {
  const rule = { ...endOfLife, support_phase: 'end_of_life' } as const;
  expect(await preview({ rule, deployed_version: '14.5', source: postgres })).toMatchObject({
    state: 'alerting',
    severity: 'high',
    behind_by: null,
    explanation: {
      lifecycle: {
        product: 'postgresql',
        line: '14',
        ends_on: dayIn(30),
      },
    },
  });
  expect(await preview({ rule: vulnerable, deployed_version: '14.5', source: postgres })).toMatchObject({
    state: 'no_data',
    state_reason: 'no_vulnerability_records',
    severity: null,
  });
  // The preview doesn't read the releases of the source.
  expect(await preview({ rule: majors, deployed_version: '14.5', source: postgres })).toMatchObject({
    state: 'no_data',
    state_reason: 'no_release',
  });
});

test("a preview can use a global gather job, but not another organization's job", async () => {
  const shared = await server.system.call('createGatherJob', {
    body: { name: 'Shared', ...postgres, lifecycle_product: 'postgresql' },
  });
  const request = { rule: endOfLife, deployed_version: '14.5' };
  expect((await preview({ ...request, gather_job_id: shared.id })).severity).toBe('high');
  const other = await server.createOrganization();
  await expect(
    other.api.call('previewRule', { body: { ...request, gather_job_id: gatherJobId } }),
  ).rejects.toMatchObject({
    code: 'validation_failed',
    errors: [{ field: 'gather_job_id', message: 'gather job not found' }],
  });
});

test('an invalid preview is rejected with the name of the field', async () => {
  const version = { deployed_version: '1.0.0' };
  const table: [body: object, field: string][] = [
    [{ ...version, rule: majors }, 'gather_job_id'],
    [{ ...version, rule: majors, gather_job_id: gatherJobId, source: postgres }, 'source'],
    [
      { ...version, rule: { ...majors, support_phase: 'end_of_life' }, gather_job_id: gatherJobId },
      'rule.support_phase',
    ],
    [
      { ...version, rule: { ...endOfLife, thresholds: { high: 60, critical: 90 } }, source: postgres },
      'rule.thresholds.critical',
    ],
    [{ ...version, rule: majors, source: { ...postgres, artifact_name: 'what?' } }, 'source.artifact_name'],
    [
      {
        ...version,
        rule: majors,
        source: { source_type: 'deployed_versions', artifact_name: 'scrape-job/1' },
      },
      'source.source_type',
    ],
  ];
  for (const [body, field] of table) {
    await expect(preview(body as never), field).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [expect.objectContaining({ field })],
    });
  }
});
