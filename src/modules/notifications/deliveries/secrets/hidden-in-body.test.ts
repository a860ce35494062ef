import { expect, test } from 'vitest';
import { eventTypeNames } from '../../../../domain/routing/notification-event.ts';
import type { PresetOption } from '../../../../domain/templates/presets/preset.ts';
import { presetIds, presets, renderPreset } from '../../../../domain/templates/presets.ts';
import { sampleEvent } from '../../../../domain/templates/sample-events.ts';
import { maskSpans } from './find-secrets.ts';
import { findSpansToMask } from './hidden-in-body.ts';

const values: Readonly<Record<string, string>> = {
  routing_key: 'R0123456789abcdef0123456789abcde',
  chat_id: '-100987654321',
  message_thread_id: '987654321',
  topic: 'a-topic-of-ours',
  priority: '7',
  slack_signing_secret: '8f742231b10e8888abcd99e785a54e7b',
  buttons_url: 'https://buttons.example.com',
};

test.each(presetIds)('masks all preset options in a message body of %s', (id) => {
  const options = Object.fromEntries(presets[id].options.map(({ name }) => [name, values[name]!]));
  for (const event of eventTypeNames) {
    const body = renderPreset(id, sampleEvent(event), options);
    const masked = maskSpans(body, findSpansToMask({ body, usedTemplate: 'preset', failure: null }, options));
    for (const { name, isSent } of presets[id].options as readonly PresetOption[]) {
      const value = values[name]!;
      if (isSent === false) {
        expect(body).not.toContain(value);
        continue;
      }
      expect(body).toMatch(new RegExp(`"${name}":"?${value}`));
      expect(masked).toMatch(new RegExp(`"${name}":"?…`));
      if (name !== 'priority') expect(masked).not.toContain(value);
    }
  }
});

test('never masks text of a custom template, even if it matches an option', () => {
  const body = '{"topic":"a-topic-of-ours"}';
  const rendered = { body, usedTemplate: 'channel', failure: null } as const;
  expect(findSpansToMask(rendered, { topic: 'a-topic-of-ours' })).toEqual([]);
});
