import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../tests/helpers/database.ts';
import { seekOrScan } from './seek-or-scan.ts';

const { db } = await createTestDatabase({ schema: 'empty' });
/** Total number of items. `tagged` contains the number of items with each tag. */
const all = 20_000;
const tagged = { rare: 20, frequent: 10_000, absent: 0 };

beforeAll(async () => {
  await sql`CREATE TABLE items (id int PRIMARY KEY, place int NOT NULL, tags jsonb NOT NULL)`.execute(db);
  await sql`
    INSERT INTO items SELECT n, n * 7919 % 20011,
      jsonb_build_object('rare', n % 1000 = 0, 'frequent', n % 2 = 0) FROM generate_series(1, ${sql.lit(all)}) n`.execute(
    db,
  );
  await sql`CREATE INDEX items_by_place ON items (place)`.execute(db);
  await sql`CREATE INDEX items_by_tags ON items USING gin (tags jsonb_path_ops)`.execute(db);
  await sql`VACUUM ANALYZE items`.execute(db);
});

const isTagged = (tag: string) => sql<boolean>`i.tags @> ${JSON.stringify({ [tag]: true })}::jsonb`;

function firstOf(tag: keyof typeof tagged, maxRows: number) {
  return seekOrScan<{ id: number }>({
    table: 'items',
    alias: 'i',
    condition: sql`i.id > 0`,
    filter: isTagged(tag),
    order: sql`i.place`,
    all: sql`${sql.lit(all)}`,
    matching: sql`${sql.lit(tagged[tag])}`,
    maxRows,
  });
}

test.each([
  ['rare', 5],
  ['rare', 50],
  ['frequent', 50],
  ['frequent', 12_000],
  ['absent', 50],
] as const)(
  'the first rows with the tag %s (up to %i) match those of a plain ordered query',
  async (tag, maxRows) => {
    const found = await sql<{
      id: number;
    }>`SELECT id FROM ${firstOf(tag, maxRows)} AS i ORDER BY place`.execute(db);
    const expected = await sql<{ id: number }>`
    SELECT id FROM items AS i WHERE ${isTagged(tag)} ORDER BY place LIMIT ${maxRows}`.execute(db);
    expect(found.rows).toEqual(expected.rows);
    expect(found.rows).toHaveLength(Math.min(maxRows, tagged[tag]));
  },
);

test.each([
  ['rare', 'items_by_tags', 'items_by_place'],
  ['frequent', 'items_by_place', 'items_by_tags'],
] as const)('items with the tag %s are read through %s and never through %s', async (tag, by, notBy) => {
  const { rows } = await sql<{
    'QUERY PLAN': string;
  }>`EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT id FROM ${firstOf(tag, 50)} AS i`.execute(db);
  const plan = rows.map((row) => row['QUERY PLAN']);
  expect(plan).toContainEqual(expect.stringMatching(new RegExp(`${by}.*actual`)));
  expect(plan).not.toContainEqual(expect.stringMatching(new RegExp(`${notBy}.*actual`)));
});
