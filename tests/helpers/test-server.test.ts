import { expect, test } from 'vitest';
import { createTestDatabase, setClockOffset } from './database.ts';
import { readSharedState, sharedTestServer } from './test-server.ts';

test('test files of a worker share one server, and each file creates its own organizations', async () => {
  const [one, other] = [await sharedTestServer(), await sharedTestServer()];
  expect(one.url).toBe(other.url);
  const organization = await one.createOrganization();
  expect((await organization.api.call('listRules', {})).total).toBe(0);
});

test('the clock of the shared server cannot be moved', async () => {
  const { db } = await sharedTestServer();
  await expect(setClockOffset(db, '2 hours')).rejects.toThrow('Call startTestServer().');
});

test('a change to data that all organizations share is detected', async () => {
  const { db } = await createTestDatabase();
  const before = await readSharedState(db);
  expect(await readSharedState(db)).toEqual(before);
  await db
    .insertInto('settings')
    .values({ organization_id: 1, key: 'gather.max_releases', value: JSON.stringify(7) })
    .execute();
  await setClockOffset(db, '1 hour');
  const after = await readSharedState(db);
  const changed = Object.keys(before).filter((name) => before[name] !== after[name]);
  expect(changed.toSorted()).toEqual(['clock', 'settings']);
});
