import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../tests/helpers/database.ts';
import { type PageRequest, readPage } from './page.ts';
import { containsWords, listOrder } from './sort-order.ts';

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

const byId = listOrder([{ column: 'items.id', isDescending: false }]);
const byIdDescending = listOrder([{ column: 'items.id', isDescending: true }]);

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
    .where('items.id', '<=', upTo);
  const page = await readPage(database, query, request, byIdDescending);
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
    .groupBy('colour');
  const byColour = listOrder([{ column: 'colour', isDescending: false }]);
  const page = await readPage(database, query, { limit: 1, offset: 0 }, byColour, [query]);
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
])('the total is the sum of two parts with %i and %i rows', async (red, blue, total, isExact) => {
  const part = (colour: string, count: number) =>
    sql`(SELECT 1 FROM items WHERE colour = ${colour} LIMIT ${count})`;
  const query = db.selectFrom('items').select('id');
  const page = await readPage(database, query, { limit: 1, offset: 0 }, byId, [
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
  expect(await statementsOf(() => readPage(database, query, { limit, offset }, byId))).toHaveLength(
    statements,
  );
});

test('rows contain only the selected columns', async () => {
  const request = { limit: 1, offset: 0 };
  const { items } = await readPage(database, db.selectFrom('items').select('id'), request, byId);
  expect(items).toEqual([{ id: 1 }]);
});

test('paging with a cursor returns each row exactly once, ascending and descending, even if the column has equal values or nulls', async () => {
  await sql`CREATE TABLE places (id int PRIMARY KEY, size int, name text NOT NULL)`.execute(db);
  await sql`INSERT INTO places SELECT n, nullif(n % 4, 0), 'name ' || n % 3 FROM generate_series(1, 50) n`.execute(
    db,
  );
  const places = database.withTables<{ places: { id: number; size: number | null; name: string } }>();
  for (const isDescending of [false, true]) {
    for (const nulls of ['first', 'last'] as const) {
      const order = listOrder([
        { column: 'size', isDescending, nulls },
        { column: 'name', isDescending: !isDescending },
        { column: 'id', isDescending },
      ]);
      const query = places.selectFrom('places').select('id');
      const all = await readPage(database, query, { limit: 50, offset: 0 }, order);
      const walked: number[] = [];
      const request: PageRequest = { limit: 7, offset: 0 };
      for (let after: readonly (string | null)[] | null = null; ; ) {
        const cursor: NonNullable<PageRequest['cursor']> = { after, next: null };
        const page = await readPage(database, query, { ...request, cursor }, order);
        expect(page.total).toBe(50);
        walked.push(...page.items.map(({ id }) => id));
        if (cursor.next === null) break;
        after = cursor.next;
      }
      expect(walked).toEqual(all.items.map(({ id }) => id));
    }
  }
});

test.each([
  ['blue red', ['red and blue']],
  ['  RED ', ['red', 'red and blue']],
  ['e and', ['red and blue']],
  ['100%', ['100%']],
  ['a_b', ['a_b']],
  ['c\\d', ['c\\d']],
  ['green', []],
  ['  ', ['100%', 'a_b', 'axb', 'c\\d', 'red', 'red and blue']],
  // The note is "note 1".
  ['axb note', ['axb']],
  ['note axb', []],
])('a search for "%s" finds rows by words of a field, or by their text', async (q, expected) => {
  const texts = ['red', 'red and blue', '100%', 'a_b', 'axb', 'c\\d'];
  const { rows } = await sql<{ text: string }>`
    SELECT text FROM unnest(${texts}::text[]) AS text WHERE ${containsWords(['text', `'note 1'`], q)}
    ORDER BY text COLLATE "C"`.execute(db);
  expect(rows.map(({ text }) => text)).toEqual(expected);
});

test('a search for more than ten different words finds only the text as written', async () => {
  const letters = 'a b c d e f g h i j k'.split(' ');
  const text = letters.join(' ');
  const find = async (q: string) => {
    const { rows } = await sql`SELECT WHERE ${containsWords([sql`${text}::text`], q)}`.execute(db);
    return rows.length;
  };
  const tenReversed = letters.slice(1).toReversed().join(' ');
  expect(await find(tenReversed)).toBe(1);
  expect(await find(`${tenReversed} ${tenReversed.toUpperCase()}`)).toBe(1);
  expect(await find(letters.toReversed().join(' '))).toBe(0);
  expect(await find(text.toUpperCase())).toBe(1);
});

test('repeated words of a search are compared once', async () => {
  const parametersOf = (q: string) =>
    sql`${containsWords(['name', 'note'], q)}`.compile(db).parameters.filter(Array.isArray);
  expect(parametersOf('red Blue BLUE  red')).toEqual([
    ['%red%', '%BLUE%'],
    ['%red%', '%BLUE%'],
  ]);
  expect(parametersOf('red '.repeat(50))).toEqual([]);
});
