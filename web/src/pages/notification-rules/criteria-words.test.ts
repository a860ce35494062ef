import { expect, test } from 'vitest';
import { criteriaInWords, mismatchInWords } from './criteria-words.ts';

const open = { severities: [], event_types: [], label_matchers: [], rule_ids: [], alert_config_ids: [] };
const nameOfRule = (id: number) => (id === 7 ? 'No older than 90 days' : undefined);

test.each([
  [{}, 'every event of every alert'],
  [
    {
      severities: ['critical' as const, 'high' as const],
      label_matchers: [{ label: 'team', operator: '=' as const, value: 'platform' }],
    },
    'critical or high; label team = platform',
  ],
  [{ event_types: ['alert.created' as const] }, 'new alert'],
  [{ rule_ids: [7, 9], alert_config_ids: [1, 2] }, 'rule No older than 90 days or 9; 2 alert configurations'],
  [{ label_matchers: [{ label: 'env', operator: '!~' as const, value: '' }] }, 'label env does not match ""'],
])('%j in words', (criteria, words) => {
  expect(criteriaInWords({ ...open, ...criteria }, nameOfRule)).toBe(words);
});

test.each([
  ['severities', 'critical, high', 'moderate', 'Severity: wants critical or high, is moderate'],
  ['event_types', 'alert.created', 'alert.resolved', 'Event: wants new alert, is alert resolved'],
  ['rule_ids', '7', 'none', 'Monitoring rule: wants No older than 90 days, is none'],
  ['label_matchers', 'team = "a, b"', 'none', 'Label: wants team = "a, b", is none'],
  ['is_active', 'true', 'false', 'It is turned off'],
] as const)('%s: why a rule does not match', (criterion, expected, actual, words) => {
  expect(mismatchInWords({ criterion, expected, actual }, nameOfRule)).toBe(words);
});
