import { expect, test } from 'vitest';
import { formatCriteria, formatMismatch } from './format-criteria.ts';

const open = { severities: [], event_types: [], label_matchers: [], rule_ids: [], alert_config_ids: [] };
const nameOfRule = (id: number) => (id === 7 ? 'No older than 90 days' : undefined);

test.each([
  [{}, 'all alert events'],
  [
    {
      severities: ['critical' as const, 'high' as const],
      label_matchers: [{ label: 'team', operator: '=' as const, value: 'platform' }],
    },
    'critical or high; label team = platform',
  ],
  [{ event_types: ['alert.created' as const] }, 'new alert'],
  [{ rule_ids: [7, 9], alert_config_ids: [1, 2] }, 'rule No older than 90 days or 9; 2 monitors'],
  [{ label_matchers: [{ label: 'env', operator: '!~' as const, value: '' }] }, 'label env does not match ""'],
])('%j is formatted in words', (criteria, words) => {
  expect(formatCriteria({ ...open, ...criteria }, nameOfRule)).toBe(words);
});

test.each([
  ['severities', 'critical, high', 'moderate', 'Severity: expected critical or high, got moderate'],
  ['event_types', 'alert.created', 'alert.resolved', 'Event: expected new alert, got alert resolved'],
  ['rule_ids', '7', 'none', 'Rule: expected No older than 90 days, got none'],
  ['label_matchers', 'team = "a, b"', 'none', 'Label: expected team = "a, b", got none'],
  ['is_active', 'true', 'false', 'Disabled'],
] as const)('a mismatch of %s is explained', (criterion, expected, actual, words) => {
  expect(formatMismatch({ criterion, expected, actual }, nameOfRule)).toBe(words);
});
