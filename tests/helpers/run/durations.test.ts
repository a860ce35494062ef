import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import {
  averageDurations,
  type Durations,
  orderAgreement,
  readDurations,
  writeDurations,
} from './durations.ts';

const durations = (seconds: Record<string, number>): Durations =>
  new Map(Object.entries(seconds).map(([file, each]) => [file, { seconds: each, setupSeconds: each / 10 }]));

describe('recorded durations', () => {
  test('are read as they were written, in alphabetical order and with one decimal', () => {
    const file = path.join(temporaryFolder(), 'durations.json');
    writeDurations(durations({ 'b.test.ts': 12.34, 'a.test.ts': 1 }), file);
    expect([...readDurations(file)]).toEqual([
      ['a.test.ts', { seconds: 1, setupSeconds: 0.1 }],
      ['b.test.ts', { seconds: 12.3, setupSeconds: 1.2 }],
    ]);
  });

  test('are empty if the file does not exist', () => {
    expect(readDurations(path.join(temporaryFolder(), 'none.json'))).toEqual(new Map());
  });

  test('are averaged over the runs that contain the file', () => {
    const average = averageDurations([durations({ a: 10, b: 2 }), durations({ a: 20 })]);
    expect([...average].map(([file, { seconds }]) => [file, seconds])).toEqual([
      ['a', 15],
      ['b', 2],
    ]);
  });
});

describe('the orderAgreement of two runs', () => {
  const recorded = durations({ a: 100, b: 10, c: 1 });

  test('is 1 for durations from a machine with a different speed', () => {
    expect(orderAgreement(recorded, durations({ a: 300, b: 30, c: 3 }))).toBe(1);
  });

  test('is the share of file pairs that are in the same order', () => {
    expect(orderAgreement(recorded, durations({ a: 5, b: 20, c: 1 }))).toBeCloseTo(2 / 3);
  });

  test('ignores pairs with similar durations, and files that only one run contains', () => {
    expect(orderAgreement(recorded, durations({ a: 9, b: 10, d: 50 }))).toBe(1);
  });
});
