import { describe, expect, test } from 'vitest';
import { sampleEvent } from '../templates/sample-events.ts';
import {
  expandClosingUrl,
  expandUrl,
  findClosingPathIssue,
  findVariableIssue,
  withoutVariables,
} from './request-address.ts';

const resolved = sampleEvent('alert.resolved');

function named(config_name: string) {
  if (resolved.event !== 'alert.resolved') throw new Error('another sample');
  return { ...resolved, alert: { ...resolved.alert, config_name } };
}

describe('variables in the URL of a channel', () => {
  test.each([
    'https://matrix.example/_matrix/send/m.room.message/{{ event_id }}',
    'https://a.example/{{event}}/{{ idempotency_key }}?organization={{ organization.name }}',
    'https://a.example?id={{ event_id }}',
    'https://a.example/{a}',
  ])('are accepted in %s', (url) => expect(findVariableIssue('url', url)).toBeNull());

  test.each([
    ['https://{{ event_id }}.example/', /only after the host/],
    ['https://a.example{{ event_id }}', /only after the host/],
    ['https://a.example:{{ event_id }}/', /only after the host/],
    ['{{ event_id }}', /only after the host/],
    ['https://a.example/{{ event_id | upcase }}', /filter in \{\{ event_id \| upcase \}\}/],
    ['https://a.example/{% if event %}x{% endif %}', /no tags/],
    ['https://a.example/{{ event_id', /no tags/],
    ['https://a.example/{{ alert.id }}', /events other than alerts don't have it/],
    ['https://a.example/{{ event_ids }}', /Did you mean \{\{ event_id \}\}/],
    ['https://a.example/{{ acknowledge_url }}', /can't contain \{\{ acknowledge_url \}\}/],
    ['https://a.example/{{ }}', /can't contain/],
    ['https://a.example/{{ __proto__ }}', /can't contain/],
  ])('are rejected with the cause in %s', (url, cause) =>
    expect(findVariableIssue('url', url)).toMatch(cause),
  );
});

test.each(['/v2/alerts/{{ alert.id }}/close?identifierType=alias', '/close', '/', '/a//b'])(
  'the closing path %s is accepted',
  (path) => expect(findClosingPathIssue(path)).toBeNull(),
);

test.each([
  'close',
  '//evil.example/close',
  '/\\evil.example',
  '\\\\evil.example',
  'https://evil.example/',
  '@evil.example/',
  '/close#x',
  '/a b',
  '/a\n/b',
  '/a\u0000',
  '/{{ alert.nothing }}',
  '/{{ acknowledge_url }}',
  '/{% comment %}',
  '',
])('the closing path %j is rejected', (path) => expect(findClosingPathIssue(path)).not.toBeNull());

test('values are percent-encoded and never change the host, the number of segments, or the query', () => {
  const path = '/v2/{{ alert.config_name }}/close?name={{ alert.config_name }}';
  for (const name of [
    '..',
    '.',
    '../../admin',
    'a/b',
    'a?b#c&d=e',
    'x\r\nHost: evil.example',
    '%2e%2e',
    '🚀\ud800',
    '@evil',
    "a'b(c)",
  ]) {
    const expanded = expandClosingUrl('https://api.example:8443/v2/alerts', path, named(name));
    expect(expanded.ok, name).toBe(true);
    const url = new URL(expanded.ok ? expanded.url : '');
    expect(url.origin).toBe('https://api.example:8443');
    expect(url.pathname.split('/')).toHaveLength(4);
    expect([...url.searchParams.keys()]).toEqual(['name']);
    expect(url.href).not.toMatch(/[\r\n ]/);
    expect(expanded.ok && expanded.url).toBe(url.href);
  }
});

test('an empty value or a URL that becomes too long is an error', () => {
  const close = (name: string) =>
    expandClosingUrl('https://a.example/', '/alerts/{{ alert.config_name }}', named(name));
  expect(close('')).toMatchObject({ ok: false, message: expect.stringContaining('alert.config_name') });
  expect(close('x'.repeat(9_000))).toMatchObject({ ok: false });
  expect(expandUrl('https://a.example/{{ event_id }}', resolved)).toEqual({
    ok: true,
    url: `https://a.example/${resolved.event_id}`,
  });
  expect(withoutVariables('https://a.example/{{ event_id }}')).toBe('https://a.example/x');
});
