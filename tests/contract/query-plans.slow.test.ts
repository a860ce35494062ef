import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateInstallation, ownerPassword, smallSize } from '../../benchmarks/generate-installation.ts';
import { createApiClient } from '../../src/client/api-client.ts';
import { createReleaseCache } from '../../src/modules/monitoring/evaluation/release-cache.ts';
import { countWithoutData } from '../../src/modules/monitoring/forecast/forecast-queries.ts';
import { findCrossings } from '../../src/modules/monitoring/forecast/run-forecast.ts';
import {
  runSimulation,
  type SimulationRequest,
} from '../../src/modules/monitoring/simulation/run-simulation.ts';
import { connectDatabase } from '../../src/platform/database/index.ts';
import { maxPreparedLength } from '../../src/platform/database/prepare-hot-statements.ts';
import { createSilentLog } from '../../src/platform/log.ts';
import { startTestServer, type TestQuery, testSecretKey } from '../helpers/test-server.ts';
import { hasQueryPlan, PreparedPlans, queriesOfWork } from './explained-plans.ts';
import { type ListVariant, listVariants, readSamples } from './list-variants.ts';

/**
 * Maximum number of rows per plan node. A list reads its page, counts up to 10,001 matches, and can scan some
 * rows that don't match.
 */
const rowsAtMost = 15_000;

const server = await startTestServer();
const size = {
  ...smallSize,
  gatherJobs: 150,
  scrapeJobs: 17_000,
  versionsEach: 1,
  runsEach: 1,
  rules: 300,
  alertConfigs: 34_000,
  resolvedAlertsEach: 1,
  auditLog: 17_000,
};
// Use the second of two organizations of equal size. A sequential scan would find the rows of the only or first
// organization quickly.
const [, organizationId] = await generateInstallation(server.db, [size, size, smallSize], testSecretKey);
const login = await server.anonymous.call('login', {
  body: { email: 'owner-2@example.org', password: ownerPassword },
});
const bigTables = await readBigTables();
const oneConnection = await connectDatabase({
  connection: server.connection,
  log: createSilentLog(),
  poolSize: 1,
});
afterAll(() => oneConnection.destroy());
const plans = new PreparedPlans(oneConnection);
const checked = new Set<string>();

/** Operations that return all rows. */
const answerAll = /Dropdown$/;

const variants = listVariants(await readSamples(server.db, organizationId!)).filter(
  ({ operation }) => !answerAll.test(operation.id),
);

test('the list variants cover every filter and sort, and all large tables', () => {
  expect(variants.length).toBeGreaterThan(120);
  expect(bigTables).toEqual(
    expect.arrayContaining(['alert_configs', 'alerts', 'audit_log', 'notification_deliveries', 'releases']),
  );
});

test.each(variants.map((variant): [string, ListVariant] => [variant.name, variant]))(
  '%s uses an index and reads only the rows that it shows and counts',
  async (_name, { url }) => {
    const queries = await server.queriesOf(async () => {
      const answer = await fetch(server.url + url, {
        headers: { authorization: `Bearer ${login.access_token}` },
      });
      expect(answer.status, await answer.text()).toBe(200);
    });
    // Exclude the statements of background loops, which have no organization ID as a parameter.
    const own = queries.filter(
      ({ text, parameters }) => /^\s*(select|with)/i.test(text) && parameters.includes(organizationId),
    );
    expect(own.length).toBeGreaterThan(0);
    for (const query of own) {
      // Check each statement once, because many lists send the same statements with the same values, for example to
      // check permissions.
      const key = JSON.stringify(query);
      if (checked.has(key)) continue;
      checked.add(key);
      // Longer statements aren't prepared, so PostgreSQL would plan them on each run, which takes longer than
      // the run itself.
      expect(query.text.length, query.text).toBeLessThanOrEqual(maxPreparedLength);
      await plans.keep(query);
      for (const { node, table, rows } of (await plans.run(query))!) {
        expect(rows, `rows of ${node} in ${query.text}`).toBeLessThanOrEqual(rowsAtMost);
        if (node.startsWith('Seq Scan')) expect(bigTables, `${node} in ${query.text}`).not.toContain(table);
      }
    }
  },
);

test('a new version, a run, and background loops read no large table sequentially', async () => {
  const api = createApiClient({ baseUrl: server.url, token: login.access_token });
  const queries = await queriesOfWork(server, api);
  // The overview counts everything in an organization, so it must be cheap for a small one. The large
  // organization owns nearly every row of this database, so a sequential scan can be the right plan for it.
  const newcomer = await server.createOrganization();
  queries.push(...(await server.queriesOf(() => newcomer.api.call('getOverview'))));
  expect(queries.some(({ text }) => text.includes('INSERT INTO versions'))).toBe(true);
  expect(queries.some(({ text }) => text.includes('WITH due AS'))).toBe(true);
  const explained = queries.filter(hasQueryPlan);
  expect(explained.length).toBeGreaterThan(20);
  for (const query of explained) {
    for (const { node, table } of await plans.lookAt(query)) {
      if (node.startsWith('Seq Scan')) expect(bigTables, query.text).not.toContain(table);
    }
  }
});

test('simulations and forecasts use indexes for all reads in their thread', async () => {
  const queries: TestQuery[] = [];
  const db = await connectDatabase({
    connection: server.connection,
    log: createSilentLog(),
    poolSize: 1,
    onStatement: (text, _durationMs, parameters) => void queries.push({ text, parameters }),
  });
  // Use the second rule and the second alert configuration, because the first ones are disabled.
  const { rule_id, alert_config_id, label: first } = await readSamples(server.db, organizationId!);
  const [ruleId, configId] = [Number(rule_id) + 1, Number(alert_config_id) + 1];
  const label = first!.replace(/0$/, '1');
  const [name, value] = label.split('=') as [string, string];
  const compared: SimulationRequest['rule']['compared'] = {
    type: 'days_behind',
    thresholds: {
      moderate: 30,
      high: null,
      critical: null,
    },
    stableOnly: true,
    daysBasis: 'first_newer_release',
    minReleaseAgeDays: 0,
  };
  const selections: Extract<SimulationRequest['of'], { kind: 'configs' }>['selection'][] = [
    { kind: 'rule', ruleId },
    { kind: 'ids', ids: [configId] },
    { kind: 'labels', matchers: [{ label: name, operator: '=', value }] },
  ];
  const { signal } = new AbortController();
  const cache = createReleaseCache();
  try {
    for (const selection of selections) {
      const of = { kind: 'configs', selection } as const;
      const rule = { id: null, compared };
      const request = { organizationId: organizationId!, days: 30, rule, of, before: null };
      await runSimulation(db, cache, request, signal);
    }
    const filters = { ruleId, label: null };
    for (const each of [filters, { ruleId: null, label }]) {
      const time = { organizationId: organizationId!, days: 30, severity: null, filters: each };
      await findCrossings(db, cache, time, signal);
      await countWithoutData(db, organizationId!, each);
    }
  } finally {
    await db.destroy();
  }
  const own = queries.filter(({ parameters }) => parameters.includes(organizationId));
  expect(own.some(({ text }) => text.includes('versions changed'))).toBe(true);
  expect(own.some(({ text }) => text.includes('due_at <='))).toBe(true);
  for (const query of own) {
    for (const { node, table } of await plans.lookAt(query)) {
      if (node.startsWith('Seq Scan')) expect(bigTables, query.text).not.toContain(table);
    }
  }
});

describe('a list filtered by a rare label', () => {
  beforeAll(async () => {
    await sql`UPDATE alerts SET labels = '{"team": "rare"}' WHERE organization_id = ${organizationId!} AND id % 9000 < 2`.execute(
      server.db,
    );
    await sql`UPDATE alert_configs SET labels = '{"team": "rare"}' WHERE organization_id = ${organizationId!} AND id % 9000 < 2`.execute(
      server.db,
    );
    await sql`
      INSERT INTO freshness_things (organization_id, alert_config_id, fingerprint, deployed_version, libyears, is_known, is_estimate)
      SELECT organization_id, id, '', '1.0', id % 10, true, false FROM alert_configs ON CONFLICT DO NOTHING`.execute(
      server.db,
    );
    await sql`ANALYZE freshness_things`.execute(server.db);
  });

  test.each(['listAlerts', 'listResolvedAlerts', 'listAlertConfigs', 'listFreshnessThings'] as const)(
    'reads only the matching rows: %s',
    async (id) => {
      const api = createApiClient({ baseUrl: server.url, token: login.access_token });
      const queries = await server.queriesOf(async () => {
        const { items, total } = await api.call(id, { query: { label: 'team=rare' } });
        expect(items.length).toBeGreaterThan(0);
        expect(total).toBe(items.length);
      });
      const list = queries.find(({ text }) => text.includes('page_total'))!;
      await plans.keep(list);
      for (const { node, rows } of (await plans.run(list))!) expect(rows, node).toBeLessThan(1_000);
    },
  );
});

describe('a list filtered by a common label', () => {
  // One label matches 1 in 40 rows, so its matches are found and then sorted. The other matches 1 in 3 rows,
  // so its first matches are found in sort order.
  test.each([
    ['listSoftware', 'team=team-$-1', 100],
    ['listFreshnessThings', 'team=team-$-1', 100],
    ['listSoftware', 'stage=production', 1_000],
  ] as const)('reads only the alert configurations of its page: %s?label=%s', async (id, label, most) => {
    const api = createApiClient({ baseUrl: server.url, token: login.access_token });
    const queries = await server.queriesOf(async () => {
      const query = { label: label.replace('$', String(organizationId)), limit: 10 };
      const { items, total } = await api.call(id, { query });
      expect(items).toHaveLength(10);
      expect(total).toBeGreaterThan(400);
    });
    const list = queries.find(({ text }) => text.includes('page_total'))!;
    await plans.keep(list);
    const ofConfigs = (await plans.run(list))!.filter(({ table }) => table === 'alert_configs');
    expect(ofConfigs.length).toBeGreaterThan(0);
    for (const { node, rows } of ofConfigs) expect(rows, node).toBeLessThan(most);
  });
});

test('the list of resolved alerts of a rule is read in order without sorting', async () => {
  const api = createApiClient({ baseUrl: server.url, token: login.access_token });
  const { rule_id } = await readSamples(server.db, organizationId!);
  const queries = await server.queriesOf(async () => {
    const { total } = await api.call('listResolvedAlerts', { query: { rule_id: Number(rule_id) } });
    expect(total).toBeGreaterThan(100);
  });
  const list = queries.find(({ text }) => text.includes('page_total'))!;
  await plans.keep(list);
  const nodes = (await plans.run(list))!.map(({ node }) => node);
  expect(nodes).not.toContainEqual(expect.stringMatching(/^Sort on/));
});

describe('a list of many rules', () => {
  beforeAll(async () => {
    await sql`
      INSERT INTO rules (organization_id, name, rule_type, threshold_moderate)
      SELECT ${organizationId!}, 'Unused ' || n, 'majors_behind', 1 FROM generate_series(1, 20000) n`.execute(
      server.db,
    );
    await sql`ANALYZE rules`.execute(server.db);
  });

  test.each(['name', '-name', 'updated_at', '-updated_at', 'created_at', '-created_at'] as const)(
    'is read from an index without sorting if ordered by %s',
    async (sort) => {
      const api = createApiClient({ baseUrl: server.url, token: login.access_token });
      const queries = await server.queriesOf(() => api.call('listRules', { query: { sort } }));
      const [list] = queries.filter(({ text }) => text.includes('page_total'));
      await plans.keep(list!);
      const nodes = (await plans.run(list!))!.map(({ node }) => node);
      expect(nodes).not.toContainEqual(expect.stringMatching(/Sort on/));
    },
  );
});

describe('a comparison of environments', () => {
  beforeAll(async () => {
    // Add labels to about 1 in 20 jobs of each organization.
    await sql`
      UPDATE scrape_jobs SET labels = jsonb_build_object('service', 'service-' || id / 76, 'environment', 'stage-' || id / 19 % 4)
      WHERE id % 19 = 1`.execute(server.db);
    await sql`ANALYZE scrape_jobs, alert_configs`.execute(server.db);
  });

  test.each(
    [
      '',
      'drift=any',
      'drift=behind',
      'q=service',
      'label=environment%3Dstage-1',
      'environments=stage-0,stage-1&drift=any',
    ].flatMap((query) => [
      `matrix?${query}`,
      ...(query.includes('drift') || query.includes('label') ? [] : [`promotions?${query}`]),
    ]),
  )('reads only the jobs with environments: %s', async (path) => {
    const queries = await server.queriesOf(async () => {
      const response = await fetch(`${server.url}/api/v1/client/environments/${path}`, {
        headers: { authorization: `Bearer ${login.access_token}` },
      });
      const { total } = (await response.json()) as { total: number };
      expect(response.status).toBe(200);
      expect(total).toBeGreaterThan(0);
    });
    await readsNoBigTable(queries);
  });
});

describe('a query among many gather jobs', () => {
  beforeAll(async () => {
    await sql`
      INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme, project_url, project_url_source,
        is_active)
      SELECT ${organizationId!}, 'Image ' || n, 'oci_registry', 'registry.example.org/image-' || n, 'auto',
        'https://github.com/tool/fork-' || n, 'set', false FROM generate_series(1, 20000) n`.execute(
      server.db,
    );
    await sql`ANALYZE gather_jobs`.execute(server.db);
  });

  test.each(['in_progress', 'completed', 'failed'] as const)(
    'finds the %s jobs without reading the pending ones',
    async (status) => {
      const api = createApiClient({ baseUrl: server.url, token: login.access_token });
      const queries = await server.queriesOf(() => api.call('listGatherJobs', { query: { status } }));
      const list = queries.find(({ text }) => text.includes('page_total'))!;
      await plans.keep(list);
      for (const { node, rows } of (await plans.run(list))!) expect(rows, node).toBeLessThan(1_000);
    },
  );

  test('finds the project of a job by its artifact for release notes', async () => {
    const api = createApiClient({ baseUrl: server.url, token: login.access_token });
    const { items } = await api.call('listGatherJobs', { query: { source_type: 'oci_registry', limit: 1 } });
    const configs = await api.call('listAlertConfigs', { query: { limit: 1 } });
    const queries = await server.queriesOf(async () => {
      await api.call('getGatherJobReleaseNotes', { path: { id: items[0]!.id } });
      await api.call('getAlertConfigReleaseNotes', { path: { id: configs.items[0]!.id } });
    });
    // Select the statements by this expression, because `queries` also contains the statements of background
    // loops.
    const ofProjects = queries.filter(({ text }) => text.includes('regexp_replace(g.project_url'));
    expect(ofProjects).toHaveLength(2);
    await readsNoBigTable(queries);
    for (const query of ofProjects) {
      const nodes = (await plans.run(query))!.map(({ node }) => node);
      expect(nodes).toContainEqual(expect.stringContaining('gather_jobs_by_artifact'));
    }
  });
});

async function readsNoBigTable(queries: readonly TestQuery[]): Promise<void> {
  const own = queries.filter(
    ({ text, parameters }) => /^\s*(select|with)/i.test(text) && parameters.includes(organizationId),
  );
  expect(own.length).toBeGreaterThan(0);
  for (const query of own) {
    await plans.keep(query);
    for (const { node, table, rows } of (await plans.run(query))!) {
      expect(rows, `rows of ${node} in ${query.text}`).toBeLessThanOrEqual(rowsAtMost);
      if (node.startsWith('Seq Scan'))
        expect([...bigTables, 'gather_jobs'], `${node} in ${query.text}`).not.toContain(table);
    }
  }
}

async function readBigTables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND reltuples > ${rowsAtMost}`.execute(
    server.db,
  );
  return rows.map(({ name }) => name);
}
