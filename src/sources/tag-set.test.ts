import { expect, test } from 'vitest';
import { createTagSet } from './tag-set.ts';

test('a tag is new only once, even in a set of 50,000 tags', () => {
  const tags = createTagSet();
  const names = Array.from({ length: 50_000 }, (_, index) => `v${index >> 8}.${index & 255}.0`);
  expect(names.filter((name) => tags.add(name))).toHaveLength(50_000);
  expect(names.filter((name) => tags.add(name))).toHaveLength(0);
  expect(tags.size()).toBe(50_000);
  expect(tags.add('')).toBe(true);
});
