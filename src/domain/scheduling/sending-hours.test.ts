import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { isEmptyHours, nextOpening, type SendingHours, weekdays } from './sending-hours.ts';
import { zoneOffset } from './time-zone.ts';

const office: SendingHours = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '08:00', to: '18:00' };

function opening(hours: readonly SendingHours[], timeZone: string, now: string): string | null {
  return nextOpening(hours, timeZone, new Date(now))?.toISOString() ?? null;
}

test.each<[string, readonly SendingHours[], string, string, string | null]>([
  ['always open without sending hours', [], 'UTC', '2026-03-15T03:00:00Z', null],
  ['on Monday at noon', [office], 'UTC', '2026-03-16T12:00:00Z', null],
  ['in the first millisecond of the hours', [office], 'UTC', '2026-03-16T08:00:00Z', null],
  ['a millisecond before the hours', [office], 'UTC', '2026-03-16T07:59:59.999Z', '2026-03-16T08:00:00.000Z'],
  ['at the end of the hours', [office], 'UTC', '2026-03-16T18:00:00Z', '2026-03-17T08:00:00.000Z'],
  ['over the weekend', [office], 'UTC', '2026-03-20T18:00:00Z', '2026-03-23T08:00:00.000Z'],
  [
    'in the time zone of the hours',
    [office],
    'Asia/Tokyo',
    '2026-03-15T22:00:00Z',
    '2026-03-15T23:00:00.000Z',
  ],
  [
    'just before hours end at midnight',
    [{ days: ['sun'], from: '20:00', to: '24:00' }],
    'UTC',
    '2026-03-15T23:59:59Z',
    null,
  ],
  [
    'on the morning after overnight hours start',
    [{ days: ['fri'], from: '22:00', to: '06:00' }],
    'UTC',
    '2026-03-21T05:59:00Z',
    null,
  ],
  [
    'on the morning before overnight hours start',
    [{ days: ['fri'], from: '22:00', to: '06:00' }],
    'UTC',
    '2026-03-20T05:59:00Z',
    '2026-03-20T22:00:00.000Z',
  ],
  [
    'the earlier of two openings',
    [office, { days: ['sat'], from: '10:00', to: '12:00' }],
    'UTC',
    '2026-03-20T18:00:00Z',
    '2026-03-21T10:00:00.000Z',
  ],
  [
    'a week later if the hours are over today',
    [{ days: ['sun'], from: '02:00', to: '03:00' }],
    'UTC',
    '2026-03-15T03:00:00Z',
    '2026-03-22T02:00:00.000Z',
  ],
])('the next opening is correct: %s', (_, hours, timeZone, now, expected) => {
  expect(opening(hours, timeZone, now)).toBe(expected);
});

describe('a channel with sending hours at a clock change', () => {
  // The clock in Berlin jumps from 02:00 to 03:00 on 2026-03-29 and from 03:00 back to 02:00 on 2026-10-25,
  // both at 01:00 UTC.
  const early: SendingHours = { days: ['sun'], from: '02:30', to: '04:00' };

  it('opens after the gap if the clock skips the start of the sending hours', () => {
    expect(opening([early], 'Europe/Berlin', '2026-03-29T00:59:59Z')).toBe('2026-03-29T01:00:00.000Z');
  });

  it('opens a week later if the clock skips all of the sending hours', () => {
    const skipped = { ...early, to: '03:00' };
    expect(opening([skipped], 'Europe/Berlin', '2026-03-28T12:00:00Z')).toBe('2026-04-05T00:30:00.000Z');
  });

  it('opens at 08:00 local time before and after the change', () => {
    expect(opening([office], 'Europe/Berlin', '2026-03-27T20:00:00Z')).toBe('2026-03-30T06:00:00.000Z');
    expect(opening([office], 'Europe/Berlin', '2026-10-23T20:00:00Z')).toBe('2026-10-26T07:00:00.000Z');
  });

  it('opens twice if the clock repeats the sending hours', () => {
    const twice = { ...early, from: '02:15', to: '02:45' };
    const at = (now: string) => opening([twice], 'Europe/Berlin', now);
    expect(at('2026-10-25T00:00:00Z')).toBe('2026-10-25T00:15:00.000Z');
    expect(at('2026-10-25T00:30:00Z')).toBe(null);
    expect(at('2026-10-25T00:45:00Z')).toBe('2026-10-25T01:15:00.000Z');
    expect(at('2026-10-25T01:30:00Z')).toBe(null);
  });

  it('reopens if the clock goes back into sending hours that have just ended', () => {
    const before = { ...early, from: '01:00', to: '02:30' };
    expect(opening([before], 'Europe/Berlin', '2026-10-25T00:40:00Z')).toBe('2026-10-25T01:00:00.000Z');
  });

  it('opens before the clock change if the sending hours of the previous day have ended', () => {
    const nights: SendingHours = { days: ['sat', 'sun'], from: '00:00', to: '02:45' };
    expect(opening([nights], 'Australia/Lord_Howe', '2026-10-02T16:15:00Z')).toBe('2026-10-03T13:30:00.000Z');
  });
});

const clock = fc
  .integer({ min: 0, max: 24 * 4 - 1 })
  .map(
    (quarter) =>
      `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${quarter % 4 === 0 ? '00' : (quarter % 4) * 15}`,
  );
const someHours = fc
  .record({ days: fc.subarray([...weekdays], { minLength: 1 }), from: clock, to: clock })
  .filter((hours) => !isEmptyHours(hours));

it('the next opening is the first minute within the sending hours according to a minute-by-minute search', () => {
  const zones = fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kolkata',
  );
  // The dates are near the clock changes of the zones, except for one date in June.
  const starts = fc.constantFrom(
    '2026-03-06',
    '2026-03-27',
    '2026-04-03',
    '2026-06-10',
    '2026-10-02',
    '2026-10-23',
    '2026-10-30',
  );
  fc.assert(
    fc.property(
      fc.array(someHours, { minLength: 1, maxLength: 3 }),
      zones,
      starts,
      fc.nat(4 * 24 * 60),
      (hours, zone, start, minutes) => {
        const now = Date.parse(`${start}T00:00:00Z`) + minutes * 60_000;
        const found = nextOpening(hours, zone, new Date(now));
        expect(found?.getTime() ?? now).toBe(walk(hours, zone, now));
      },
    ),
    { numRuns: 150 },
  );
});

/** Finds the next opening independently of the code under test by checking the local time of every minute. */
function walk(hours: readonly SendingHours[], zone: string, from: number): number | null {
  for (let at = from; at < from + 16 * 86_400_000; at += 60_000) {
    const wall = new Date(at + zoneOffset(zone, at));
    const text = wall.toISOString().slice(11, 16);
    const today = (wall.getUTCDay() + 6) % 7;
    const isOpen = hours.some(({ days, from: begin, to }) => {
      const begins = (day: number) => days.includes(weekdays[(day + 7) % 7]!);
      return begin < to
        ? begins(today) && begin <= text && text < to
        : (begins(today) && begin <= text) || (begins(today - 1) && text < to);
    });
    if (isOpen) return at;
  }
  return null;
}
