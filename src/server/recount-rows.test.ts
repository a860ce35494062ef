import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../tests/helpers/database.ts';
import { readRowCounts } from '../modules/counts/index.ts';
import { transaction } from '../platform/database/index.ts';
import type { Log } from '../platform/log.ts';
import { recountNextOrganization } from './recount-rows.ts';
import { insertAlerts, insertOrganization } from './server-fixture.ts';

const { db, connectAgain } = await createTestDatabase();

test('a recount that takes too long is logged, and the next organization is recounted', async () => {
  const first = await insertOrganization(db);
  const second = await insertOrganization(db);
  for (const id of [first, second]) {
    await insertAlerts(db, id, { count: 2 });
    await sql`DELETE FROM row_counts WHERE organization_id = ${id} AND subject = 'alerts'`.execute(db);
  }
  const state = JSON.stringify({ organizationId: first - 1 });
  await sql`INSERT INTO housekeeping_tasks (name, state) VALUES ('recount-rows', ${state})`.execute(db);
  const logged: [object, string][] = [];
  const log = {
    error: (fields: object, message: string) => logged.push([fields, message]),
  } as unknown as Log;
  const recount = () => transaction(db, (tx) => recountNextOrganization(tx, log, 200));

  const other = await connectAgain({ poolSize: 1 });
  await transaction(other, async (tx) => {
    await sql`LOCK TABLE alerts IN ACCESS EXCLUSIVE MODE`.execute(tx);
    expect(await recount()).toBe('more');
  });
  expect(logged).toEqual([[{ organization_id: first }, "row counts weren't compared: it took too long"]]);
  expect((await readRowCounts(db, first, 'alerts')).size).toBe(0);

  expect(await recount()).toBe('more');
  expect(logged[1]).toEqual([
    {
      organization_id: second,
      wrong: [{ subject: 'alerts', kind: 'unacknowledged high', amount: 2 }],
    },
    'row counts were wrong and have been corrected',
  ]);
  expect((await readRowCounts(db, second, 'alerts')).get('unacknowledged high')).toBe(2);
});
