import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely';
import { afterAll } from 'vitest';

/** Environment variable with the directory for the recorded rows. Without it, nothing is recorded. */
export const rowsFolderVariable = 'PACEKEEPER_RECORD_ROWS';

/** The kinds of values that were seen in each column of the rows that one call returned. */
export interface RecordedCall {
  /** File, line, and column of the call to `execute`, such as `src/modules/runs/claim-runs.ts:40:12`. */
  readonly at: string;
  readonly rows: number;
  readonly columns: Readonly<Record<string, readonly string[]>>;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
/**
 * Maximum number of rows that are examined per result. Later rows of a long list rarely have other kinds of
 * values.
 */
const readRows = 200;

interface Call {
  rows: number;
  columns: Map<string, Set<string>>;
}

const calls = new Map<string, Call>();

/** Returns the kind of a value as `check-row-types.ts` compares it, such as `string`, `null`, or `array`. */
export function valueKind(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  if (value instanceof Uint8Array) return 'bytes';
  return typeof value;
}

function callerIn(stack: string): string | undefined {
  for (const line of stack.split('\n').slice(1)) {
    const [, file, position] = /\(?(?:file:\/\/)?(\/[^():]+):(\d+:\d+)\)?$/.exec(line.trim()) ?? [];
    if (file?.startsWith(path.join(root, 'src')) && !file.endsWith('.test.ts'))
      return `${path.relative(root, file)}:${position}`;
    if (file?.startsWith(root) && !file.includes('node_modules') && !file.endsWith('record-rows.ts'))
      return undefined;
  }
  return undefined;
}

function record(at: string, rows: readonly unknown[]): void {
  const call = calls.get(at) ?? { rows: 0, columns: new Map<string, Set<string>>() };
  calls.set(at, call);
  call.rows += rows.length;
  for (const row of rows.slice(0, readRows)) {
    for (const [name, value] of Object.entries(row as Record<string, unknown>)) {
      const kinds = call.columns.get(name) ?? new Set();
      call.columns.set(name, kinds.add(valueKind(value)));
    }
  }
}

type Method = (this: unknown, ...args: unknown[]) => Promise<unknown>;

function watch(
  prototype: Record<string, unknown>,
  name: string,
  rowsOf: (result: unknown) => readonly unknown[],
) {
  const original = prototype[name] as Method;
  prototype[name] = function watched(this: unknown, ...args: unknown[]) {
    const at = callerIn(String(new Error('caller').stack));
    const result = original.apply(this, args);
    if (at === undefined) return result;
    return result.then((value) => {
      record(at, rowsOf(value));
      return value;
    });
  };
}

/** Records the kinds of values in the rows that product code of this process reads from now on. */
export function watchRows(): void {
  const state = globalThis as { pacekeeperRecordsRows?: boolean };
  if (!state.pacekeeperRecordsRows) {
    state.pacekeeperRecordsRows = true;
    Error.stackTraceLimit = 30;
    const db = new Kysely<{ any: { any: string } }>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (each) => new PostgresIntrospector(each),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    });
    const prototypeOf = (value: object) => Object.getPrototypeOf(value) as Record<string, unknown>;
    watch(prototypeOf(sql`SELECT 1`), 'execute', (result) => (result as { rows: unknown[] }).rows);
    for (const builder of [
      db.selectFrom('any'),
      db.insertInto('any'),
      db.updateTable('any'),
      db.deleteFrom('any'),
    ]) {
      watch(prototypeOf(builder), 'execute', (result) => result as unknown[]);
    }
  }
}

/** Returns the recorded calls, and forgets them. */
export function takeRecordedCalls(): RecordedCall[] {
  const recorded = [...calls].map(([at, { rows, columns }]) => ({
    at,
    rows,
    columns: Object.fromEntries([...columns].map(([name, kinds]) => [name, [...kinds]])),
  }));
  calls.clear();
  return recorded;
}

/** Records the rows of each test file for `npm run test:row-types`. */
export function recordRows(): void {
  const folder = process.env[rowsFolderVariable];
  if (!folder) return;
  watchRows();
  afterAll(() => {
    mkdirSync(folder, { recursive: true });
    const lines = takeRecordedCalls().map((call) => JSON.stringify(call));
    appendFileSync(path.join(folder, `${process.pid}.jsonl`), lines.map((line) => `${line}\n`).join(''));
  });
}
