import { expect, it } from 'vitest';
import { openStep, type SetUp } from './set-up-steps.ts';

const nothing: SetUp = {
  gatherJobId: null,
  scrapeJobId: null,
  ruleId: null,
  hasChannel: false,
  alertConfigId: null,
};

it('a set-up goes on at the first step that is not done, in whatever order the others were', () => {
  expect(openStep(nothing, undefined)).toBe('upstream');
  expect(openStep({ ...nothing, hasChannel: true, ruleId: 3 }, undefined)).toBe('upstream');
  expect(openStep({ ...nothing, gatherJobId: 1 }, undefined)).toBe('deployed');
  expect(openStep({ ...nothing, gatherJobId: 1, scrapeJobId: 2 }, undefined)).toBe('rule');
  expect(openStep({ ...nothing, gatherJobId: 1, scrapeJobId: 2, ruleId: 3 }, undefined)).toBe('channel');
  expect(
    openStep({ ...nothing, gatherJobId: 1, scrapeJobId: 2, ruleId: 3, hasChannel: true }, undefined),
  ).toBe('start');
  expect(
    openStep(
      { ...nothing, gatherJobId: 1, scrapeJobId: 2, ruleId: 3, hasChannel: true, alertConfigId: 4 },
      undefined,
    ),
  ).toBeNull();
});

it('a step can be gone back to until the comparison is made', () => {
  const settled = { ...nothing, gatherJobId: 1, scrapeJobId: 2, ruleId: 3, hasChannel: true };
  expect(openStep(settled, 'deployed')).toBe('deployed');
  expect(openStep(settled, 'nonsense')).toBe('start');
  expect(openStep({ ...settled, alertConfigId: 4 }, 'deployed')).toBeNull();
});
