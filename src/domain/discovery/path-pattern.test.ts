import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesPath, parsePathPattern } from './path-pattern.ts';

/** Reference implementation for anchored patterns without wildcards within segments. */
function means([segment, ...others]: readonly string[], path: readonly string[]): boolean {
  if (segment === undefined) return true;
  if (segment === '**')
    return means(others, path) || (path.length > 0 && means([segment, ...others], path.slice(1)));
  const [part, ...below] = path;
  if (part === undefined || (segment !== '*' && segment !== part)) return false;
  return segment === '*' && others.length === 0 ? below.length === 0 : means(others, below);
}

test('patterns with any number of ** match the same paths as a simple reference implementation', () => {
  const segments = (...values: string[]) =>
    fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(segments('**', '**', '*', 'a', 'b'), segments('a', 'b'), (pattern, path) => {
      const parsed = parsePathPattern(`/${pattern.join('/')}`)!;
      expect(matchesPath(parsed, path.join('/'))).toBe(means(pattern, path));
    }),
    { numRuns: 5_000 },
  );
});

test.each([
  ['/**/a/**/a/**/a/**/a/**/a/**/a/**/a/**/a/c', 10],
  ['/**/**/**/**/**/**/**/**/**/**/**/c', 10],
  [`/**${'/a'.repeat(30)}/c`, 35],
])('%s is compared with each directory of a deep path at most a few times', (pattern, times) => {
  const { segments, ...parsed } = parsePathPattern(pattern)!;
  let comparisons = 0;
  const counted = new Proxy(segments, {
    get(target, member, receiver) {
      if (member !== 'length') comparisons++;
      return Reflect.get(target, member, receiver) as unknown;
    },
  });
  const depth = 400;
  expect(matchesPath({ ...parsed, segments: counted }, `${'a/'.repeat(depth)}b`)).toBe(false);
  expect(comparisons).toBeGreaterThan(depth);
  expect(comparisons).toBeLessThan(depth * times);
  expect(matchesPath({ ...parsed, segments }, `${'a/'.repeat(depth)}c`)).toBe(true);
});
