import { describe, expect, test } from 'vitest';
import { hostileNames, withNames } from '../../../tests/helpers/hostile-names.ts';
import { type EventData, eventTypeNames } from '../routing/notification-event.ts';
import { renderEmail } from './render-email.ts';
import { sampleEvent } from './sample-events.ts';

/** Control and format characters, except the zero-width joiner, which emoji contain. */
const hidden = /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u;

/** Returns the tags of a document in order, with empty attribute values. */
const tagsOf = (html: string) => [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/"[^"]*"/g, '""'));

function check(event: EventData) {
  const { subject, text, html } = renderEmail(event);
  expect(subject).not.toMatch(hidden);
  expect(subject.trim()).toBe(subject);
  expect(subject.isWellFormed() && text.isWellFormed() && html.isWellFormed()).toBe(true);
  expect(text.replaceAll('\n', '')).not.toMatch(hidden);
  expect(html.replaceAll('\n', '')).not.toMatch(hidden);
  expect(html).not.toMatch(/<(?:script|img|link|iframe|form|style)\b/i);
  for (const [, url] of html.matchAll(/href="([^"]*)"/g)) expect(url).toMatch(/^https?:\/\//);
  // Outside tags, the document must contain only text and entities.
  expect(html.replace(/<[^>]*>/g, '')).not.toMatch(/[<>]|&(?!amp;|lt;|gt;|quot;|#39;)/);
  return { subject, text, html };
}

describe.each(eventTypeNames)('the email about %s', (eventType) => {
  const event = sampleEvent(eventType);
  const plain = check(event);

  test.each(Object.entries(hostileNames))('keeps its structure with %s in names', (_what, name) => {
    const { text, html } = check(withNames(event, name));
    // A name can't add a line or a tag. It can remove some, because facts without visible text and links that are too
    // long are omitted.
    const known = check(withNames(event, 'name'));
    expect(text.split('\n').length).toBeLessThanOrEqual(known.text.split('\n').length);
    expect(tagsOf(html).length).toBeLessThanOrEqual(tagsOf(known.html).length);
    expect(tagsOf(known.html)).toEqual(expect.arrayContaining(tagsOf(html)));
  });

  test('has a subject that ends with the name of the organization', () => {
    expect(plain.subject).not.toBe('');
    expect(plain.subject.endsWith(' - Acme')).toBe(true);
  });
});

test('the subjects of all emails about an alert differ only in the prefix in brackets, which mail clients ignore', () => {
  const events = eventTypeNames.filter((type) => type.startsWith('alert.'));
  const subjects = events.map((type) => renderEmail(sampleEvent(type)).subject);
  expect(new Set(subjects.map((subject) => subject.replace(/^\[[^\]]*\] /, ''))).size).toBe(1);
  expect(new Set(subjects).size).toBe(events.length);
});

test('the subject contains the deployed version and its lag or, for a resolved alert, the version deployed at the resolution', () => {
  const subjectOf = (type: 'alert.created' | 'alert.resolved', changes: object = {}) => {
    const event = sampleEvent(type);
    if (!('alert' in event)) throw new Error('the sample is about an alert');
    return renderEmail({ ...event, alert: { ...event.alert, ...changes } } as EventData).subject;
  };
  const name = 'payments-api in production - Acme';
  expect(subjectOf('alert.created')).toBe(`[Critical: 1.25.3, 99 days behind] ${name}`);
  expect(subjectOf('alert.created', { reason: 'version_not_found', behind_by: null })).toBe(
    `[Critical: 1.25.3, not found upstream] ${name}`,
  );
  const support = { reason: 'end_of_life', rule_type: 'end_of_life' };
  expect(subjectOf('alert.created', { ...support, days_left: 12 })).toBe(
    `[Critical: 1.25.3, 12 days of support left] ${name}`,
  );
  expect(subjectOf('alert.created', { ...support, days_left: -1 })).toBe(
    `[Critical: 1.25.3, support has ended] ${name}`,
  );
  expect(subjectOf('alert.resolved', { resolved_version: '1.27.1' })).toBe(`[Resolved: 1.27.1] ${name}`);
  // A bracket in a version would end the prefix that mail clients ignore.
  expect(subjectOf('alert.created', { discovered_version: '1.0]x[' })).toBe(
    `[Critical: 1.0x, 99 days behind] ${name}`,
  );
});

test('the facts and links of the alert are in both the text and the HTML part', () => {
  const { text, html } = renderEmail(sampleEvent('alert.created'));
  for (const part of ['payments-api in production', '1.25.3', '1.27.1', '99 days behind', 'team=payments'])
    for (const body of [text, html]) expect(body).toContain(part);
  for (const [label, path] of [
    ['View alert', '/alerts/12'],
    ['Acknowledge', '/ack/'],
    ['Release notes', '#release-notes'],
  ]) {
    expect(text).toMatch(new RegExp(`^${label}: https://\\S*${path}`, 'm'));
    expect(html).toMatch(new RegExp(`href="https://[^"]*${path}[^"]*"[^>]*>${label}<`));
  }
});

test('a digest shows each event with its link', () => {
  const event = sampleEvent('digest');
  if (event.event !== 'digest') throw new Error('the sample of a digest is a digest');
  const { subject, text } = renderEmail(event);
  expect(subject).toBe('1 new alert, 1 resolved, 1 acknowledged - Acme');
  expect(text.match(/^- /gm)).toHaveLength(event.events.length);
});
