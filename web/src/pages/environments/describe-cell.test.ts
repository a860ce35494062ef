import { expect, test } from 'vitest';
import {
  type Cell,
  describeCell,
  describeDelay,
  describePrecision,
  formatLag,
  nameOf,
} from './describe-cell.ts';

const cell = (relation: Cell['relation'], releases_behind: number | null = null) =>
  describeCell({ relation, compared_with: 'staging', releases_behind } as Cell);

test('a cell shows how it compares with the previous environment', () => {
  expect(cell('first')).toBeNull();
  expect(cell('same')).toBe('same as staging');
  expect(cell('behind', 1)).toBe('1 deployment behind staging');
  expect(cell('behind', 2)).toBe('2 deployments behind staging');
  expect(cell('ahead')).toBe('ahead of staging');
  expect(cell('different')).toBe('different from staging');
  expect(cell('missing')).toBe('missing');
});

test('the name of a row consists of its service and component', () => {
  expect(nameOf({ service: 'shop', component: null })).toBe('shop');
  expect(nameOf({ service: 'shop', component: 'till' })).toBe('shop / till');
});

test('the precision of a time depends on how often versions are collected', () => {
  expect([0, 900, null].map(describePrecision)).toEqual([undefined, '± 15 min', 'no schedule']);
  expect([0, 900].map(describeDelay)).toEqual(['', ', which can be up to 15 min later']);
  expect(describeDelay(null)).toContain('no schedule');
});

test('lags are formatted with one unit', () => {
  expect([null, 5, 540, 11_700, 432_000, -60].map(formatLag)).toEqual([
    '—',
    '5 s',
    '9 min',
    '3.3 h',
    '5 days',
    '−1 min',
  ]);
});
