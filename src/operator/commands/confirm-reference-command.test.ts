import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createCommandWorld } from './command-fixture.ts';

const { db, run } = await createCommandWorld();

test('confirm-reference loads unconfirmed data exactly once, and rejects older data', async () => {
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

test('confirm-reference loads unconfirmed vulnerability data', async () => {
  await sql`
    INSERT INTO waiting_reference_loads (source_name, as_of, changes)
    VALUES ('vulnerabilities', '2026-11-01T00:00:00Z', '[]')`.execute(db);
  const record = {
    modified: '2026-10-01T00:00:00.123456Z',
    aliases: ['CVE-1'],
    is_withdrawn: false,
    severity: 'high',
    summary: 'About it',
    affected: [
      {
        ecosystem: 'Bitnami',
        name: 'nginx',
        versions: [],
        ranges: [
          [
            {
              kind: 'introduced',
              version: '0',
            },
          ],
        ],
      },
    ],
  };
  const parts = [
    [{ package: 'Bitnami/nginx', records: [{ id: 'BIT-1', modified: record.modified }] }],
    [{ osv_id: 'BIT-1', record }],
  ];
  for (const [index, items] of parts.entries())
    await sql`
      INSERT INTO waiting_reference_parts (source_name, sequence, items)
      VALUES ('vulnerabilities', ${index + 1}, ${JSON.stringify(items)}::jsonb)`.execute(db);
  expect(await run('confirm-reference', 'vulnerabilities')).toMatchObject({
    code: 0,
    stdout: 'Loaded 1 record of 1 package, as of 2026-11-01T00:00:00.000Z. 1 changed.\n',
  });
  const { rows } = await sql`
    SELECT id, severity, to_char(modified_at AT TIME ZONE 'UTC', 'HH24:MI:SS.US') AS modified FROM vulnerabilities`.execute(
    db,
  );
  expect(rows).toEqual([{ id: 'BIT-1', severity: 'high', modified: '00:00:00.123456' }]);
});
