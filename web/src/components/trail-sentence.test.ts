import { expect, test } from 'vitest';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { trailSentence, trailTone } from './trail-sentence.ts';

type Entry = Parameters<typeof trailSentence>[0];
const system: Schemas['Actor'] = { type: 'system', id: null, name: 'Pacekeeper' };
const ada: Schemas['Actor'] = { type: 'user', id: 3, name: 'Ada' };
const entry = (action: Entry['action'], more: Partial<Entry> = {}): Entry => ({
  action,
  actor: system,
  from: null,
  to: null,
  detail: null,
  cause: null,
  ...more,
});

test.each<[Entry, string]>([
  [entry('created', { to: 'high', detail: '1.2.0 → 1.9.0' }), 'Alert opened as high: 1.2.0 → 1.9.0.'],
  [
    entry('updated', {
      from: '1.2.0',
      to: '1.3.0',
      detail: 'discovered_version: 1.2.0 → 1.3.0; latest_version: 1.9.0 → 2.0.0',
    }),
    'Alert updated: deployed 1.2.0 → 1.3.0; latest 1.9.0 → 2.0.0.',
  ],
  [entry('escalated', { from: 'high', to: 'critical' }), 'Severity increased from high to critical.'],
  [
    entry('escalated', { from: 'high', to: 'critical', cause: 'reading_changed' }),
    'Severity increased from high to critical. Cause: an upgrade or a changed setting affected how version strings are read.',
  ],
  [
    entry('acknowledged', { actor: ada, from: 'unacknowledged', to: 'acknowledged' }),
    'Ada acknowledged the alert.',
  ],
  [entry('unacknowledged', { actor: ada }), 'Ada removed the acknowledgment.'],
  [
    entry('unacknowledged', { detail: '1.2.0 → 1.1.0' }),
    "Acknowledgment cleared because the deployed version didn't increase (1.2.0 → 1.1.0).",
  ],
  [entry('snoozed', { actor: ada, to: 'version_change' }), 'Ada snoozed the alert until a version changes.'],
  [entry('unsnoozed', { detail: 'time_came' }), 'Snooze expired.'],
  [entry('unsnoozed', { detail: 'version_changed' }), 'Snooze ended because a version changed.'],
  [
    entry('resolved', { detail: 'caught_up' }),
    'Alert resolved: the deployed version is no longer too far behind.',
  ],
  [entry('resolved', { actor: ada, detail: 'manual' }), 'Ada resolved the alert.'],
  [entry('notified', { to: 'Operations', detail: 'alert.created' }), 'Notified Operations: new alert.'],
  [
    entry('notification_failed', { to: 'Operations', detail: 'alert.created: The receiver rejected it.' }),
    "Couldn't notify Operations. The receiver rejected it.",
  ],
  [entry('unsilenced', { to: 'high', cause: 'silence_ended' }), 'Silence ended while the alert was open.'],
  [
    entry('notification_skipped', {
      to: 'no_channel',
      detail: 'alert.created: No default channel is set.',
    }),
    'No notification sent. No default channel is set.',
  ],
])('an activity entry is described in a sentence: %o', (given, sentence) => {
  expect(trailSentence(given)).toBe(sentence);
});

test('a silence shows its end and its reason', () => {
  const detail =
    'alert.created: The alert is silenced until 2026-04-01T12:00:00.000Z: Until 2026: a long time';
  expect(trailSentence(entry('notification_skipped', { to: 'silenced', detail }))).toMatch(
    /^No notification sent\. The alert is silenced until Apr 1, 2026, \d\d:00: Until 2026: a long time$/,
  );
});

test('a snooze shows both of its end conditions', () => {
  const both = entry('snoozed', { actor: ada, to: '2026-04-01T12:00:00.000Z or version_change' });
  expect(trailSentence(both)).toMatch(
    /^Ada snoozed the alert until Apr 1, 2026, \d\d:00 or until a version changes\.$/,
  );
});

test.each<[Entry, ReturnType<typeof trailTone>]>([
  [entry('created', { to: 'moderate' }), 'moderate'],
  [entry('created', { to: 'critical' }), 'critical'],
  [entry('escalated', { from: 'moderate', to: 'high' }), 'high'],
  [entry('deescalated', { from: 'critical', to: 'moderate' }), 'moderate'],
  [entry('created'), 'muted'],
  [entry('updated', { from: 'high', to: 'critical' }), 'muted'],
  [entry('resolved', { detail: 'caught_up' }), 'ok'],
])('the entry %j has the tone %s, which is the new severity if it changes', (each, tone) => {
  expect(trailTone(each)).toBe(tone);
});
