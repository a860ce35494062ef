import { expect, test } from 'vitest';
import { describeOutcome, describePreview, titleOf } from './change-alerts.ts';

const some = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test.each([
  [1_200, 0, 0, '1,200 alerts will be acknowledged.'],
  [1, 1, 0, '1 alert will be acknowledged. 1 is already acknowledged.'],
  [0, 2, 3, 'No alerts will change. 2 are already acknowledged. 3 are no longer open.'],
])(
  'the result of %i changed, %i unchanged, and %i missing alerts is described as "%s"',
  (changed, unchanged, gone, sentence) => {
    const outcome = { changed: some(changed), unchanged: some(unchanged), not_found: some(gone) };
    expect(describePreview('acknowledge', outcome)).toBe(sentence);
  },
);

test('the title and the message contain the number of alerts that change', () => {
  const outcome = { changed: some(3), unchanged: some(8), not_found: some(1) };
  expect(titleOf('acknowledge', outcome.changed.length)).toBe('Acknowledge 3 alerts');
  expect(titleOf('comment', 1)).toBe('Comment on 1 alert');
  expect([titleOf('acknowledge', undefined), titleOf('acknowledge', 0)]).toEqual([
    'Acknowledge alerts',
    'Acknowledge alerts',
  ]);
  expect(describeOutcome('acknowledge', outcome)).toBe(
    '3 alerts acknowledged, 8 already acknowledged, 1 no longer open',
  );
});
