import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { patternCost } from './pattern-cost.ts';

function check(source: string, expected: number): void {
  expect(Math.round(patternCost(RE2JS.compile(source))), source).toBe(expected);
}

test('literal text costs no more the longer it is, what overlaps costs its sum', () => {
  // Also the watch over the inner side of the library that is read: these are counted by hand from its programs.
  check('abc', 2);
  check('abcdefghijklmnopqrstuvwxyz', 2);
  check('aaaa', 5);
  check('^abc', 2);
  check('(?:a|b|c|d)x', 3);
});

test('more of what can be alive at once costs more', () => {
  const cost = (source: string) => patternCost(RE2JS.compile(source));
  expect(cost('(?:a?){20}[xy]')).toBeGreaterThan(2 * cost('(?:a?){8}[xy]'));
  expect(cost('.*a.{80}[xy]')).toBeGreaterThan(80);
  expect(cost('(?i)(?:k?){9}!')).toBeGreaterThan(2 * cost('(?:k?){9}!'));
  expect(cost('(?:\\pL?){9}!')).toBeGreaterThan(2 * cost('(?:l?){9}!'));
});

test('a character of either case is met by both, and by what folds to it', () => {
  const cost = (source: string) => patternCost(RE2JS.compile(source));
  // The sign for Kelvin is a k.
  expect(cost('(?:\\x{212A}?){9}(?:(?i)k?){9}!')).toBeGreaterThan(cost('(?i)(?:k?){9}!') + 9);
  expect(cost('(?i)(?:ſ?){9}(?:S?){9}!')).toBe(cost('(?i)(?:s?){18}!'));
});

test('a cost that is too high is found without looking at all of it', () => {
  const regex = RE2JS.compile('(?:[\\pL\\pN]?){300}!');
  expect(patternCost(regex)).toBeGreaterThan(3_000);
  const found = patternCost(regex, 40);
  expect(found).toBeGreaterThan(40);
  expect(found).toBeLessThan(100);
});
