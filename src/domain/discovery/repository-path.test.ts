import { expect, test } from 'vitest';
import { createPathExpander } from './repository-path.ts';

test('a path with wildcards yields the files that it matches, and another path yields itself', () => {
  const expand = createPathExpander(['ci/a.yml', 'ci/b.yml', 'a.yml']);
  expect(expand('ci/*.yml')).toEqual(['ci/a.yml', 'ci/b.yml']);
  expect(expand('ci/missing.yml')).toEqual(['ci/missing.yml']);
});

test('files that all include each other yield fewer than 300,000 files in total', () => {
  const expand = createPathExpander(Array.from({ length: 2_000 }, (_, at) => `ci/${at}.yml`));
  let total = 0;
  for (let each = 0; each < 2_000; each++) total += expand('ci/*.yml').length;
  expect(total).toBeGreaterThan(100_000);
  expect(total).toBeLessThan(300_000);
});
