import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  countOf,
  formatCount,
  formatDay,
  formatMonth,
  formatPercent,
  formatTime,
  formatWeekdayTime,
  singularOf,
} from './format.ts';

const at = new Date('2026-03-03T14:05:09.000Z');

it('numbers have separators, and a count names its unit', () => {
  expect(formatCount(1_200)).toBe('1,200');
  expect([0, 1, 1_200].map((count) => countOf(count, 'release'))).toEqual([
    '0 releases',
    '1 release',
    '1,200 releases',
  ]);
  expect(countOf(2, 'delivery', 'deliveries')).toBe('2 deliveries');
  const names = [
    'monitors',
    'Helm repositories',
    'deliveries',
    'repositories, clusters, and hosts',
    'aliases',
    'releases',
    'branches',
  ];
  expect(names.map(singularOf)).toEqual([
    'monitor',
    'Helm repository',
    'delivery',
    'repository, cluster, or host',
    'alias',
    'release',
    'branch',
  ]);
});

it('percentages are rounded down, so only a share of all is 100%', () => {
  expect([1, 0.99962, 0.29, 2 / 3, 0.1].map(formatPercent)).toEqual(['100%', '99.9%', '29%', '66.6%', '10%']);
  expect([0.09999, 0.07, 0.00043, 0.00004, 0].map(formatPercent)).toEqual([
    '9.99%',
    '7%',
    '0.04%',
    '0%',
    '0%',
  ]);
});

it('times use US English formats with 24 hours', () => {
  expect([formatDay(at), formatMonth(at)]).toEqual(['Mar 3, 2026', 'Mar 2026']);
  expect(formatTime(at)).toMatch(/^Mar [234], 2026, \d\d:05$/);
  expect(formatWeekdayTime(at)).toMatch(/^(Mon|Tue|Wed), Mar [234], \d\d:05$/);
  const midnight = new Date(2026, 2, 3);
  expect(formatTime(midnight)).toBe('Mar 3, 2026, 00:00');
});

it('no other file formats times or numbers in a different locale', () => {
  const folder = new URL('..', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/(\.test\.ts|ui\/format\.ts)$/.test(file))
    .filter((file) =>
      /new Intl\.(DateTime|Number)Format\(|toLocale(Date|Time)String\(|toLocaleString\((?!'en(?:-US)?')/.test(
        readFileSync(new URL(file, folder), 'utf8'),
      ),
    );
  expect(files).toEqual([]);
});
