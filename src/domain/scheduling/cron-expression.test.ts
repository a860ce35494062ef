import { Cron } from 'croner';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCron } from './cron-expression.ts';

function check(expression: string, expected: RegExp | true): void {
  const result = parseCron(expression);
  if (expected === true) expect(result, expression).toMatchObject({ ok: true });
  else expect(result.ok ? 'accepted' : result.message, expression).toMatch(expected);
}

describe('parseCron', () => {
  it('accepts five fields with lists, ranges, steps, and names, and the usual shortcuts such as @daily', () => {
    for (const expression of [
      '* * * * *',
      '*/30 * * * *',
      '0 9 * * 1-5',
      '0 9 * * MON-FRI',
      '0 9 * * mon-sun',
      '0 9 * * fri-sun',
      '0,15,30,45 0-6/2,12 1,15 JAN,jul *',
      '5-59/15 * * * *',
      '  0   0  1  1  * ',
      '0\t0\t* * 7',
      '0 0 29 2 *',
      '0 0 31 2 MON',
      '@hourly',
      '@daily',
      '@midnight',
      '@weekly',
      '@monthly',
      '@yearly',
      '@annually',
      '@DAILY',
    ]) {
      check(expression, true);
    }
  });

  it('reports the invalid field and the reason', () => {
    const table: [string, RegExp][] = [
      ['', /five fields.*found 0/u],
      ['* * * *', /five fields.*found 4/u],
      ['0 * * * * *', /five fields.*found 6/u],
      ['60 * * * *', /minute \(field 1\).*"60" isn't valid: use a number from 0 to 59/u],
      ['* 24 * * *', /hour \(field 2\).*0 to 23/u],
      ['* * 0 * *', /day of month \(field 3\).*1 to 31/u],
      ['* * 32 * *', /day of month \(field 3\).*1 to 31/u],
      ['* * * 13 *', /month \(field 4\).*1 to 12/u],
      ['* * * foo *', /month \(field 4\).*a name such as FEB/u],
      ['* * * * 8', /day of week \(field 5\).*0 to 7/u],
      ['* * * * monday', /day of week \(field 5\)/u],
      ['jan * * * *', /minute \(field 1\)/u],
      ['-1 * * * *', /minute \(field 1\)/u],
      ['1.5 * * * *', /minute \(field 1\)/u],
      ['1e1 * * * *', /minute \(field 1\)/u],
      ['0x5 * * * *', /minute \(field 1\)/u],
      ['*/0 * * * *', /step in "\*\/0" must be a number from 1 to 60/u],
      ['*/61 * * * *', /step/u],
      ['*/ * * * *', /step/u],
      ['*/-5 * * * *', /step/u],
      ['*/2/3 * * * *', /step/u],
      ['5/15 * * * *', /needs a range before it: 5-59\/15/u],
      ['30-10 * * * *', /"30-10" is reversed/u],
      ['0 22-2 * * *', /hour \(field 2\).*is reversed/u],
      ['1-2-3 * * * *', /or a range/u],
      ['1,,2 * * * *', /empty list item/u],
      [',1 * * * *', /empty list item/u],
      ['1, * * * *', /empty list item/u],
      ['0 0 L * *', /day of month/u],
      ['0 0 15W * *', /day of month/u],
      ['0 0 * * 5#2', /day of week/u],
      ['? * * * *', /minute/u],
      ['0 0 ? * *', /day of month/u],
      ['@reboot', /Unknown shortcut "@reboot"/u],
      ['@every 5m', /Unknown shortcut/u],
      ['@', /Unknown shortcut/u],
    ];
    for (const [expression, expected] of table) check(expression, expected);
  });

  it('rejects schedules that never run', () => {
    for (const expression of ['0 0 31 2 *', '0 0 30 2 *', '0 0 30-31 feb *', '0 0 31 2,4,6,9,11 *']) {
      check(expression, /never runs/u);
    }
  });

  it('limits the length of an expression, and of the parts of it that error messages quote', () => {
    check('1,'.repeat(5_000), /at most 256/u);
    const result = parseCron(`${'x'.repeat(200)} * * * *`);
    expect(result.ok ? '' : result.message.length).toBeLessThan(120);
  });

  it('returns the same next run as a reference implementation for any combination of fields', () => {
    const field = (min: number, max: number): fc.Arbitrary<string> => {
      const value = fc.integer({ min, max });
      const range = fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
      const step = fc.tuple(
        fc.oneof(range, fc.constant('*')),
        fc.integer({ min: 1, max: max === 7 ? 7 : max - min + 1 }),
      );
      const item = fc.oneof(
        value.map(String),
        range,
        step.map(([span, by]) => `${span}/${by}`),
        fc.constant('*'),
      );
      return fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => items.join(','));
    };
    const expression = fc
      .tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 7))
      .map((fields) => fields.join(' '));
    fc.assert(
      fc.property(expression, fc.integer({ min: 0, max: 2_000_000 }), (text, minutes) => {
        const result = parseCron(text);
        const from = Date.UTC(2025, 0, 1) + minutes * 60_000;
        const reference = new Cron(text, { mode: '5-part', timezone: 'UTC', paused: true }).nextRun(
          new Date(from),
        );
        if (!result.ok) {
          expect(reference, text).toBeNull();
          return;
        }
        const wall = result.cron.nextWall(from);
        expect(wall, text).toBe(reference?.getTime() ?? null);
        const next = new Date(wall ?? 0);
        expect(result.cron.minutes, text).toContain(next.getUTCMinutes());
        expect(result.cron.hours, text).toContain(next.getUTCHours());
      }),
      { numRuns: 300 },
    );
  });
});
