import { expect, test } from 'vitest';
import { countYields } from '../../../tests/helpers/turns-during.ts';
import { type CheckDeps, checkSteps } from './check-steps.ts';
import type { PlannedStep } from './planned-steps.ts';

const deps = {} as CheckDeps;

function step(section: 'freshness_targets', index: number, body: object): PlannedStep {
  return {
    shown: { section, index, name: `${index}` } as PlannedStep['shown'],
    work: { action: 'create', section, body: body as never, references: {}, isLate: false },
  };
}

function targets(count: number, matchersOf: (index: number) => object[]): PlannedStep[] {
  return Array.from({ length: count }, (_, index) =>
    step('freshness_targets', index, { metric: 'libyears', label_matchers: matchersOf(index) }),
  );
}

const pattern = (value: string) => ({ label: 'team', operator: '=~', value });

test('the check yields to other work between long steps, even if there are only a few', async () => {
  const steps = targets(40, () => []);
  expect(await countYields(() => checkSteps(deps, 1, steps))).toBeGreaterThan(15);
});

test('the check yields to other work between the patterns of one step', async () => {
  const steps = targets(1, () => Array.from({ length: 20 }, (_, index) => pattern(`team-${index}`)));
  expect(await countYields(() => checkSteps(deps, 1, steps))).toBeGreaterThan(8);
});

test('every rejected pattern is reported with its field', async () => {
  const steps = targets(2, (index) => [pattern('a'), pattern(index === 0 ? '(' : 'b'), pattern('\\pL{900}')]);
  expect(await checkSteps(deps, 1, steps)).toEqual([
    { field: 'freshness_targets.0.label_matchers.1.value', message: 'missing closing ): "("' },
    { field: 'freshness_targets.0.label_matchers.2.value', message: expect.stringContaining('too complex') },
    { field: 'freshness_targets.1.label_matchers.2.value', message: expect.stringContaining('too complex') },
  ]);
});
