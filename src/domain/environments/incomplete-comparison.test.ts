import { expect, test } from 'vitest';
import { describeIncompleteComparison } from './incomplete-comparison.ts';

const row = (service: string, is_complete: boolean, component: string | null = null) => ({
  service,
  component,
  is_complete,
});

test('a complete comparison results in no sentences', () => {
  expect(describeIncompleteComparison(true, [row('web', true)], 'scrape jobs')).toEqual([]);
});

test('the sentences about an incomplete comparison name both limit settings and the affected services', () => {
  expect(
    describeIncompleteComparison(
      false,
      [row('web', false), row('shop', true), row('shop', false, 'till')],
      'scrape jobs',
    ),
  ).toEqual([
    'Only the first environments in alphabetical order are compared, because of the setting limits.environments.',
    'Only some scrape jobs of web and shop/till are compared, because of the setting limits.service_jobs.',
  ]);
});

test.each([
  [3, 'a, b, and c are'],
  [4, 'a, b, c, and 1 more service are'],
  [5, 'a, b, c, and 2 more services are'],
])('the sentence about %i services lists three of them and counts the rest', (count, words) => {
  const rows = ['a', 'b', 'c', 'd', 'e'].slice(0, count).map((name) => row(name, false));
  expect(describeIncompleteComparison(true, rows, 'version trackers')).toEqual([
    expect.stringContaining(words),
  ]);
});
