import { expect, it } from 'vitest';
import { SupportLines } from '../support/support-lines.ts';
import type { PhaseEnd, SupportLine } from '../support/support-phases.ts';
import { judgeSupport, type SupportInput } from './judge-support.ts';

function line(name: string, end_of_life: PhaseEnd, extended_support: PhaseEnd = null): SupportLine {
  return { name, ends: { active_support: null, end_of_life, extended_support } };
}

const lines = new SupportLines([
  line('18', '2030-11-14'),
  line('17', false),
  line('14', '2026-11-12', '2027-11-12'),
  line('9', true),
  line('8', null),
]);

function judged(version: string, now: string, members: Partial<SupportInput> = {}) {
  const input = {
    lines,
    version,
    phase: 'end_of_life',
    thresholds,
    paidUntil: null,
    nowMs: Date.parse(now),
  } as const;
  return judgeSupport({ ...input, ...members });
}
const thresholds = { moderate: 180, high: 60, critical: -30 };

it.each([
  ['2026-05-16T23:59:59.999Z', null, 181, '2026-05-17'],
  ['2026-05-17', 'moderate', 180, '2026-09-14'],
  ['2026-09-14', 'high', 60, '2026-12-13'],
  ['2026-11-13', 'high', 0, '2026-12-13'],
  ['2026-12-12T23:59:59.999Z', 'high', -29, '2026-12-13'],
  ['2026-12-13', 'critical', -30, null],
])(
  'on %s, version 14.2 has the severity %s with %i days left, and the next change is on %s',
  (now, severity, daysLeft, next) => {
    expect(judged('14.2', now)).toMatchObject({
      state: severity === null ? 'ok' : 'alerting',
      severity,
      daysLeft,
      nextCrossingAtMs: next === null ? null : Date.parse(next),
    });
  },
);

it('the severity is the highest one of the rule if support ended on an unknown date', () => {
  expect(judged('9.6', '2026-01-01')).toMatchObject({
    severity: 'critical',
    daysLeft: null,
    nextCrossingAtMs: null,
  });
  expect(judged('9.6', '2026-01-01', { thresholds: { moderate: 1 } })).toMatchObject({
    severity: 'moderate',
  });
});

it.each([
  ['17.1', 'ok', null],
  ['19.1', 'ok', 'line_unknown'],
  ['13.1', 'no_data', 'no_support_date'],
  ['8.4', 'no_data', 'no_support_date'],
  ['latest', 'no_data', 'not_comparable'],
])("missing data isn't guessed: %s has the state %s and the reason %s", (version, state, stateReason) => {
  expect(judged(version, '2030-01-01')).toMatchObject({ state, stateReason, severity: null });
});

it('the end of extended support is used if the rule selects that phase', () => {
  const members = { phase: 'extended_support' } as const;
  expect(judged('14.2', '2026-11-12', members)).toMatchObject({
    daysLeft: 366,
    end: { phase: 'extended_support' },
  });
  expect(judged('18.1', '2030-11-14', members)).toMatchObject({ daysLeft: 1, end: { phase: 'end_of_life' } });
});

it.each([
  ['14.2', '2028-06-30', 1],
  ['9.6', '2028-06-30', 1],
  ['18.1', '2028-06-30', 868],
  ['17.1', '2028-06-30', null],
  ['14.2', null, -595],
  ['8.4', '2028-06-30', 1],
  ['13.1', '2028-06-30', 1],
  ['8.4', 'someday', null],
])("support of %s is extended if it's paid until %s", (version, paidUntil, daysLeft) => {
  expect(judged(version, '2028-06-30', { paidUntil }).daysLeft).toBe(daysLeft);
});
