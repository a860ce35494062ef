import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { type RecordedCall, rowsFolderVariable } from '../tests/helpers/run/record-rows.ts';

/**
 * `npm run test:row-types`: runs all tests, records the rows that each statement returns, and compares them
 * with the row type that the code declares for it. TypeScript can't check the `Row` of `sql<Row>`, because it
 * doesn't know the columns of the statement. Exits with 1 if a declared column is missing or can have a value
 * that its type excludes.
 *
 * With `-- FOLDER`, compares the rows that an earlier run with `PACEKEEPER_RECORD_ROWS=FOLDER` recorded.
 */

export interface RowTypeReport {
  /** Number of calls that returned rows of a known type. */
  readonly checked: number;
  /** Calls whose row type is `unknown`, `any`, or a type parameter. */
  readonly untyped: readonly string[];
  readonly mismatches: readonly string[];
}

const root = fileURLToPath(new URL('..', import.meta.url));

/** The kinds of values by call and column. */
type RecordedKinds = Map<string, Map<string, Set<string>>>;

/** Merges the records of all worker processes. */
export function readRecords(folder: string): RecordedKinds {
  const lines = readdirSync(folder).flatMap((name) =>
    readFileSync(path.join(folder, name), 'utf8').split('\n').filter(Boolean),
  );
  return mergeRecords(lines.map((line) => JSON.parse(line) as RecordedCall));
}

/** Merges records of the same calls. */
export function mergeRecords(records: readonly RecordedCall[]): RecordedKinds {
  const calls: RecordedKinds = new Map();
  for (const { at, rows, columns } of records) {
    if (rows === 0) continue;
    const merged = calls.get(at) ?? new Map<string, Set<string>>();
    calls.set(at, merged);
    for (const [column, kinds] of Object.entries(columns))
      merged.set(column, new Set([...(merged.get(column) ?? []), ...kinds]));
  }
  return calls;
}

/** Compares recorded rows with the declared row types of the program. Paths are relative to `folder`. */
export function compareRowTypes(
  program: ts.Program,
  folder: string,
  calls: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>,
): RowTypeReport {
  const checker = program.getTypeChecker();
  const untyped: string[] = [];
  const mismatches: string[] = [];
  let checked = 0;
  for (const [at, columns] of [...calls].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const [file, line, column] = at.split(':') as [string, string, string];
    const source = program.getSourceFile(path.join(folder, file));
    const call = source && callAt(source, Number(line) - 1, Number(column) - 1);
    const row = call && rowType(checker, call);
    if (!row)
      throw new Error(`${at} isn't a call of a statement. Record the rows again after changing the code.`);
    // A statement without RETURNING returns no rows, only Kysely's counts of affected rows.
    if (/^(Insert|Update|Delete)Result$/.test(row.symbol?.name ?? '')) continue;
    if (isOpen(row)) {
      untyped.push(at);
      continue;
    }
    checked++;
    mismatches.push(...differences(checker, call, row, columns).map((difference) => `${at}: ${difference}`));
  }
  return { checked, untyped, mismatches };
}

/** True if a row of this type can have any column, as in a function for the rows of many statements. */
function isOpen(type: ts.Type): boolean {
  if (type.isUnionOrIntersection()) return type.types.some(isOpen);
  return (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter)) !== 0;
}

function callAt(source: ts.SourceFile, line: number, column: number): ts.CallExpression | undefined {
  const position = source.getPositionOfLineAndCharacter(line, column);
  const find = (node: ts.Node): ts.CallExpression | undefined => {
    if (position < node.getStart(source) || position >= node.end) return undefined;
    const inner = ts.forEachChild(node, find);
    if (inner) return inner;
    const isCall = ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression);
    return isCall && node.expression.name.text.startsWith('execute') ? node : undefined;
  };
  return find(source);
}

/** Returns the type of one row of `QueryResult<Row>`, `Row[]`, or `Row | undefined`. */
function rowType(checker: ts.TypeChecker, call: ts.CallExpression): ts.Type | undefined {
  const result = checker.getAwaitedType(checker.getTypeAtLocation(call));
  if (!result) return undefined;
  const rows = result.getProperty('rows');
  const list =
    rows && result.symbol?.name === 'QueryResult' ? checker.getTypeOfSymbolAtLocation(rows, call) : result;
  return checker.getIndexTypeOfType(list, ts.IndexKind.Number) ?? checker.getNonNullableType(list);
}

function differences(
  checker: ts.TypeChecker,
  call: ts.CallExpression,
  row: ts.Type,
  columns: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  const shapes = row.isUnion() ? row.types : [row];
  const properties = new Map(
    shapes.flatMap((shape) => checker.getPropertiesOfType(shape).map((each) => [each.name, each] as const)),
  );
  const found: string[] = [];
  for (const [name, kinds] of columns) {
    const property = properties.get(name);
    // Skip a column that the code doesn't declare, because the code can't read it.
    if (!property) continue;
    const type = checker.getTypeOfSymbolAtLocation(property, call);
    const excluded = [...kinds].filter((kind) => !allows(checker, type, kind));
    if (excluded.length > 0)
      found.push(`${name} is ${checker.typeToString(type)}, but can be ${excluded.toSorted().join(', ')}`);
  }
  const missing = [...properties.values()].filter(
    (property) => !columns.has(property.name) && !(property.flags & ts.SymbolFlags.Optional),
  );
  if (!row.isUnion()) found.push(...missing.map(({ name }) => `the declared column ${name} is missing`));
  return found;
}

function allows(checker: ts.TypeChecker, type: ts.Type, kind: string): boolean {
  if (type.isUnion()) return type.types.some((each) => allows(checker, each, kind));
  const { flags } = type;
  if (isOpen(type)) return true;
  if (flags & ts.TypeFlags.Null) return kind === 'null';
  if (flags & ts.TypeFlags.Undefined) return kind === 'undefined';
  if (flags & ts.TypeFlags.StringLike) return kind === 'string';
  if (flags & ts.TypeFlags.NumberLike) return kind === 'number';
  if (flags & ts.TypeFlags.BooleanLike) return kind === 'boolean';
  if (flags & ts.TypeFlags.BigIntLike) return kind === 'bigint';
  if (type.isIntersection()) return type.types.every((each) => allows(checker, each, kind) || isBrand(each));
  const name = type.symbol?.name;
  if (name === 'Date') return kind === 'date';
  if (name === 'Buffer' || name === 'Uint8Array') return kind === 'bytes';
  if (checker.isArrayLikeType(type)) return kind === 'array';
  return (
    kind === 'object' ||
    (kind === 'array' && checker.getIndexTypeOfType(type, ts.IndexKind.Number) !== undefined)
  );
}

/** True for the object of a branded primitive, such as `string & { brand: true }`. */
function isBrand(type: ts.Type): boolean {
  return (type.flags & ts.TypeFlags.Object) !== 0;
}

/** Returns the program whose row types are compared. */
export function createProgram(): ts.Program {
  const file = path.join(root, 'tsconfig.json');
  const { config } = ts.readConfigFile(file, ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  return ts.createProgram(
    fileNames.filter((name) => name.startsWith(path.join(root, 'src'))),
    options,
  );
}

if (import.meta.main) {
  const [, , recorded] = process.argv;
  const folder = recorded ?? mkdtempSync(path.join(tmpdir(), 'pacekeeper-rows-'));
  try {
    if (recorded === undefined) {
      const { status } = spawnSync('npx', ['--no-install', 'vitest', 'run'], {
        cwd: root,
        stdio: 'inherit',
        env: { ...process.env, [rowsFolderVariable]: folder },
      });
      if (status !== 0) console.error('Some tests failed, so some statements may not be recorded.');
    }
    const { checked, untyped, mismatches } = compareRowTypes(createProgram(), root, readRecords(folder));
    console.log(mismatches.join('\n'));
    console.log(
      `${checked} statements checked, ${untyped.length} without a row type, ${mismatches.length} mismatches.`,
    );
    process.exitCode = mismatches.length > 0 ? 1 : 0;
  } finally {
    if (recorded === undefined) rmSync(folder, { recursive: true, force: true });
  }
}
