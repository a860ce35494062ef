import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { generateInstallation, ownerPassword, smallSize } from '../../benchmarks/generate-installation.ts';
import { createApiClient } from '../../src/client/api-client.ts';
import { startTestServer, type TestQuery, testSecretKey } from '../helpers/test-server.ts';
import { type ListVariant, listVariants, readSamples } from './list-variants.ts';
import { foundVersion, taskSummary } from './world.ts';

/** A list looks at its page, and counts what matches up to 10,001; on the way it may pass a few that do not. */
const rowsAtMost = 15_000;

const server = await startTestServer();
const size = {
  ...smallSize,
  gatherJobs: 150,
  scrapeJobs: 18_000,
  versionsEach: 2,
  runsEach: 1,
  rules: 300,
  alertConfigs: 36_000,
  resolvedAlertsEach: 1,
  auditLog: 18_000,
};
// The last of several alike: what one has alone, or has first, is found by reading a table from the front.
const [, , organizationId] = await generateInstallation(
  server.db,
  [size, size, size, smallSize],
  testSecretKey,
);
const login = await server.anonymous.call('login', {
  body: { email: 'owner-3@example.org', password: ownerPassword },
});
const bigTables = await readBigTables();

/** These answer all that there is, or its exact number. */
const answerAll = /Dropdown$|^getAlertSummary|^getOverview/;

/** States that most jobs have: the last runs of all jobs are read once, which is less than to look for each. */
const ofMostJobs = /^listScrapeJobs\?status=(pending|completed)$/;

const variants = listVariants(await readSamples(server.db, organizationId!)).filter(
  ({ operation, name }) => !answerAll.test(operation.id) && !ofMostJobs.test(name),
);

test('every filter and sort of every list is looked at', () => {
  expect(variants.length).toBeGreaterThan(120);
  expect(bigTables).toEqual(
    expect.arrayContaining(['alert_configs', 'alerts', 'audit_log', 'notification_deliveries', 'releases']),
  );
});

test.each(variants.map((variant): [string, ListVariant] => [variant.name, variant]))(
  '%s reads by an index what it shows and counts, and not what there is',
  async (_name, { url }) => {
    const queries = await server.queriesOf(async () => {
      const answer = await fetch(server.url + url, {
        headers: { authorization: `Bearer ${login.access_token}` },
      });
      expect(answer.status, await answer.text()).toBe(200);
    });
    // What the loops do meanwhile is for no organization.
    const own = queries.filter(
      ({ text, parameters }) => /^\s*(select|with)/i.test(text) && parameters.includes(organizationId),
    );
    expect(own.length).toBeGreaterThan(0);
    for (const query of own) {
      for (const node of await planOf(query)) {
        const what = `${node['Node Type']} on ${node['Index Name'] ?? node['Relation Name']} in ${query.text}`;
        const loops = node['Actual Loops'];
        const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * loops;
        // Of an intersection of indexes only entries are read; the rows are those of the node above.
        if (node['Node Type'] !== 'Bitmap Index Scan')
          expect(rows, `rows of ${what}`).toBeLessThanOrEqual(rowsAtMost);
        if (node['Node Type'] === 'Seq Scan') expect(bigTables, what).not.toContain(node['Relation Name']);
      }
    }
  },
);

test('what a new version, a run and the loops do reads no big table from the front', {
  timeout: 60_000,
}, async () => {
  const api = createApiClient({ baseUrl: server.url, token: login.access_token });
  const { items } = await api.call('listScrapeJobs', { query: { parser_type: 'manual', limit: 1 } });
  const scrapeJobId = items[0]!.id;
  const configs = await api.call('listAlertConfigs', { query: { scrape_job_id: scrapeJobId } });
  const { id } = configs.items[0]!;
  const channel = await api.call('createNotificationChannel', {
    body: { name: 'nobody', url: 'https://hooks.example.org/' },
  });
  await api.call('updateNotificationSettings', { body: { default_channel_id: channel.id } });
  const fromGit = await api.call('listScrapeJobs', { query: { parser_type: 'yq', limit: 20 } });
  const { key } = await api.call('createAPIKey', { body: { name: 'agent', role: 'agent' } });
  const agent = createApiClient({ baseUrl: server.url, apiKey: key });
  const capabilities = ['scrape'];
  const { agent_id } = await agent.call('sendHeartbeat', {
    body: { name: 'plans', hostname: 'h', version: '1', capabilities, credential_names: [], running: [] },
  });
  const before = (await api.call('getAlertConfig', { path: { id } })).last_evaluated_at;
  const queries = await server.queriesOf(async () => {
    await api.call('setScrapeJobVersion', { path: { id: scrapeJobId }, body: { version: '0.0.1' } });
    await vi.waitFor(
      async () => {
        const { last_evaluated_at } = await api.call('getAlertConfig', { path: { id } });
        expect(last_evaluated_at).not.toBe(before);
      },
      { timeout: 30_000, interval: 100 },
    );
    for (const job of fromGit.items) await api.call('runScrapeJob', { path: { id: job.id } });
    const { tasks } = await agent.call('claimTasks', {
      body: { agent_id, capabilities, credential_names: [], max: 200, wait_seconds: 0 },
    });
    expect(tasks.length).toBeGreaterThanOrEqual(2);
    const ended = tasks.map(({ task_id, lease_token }) => ({
      ...{ task_id, lease_token, summary: taskSummary, item: foundVersion },
    }));
    await agent.call('completeTasks', { body: { tasks: ended.slice(0, 100) } });
  });
  // It counts all that an organization has. One that has little pays little: for the other, which has nearly every row of
  // this database, reading the tables from the front may be right.
  const newcomer = await server.createOrganization();
  queries.push(...(await server.queriesOf(() => newcomer.api.call('getOverview'))));
  expect(queries.some(({ text }) => text.includes('INSERT INTO versions'))).toBe(true);
  expect(queries.some(({ text }) => text.includes('WITH due AS'))).toBe(true);
  const explained = queries.filter(({ text }) => /^\s*(select|with|insert|update|delete)/i.test(text));
  expect(explained.length).toBeGreaterThan(20);
  for (const query of explained) {
    for (const node of await planOf(query, 'FORMAT JSON')) {
      if (node['Node Type'] === 'Seq Scan')
        expect(bigTables, query.text).not.toContain(node['Relation Name']);
    }
  }
});

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** The nodes of the plan that PostgreSQL makes for these values; with `ANALYZE` as they ran. */
async function planOf(
  { text, parameters }: TestQuery,
  options = 'ANALYZE, FORMAT JSON',
): Promise<PlanNode[]> {
  const { rows } = await server.db.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({
    ...sql`SELECT 1`.compile(server.db),
    sql: `EXPLAIN (${options}) ${text}`,
    parameters,
  });
  const flat = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flat)];
  return flat(rows[0]!['QUERY PLAN'][0].Plan);
}

async function readBigTables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND reltuples > ${rowsAtMost}`.execute(
    server.db,
  );
  return rows.map(({ name }) => name);
}
