import { expect, test } from 'vitest';
import { formatChange, formatField } from './audit-labels.ts';

test.each([
  [{ field: 'name', from: 'a', to: 'b', is_secret: false }, 'name: a → b'],
  [{ field: 'thresholds', from: null, to: { high: 2 }, is_secret: false }, 'thresholds: null → {"high":2}'],
  [{ field: 'signing_secret', from: null, to: null, is_secret: true }, 'signing_secret: changed'],
  [{ field: 'headers', from: [], to: ['X-Token'], is_secret: true }, 'headers: [] → ["X-Token"]'],
])('the change %o is formatted as "%s"', (change, expected) => {
  expect(formatChange(change)).toBe(expected);
});

test.each([
  ['gather_job_id', 'upstream source'],
  ['is_active', 'enabled'],
  ['stop_processing', 'stop processing'],
])('the field %s is labeled %s', (field, expected) => {
  expect(formatField(field)).toBe(expected);
});
