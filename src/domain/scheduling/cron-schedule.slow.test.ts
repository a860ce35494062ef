import { describe, expect, it } from 'vitest';
import { parseCron } from './cron-expression.ts';
import { jobJitterMs, nextDueAt, nextRun, scheduleIntervalMs, staleAfterMs } from './cron-schedule.ts';
import { isTimeZone } from './time-zone.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Returns the runs after `from` and before `until`. All times are in UTC, to the minute. */
function runs(expression: string, timeZone: string, from: string, until: string): string[] {
  const found: string[] = [];
  const end = Date.parse(`${until}Z`);
  for (let at = nextRun(expression, timeZone, new Date(`${from}Z`)); at && at.getTime() < end; ) {
    found.push(at.toISOString().slice(0, 16));
    at = nextRun(expression, timeZone, at);
  }
  return found;
}

interface Case {
  zone: string;
  expression: string;
  from: string;
  until: string;
  expected: string[];
}

function check({ zone, expression, from, until, expected }: Case): void {
  expect(runs(expression, zone, from, until), `${expression} in ${zone} from ${from}`).toEqual(expected);
}

describe('a schedule when the clock skips an hour', () => {
  it('runs at the first instant after the gap instead of at a skipped time', () => {
    const berlin = { zone: 'Europe/Berlin', from: '2026-03-28T23:00', until: '2026-03-29T22:00' };
    const newYork = { zone: 'America/New_York', from: '2026-03-08T05:00', until: '2026-03-09T04:00' };
    const table: Case[] = [
      { ...berlin, expression: '30 2 * * *', expected: ['2026-03-29T01:00'] },
      { ...berlin, expression: '0 2 * * *', expected: ['2026-03-29T01:00'] },
      { ...berlin, expression: '59 2 * * *', expected: ['2026-03-29T01:00'] },
      { ...berlin, expression: '0 3 * * *', expected: ['2026-03-29T01:00'] },
      { ...berlin, expression: '0 2,14 * * *', expected: ['2026-03-29T01:00', '2026-03-29T12:00'] },
      { ...berlin, expression: '*/15 2 * * *', expected: ['2026-03-29T01:00'] },
      {
        ...berlin,
        expression: '0 1-4 * * *',
        expected: ['2026-03-29T00:00', '2026-03-29T01:00', '2026-03-29T02:00'],
      },
      { ...berlin, expression: '30 2-3 * * *', expected: ['2026-03-29T01:00', '2026-03-29T01:30'] },
      { ...newYork, expression: '30 2 * * *', expected: ['2026-03-08T07:00'] },
      { ...newYork, expression: '30 2 8 3 *', expected: ['2026-03-08T07:00'] },
      {
        // The clock skips only half an hour, from 02:00 to 02:30.
        zone: 'Australia/Lord_Howe',
        expression: '15 2 * * *',
        from: '2026-10-03T13:00',
        until: '2026-10-04T13:00',
        expected: ['2026-10-03T15:30'],
      },
      {
        zone: 'Australia/Lord_Howe',
        expression: '45 2 * * *',
        from: '2026-10-03T13:00',
        until: '2026-10-04T13:00',
        expected: ['2026-10-03T15:45'],
      },
      {
        // The clock skips the hour at midnight, so the day starts at 01:00.
        zone: 'America/Sao_Paulo',
        expression: '@daily',
        from: '2018-11-03T12:00',
        until: '2018-11-05T12:00',
        expected: ['2018-11-04T03:00', '2018-11-05T02:00'],
      },
      {
        // Samoa skipped all of December 30, 2011.
        zone: 'Pacific/Apia',
        expression: '0 12 30 12 *',
        from: '2011-12-29T00:00',
        until: '2012-01-02T00:00',
        expected: ['2011-12-30T10:00'],
      },
    ];
    for (const row of table) check(row);
  });

  it('has no runs in the gap if it includes every hour', () => {
    const berlin = { zone: 'Europe/Berlin', from: '2026-03-28T23:59', until: '2026-03-29T02:01' };
    check({
      ...berlin,
      expression: '*/30 * * * *',
      expected: [
        '2026-03-29T00:00',
        '2026-03-29T00:30',
        '2026-03-29T01:00',
        '2026-03-29T01:30',
        '2026-03-29T02:00',
      ],
    });
    check({ ...berlin, expression: '15 * * * *', expected: ['2026-03-29T00:15', '2026-03-29T01:15'] });
    check({
      ...berlin,
      expression: '@hourly',
      expected: ['2026-03-29T00:00', '2026-03-29T01:00', '2026-03-29T02:00'],
    });
  });
});

describe('a schedule when the clock repeats an hour', () => {
  it('runs only once at a time that the clock shows twice, at the first occurrence', () => {
    const berlin = { zone: 'Europe/Berlin', from: '2026-10-24T22:00', until: '2026-10-25T22:00' };
    const table: Case[] = [
      { ...berlin, expression: '30 2 * * *', expected: ['2026-10-25T00:30'] },
      { ...berlin, expression: '0 2 * * *', expected: ['2026-10-25T00:00'] },
      { ...berlin, expression: '0 3 * * *', expected: ['2026-10-25T02:00'] },
      { ...berlin, expression: '0,30 2 * * *', expected: ['2026-10-25T00:00', '2026-10-25T00:30'] },
      {
        ...berlin,
        expression: '0 1-3 * * *',
        expected: ['2026-10-24T23:00', '2026-10-25T00:00', '2026-10-25T02:00'],
      },
      // The search starts in the middle of the repeated hour. The first 02:30 has already passed, and the
      // second one is skipped.
      { ...berlin, expression: '30 2 * * *', from: '2026-10-25T01:10', expected: [] },
      {
        zone: 'America/New_York',
        expression: '30 1 * * *',
        from: '2026-11-01T00:00',
        until: '2026-11-02T05:00',
        expected: ['2026-11-01T05:30'],
      },
      {
        zone: 'Australia/Lord_Howe',
        expression: '45 1 * * *',
        from: '2026-04-04T13:00',
        until: '2026-04-05T13:00',
        expected: ['2026-04-04T14:45'],
      },
      {
        // At midnight, the clock goes back to 23:00 of the previous day.
        zone: 'America/Sao_Paulo',
        expression: '30 23 * * *',
        from: '2018-02-17T12:00',
        until: '2018-02-19T02:00',
        expected: ['2018-02-18T01:30'],
      },
      {
        zone: 'America/Sao_Paulo',
        expression: '@daily',
        from: '2018-02-17T12:00',
        until: '2018-02-19T12:00',
        expected: ['2018-02-18T03:00', '2018-02-19T03:00'],
      },
    ];
    for (const row of table) check(row);
  });

  it('runs at every actual instant if it includes every hour, even twice in the repeated hour', () => {
    const halfHours = ['00:00', '00:30', '01:00', '01:30', '02:00', '02:30'].map(
      (time) => `2026-10-25T${time}`,
    );
    check({
      zone: 'Europe/Berlin',
      expression: '*/30 * * * *',
      from: '2026-10-24T23:59',
      until: '2026-10-25T03:00',
      expected: halfHours,
    });
    check({
      zone: 'Europe/Berlin',
      expression: '0 * * * *',
      from: '2026-10-24T23:59',
      until: '2026-10-25T03:00',
      expected: halfHours.filter((time) => time.endsWith(':00')),
    });
    check({
      zone: 'Australia/Lord_Howe',
      expression: '*/30 * * * *',
      from: '2026-04-04T13:59',
      until: '2026-04-04T16:01',
      expected: ['14:00', '14:30', '15:00', '15:30', '16:00'].map((time) => `2026-04-04T${time}`),
    });
  });

  it('runs in the repeated hour at the end of the only matching day', () => {
    // The search starts at 23:45 on February 17, 2018. At midnight, the clock in São Paulo goes back, so
    // 23:00 to 23:59 occurs again.
    check({
      zone: 'America/Sao_Paulo',
      expression: '30 * 17 2 *',
      from: '2018-02-18T01:45',
      until: '2018-02-19T00:00',
      expected: ['2018-02-18T02:30'],
    });
  });
});

describe('a schedule over a year', () => {
  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'America/Sao_Paulo',
    'Africa/Casablanca',
    'Pacific/Chatham',
  ];

  it('has the expected number of runs in every zone', () => {
    for (const zone of zones) {
      for (const [expression, expected] of [
        ['30 2 * * *', 365],
        ['0 0 * * *', 365],
        ['0 9 * * MON-FRI', 261],
        ['0 */6 * * *', 1_460],
        ['0 0 1 * *', 12],
      ] as const) {
        // The year starts and ends at noon UTC, because no zone has a clock change then.
        const found = runs(expression, zone, '2026-01-01T12:01', '2027-01-01T12:01');
        expect(found.length, `${expression} in ${zone}`).toBe(expected);
        expect(new Set(found).size, `${expression} in ${zone}`).toBe(expected);
      }
    }
  });

  it('runs exactly every 30 minutes if it is half-hourly, even across clock changes', () => {
    for (const zone of ['Europe/Berlin', 'Australia/Lord_Howe']) {
      let at = new Date('2026-01-01T12:00:00Z');
      let count = 0;
      for (; at.getTime() < Date.parse('2027-01-01T12:00:00Z'); count += 1) {
        const next = nextRun('*/30 * * * *', zone, at);
        const waited = (next?.getTime() ?? 0) - at.getTime();
        if (waited !== 30 * minuteMs) expect.fail(`${waited} ms in ${zone} after ${at.toISOString()}`);
        at = next ?? at;
      }
      expect(count, zone).toBe(17_520);
    }
  });

  it('matches a simulation that checks the clock of the zone minute by minute', () => {
    const changes: [string, string][] = [
      ['Europe/Berlin', '2026-03-29T01:00'],
      ['Europe/Berlin', '2026-10-25T01:00'],
      ['America/New_York', '2026-03-08T07:00'],
      ['America/New_York', '2026-11-01T06:00'],
      ['Australia/Lord_Howe', '2026-10-03T15:30'],
      ['Australia/Lord_Howe', '2026-04-04T15:00'],
      ['America/Sao_Paulo', '2018-11-04T03:00'],
      ['America/Sao_Paulo', '2018-02-18T02:00'],
      ['Pacific/Apia', '2011-12-30T10:00'],
      ['Asia/Kathmandu', '2026-06-01T00:00'],
    ];
    const expressions = [
      '*/7 * * * *',
      '30 */2 * * *',
      '20 2 * * *',
      '0,40 0-3 * * *',
      '10 23 * * 6,0',
      '5 1-5/2 * * *',
    ];
    for (const [zone, change] of changes) {
      const middle = Date.parse(`${change}Z`);
      for (const expression of expressions) {
        const from = new Date(middle - 30 * hourMs).toISOString().slice(0, 16);
        const until = new Date(middle + 30 * hourMs).toISOString().slice(0, 16);
        const expected = readMinuteByMinute(expression, zone, from, until);
        expect(runs(expression, zone, from, until), `${expression} in ${zone}`).toEqual(expected);
      }
    }
  });
});

const clocks = new Map<string, { format: Intl.DateTimeFormat; read: Map<number, number> }>();

/**
 * Returns the wall-clock time in the zone, encoded as if it were UTC. Each minute is computed once and cached
 * for all expressions.
 */
function wallClock(timeZone: string, at: number): number {
  let clock = clocks.get(timeZone);
  if (!clock) {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
    clocks.set(timeZone, (clock = { format, read: new Map() }));
  }
  let wall = clock.read.get(at);
  if (wall === undefined) {
    wall = Date.parse(`${clock.format.format(at).replace(' ', 'T')}Z`);
    clock.read.set(at, wall);
  }
  return wall;
}

/** A second, simpler implementation of the schedule rules, which checks the clock of the zone in every minute. */
function readMinuteByMinute(expression: string, timeZone: string, from: string, until: string): string[] {
  const parsed = parseCron(expression);
  if (!parsed.ok) throw new Error(parsed.message);
  const { cron } = parsed;
  const matches = (wall: number): boolean => {
    const time = new Date(wall);
    // Checks the minute and the hour first, because `nextWall` is slow.
    const isTime = cron.minutes.includes(time.getUTCMinutes()) && cron.hours.includes(time.getUTCHours());
    return isTime && cron.nextWall(wall - 1) === wall;
  };
  const found = new Set<number>();
  const seen = new Set<number>();
  const start = Date.parse(`${from}Z`) - 2 * dayMs;
  let highest: number | null = null;
  for (let at = start; at < Date.parse(`${until}Z`); at += minuteMs) {
    const wall = wallClock(timeZone, at);
    if (cron.isContinuous) {
      if (matches(wall)) found.add(at);
      continue;
    }
    // The clock skipped the times between the previous minute and this one.
    for (let skipped = (highest ?? wall) + minuteMs; skipped < wall; skipped += minuteMs) {
      if (matches(skipped)) found.add(at);
    }
    if (!seen.has(wall) && matches(wall)) found.add(at);
    seen.add(wall);
    highest = Math.max(highest ?? wall, wall);
  }
  return [...found]
    .filter((at) => at > Date.parse(`${from}Z`))
    .map((at) => new Date(at).toISOString().slice(0, 16));
}

describe('nextRun', () => {
  it('is strictly later than the given time, to the millisecond', () => {
    const next = (after: string): string | undefined =>
      nextRun('0 12 * * *', 'UTC', new Date(after))?.toISOString();
    expect(next('2026-05-01T11:59:59.999Z')).toBe('2026-05-01T12:00:00.000Z');
    expect(next('2026-05-01T12:00:00.000Z')).toBe('2026-05-02T12:00:00.000Z');
    expect(next('2026-05-01T12:00:00.001Z')).toBe('2026-05-02T12:00:00.000Z');
  });

  it('schedules only one run for a long-overdue job, at the next regular time', () => {
    const now = new Date('2026-05-20T08:00:30Z');
    expect(nextDueAt('*/5 * * * *', 'UTC', now, 0)?.toISOString()).toBe('2026-05-20T08:05:00.000Z');
  });

  it('finds February 29 years ahead', () => {
    expect(nextRun('0 0 29 2 *', 'Europe/Berlin', new Date('2026-01-01T00:00:00Z'))?.toISOString()).toBe(
      '2028-02-28T23:00:00.000Z',
    );
  });

  it('returns the same results regardless of the order of the calls', () => {
    // The times are 17 minutes apart and cover three days around each of the two clock changes.
    const times = ['2026-03-28T00:00:00Z', '2026-10-24T00:00:00Z'].flatMap((start) =>
      Array.from({ length: 254 }, (_, index) => new Date(Date.parse(start) + index * 17 * 60_000)),
    );
    for (const expression of ['30 2 * * *', '*/20 * * * *', '0 * * * *']) {
      const ask = (at: Date) => nextRun(expression, 'Europe/Berlin', at)?.toISOString();
      const forwards = times.map(ask);
      const backwards = times.toReversed().map(ask).toReversed();
      // A call with a distant time before each call replaces the cached result.
      const apart = times.map((at) => {
        ask(new Date(0));
        return ask(at);
      });
      expect(forwards).toEqual(apart);
      expect(backwards).toEqual(apart);
    }
  });

  it("throws for an expression or time zone that wasn't validated", () => {
    expect(() => nextRun('nonsense', 'UTC', new Date(0))).toThrow(/invalid cron expression/u);
    expect(() => nextRun('* * * * *', 'Mars/Olympus', new Date(0))).toThrow();
  });
});

describe('the jitter of a job', () => {
  it('is constant, at most 30 s, and evenly distributed across jobs', () => {
    const jitters = Array.from({ length: 3_000 }, (_, i) => jobJitterMs('gather', i + 1));
    expect(jitters).toEqual(Array.from({ length: 3_000 }, (_, i) => jobJitterMs('gather', String(i + 1))));
    expect(Math.min(...jitters)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...jitters)).toBeLessThanOrEqual(30_000);
    const perTenth = Array.from(
      { length: 10 },
      (_, i) => jitters.filter((j) => Math.floor(j / 3_001) === i).length,
    );
    // An even distribution has 300 jobs in each tenth. With a bad hash, at least one tenth would differ by far more
    // than 100.
    for (const count of perTenth) expect(Math.abs(count - 300)).toBeLessThan(100);
    expect(jobJitterMs('gather', 1)).not.toBe(jobJitterMs('scrape', 1));
  });

  it('delays every run by the same time and skips none', () => {
    const due = (after: string): string | undefined =>
      nextDueAt('*/10 * * * *', 'UTC', new Date(after), 20_000)?.toISOString();
    expect(due('2026-05-01T11:59:59Z')).toBe('2026-05-01T12:00:20.000Z');
    expect(due('2026-05-01T12:00:10Z')).toBe('2026-05-01T12:00:20.000Z');
    expect(due('2026-05-01T12:00:20Z')).toBe('2026-05-01T12:10:20.000Z');
  });
});

describe('the interval of a schedule', () => {
  it('is the longest gap between two consecutive runs', () => {
    const table: [string, number][] = [
      ['* * * * *', minuteMs],
      ['*/30 * * * *', 30 * minuteMs],
      ['@hourly', hourMs],
      ['0,10 * * * *', 50 * minuteMs],
      ['0 6,18 * * *', 12 * hourMs],
      ['0 6,8 * * *', 22 * hourMs],
      ['@daily', dayMs],
      ['0 9 * * 1-5', 3 * dayMs],
      ['*/5 9-17 * * 1-5', 2 * dayMs + 15 * hourMs + 5 * minuteMs],
      ['@weekly', 7 * dayMs],
      ['@monthly', 31 * dayMs],
      ['0 0 1 1-6 *', 214 * dayMs],
      ['@yearly', 366 * dayMs],
      ['0 0 29 2 *', 1_461 * dayMs],
    ];
    for (const [expression, expected] of table)
      expect(scheduleIntervalMs(expression), expression).toBe(expected);
  });

  it('determines when a job is stale: after three intervals, but not before two days', () => {
    expect(staleAfterMs('*/30 * * * *')).toBe(2 * dayMs);
    expect(staleAfterMs('@daily')).toBe(3 * dayMs);
    expect(staleAfterMs('@weekly')).toBe(21 * dayMs);
  });
});

describe('isTimeZone', () => {
  it('accepts only time zone names', () => {
    for (const name of [
      'UTC',
      'Europe/Berlin',
      'America/Argentina/Buenos_Aires',
      'Etc/GMT+5',
      'Asia/Kathmandu',
    ]) {
      expect(isTimeZone(name), name).toBe(true);
    }
    for (const name of [
      '',
      ' ',
      'Mars/Olympus',
      '+02:00',
      '-05:00',
      'UTC+2',
      'Europe/Berlin ',
      '../etc',
      'x'.repeat(99),
    ]) {
      expect(isTimeZone(name), name).toBe(false);
    }
  });
});
