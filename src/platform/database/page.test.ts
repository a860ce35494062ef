import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../tests/helpers/database.ts';
import { readPage } from './page.ts';

const { db: database, statementsOf } = await createTestDatabase({ schema: 'empty' });
const db = database.withTables<{ items: { id: number; colour: string }; colours: { name: string } }>();

beforeAll(async () => {
  await sql`CREATE TABLE items (id int PRIMARY KEY, colour text NOT NULL)`.execute(db);
  await sql`CREATE TABLE colours (name text PRIMARY KEY)`.execute(db);
  await sql`INSERT INTO colours VALUES ('red'), ('blue')`.execute(db);
  await sql`INSERT INTO items SELECT n, CASE WHEN n <= 12000 THEN 'red' ELSE 'blue' END FROM generate_series(1, 22000) n`.execute(
    db,
  );
});

async function check(
  colour: string,
  upTo: number,
  request: { limit: number; offset: number },
  expected: { ids: number[]; total: number; isExact: boolean },
) {
  const query = db
    .selectFrom('items')
    .innerJoin('colours', 'colours.name', 'items.colour')
    .select(['items.id', 'colours.name as colour'])
    .where('items.colour', '=', colour)
    .where('items.id', '<=', upTo)
    .orderBy('items.id', 'desc');
  const page = await readPage(database, query, request);
  expect({ ...page, items: page.items.map(({ id }) => id) }).toEqual({
    items: expected.ids,
    total: expected.total,
    total_is_exact: expected.isExact,
    ...request,
  });
}

test('a page contains its rows in order and the total count', () =>
  check('red', 7, { limit: 3, offset: 2 }, { ids: [5, 4, 3], total: 7, isExact: true }));

test('a page past the end is empty but still reports the total count', () =>
  check('red', 7, { limit: 3, offset: 70 }, { ids: [], total: 7, isExact: true }));

test('a query without matches returns an empty page with a total of 0', () =>
  check('green', 7, { limit: 3, offset: 0 }, { ids: [], total: 0, isExact: true }));

test('a total of ten thousand is exact', () =>
  check('red', 10_000, { limit: 1, offset: 0 }, { ids: [10_000], total: 10_000, isExact: true }));

test('a total above ten thousand is capped and reported as inexact', () =>
  check('red', 10_001, { limit: 1, offset: 0 }, { ids: [10_001], total: 10_000, isExact: false }));

test('grouped rows are counted with a separate query', async () => {
  const query = db
    .selectFrom('items')
    .select(['colour', (eb) => eb.fn.countAll<number>().as('count')])
    .groupBy('colour')
    .orderBy('colour');
  const page = await readPage(database, query, { limit: 1, offset: 0 }, [query.clearOrderBy()]);
  expect(page).toEqual({
    items: [{ colour: 'blue', count: 10_000 }],
    total: 2,
    total_is_exact: true,
    limit: 1,
    offset: 0,
  });
});

test.each([
  [6, 5_000, 10_000, true],
  [6_000, 5_000, 10_000, false],
  [20_000, 20_000, 10_000, false],
])('the total adds up two parts of %i and %i rows', async (red, blue, total, isExact) => {
  const part = (colour: string, count: number) =>
    sql`(SELECT 1 FROM items WHERE colour = ${colour} LIMIT ${count})`;
  const query = db.selectFrom('items').select('id').orderBy('id');
  const page = await readPage(database, query, { limit: 1, offset: 0 }, [
    part('red', red),
    part('blue', blue),
  ]);
  expect(page).toMatchObject({ total: Math.min(total, red + blue), total_is_exact: isExact });
});

test.each<[what: string, limit: number, offset: number, statements: number]>([
  ['a page of one row', 1, 0, 1],
  ['a page of many rows', 50, 100, 1],
  ['a page past the end', 50, 70_000, 2],
])('%s (limit %i, offset %i) takes %i statements', async (_what, limit, offset, statements) => {
  const query = db.selectFrom('items').select('id');
  expect(await statementsOf(() => readPage(database, query, { limit, offset }))).toHaveLength(statements);
});

test('rows contain only the selected columns', async () => {
  const { items } = await readPage(database, db.selectFrom('items').select('id').orderBy('id'), {
    limit: 1,
    offset: 0,
  });
  expect(items).toEqual([{ id: 1 }]);
});
