import { expect, test } from 'vitest';
import { requiredWidths, selectColumns, tracksOf } from './fit-columns.ts';

const columns = [
  { header: 'Name', width: 'minmax(0, 2fr)' },
  { header: 'Latest', width: '3rem' },
  { header: 'Rule', wideOnly: true },
  { header: 'Opened', width: '7rem', secondary: true },
];

test('a column has its configured width, but is never narrower than its heading, a name, or a short value', () => {
  expect(tracksOf(columns, { hasCheckbox: true, hasActions: true })).toBe(
    '2rem minmax(11rem, 2fr) 4.5rem minmax(4.5rem, 1fr) 7rem 1.75rem',
  );
  expect(tracksOf([...columns, { header: 'Source of releases', sort: 'source' }], {})).toMatch(
    / minmax\(9\.1\d*rem, 1fr\)$/,
  );
});

test('a right-aligned column has space between its numbers and the next column', () => {
  expect(tracksOf([...columns, { header: 'Charts', width: '5rem', align: 'end' as const }], {})).toMatch(
    / 5\.75rem$/,
  );
});

test('a table without enough space drops its optional columns from last to first, then becomes cards', () => {
  const [without, withRule, withAll] = requiredWidths(columns, {});
  expect(without).toBeCloseTo(11 + 4.5 + 0.75 + 1.95);
  expect(withRule).toBeCloseTo(without! + 4.5 + 0.75);
  expect(withAll).toBeCloseTo(withRule! + 7 + 0.75);
  const names = (count: number) => selectColumns(columns, count).map(({ header }) => header);
  expect(names(2)).toEqual(['Name', 'Latest', 'Rule', 'Opened']);
  expect(names(1)).toEqual(['Name', 'Latest', 'Rule']);
  expect(names(0)).toEqual(['Name', 'Latest']);
  expect(names(-1)).toEqual(['Name', 'Latest', 'Opened']);
});
