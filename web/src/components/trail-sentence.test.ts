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
  [entry('created', { to: 'high' }), 'The alert was raised as high.'],
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
  [entry('resolved'), 'It resolved itself.'],
  [entry('resolved', { actor: ada }), 'Ada resolved it.'],
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
    /^Ada snoozed it until 1 Apr 2026, \d\d:00 or until a version changes\.$/,
  );
});
