import { describe, expect, test } from 'vitest';
import { eventCategory, eventTypeNames } from '../routing/notification-event.ts';
import { defaultTemplates, renderDefaultBody } from './default-templates.ts';
import { presetIds, renderPreset } from './presets.ts';
import { type RenderBodyInput, renderBody, type UsedTemplate } from './render-body.ts';
import { renderTemplate } from './render-template.ts';
import { sampleEvent, sampleOfCategory } from './sample-events.ts';

const noChannelTemplate: RenderBodyInput['channel'] = {
  template: null,
  templates: {},
  preset: null,
  presetOptions: {},
};
const created = sampleEvent('alert.created');

function check(request: Partial<RenderBodyInput>, usedTemplate: UsedTemplate, body?: string) {
  const rendered = renderBody({
    event: created,
    channel: noChannelTemplate,
    organizationTemplate: null,
    ...request,
  });
  expect(rendered).toMatchObject({ usedTemplate, failure: null });
  if (body !== undefined) expect(rendered.body).toBe(body);
}

describe('template selection', () => {
  const channel = {
    template: 'channel',
    templates: { new_alert: 'category' },
    preset: 'ntfy' as const,
    presetOptions: { topic: 't' },
  };

  test("the channel's template for the category comes first, then the channel's general template, then its preset", () => {
    check({ channel, organizationTemplate: 'organization' }, 'channel_category', 'category');
    check(
      { channel: { ...channel, templates: { resolved: 'category' } }, organizationTemplate: 'organization' },
      'channel',
      'channel',
    );
    check(
      { channel: { ...channel, templates: {}, template: null }, organizationTemplate: 'organization' },
      'preset',
    );
  });

  test("a channel with the generic preset uses the organization's template, then the global default", () => {
    const generic = { ...noChannelTemplate, preset: 'generic' as const };
    check({ channel: generic, organizationTemplate: 'organization' }, 'organization', 'organization');
    check({ channel: generic }, 'global_default', renderDefaultBody(created));
    check({ globalTemplate: 'operator' }, 'global_default', 'operator');
  });

  test('an event without a category uses no category template', () => {
    const event = sampleEvent('job.failing');
    check(
      { event, channel: { ...noChannelTemplate, templates: { new_alert: 'x' } }, organizationTemplate: 'x' },
      'global_default',
      renderDefaultBody(event),
    );
    check(
      { event, channel: { ...noChannelTemplate, template: '{{ job.name }}' } },
      'channel',
      'nginx releases',
    );
  });

  test('the test message of a channel uses the template of a new alert', () => {
    check({ event: sampleEvent('channel.test'), channel }, 'channel_category', 'category');
  });
});

describe('a template that fails', () => {
  test.each([
    ["with a variable that the event doesn't have", '{{ job.name }}', 1],
    ['with a syntax error', '\n{% if %}', 2],
    ['because it is too expensive', '{% for i in (1..1000000000) %}{% endfor %}', 1],
    ['because a name breaks its JSON', '{"text": "{{ organization.name }}"}', null],
  ])('%s is replaced by the global default, and its failure is reported', (_name, template, line) => {
    const event = { ...created, organization: { name: 'The "best"' } };
    const rendered = renderBody({
      event,
      channel: { ...noChannelTemplate, template },
      organizationTemplate: null,
    });
    expect(rendered).toEqual({
      body: renderDefaultBody(event),
      usedTemplate: 'global_default',
      failure: {
        message: expect.stringMatching(/.{10,}/),
        line,
        column: line === null ? null : expect.any(Number),
      },
    });
  });

  test.each(presetIds.filter((preset) => preset !== 'generic'))(
    'is replaced by the body of the preset, because the platform rejects any other form: %s',
    (preset) => {
      const presetOptions = { chat_id: '-1', routing_key: 'R'.repeat(32), topic: 't' };
      for (const channel of [
        { template: '{{ nothing }}', templates: {} },
        { template: null, templates: { new_alert: '{"text": {{ alert.config_name }}' } },
      ]) {
        const request = { event: created, organizationTemplate: 'organization' };
        const rendered = renderBody({ ...request, channel: { ...channel, preset, presetOptions } });
        expect(rendered.body).toBe(renderPreset(preset, created, presetOptions));
        expect(rendered.usedTemplate).toBe('preset');
        expect(rendered.failure).not.toBeNull();
      }
    },
  );

  test("plain text is a valid result and isn't reported as invalid JSON", () => {
    check(
      { channel: { ...noChannelTemplate, template: 'severity: {{ alert.severity }}' } },
      'channel',
      'severity: critical',
    );
  });
});

describe('the global default template', () => {
  test.each(eventTypeNames)('renders %s as valid JSON with all data of the event', (eventType) => {
    const event = sampleEvent(eventType);
    const body = JSON.parse(renderDefaultBody(event)) as {
      type: string;
      timestamp: string;
      data: Record<string, unknown>;
    };
    expect(body).toMatchObject({ type: eventType, timestamp: event.timestamp });
    if (event.event !== 'digest') expect(body.data).toEqual(event);
    else expect(body.data['events']).toEqual(event.events.map((each) => JSON.parse(renderDefaultBody(each))));
  });

  test.each(eventTypeNames.filter((name) => name.startsWith('alert.')))(
    'renders the same body as the default template for %s',
    (eventType) => {
      const category = eventCategory(eventType);
      if (category === null) throw new Error('an alert event has a category');
      const event = sampleEvent(eventType);
      const result = renderTemplate(defaultTemplates[category], event);
      expect(result).toMatchObject({ ok: true, isValidJson: true });
      expect(JSON.parse(result.ok ? result.body : '')).toEqual(JSON.parse(renderDefaultBody(event)));
    },
  );

  test('the preview of a category uses a sample event of that category', () => {
    for (const category of ['new_alert', 'acknowledged', 'resolved'] as const) {
      expect(eventCategory(sampleOfCategory(category).event)).toBe(category);
    }
  });
});
