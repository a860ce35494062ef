import { expect, test, vi } from 'vitest';
import { renderPreset } from '../templates/presets.ts';
import { sampleEvent } from '../templates/sample-events.ts';
import { readableTime } from './readable-time.ts';

test.each([
  ['2026-03-03T14:05:09.123Z', 'Mar 3, 2026, 14:05 UTC'],
  ['2026-12-31T23:59:00-01:00', 'Jan 1, 2027, 00:59 UTC'],
  ['never', 'never'],
])('%s is formatted as %s', (at, text) => {
  expect(readableTime(at)).toBe(text);
});

test.each([
  ['Europe/Berlin', 'Mar 3, 2026, 15:05 GMT+1'],
  ['America/New_York', 'Mar 3, 2026, 09:05 EST'],
  ['Asia/Kolkata', 'Mar 3, 2026, 19:35 GMT+5:30'],
  ['Europe/Nowhere', 'Mar 3, 2026, 14:05 UTC'],
  ['<b>', 'Mar 3, 2026, 14:05 UTC'],
])('a time in the zone %s is %s', (zone, text) => {
  expect(readableTime('2026-03-03T14:05:09.123Z', zone)).toBe(text);
});

test('formats for different spellings of time zone names do not accumulate in memory', () => {
  const create = vi.spyOn(Intl, 'DateTimeFormat');
  const letters = 'antarctica/dumontdurville'.split('');
  const spelled = (index: number) =>
    letters.map((letter, at) => ((index >> at) % 2 === 1 ? letter.toUpperCase() : letter)).join('');
  const format = (index: number) => readableTime('2026-03-03T14:05:09.123Z', spelled(index));
  for (let index = 0; index < 1_001; index++) expect(format(index)).toBe('Mar 4, 2026, 00:05 GMT+10');
  create.mockClear();
  format(0);
  expect(create.mock.calls.map(([, options]) => options?.timeZoneName)).toContain('short');
  create.mockRestore();
});

test.each(['slack', 'teams', 'discord', 'mattermost', 'gotify', 'ntfy', 'telegram'] as const)(
  'messages in %s contain no ISO 8601 timestamps',
  (id) => {
    for (const event of ['alert.created', 'job.failing', 'agent.offline'] as const) {
      const { timestamp: _, ...shown } = JSON.parse(
        renderPreset(id, sampleEvent(event), { topic: 'a', chat_id: '1' }),
      ) as Record<string, unknown>;
      // Discord embeds have a timestamp field, which the app shows in a readable form. Other platforms escape
      // hyphens and colons.
      const text = JSON.stringify(shown)
        .replace(/"timestamp":"[^"]*"/, '')
        .replaceAll('\\', '');
      expect(text).not.toMatch(/\d{4}-\d{2}-\d{2}T/);
    }
  },
);
