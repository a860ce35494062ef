import { describe, expect, test } from 'vitest';
import type { Mutation } from './draw-mutations.ts';
import { growingGroups, orderFiles } from './order-files.ts';
import {
  type Coverage,
  describeResult,
  findLostKills,
  type MutationOutcome,
  type MutationResult,
  runMutation,
} from './run-mutations.ts';
import type { TemporaryClone } from './temporary-clone.ts';

const mutation: Mutation = {
  area: 'domain',
  file: 'package.json',
  line: 1,
  lineText: 'const f = (a: number) => a < 2;',
  kind: 'moved boundary',
  before: 'a < 2',
  after: 'a <= 2',
};
const result = (outcome: MutationOutcome, changes: Partial<MutationResult> = {}): MutationResult => ({
  ...mutation,
  outcome,
  killedBy: outcome === 'killed' ? ['a.test.ts'] : [],
  covering: 1,
  ran: 1,
  ...changes,
});

test('test files are ordered by their distance from the changed file, then by their duration', () => {
  const files = [
    'tests/pipeline/slow.test.ts',
    'src/modules/runs/sub/other.test.ts',
    'src/modules/runs/claim.isolated.test.ts',
    'src/modules/alerts/alerts.test.ts',
    'tests/pipeline/fast.test.ts',
    'src/modules/runs/near.test.ts',
  ];
  const order = orderFiles('src/modules/runs/claim.ts', files, (file) => (file.includes('fast') ? 1 : 100));
  expect(order).toEqual([
    'src/modules/runs/claim.isolated.test.ts',
    'src/modules/runs/near.test.ts',
    'src/modules/runs/sub/other.test.ts',
    'src/modules/alerts/alerts.test.ts',
    'tests/pipeline/fast.test.ts',
    'tests/pipeline/slow.test.ts',
  ]);
});

test('groups of test files double in size', () => {
  expect(growingGroups([1, 2, 3, 4, 5, 6, 7, 8, 9])).toEqual([[1], [2, 3], [4, 5, 6, 7], [8, 9]]);
  expect(growingGroups([])).toEqual([]);
});

describe('a mutation', () => {
  const text = mutation.lineText;

  /** Runs the mutation in a clone in which the given files fail while the text is changed. */
  async function run(failing: string[], coverage: Partial<Coverage> = {}, original = text) {
    let current = original;
    const groups: (readonly string[])[] = [];
    const clone: TemporaryClone = {
      root: process.cwd(),
      folder: '',
      read: () => current,
      write: (_, changed) => void (current = changed),
      remove: () => undefined,
      runTests: (files) => {
        expect(current).toBe('const f = (a: number) => a <= 2;');
        groups.push(files);
        const results = files.map((file) => ({ file, isPassed: !failing.includes(file), seconds: 1 }));
        const isPassed = results.every((each) => each.isPassed);
        return Promise.resolve({ isPassed, isTimedOut: false, files: results, output: '' });
      },
    };
    const files = ['a', 'b', 'c', 'd'].map((name) => `${name}.test.ts`);
    const complete = { mutations: [{ mutation, files }], seconds: {}, failing: [], ...coverage };
    const outcome = await runMutation(clone, mutation, complete, { runsAll: false });
    expect(current).toBe(original);
    return { ...outcome, groups };
  }

  test('is killed by the first group of test files in which one fails', async () => {
    const { outcome, killedBy, ran, groups } = await run(['b.test.ts', 'd.test.ts']);
    expect({ outcome, killedBy, ran }).toEqual({ outcome: 'killed', killedBy: ['b.test.ts'], ran: 3 });
    expect(groups).toEqual([['a.test.ts'], ['b.test.ts', 'c.test.ts']]);
  });

  test('survives if all test files that reach it pass', async () => {
    expect(await run(['e.test.ts'])).toMatchObject({ outcome: 'survived', covering: 4, ran: 4 });
  });

  test('is not killed by a test file that fails without it', async () => {
    expect(await run(['b.test.ts'], { failing: ['b.test.ts'] })).toMatchObject({
      outcome: 'survived',
      covering: 3,
    });
  });

  test('has the outcome "not run" if no test file reaches it, and "not found" if the code has changed', async () => {
    expect(await run([], { mutations: [{ mutation, files: [] }] })).toMatchObject({ outcome: 'not run' });
    expect(await run([], {}, 'const f = (a: number) => a < 3;')).toMatchObject({ outcome: 'not found' });
  });

  test('counts as lost if it was killed earlier but is not killed now', () => {
    const other = { file: 'src/other.ts' };
    const earlier = [result('killed'), result('survived', other)];
    expect(findLostKills(earlier, [result('survived', { line: 7 }), result('survived', other)])).toHaveLength(
      1,
    );
    expect(findLostKills(earlier, [result('not run')])).toHaveLength(1);
    expect(findLostKills(earlier, [result('killed'), result('not run', other)])).toEqual([]);
    expect(findLostKills(earlier, [result('not found')])).toEqual([]);
  });

  test('is described by its location, its change, and the file that killed it', () => {
    expect(describeResult(result('killed'))).toBe(
      'package.json:1  moved boundary: a < 2 → a <= 2  killed by a.test.ts',
    );
  });
});
