import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';
import { afterAll, expect, test } from 'vitest';
import { valueKind } from '../tests/helpers/run/record-rows.ts';
import { compareRowTypes, readRecords } from './check-row-types.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pacekeeper-row-types-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const statements = `
interface QueryResult<Row> { readonly rows: Row[] }
interface Statement<Row> { execute(): Promise<QueryResult<Row>>; executeTakeFirst(): Promise<Row | undefined> }
declare function sql<Row>(): Statement<Row>;
interface Job { id: number; name: string | null; kind: 'gather' | 'scrape'; seen: Date; labels: Record<string, string>; ids: number[]; note?: string }
await sql<Job>().execute();
await sql<Job>().executeTakeFirst();
export async function each<Row>() {
  return (await sql<Row & { total: number }>().execute()).rows;
}
`;

const file = path.join(folder, 'statements.ts');
writeFileSync(file, statements);
const program = ts.createProgram([file], {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ES2022,
  types: [],
});

/**
 * Compares rows with the row type that the code declares for the statement in the given line of `statements`.
 */
function compare(rows: readonly Record<string, unknown>[], line: number) {
  const columns = new Map<string, Set<string>>();
  for (const row of rows) {
    for (const [name, value] of Object.entries(row))
      columns.set(name, (columns.get(name) ?? new Set()).add(valueKind(value)));
  }
  const column = statements.split('\n')[line - 1]!.indexOf('execute') + 1;
  return compareRowTypes(program, folder, new Map([[`statements.ts:${line}:${column}`, columns]]));
}

const job = { id: 1, name: 'web', kind: 'gather', seen: new Date(), labels: {}, ids: [1] };

test.each([6, 7])('rows that fit their declared type are not a mismatch (line %i)', (line) => {
  const report = compare([job, { ...job, name: null, note: 'new', unread: 1 }], line);
  expect(report).toEqual({ checked: 1, untyped: [], mismatches: [] });
});

test.each([
  [{ ...job, id: null }, 'id is number, but can be null'],
  [{ ...job, id: '1' }, 'id is number, but can be string'],
  [{ ...job, seen: '2026-11-01' }, 'seen is Date, but can be string'],
  [{ ...job, ids: {} }, 'ids is number[], but can be object'],
  [{ ...job, labels: null }, 'labels is Record<string, string>, but can be null'],
  [
    Object.fromEntries(Object.entries(job).filter(([name]) => name !== 'id')),
    'the declared column id is missing',
  ],
])('a row that differs from its declared type is a mismatch (%#)', (row, difference) => {
  expect(compare([row], 6).mismatches).toEqual([`statements.ts:6:18: ${difference}`]);
});

test('a statement of a generic function is counted as unchecked, because its row type is a parameter', () => {
  expect(compare([{ total: 1, id: 2 }], 9)).toEqual({
    checked: 0,
    untyped: ['statements.ts:9:48'],
    mismatches: [],
  });
});

test('an outdated record is an error', () => {
  expect(() =>
    compareRowTypes(ts.createProgram([], {}), folder, new Map([['gone.ts:1:1', new Map()]])),
  ).toThrow('Record the rows again');
});

test('records of several processes are merged, and calls without rows are excluded', () => {
  const records = path.join(folder, 'records');
  ts.sys.createDirectory(records);
  const line = (at: string, rows: number, columns: object) => `${JSON.stringify({ at, rows, columns })}\n`;
  writeFileSync(
    path.join(records, '1.jsonl'),
    line('a.ts:1:1', 2, { id: ['number'] }) + line('b.ts:1:1', 0, {}),
  );
  writeFileSync(path.join(records, '2.jsonl'), line('a.ts:1:1', 1, { id: ['null'] }));
  expect(readRecords(records)).toEqual(
    new Map([['a.ts:1:1', new Map([['id', new Set(['number', 'null'])]])]]),
  );
});
