import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { patternCost } from './pattern-cost.ts';

function check(source: string, expected: number): void {
  expect(Math.round(patternCost(RE2JS.compile(source))), source).toBe(expected);
}

test("the cost of literal text doesn't grow with its length, and the costs of overlapping parts add up", () => {
  // The expected values were counted manually in the library's compiled programs. So this test also detects
  // changes in the internals of the library that affect the cost.
  check('abc', 2);
  check('abcdefghijklmnopqrstuvwxyz', 2);
  check('aaaa', 5);
  check('^abc', 2);
  check('(?:a|b|c|d)x', 3);
});

test('the cost grows with the number of states that can be active at the same time', () => {
  const cost = (source: string) => patternCost(RE2JS.compile(source));
  expect(cost('(?:a?){20}[xy]')).toBeGreaterThan(2 * cost('(?:a?){8}[xy]'));
  expect(cost('.*a.{80}[xy]')).toBeGreaterThan(80);
  expect(cost('(?i)(?:k?){9}!')).toBeGreaterThan(2 * cost('(?:k?){9}!'));
  expect(cost('(?:\\pL?){9}!')).toBeGreaterThan(2 * cost('(?:l?){9}!'));
});

test('a case-insensitive character overlaps with both cases and with characters that fold to it', () => {
  const cost = (source: string) => patternCost(RE2JS.compile(source));
  // The Kelvin sign (U+212A) folds to k.
  expect(cost('(?:\\x{212A}?){9}(?:(?i)k?){9}!')).toBeGreaterThan(cost('(?i)(?:k?){9}!') + 9);
  expect(cost('(?i)(?:ſ?){9}(?:S?){9}!')).toBe(cost('(?i)(?:s?){18}!'));
});

test('the calculation stops when the cost exceeds the limit', () => {
  const regex = RE2JS.compile('(?:[\\pL\\pN]?){300}!');
  expect(patternCost(regex)).toBeGreaterThan(3_000);
  const found = patternCost(regex, 40);
  expect(found).toBeGreaterThan(40);
  expect(found).toBeLessThan(100);
});
