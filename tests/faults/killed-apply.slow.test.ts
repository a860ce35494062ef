import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../helpers/database.ts';
import {
  clientOf,
  createKey,
  createSharedClock,
  sharedDatabaseEnvironment,
  startServerProcess,
} from './fault-world.ts';

const { db, connection } = await createTestDatabase();

test('a server that is killed while it applies a configuration leaves no partial changes', async () => {
  const env = sharedDatabaseEnvironment(connection);
  const [first, second] = [await startServerProcess(env), await startServerProcess(env)];
  const { organizationId, apiKey } = await createKey(db, first);
  const [api, other] = [clientOf(first, apiKey), clientOf(second, apiKey)];
  await api.call('createRule', {
    body: { name: 'stored', rule_type: 'majors_behind', thresholds: { high: 1 } },
  });
  const names = Array.from({ length: 1_000 }, (_, index) => `job ${index}`);
  const body = {
    rules: [{ name: 'stored', rule_type: 'majors_behind', thresholds: { high: 2 } }],
    scrape_jobs: names.map((name) => ({ name, parser_type: 'manual' })),
  };
  const { fingerprint } = await api.call('planConfiguration', { body });
  // The apply creates all new resources, then waits for the lock on the row that it updates.
  const holder = await db.startTransaction().execute();
  await sql`SELECT 1 FROM rules WHERE organization_id = ${organizationId} FOR UPDATE`.execute(holder);
  const { id } = await api.call('applyConfiguration', { query: { fingerprint }, body });
  const state = () => other.call('getConfigurationApply', { path: { id } });
  await expect.poll(async () => (await state()).steps_done).toBe(1_000);
  await first.kill();
  await holder.rollback().execute();

  const clock = createSharedClock(db);
  await clock.pass(16);
  expect(await state()).toMatchObject({ status: 'failed', steps_done: 0, error: { code: 'interrupted' } });
  expect((await other.call('listScrapeJobs')).total).toBe(0);
  expect((await other.call('listRules')).items).toMatchObject([{ thresholds: { high: 1 } }]);

  const again = await other.call('applyConfiguration', { query: { fingerprint }, body });
  const stateOfAgain = () => other.call('getConfigurationApply', { path: { id: again.id } });
  await expect.poll(async () => (await stateOfAgain()).status).toBe('succeeded');
  expect((await other.call('listScrapeJobs')).total).toBe(1_000);
});
