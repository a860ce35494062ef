import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/helpers/temporary-folder.ts';
import { drawMutations, findMutation, isSameMutation, mutationAreas } from './draw-mutations.ts';

const functions = `
export const a = (b: number, c: number[]) => {
  if (b === 1 && !d) e();
  return b < 2 ? c.filter((each) => each > 3) : [];
};`;

/** A repository with five files in each area. */
const root = temporaryFolder();
for (const area of ['src/domain', 'src/modules', 'src/platform', 'src/agent', 'src/cli', 'web/src']) {
  mkdirSync(path.join(root, area, 'part'), { recursive: true });
  for (const name of ['one', 'two', 'three', 'four', 'five'])
    writeFileSync(path.join(root, area, 'part', `${name}.ts`), functions);
  for (const name of ['one.test.ts', 'some-fixture.ts', 'some.d.ts'])
    writeFileSync(path.join(root, area, 'part', name), functions);
}

describe('drawn mutations', () => {
  test('depend only on the seed', () => {
    expect(drawMutations(root, { count: 20, seed: 7 })).toEqual(drawMutations(root, { count: 20, seed: 7 }));
    expect(drawMutations(root, { count: 20, seed: 7 })).not.toEqual(
      drawMutations(root, { count: 20, seed: 8 }),
    );
  });

  test('are spread evenly over the areas and over the files of the program, and have several kinds', () => {
    const drawn = drawMutations(root, { count: 18, seed: 1 });
    const byArea = Object.groupBy(drawn, ({ area }) => area);
    for (const area of mutationAreas) expect(byArea[area], area).toHaveLength(3);
    expect(new Set(drawn.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(5);
    expect(new Set(drawn.map(({ file }) => file)).size).toBe(18);
    expect(drawn.filter(({ file }) => /test|fixture|\.d\./.test(file))).toEqual([]);
  });

  test('are fewer than requested if the files do not contain enough sites', () => {
    const drawn = drawMutations(root, { count: 40, seed: 1, under: 'src/cli/' });
    expect(drawn.map(({ file }) => file).toSorted()).toEqual(
      ['five', 'four', 'one', 'three', 'two'].map((name) => `src/cli/part/${name}.ts`),
    );
  });

  test('are found again when their lines move, but not when their code changes', () => {
    for (const mutation of drawMutations(root, { count: 30, seed: 3 })) {
      const site = findMutation(`// A comment.\n\n${functions}`, mutation);
      expect(site).toMatchObject({ line: mutation.line + 2, before: mutation.before });
      expect(isSameMutation(mutation, { ...mutation, line: 99 })).toBe(true);
      expect(findMutation(functions.replaceAll('b', 'other'), mutation)).toBeUndefined();
    }
  });
});
