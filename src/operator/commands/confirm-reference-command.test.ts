import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createCommandWorld } from './command-fixture.ts';

const { db, run } = await createCommandWorld();

test('loads the data that waits, once, and nothing that is older', async () => {
  const confirm = () => run('confirm-reference', 'end_of_life');
  expect(await confirm()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no data is waiting for confirmation'),
  });
  expect(await run('confirm-reference', 'weather')).toMatchObject({ code: 2 });

  const wait = async (asOf: string) => {
    await sql`
      INSERT INTO waiting_reference_loads (source_name, as_of, changes) VALUES ('end_of_life', ${asOf}, '[]')`.execute(
      db,
    );
    for (const [index, product] of ['go', 'php'].entries()) {
      const ends = { active_support: null, end_of_life: '2027-01-31', extended_support: null };
      const line = { name: '1', is_lts: false, released_on: null, latest_version: '1.2', ...ends };
      const items = JSON.stringify([{ product, label: product, purls: [], lines: [line] }]);
      await sql`
        INSERT INTO waiting_reference_parts (source_name, sequence, items)
        VALUES ('end_of_life', ${index + 1}, ${items}::jsonb)`.execute(db);
    }
  };
  await wait('2026-11-01T00:00:00Z');
  expect(await confirm()).toMatchObject({
    code: 0,
    stdout: 'Loaded 2 products with 2 release lines, as of 2026-11-01T00:00:00.000Z. 2 changed.\n',
  });
  const { rows } = await sql`SELECT product_name, end_of_life FROM lifecycle_releases ORDER BY 1`.execute(db);
  expect(rows).toEqual([
    { product_name: 'go', end_of_life: '2027-01-31' },
    { product_name: 'php', end_of_life: '2027-01-31' },
  ]);
  expect(await confirm()).toMatchObject({ code: 1 });
  await wait('2026-10-01T00:00:00Z');
  expect(await confirm()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the stored data is newer'),
  });
});
