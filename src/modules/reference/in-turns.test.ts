import { expect, test } from 'vitest';
import { type RequestedItem, takeRoundRobin } from './in-turns.ts';

const wanted = (key: string, organization: number, lastMs: number | null = null): RequestedItem => ({
  key,
  organizations: new Set([organization]),
  lastMs,
});

test('organizations take turns, so many requests of one do not delay another', () => {
  const many = Array.from({ length: 50 }, (_, index) => wanted(`a${String(index).padStart(2, '0')}`, 2));
  expect(takeRoundRobin([...many, wanted('b0', 3), wanted('b1', 3)], 6)).toEqual([
    'a00',
    'b0',
    'a01',
    'b1',
    'a02',
    'a03',
  ]);
});

test('items that were never fetched come first, then the least recently fetched ones', () => {
  const given = [wanted('a', 2, 2_000), wanted('b', 2, 1_000), wanted('c', 2), wanted('d', 2, 1_000)];
  expect(takeRoundRobin(given, 10)).toEqual(['c', 'b', 'd', 'a']);
});

test('an item that several organizations request is listed once and uses the turn of only one of them', () => {
  const shared = { key: 'a', organizations: new Set([2, 3]), lastMs: null };
  expect(takeRoundRobin([shared, wanted('b', 3), wanted('c', 2)], 10)).toEqual(['a', 'b', 'c']);
});
