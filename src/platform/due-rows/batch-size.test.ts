import { expect, test } from 'vitest';
import { BatchSize } from './batch-size.ts';

const sizeAfter = (...batches: [rows: number, durationMs: number][]) => {
  const size = new BatchSize({ min: 20, max: 500, first: 100 });
  for (const [rows, durationMs] of batches) size.adaptTo(rows, durationMs);
  return size.rows;
};

test('the size of a batch follows the duration of the last one, within its limits', () => {
  expect(sizeAfter()).toBe(100);
  expect(sizeAfter([100, 500])).toBe(50);
  expect(sizeAfter([100, 500], [50, 125])).toBe(100);
  expect(sizeAfter([100, 60_000])).toBe(20);
  expect(sizeAfter([100, 10])).toBe(200);
  expect(sizeAfter([100, 10], [200, 20], [400, 40])).toBe(500);
});

test('a batch of few rows lowers the size only if it took too long', () => {
  expect(sizeAfter([2, 1])).toBe(100);
  expect(sizeAfter([2, 100])).toBe(100);
  expect(sizeAfter([0, 1_000])).toBe(100);
  expect(sizeAfter([30, 375])).toBe(20);
});
