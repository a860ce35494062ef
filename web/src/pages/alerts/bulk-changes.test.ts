import { expect, test } from 'vitest';
import { describePreview } from './bulk-changes.ts';

const some = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test.each([
  [1_200, 0, 0, '1,200 alerts will be acknowledged.'],
  [1, 1, 0, '1 alert will be acknowledged. 1 is already acknowledged.'],
  [0, 2, 3, 'No alerts will change. 2 are already acknowledged. 3 are no longer open.'],
])('%i changed, %i unchanged, %i gone: %s', (changed, unchanged, gone, sentence) => {
  const outcome = { changed: some(changed), unchanged: some(unchanged), not_found: some(gone) };
  expect(describePreview('acknowledge', outcome)).toBe(sentence);
});
