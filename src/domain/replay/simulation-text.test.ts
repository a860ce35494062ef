import { expect, it } from 'vitest';
import { describeGaps, describeSimulation, type SimulatedFigures } from './simulation-text.ts';

const noun = { one: 'monitor', many: 'monitors' };
const totals = { alerts: 14, things: 9, open_at_start: 0, open_at_end: 3 };
const figures: SimulatedFigures = {
  evaluated: 120,
  totals,
  compared_with: null,
  left_out: [],
  partly_known: 0,
};

it('the text states the number of alerts, of affected monitors, and of alerts that would be open', () => {
  expect(describeSimulation(figures, 180, noun)).toBe(
    'In the last 180 days, this would have opened 14 alerts for 9 of 120 monitors. 3 would be open today.',
  );
});

it('the text compares the result with the stored rule and states the alerts that were already open', () => {
  const compared_with = { totals: { ...totals, alerts: 1_031 } };
  const given = { ...figures, compared_with, totals: { ...totals, open_at_start: 1 } };
  expect(describeSimulation(given, 1, noun)).toBe(
    'In the last day, this would have opened 14 alerts for 9 of 120 monitors (before the change: 1,031). 1 alert would already have been open. 3 would be open today.',
  );
});

it('the text states that no alert would have opened, or that no monitor can be simulated', () => {
  const none = { ...totals, alerts: 0, things: 0, open_at_end: 0 };
  expect(describeSimulation({ ...figures, evaluated: 1, totals: none }, 90, noun)).toBe(
    'In the last 90 days, this would have opened no alerts for 1 monitor.',
  );
  const over = { ...totals, open_at_end: 0 };
  expect(describeSimulation({ ...figures, totals: over }, 90, noun)).toMatch(/None would be open today\.$/);
  expect(describeSimulation({ ...figures, evaluated: 0 }, 90, noun)).toBe('No monitor can be simulated.');
});

it('the gaps include a monitor whose version is known for only part of the period', () => {
  expect(describeGaps({ ...figures, partly_known: 1 }, noun)).toEqual([
    'The deployed version of 1 monitor is known for only part of this period.',
  ]);
});

it('the gaps include excluded monitors with the reason', () => {
  const left_out = [
    { reason: 'no_history', count: 2 },
    { reason: 'inactive', count: 1 },
  ] as const;
  expect(describeGaps({ ...figures, left_out, partly_known: 4 }, noun)).toEqual([
    '2 monitors excluded: no deployed version is known.',
    '1 monitor excluded: disabled.',
    'The deployed versions of 4 monitors are known for only part of this period.',
  ]);
});
