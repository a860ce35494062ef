import { expect, test } from 'vitest';
import { alertSentence, typicalMessagesSentence } from './alert-sentence.ts';

test('alerts that an acceptance opens are counted by severity, and versions without a result separately', () => {
  const check = (moderate: number, high: number, critical: number, unknown = 0) =>
    alertSentence({ moderate, high, critical, unknown });
  expect(check(0, 17, 39)).toBe('56 alerts now, 39 critical and 17 high.');
  expect(check(1, 0, 0)).toBe('1 alert now, 1 moderate.');
  expect(check(1_000, 1, 1)).toBe('1,002 alerts now, 1 critical, 1 high, and 1,000 moderate.');
  expect(check(0, 0, 0)).toBe('No alerts now.');
  expect(check(0, 0, 0, 1)).toBe("No alerts now. The result for 1 version isn't known yet.");
  expect(check(0, 0, 2, 12)).toBe("2 alerts now, 2 critical. The result for 12 versions isn't known yet.");
});

test('the sentence rounds the typical number of messages, and states for how many monitors the number is known', () => {
  const check = (per_week: number, alert_configs: number, monitors = 56) =>
    typicalMessagesSentence({ per_week, alert_configs }, monitors);
  expect(check(2.3, 56)).toBe('Typically 2 messages a week.');
  expect(check(0.5, 56)).toBe('Typically 1 message a week.');
  expect(check(0.4, 56)).toBe('Typically less than one message a week.');
  expect(check(1_200, 40)).toBe('Typically 1,200 messages a week, for 40 of 56 monitors.');
});
