import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  maxAttempts,
  nextAttemptAt,
  parseRetryAfter,
  probeWaitMs,
  runRetryAt,
  seriesExpiresAt,
} from './retry-schedule.ts';

const now = new Date('2026-11-21T05:10:00.000Z');
const schedule = [10, 30, 60, 300, 900, 1_800, 3_600, 7_200, 14_400, 14_400, 14_400];

function waitMs(attempt: number, retryAfter: string | null, random = 0.5): number | null {
  const at = nextAttemptAt(schedule, attempt, now, retryAfter, random);
  return at && at.getTime() - now.getTime();
}

describe('the next attempt of a delivery', () => {
  it('follows the schedule, and is null after the last attempt', () => {
    expect(schedule.map((_, i) => waitMs(i + 1, null))).toEqual(schedule.map((seconds) => seconds * 1_000));
    expect(waitMs(12, null)).toBeNull();
    expect(waitMs(13, '60')).toBeNull();
    expect(maxAttempts(schedule)).toBe(12);
    expect(nextAttemptAt([], 1, now, '60', 0)).toBeNull();
  });

  it('is randomized by up to 20 % in both directions', () => {
    expect(waitMs(1, null, 0)).toBe(8_000);
    expect(waitMs(1, null, 0.25)).toBe(9_000);
    expect(waitMs(1, null, 0.999_999)).toBe(12_000);
  });

  it('is delayed if the receiver requests it, up to twice the planned wait', () => {
    const table: [string, number][] = [
      ['5', 10_000],
      ['15', 15_000],
      ['20', 20_000],
      ['3600', 20_000],
      ['99999999999999999999', 20_000],
      ['Sat, 21 Nov 2026 05:10:15 GMT', 15_000],
      ['Sat, 21 Nov 2026 06:00:00 GMT', 20_000],
      ['Sat, 21 Nov 2026 05:00:00 GMT', 10_000],
      ['0', 10_000],
      ['-5', 10_000],
      ['1.5', 10_000],
      ['1e9', 10_000],
      ['soon', 10_000],
      ['', 10_000],
    ];
    for (const [retryAfter, expected] of table) expect(waitMs(1, retryAfter), retryAfter).toBe(expected);
  });

  it('is never earlier than 80 % or later than twice the planned wait, regardless of the Retry-After header', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 11 }),
        fc.oneof(
          fc.string(),
          fc.integer().map(String),
          fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
        ),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempt, retryAfter, random) => {
          const planned = (schedule[attempt - 1] ?? 0) * 1_000;
          const wait = waitMs(attempt, retryAfter, random) ?? -1;
          expect(wait).toBeGreaterThanOrEqual(planned * 0.8);
          expect(wait).toBeLessThanOrEqual(planned * 2);
        },
      ),
    );
  });
});

describe('Retry-After', () => {
  it('accepts seconds and the three HTTP date formats', () => {
    const inFiveMinutes = [
      '300',
      ' 300 ',
      'Sat, 21 Nov 2026 05:15:00 GMT',
      'Saturday, 21-Nov-26 05:15:00 GMT',
      'Sat Nov 21 05:15:00 2026',
    ];
    for (const value of inFiveMinutes) expect(parseRetryAfter(value, now), value).toBe(300_000);
    const nothing = [
      null,
      '',
      '0',
      '-1',
      '+5',
      '5s',
      '0x10',
      '2026-11-21T05:15:00Z',
      'tomorrow',
      'Sat, 99 Nov 2026 05:15:00 GMT',
      'Sat, 21 Nov 2020 05:15:00 GMT',
      '300, 400',
    ];
    for (const value of nothing) expect(parseRetryAfter(value, now), String(value)).toBeNull();
  });

  it('is limited to about one year', () => {
    expect(parseRetryAfter('9'.repeat(400), now)).toBe(366 * 86_400_000);
    expect(parseRetryAfter('Fri, 31 Dec 9999 23:59:59 GMT', now)).toBe(366 * 86_400_000);
  });
});

describe('a series of attempts', () => {
  it("doesn't expire while its attempts follow the schedule, even with the longest random waits", () => {
    let at = now;
    for (let attempt = 1; ; attempt += 1) {
      const next = nextAttemptAt([1, 2, 3], attempt, new Date(at.getTime() + 15_000), null, 0.999_999);
      if (!next) break;
      at = next;
    }
    expect(seriesExpiresAt([1, 2, 3], now, 15).getTime()).toBeGreaterThanOrEqual(at.getTime());
    expect(seriesExpiresAt([1, 2, 3], now, 15).getTime() - now.getTime()).toBe(67_200);
  });
});

describe('the delay', () => {
  it('before a failed run is retried is 30 s at first, then 2 min', () => {
    expect([1, 2, 3, 9].map((attempt) => runRetryAt(attempt, now).getTime() - now.getTime())).toEqual([
      30_000, 120_000, 120_000, 120_000,
    ]);
  });

  it('between two probes of a dead channel is one minute until the tenth probe fails, then increases to 15 min', () => {
    expect([0, 9, 10, 11, 12, 13, 1_000].map((failed) => probeWaitMs(failed) / 60_000)).toEqual([
      1, 1, 2, 4, 8, 15, 15,
    ]);
  });
});
