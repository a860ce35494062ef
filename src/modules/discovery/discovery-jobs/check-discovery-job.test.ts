import { expect, test } from 'vitest';
import { countYields } from '../../../../tests/helpers/turns-during.ts';
import { checkLabelRules } from './check-discovery-job.ts';

const rules = Array.from({ length: 20 }, (_, index) => ({
  pattern: `^clusters/${index}/`,
  labels: { cluster: String(index) },
}));

test('the check yields to other work between label rules', async () => {
  expect(await countYields(() => checkLabelRules(rules))).toBeGreaterThan(8);
});

test('a rejected label rule is reported with its field', async () => {
  await expect(checkLabelRules([...rules, { pattern: '(', labels: {} }])).rejects.toThrow(
    /^label_rules\.20\.pattern: missing closing \)/,
  );
});

test('a rule without a label is rejected', async () => {
  const unlabeled = { pattern: 'prod', labels: {} };
  await expect(checkLabelRules([...rules, unlabeled])).rejects.toThrow(
    'label_rules.20.pattern: no named group',
  );
});
