import { expect, test } from 'vitest';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { trailSentence } from './trail-sentence.ts';

type Entry = Parameters<typeof trailSentence>[0];
const system: Schemas['Actor'] = { type: 'system', id: null, name: 'Pacekeeper' };
const ada: Schemas['Actor'] = { type: 'user', id: 3, name: 'Ada' };
const entry = (action: Entry['action'], more: Partial<Entry> = {}): Entry => ({
  action,
  actor: system,
  from: null,
  to: null,
  detail: null,
  ...more,
});

test.each<[Entry, string]>([
  [entry('created', { to: 'high', detail: '1.2.0 → 1.9.0' }), 'The alert was raised as high: 1.2.0 → 1.9.0.'],
  [
    entry('updated', {
      from: '1.2.0',
      to: '1.3.0',
      detail: 'discovered_version: 1.2.0 → 1.3.0; latest_version: 1.9.0 → 2.0.0',
    }),
    'What it says changed: deployed 1.2.0 → 1.3.0; latest 1.9.0 → 2.0.0.',
  ],
  [entry('escalated', { from: 'high', to: 'critical' }), 'It became more severe: high → critical.'],
  [entry('acknowledged', { actor: ada, from: 'unacknowledged', to: 'acknowledged' }), 'Ada acknowledged it.'],
  [entry('unacknowledged', { actor: ada }), 'Ada took the acknowledgment back.'],
  [
    entry('unacknowledged', { detail: '1.2.0 → 1.1.0' }),
    'The acknowledgment was cleared, because the deployed version did not go up (1.2.0 → 1.1.0).',
  ],
  [entry('snoozed', { actor: ada, to: 'version_change' }), 'Ada snoozed it until a version changes.'],
  [entry('unsnoozed', { detail: 'time_came' }), 'The snooze ended, because its time had come.'],
  [entry('unsnoozed', { detail: 'version_changed' }), 'The snooze ended, because a version changed.'],
  [entry('resolved', { detail: 'caught_up' }), 'It was resolved: what runs has caught up.'],
  [entry('resolved', { actor: ada, detail: 'manual' }), 'Ada resolved it.'],
  [entry('notified', { to: 'Operations', detail: 'alert.created' }), 'Operations was told: new alert.'],
  [
    entry('notification_failed', { to: 'Operations', detail: 'alert.created: The target refuses.' }),
    'Operations could not be told. The target refuses.',
  ],
  [
    entry('notification_skipped', {
      to: 'no_channel',
      detail: 'alert.created: There is no default channel.',
    }),
    'Nobody was told. There is no default channel.',
  ],
])('tells an entry of the trail in words: %o', (given, sentence) => {
  expect(trailSentence(given)).toBe(sentence);
});

test('tells until when somebody snoozed it, of both ends', () => {
  const both = entry('snoozed', { actor: ada, to: '2026-04-01T12:00:00.000Z or version_change' });
  expect(trailSentence(both)).toMatch(
    /^Ada snoozed it until Apr 1, 2026, \d\d:00 or until a version changes\.$/,
  );
});
