import { expect, test } from 'vitest';
import type { DigestCause } from '../routing/notification-event.ts';
import type { AlertSeverity } from '../rules/severity.ts';
import { describeEvent } from './event-message.ts';
import { sampleEvent } from './sample-events.ts';

function titleOf(cause: DigestCause | null, severities: readonly AlertSeverity[]): string {
  const [digest, created] = [sampleEvent('digest'), sampleEvent('alert.created')];
  if (digest.event !== 'digest' || created.event !== 'alert.created') throw new Error('another sample');
  const events = severities.map((severity) => ({ ...created, alert: { ...created.alert, severity } }));
  return describeEvent({ ...digest, cause, events }).title;
}

test('the title of a digest of alerts that opened together includes the number of alerts of each severity', () => {
  const severities = ['critical', 'high', 'critical', 'moderate'] as const;
  expect(titleOf('opened_together', severities)).toBe('4 new alerts: 2 critical, 1 high, 1 moderate');
  expect(titleOf('opened_together', ['high', 'high'])).toBe('2 new alerts: 2 high');
  expect(titleOf(null, severities)).toBe('4 new alerts');
  expect(titleOf('silence_ended', ['high', 'high'])).toBe('2 new alerts: still open after a silence');
});
