import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateInstallation, ownerPassword, smallSize } from '../../benchmarks/generate-installation.ts';
import { createApiClient } from '../../src/client/api-client.ts';
import { connectDatabase } from '../../src/platform/database/index.ts';
import { createSilentLog } from '../../src/platform/log.ts';
import { startTestServer, testSecretKey } from '../helpers/test-server.ts';
import { isPlanned, KeptPlans, queriesOfWork } from './explained-plans.ts';
import { type ListVariant, listVariants, readSamples } from './list-variants.ts';

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
const oneConnection = await connectDatabase({
  connection: server.connection,
  log: createSilentLog(),
  poolSize: 1,
});
afterAll(() => oneConnection.destroy());
const plans = new KeptPlans(oneConnection);

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
      await plans.keep(query);
      for (const { node, table, rows } of (await plans.run(query))!) {
        expect(rows, `rows of ${node} in ${query.text}`).toBeLessThanOrEqual(rowsAtMost);
        if (node.startsWith('Seq Scan')) expect(bigTables, `${node} in ${query.text}`).not.toContain(table);
      }
    }
  },
);

test('what a new version, a run and the loops do reads no big table from the front', {
  timeout: 60_000,
}, async () => {
  const api = createApiClient({ baseUrl: server.url, token: login.access_token });
  const queries = await queriesOfWork(server, api);
  // It counts all that an organization has. One that has little pays little: for the other, which has nearly every row of
  // this database, reading the tables from the front may be right.
  const newcomer = await server.createOrganization();
  queries.push(...(await server.queriesOf(() => newcomer.api.call('getOverview'))));
  expect(queries.some(({ text }) => text.includes('INSERT INTO versions'))).toBe(true);
  expect(queries.some(({ text }) => text.includes('WITH due AS'))).toBe(true);
  const explained = queries.filter(isPlanned);
  expect(explained.length).toBeGreaterThan(20);
  for (const query of explained) {
    for (const { node, table } of await plans.lookAt(query)) {
      if (node.startsWith('Seq Scan')) expect(bigTables, query.text).not.toContain(table);
    }
  }
});

describe('of many rules', () => {
  beforeAll(async () => {
    await sql`
      INSERT INTO rules (organization_id, name, rule_type, threshold_moderate)
      SELECT ${organizationId!}, 'Unused ' || n, 'majors_behind', 1 FROM generate_series(1, 20000) n`.execute(
      server.db,
    );
    await sql`ANALYZE rules`.execute(server.db);
  });

  test.each(['name', '-name', 'updated_at', '-updated_at', 'created_at', '-created_at'] as const)(
    'a page by %s is found by an index, and not sorted',
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

async function readBigTables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND reltuples > ${rowsAtMost}`.execute(
    server.db,
  );
  return rows.map(({ name }) => name);
}
