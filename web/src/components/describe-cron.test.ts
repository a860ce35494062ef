import { expect, it } from 'vitest';
import { describeCron } from './describe-cron.ts';

const now = new Date('2026-03-02T10:00:00Z');

it('the description of a schedule includes its next run in its time zone', () => {
  expect(describeCron('0 6 * * *', 'Europe/Berlin', now)).toEqual({
    ok: true,
    text: 'At 06:00',
    next: new Date('2026-03-03T05:00:00Z'),
  });
  expect(describeCron('@weekly', 'UTC', now)).toMatchObject({
    ok: true,
    text: expect.stringMatching(/Sunday/),
  });
  expect(describeCron('0 9 * * MON-FRI', 'UTC', now)).toMatchObject({
    text: expect.stringMatching(/Monday through Friday/),
  });
});

it('an invalid schedule gets the same error message as from the server', () => {
  expect(describeCron('60 * * * *', 'UTC', now)).toMatchObject({
    ok: false,
    message: expect.stringMatching(/minute/),
  });
});
