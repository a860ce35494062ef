import { describe, expect, test } from 'vitest';
import { eventCategory, eventTypeNames } from '../routing/notification-event.ts';
import { defaultTemplates, renderDefaultBody } from './default-templates.ts';
import { type BodyRequest, renderBody, type UsedTemplate } from './render-body.ts';
import { renderTemplate } from './render-template.ts';
import { sampleEvent, sampleOfCategory } from './sample-events.ts';

const noChannelTemplate: BodyRequest['channel'] = {
  template: null,
  templates: {},
  preset: null,
  presetOptions: {},
};
const created = sampleEvent('alert.created');

function check(request: Partial<BodyRequest>, usedTemplate: UsedTemplate, body?: string) {
  const rendered = renderBody({
    event: created,
    channel: noChannelTemplate,
    organizationTemplate: null,
    ...request,
  });
  expect(rendered).toMatchObject({ usedTemplate, failure: null });
  if (body !== undefined) expect(rendered.body).toBe(body);
}

describe('the choice of the template', () => {
  const channel = {
    template: 'channel',
    templates: { new_alert: 'category' },
    preset: 'ntfy' as const,
    presetOptions: { topic: 't' },
  };

  test('the channel’s template for the category comes first, then its template, then its preset', () => {
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

  test('a generic preset is none: the organization’s template comes next, then the global default', () => {
    const generic = { ...noChannelTemplate, preset: 'generic' as const };
    check({ channel: generic, organizationTemplate: 'organization' }, 'organization', 'organization');
    check({ channel: generic }, 'global_default', renderDefaultBody(created));
    check({ globalTemplate: 'operator' }, 'global_default', 'operator');
  });

  test('an event without a category takes no template of a category', () => {
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

  test('the test of a channel shows what a new alert would look like', () => {
    check({ event: sampleEvent('channel.test'), channel }, 'channel_category', 'category');
  });
});

describe('a template that fails', () => {
  test.each([
    ['by a variable that the event does not have', '{{ job.name }}', 1],
    ['by its syntax', '\n{% if %}', 2],
    ['by its cost', '{% for i in (1..1000000000) %}{% endfor %}', 1],
    ['by JSON that a name broke', '{"text": "{{ organization.name }}"}', null],
  ])('%s gives the global default and says why', (_name, template, line) => {
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

  test('plain text is no failed JSON', () => {
    check(
      { channel: { ...noChannelTemplate, template: 'severity: {{ alert.severity }}' } },
      'channel',
      'severity: critical',
    );
  });
});

describe('the global default', () => {
  test.each(eventTypeNames)('%s is valid JSON with all that there is to know', (eventType) => {
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
    'the default template of %s renders the same',
    (eventType) => {
      const category = eventCategory(eventType);
      if (category === null) throw new Error('an alert event has a category');
      const event = sampleEvent(eventType);
      const result = renderTemplate(defaultTemplates[category], event);
      expect(result).toMatchObject({ ok: true, isValidJson: true });
      expect(JSON.parse(result.ok ? result.body : '')).toEqual(JSON.parse(renderDefaultBody(event)));
    },
  );

  test('a preview of a category shows an event of it', () => {
    for (const category of ['new_alert', 'acknowledged', 'resolved'] as const) {
      expect(eventCategory(sampleOfCategory(category).event)).toBe(category);
    }
  });
});
