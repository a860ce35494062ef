import { expect, test } from 'vitest';
import { type CompileResult, compileCheapPattern } from './compile-pattern.ts';
import { PatternCache } from './pattern-cache.ts';

function countingCache(limits: { maxBytes: number; maxEntries: number }) {
  const compiled: string[] = [];
  const cache = new PatternCache((source): CompileResult => {
    compiled.push(source);
    return compileCheapPattern(source);
  }, limits);
  return { cache, compiled };
}

test('compiled and rejected patterns are cached until the cache is full', () => {
  const { cache, compiled } = countingCache({ maxBytes: 1e9, maxEntries: 2 });
  for (const source of ['a', '(', 'a', '(', 'a']) cache.get(source);
  expect(compiled).toEqual(['a', '(']);
  expect(cache.get('(')).toMatchObject({ ok: false });
  cache.get('a');
  cache.get('b');
  // The least recently used entry was evicted.
  cache.get('a');
  expect(compiled).toEqual(['a', '(', 'b']);
  cache.get('(');
  expect(compiled).toEqual(['a', '(', 'b', '(']);
});

test('a large pattern evicts the least recently used small patterns', () => {
  const { cache, compiled } = countingCache({ maxBytes: 250_000, maxEntries: 2_000 });
  for (let index = 0; index < 20; index++) cache.get(`small-${index}`);
  for (let index = 0; index < 20; index++) cache.get(`small-${index}`);
  expect(compiled).toHaveLength(20);
  // This pattern is large, because each of its classes is copied for the one-pass program.
  cache.get('^\\pL{9}$');
  cache.get('small-0');
  cache.get('small-19');
  expect(compiled.slice(20)).toEqual(['^\\pL{9}$', 'small-0']);
});
