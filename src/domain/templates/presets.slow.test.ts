import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cdeventErrors } from '../../../tests/helpers/cdevents-schemas.ts';
import { hostileNames, withNames } from '../../../tests/helpers/hostile-names.ts';
import { type ChatButtons, chatActions } from '../channels/chat-buttons.ts';
import {
  type EventData,
  endsProblem,
  eventTypeNames,
  recoveryEvents,
  reportsProblem,
  type SingleEventData,
} from '../routing/notification-event.ts';
import { cleanLine } from './clean-text.ts';
import { mattermostReply } from './presets/mattermost-preset.ts';
import { slackReply } from './presets/slack-preset.ts';
import {
  checkPresetOptions,
  type PresetId,
  presetIds,
  presets,
  renderClosingBody,
  renderPreset,
  skipsEvent,
} from './presets.ts';
import { sampleEvent } from './sample-events.ts';
import { utf8Length } from './utf8-length.ts';

const options: Partial<Record<PresetId, Record<string, string>>> = {
  pagerduty: { routing_key: 'R0123456789abcdef0123456789abcde' },
  telegram: { chat_id: '-100123' },
  ntfy: { topic: 'pacekeeper' },
};
const buttonOptions = { buttons_url: 'https://pacekeeper.example.com/' };

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
const accepts = Object.fromEntries(
  presetIds.map((id) => {
    const schema: unknown = JSON.parse(
      readFileSync(new URL(`presets/schemas/${id}.json`, import.meta.url), 'utf8'),
    );
    return [id, ajv.compile(schema as object)];
  }),
);

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(texts) : [];
}

/** Returns every text that the platform shows, without the links to Pacekeeper and to the release. */
function shownTexts(body: unknown): string[] {
  return texts(body)
    .filter((text) => !/^https?:\/\//.test(text))
    .map((text) => text.replaceAll(/\bhttps?:\/\/[^\s()"<>]+/g, ''));
}

/** Patterns that a text must not contain, for each platform that interprets markup or mentions. */
const forbidden: Partial<Record<PresetId, RegExp[]>> = {
  slack: [/[<>]/, /@(channel|here|everyone)/, /&(?!amp;|lt;|gt;)/],
  discord: [/(?<!\\)<[@#]/, /@(everyone|here)/, /(?<!\\)(\*\*|__|~~|\|\||`)/],
  teams: [/<\/?at\b/i],
  telegram: [/@[a-zA-Z]/, /<(?!\/?(b|i)>|a href="[^"<>]*">|\/a>)/, /&(?!amp;|lt;|gt;)/],
  mattermost: [/@(all|channel|here|everyone|ops|durov)/, /[<>]/],
};

const invisible = /[[\p{Cc}--\n]\u2028\u2029\u202a-\u202e\u2060\u2066-\u2069\ufeff]/v;

function check(id: PresetId, event: EventData, buttons: ChatButtons | null = null) {
  const body: unknown = JSON.parse(renderPreset(id, event, options[id] ?? {}, buttons));
  const isAccepted = accepts[id]?.(body);
  expect(accepts[id]?.errors ?? [], JSON.stringify(body).slice(0, 2_000)).toEqual([]);
  expect(isAccepted).toBe(true);
  if (id === 'generic') return body;
  if (id === 'mattermost') expectNoMarkdown(body);
  if (id === 'cdevents')
    expect(cdeventErrors((body as { data: Parameters<typeof cdeventErrors>[0] }).data)).toEqual([]);
  for (const text of shownTexts(body)) {
    expect(text.isWellFormed(), text).toBe(true);
    expect(text).not.toMatch(invisible);
    // Discord shows the footer as plain text.
    if (id === 'discord' && text.endsWith(' · Pacekeeper')) continue;
    for (const pattern of forbidden[id] ?? []) expect(text).not.toMatch(pattern);
  }
  if (id === 'teams') expect(2 * JSON.stringify(body).length).toBeLessThan(28_000);
  if (id === 'slack') expect(slackLength(body)).toBeLessThan(12_000);
  if (id === 'ntfy') expect(utf8Length((body as { message: string }).message)).toBeLessThanOrEqual(4_096);
  if (id === 'discord') expect(embedLength(body)).toBeLessThanOrEqual(6_000);
  return body;
}

/**
 * Checks that no text contains active Markdown. Mattermost shows the fallback and the footer of an attachment
 * as plain text, so this check skips them.
 */
function expectNoMarkdown(body: unknown) {
  const { text, attachments } = body as { text: string; attachments: { text: string; fields: object[] }[] };
  for (const part of shownTexts([text, attachments[0]?.text, attachments[0]?.fields])) {
    expect(part).not.toMatch(/(?<!\\)(\*\*|__|~~|`|!\[)/);
  }
}

function embedLength(body: unknown): number {
  const [embed] = (body as { embeds: Record<string, unknown>[] }).embeds;
  return texts([embed?.['title'], embed?.['description'], embed?.['fields'], embed?.['footer']]).join('')
    .length;
}

/**
 * Estimates the length of a message as Slack appears to count it: the texts of all blocks, plus an overhead
 * per block.
 */
function slackLength(body: unknown): number {
  const { blocks } = body as { blocks: object[] };
  return shownTexts(blocks).join('').length + 125 * blocks.length;
}

describe.each(presetIds)('the %s preset', (id) => {
  test.each(eventTypeNames)('renders %s as a valid message', (eventType) => {
    check(id, sampleEvent(eventType));
  });

  test.each(Object.entries(hostileNames))(
    'renders %s in names as neither markup nor a mention',
    (_name, text) => {
      for (const eventType of eventTypeNames) check(id, withNames(sampleEvent(eventType), text));
    },
  );

  test('renders a valid message with arbitrary names', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...eventTypeNames), text, (eventType, name) => {
        check(id, withNames(sampleEvent(eventType), name));
      }),
      { numRuns: 60 },
    );
  });

  test('truncates a digest of 1,000 events and reports the number of omitted events', () => {
    const created = withNames(
      sampleEvent('alert.created'),
      'a rather long name & <b> '.repeat(8),
    ) as SingleEventData;
    const digest = {
      ...sampleEvent('digest'),
      events: Array.from({ length: 1_000 }, (_, index) => ({ ...created, event_id: `${index}` })),
    } as EventData;
    const body = JSON.stringify(check(id, digest));
    const isOneIncident = id === 'pagerduty';
    if (!isOneIncident) expect(body).toMatch(id === 'generic' ? /"omitted_events":9\d\d/ : /and 9\d\d more/);
    expect(utf8Length(body)).toBeLessThan(70_000);
  });

  test('includes the facts of the alert, the acknowledge link, and the release notes', () => {
    const body = JSON.stringify(check(id, sampleEvent('alert.created')));
    // Removes the backslashes and zero-width characters that escaping adds.
    const plain = body.replaceAll(/\\|\u200b/g, '');
    for (const part of [
      'payments-api in production',
      '1.25.3',
      '1.27.1',
      'ritical',
      '/ack/',
      '#release-notes',
      'rejects unknown parameters',
    ])
      expect(plain).toContain(part);
  });

  test('rejects missing, malformed, and unknown options without repeating their values', () => {
    const good = options[id] ?? {};
    expect(checkPresetOptions(id, good)).toEqual([]);
    for (const name of Object.keys(good)) {
      expect(checkPresetOptions(id, { ...good, [name]: 'no good\n' })).toMatchObject([{ option: name }]);
      expect(checkPresetOptions(id, {})).toMatchObject([{ option: name }]);
      expect(JSON.stringify(checkPresetOptions(id, { ...good, [name]: 's3cret!' }))).not.toContain('s3cret');
    }
    expect(checkPresetOptions(id, { ...good, nonsense: '1' })).toMatchObject([{ option: 'nonsense' }]);
  });
});

test('the Discord footer shows the organization name without escapes, because Discord does not parse Markdown there', () => {
  const event = { ...sampleEvent('alert.created'), organization: { name: 'Acme (EU) - R&D_1 @everyone' } };
  const { embeds } = presets.discord.render(event, {}) as { embeds: { footer: { text: string } }[] };
  expect(embeds[0]!.footer.text).toBe('Acme (EU) - R&D_1 @\u200beveryone · Pacekeeper');
});

describe.each(['slack', 'mattermost'] as const)('the buttons in %s', (id) => {
  const token = `0a1b2c3d.t3k9s0.${'x'.repeat(180)}.${'y'.repeat(43)}`;
  const withOptions = (event: EventData, buttons: ChatButtons | null) => {
    options[id] = buttonOptions;
    try {
      return JSON.stringify(check(id, event, buttons));
    } finally {
      delete options[id];
    }
  };

  test.each(Object.entries(hostileNames))(
    'are valid with %s in names, including the name of the person who pressed one',
    (_, text) => {
      const outcomes = [null, `Acknowledged by ${cleanLine(text, 60) || '(no name)'}`];
      for (const eventType of eventTypeNames) {
        for (const outcome of outcomes) {
          const event = withNames(sampleEvent(eventType), text);
          withOptions(event, { token, actions: chatActions, outcome });
        }
      }
    },
  );

  test('replace the acknowledge link, and only the buttons for available actions are shown', () => {
    const event = sampleEvent('alert.created');
    const both = withOptions(event, { token, actions: chatActions, outcome: null });
    expect(both).not.toContain('/ack/');
    expect(both).toContain('Acknowledge');
    expect(both).toContain('Snooze 7 days');
    expect(both.split(token)).toHaveLength(3);
    const none = withOptions(event, { token, actions: [], outcome: 'Acknowledged by Ada' });
    expect(none).not.toContain(token);
    expect(none).toContain('Acknowledged by Ada');
    expect(withOptions(event, null)).toContain('/ack/');
  });

  test('send a reply without active markup or mentions', () => {
    const reply = { text: '<!channel> @here *b* & `c`', url: 'https://pacekeeper.example.com/alerts/1' };
    const shown = id === 'slack' ? slackReply(reply) : mattermostReply(reply);
    expect(shown).toContain(reply.url);
    for (const pattern of forbidden[id]!) expect(shown.replace(`<${reply.url}>`, '')).not.toMatch(pattern);
  });
});

test('a message about a resolved alert labels its version as the one deployed when the alert was active', () => {
  const shown = (event: SingleEventData['event']) => JSON.stringify(check('slack', sampleEvent(event)));
  expect(shown('alert.resolved')).toContain('Deployed when alerting');
  expect(shown('alert.created')).not.toContain('when alerting');
});

test.each([
  ['caught_up', '1.27.1', 'Resolved: payments-api in production', 'Another version was deployed'],
  [
    'caught_up',
    '1.25.3',
    'Resolved: payments-api in production',
    'The deployed version is no longer too far behind',
  ],
  ['disabled', '1.25.3', 'Closed: payments-api in production', 'The rule or monitor was disabled'],
  ['reconfigured', null, 'Closed: payments-api in production', 'The rule or monitor was reconfigured'],
  ['deleted', null, 'Closed: payments-api in production', 'The monitor was deleted'],
] as const)(
  'a message gives the reason for the end of an alert with the resolution %s and the deployed version %s',
  (resolution, version, title, why) => {
    const event = sampleEvent('alert.resolved');
    if (!('alert' in event)) throw new Error('no alert');
    const alert = { ...event.alert, resolution, resolved_version: version };
    const shown = JSON.stringify(check('slack', { ...event, alert }));
    expect(shown).toContain(title);
    expect(shown).toContain(why);
    // A deleted alert has no page to link to.
    expect(shown.includes('View alert')).toBe(resolution !== 'deleted');
    expect(shown.includes('Deployed when alerting')).toBe(version !== '1.25.3');
  },
);

describe('the PagerDuty preset', () => {
  const body = (event: EventData) =>
    presets.pagerduty.render(event, options.pagerduty ?? {}) as Record<string, unknown>;

  test.each([
    ['alert.created', 'trigger'],
    ['alert.escalated', 'trigger'],
    ['alert.reminder', 'trigger'],
    ['alert.acknowledged', 'acknowledge'],
    ['alert.unacknowledged', 'trigger'],
    ['alert.resolved', 'resolve'],
  ] as const)('sends %s as %s for the one incident of the alert', (eventType, eventAction) => {
    expect(body(sampleEvent(eventType))).toMatchObject({
      event_action: eventAction,
      dedup_key: 'pacekeeper/pacekeeper.example.com/alert/12',
    });
  });

  test.each([
    ['job.failing', 'pacekeeper.example.com/gather-job/4'],
    ['agent.offline', 'unknown/agent/2'],
    ['target.missed', 'pacekeeper.example.com/target/3'],
    ['channel.disabled', 'unknown/channel/3/disabled'],
    ['channel.failing', 'unknown/channel/3'],
    ['delivery.failed', 'unknown/channel/3/deliveries'],
  ] as const)('resolves the incident that %s opened when the problem is over', (problem, key) => {
    const opened = body(sampleEvent(problem));
    expect(opened).toMatchObject({ event_action: 'trigger', dedup_key: `pacekeeper/${key}` });
    expect(body(sampleEvent(recoveryEvents[problem]))).toMatchObject({
      event_action: 'resolve',
      dedup_key: opened['dedup_key'],
    });
  });

  test('opens an incident only for a problem whose end another event reports', () => {
    const endless = eventTypeNames.filter(
      (type) =>
        !type.startsWith('alert.') &&
        !reportsProblem(type) &&
        !endsProblem(type) &&
        !skipsEvent('pagerduty', type),
    );
    // A test incident is resolved immediately, and the events of a digest are sent individually.
    expect(endless).toEqual(['digest', 'channel.test']);
  });

  test('the closing body of a channel test resolves the incident of any body that opens one', () => {
    const test = body(sampleEvent('channel.test'));
    expect(JSON.parse(renderClosingBody('pagerduty', JSON.stringify(test))!)).toEqual({
      routing_key: test['routing_key'],
      event_action: 'resolve',
      dedup_key: test['dedup_key'],
    });
    for (const other of [
      '{"event_action":"resolve","dedup_key":"a"}',
      '{"event_action":"trigger"}',
      '[]',
      '',
    ]) {
      expect(renderClosingBody('pagerduty', other)).toBeNull();
    }
    expect(renderClosingBody('slack', JSON.stringify(test))).toBeNull();
  });
});

test('the list contains every preset in the directory, and each preset has a schema', () => {
  const files = (folder: string, suffix: string) =>
    readdirSync(new URL(folder, import.meta.url))
      .filter((file) => file.endsWith(suffix))
      .map((file) => file.slice(0, -suffix.length));
  expect(new Set(files('presets', '-preset.ts'))).toEqual(new Set(presetIds));
  expect(new Set(files('presets/schemas', '.json'))).toEqual(new Set(presetIds));
});

test('the list of presets matches the API specification', () => {
  const api = JSON.parse(
    readFileSync(new URL('../../generated/openapi-client.json', import.meta.url), 'utf8'),
  );
  expect(presetIds).toEqual(api.components.schemas.NotificationPreset.enum);
});
