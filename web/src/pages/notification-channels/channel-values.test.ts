import { expect, test } from 'vitest';
import { presetIds, presets } from '../../../../src/domain/templates/presets.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { channelFormValues, secretsToEnter, shownFields, toChannelBody } from './channel-values.ts';

const channel: Schemas['NotificationChannel'] = {
  id: 2,
  name: 'On call',
  channel_type: 'webhook',
  url: 'https://events.pagerduty.com/v2/enqueue',
  recipients: [],
  project: null,
  issue_type: null,
  account_email: null,
  ticket_labels: [],
  has_token: false,
  template: null,
  templates: {},
  preset: 'pagerduty',
  headers: { 'X-Team': null },
  has_preset_options: true,
  has_signing_secret: true,
  digest_minutes: null,
  digest_schedule: null,
  sending_hours: [],
  timezone: 'UTC',
  always_for: ['critical'],
  owners: ['acme/payments'],
  opens_at: null,
  success_condition: { path: 'errcode', equals: 0 },
  request_method: 'POST',
  body_format: 'json',
  closing_path: null,
  closing_method: 'POST',
  rate_limited_until: null,
  interactivity_url: null,
  require_login_to_acknowledge: true,
  is_active: true,
  is_default: false,
  health: {
    status: 'unknown',
    consecutive_failures: 0,
    last_success_at: null,
    last_failure_at: null,
    error: null,
  },
  created_at: '2026-03-15T08:00:00.000Z',
  updated_at: '2026-03-15T08:00:00.000Z',
  revision: 3,
};

test('a success condition keeps its type, and an empty one is removed', () => {
  const values = channelFormValues('generic', channel);
  expect(toChannelBody(values, channel).success_condition).toEqual({ path: 'errcode', equals: 0 });
  const conditionOf = (path: string, equals: string) =>
    toChannelBody({ ...values, success_condition: { path, equals } }, channel).success_condition;
  expect(conditionOf('', 'ok')).toEqual({ path: null, equals: 'ok' });
  expect(conditionOf('data.done', 'true')).toEqual({ path: 'data.done', equals: true });
  expect(conditionOf('code', '007')).toEqual({ path: 'code', equals: '007' });
  expect(conditionOf('code', ' ')).toBeNull();
});

test('options can be removed if none of them are required', () => {
  const values = { ...channelFormValues('pagerduty', channel), removes_options: true };
  expect(toChannelBody(values, channel).preset_options).toEqual({});
});

test('saving an unchanged form keeps every secret', () => {
  const body = toChannelBody(channelFormValues('pagerduty', channel), channel);
  expect(body).not.toHaveProperty('preset_options');
  expect(body).not.toHaveProperty('signing_secret');
  expect(body.headers).toEqual({ 'X-Team': null });
});

test('entered values are sent, and removed values are sent explicitly', () => {
  const values = channelFormValues('pagerduty', channel);
  const body = toChannelBody(
    {
      ...values,
      preset_options: { routing_key: ' abc ' },
      headers: [{ name: 'X-Stage', value: 'prod', isKept: false }],
      signing_secret: { kind: 'remove' },
    },
    channel,
  );
  expect(body).toMatchObject({
    preset_options: { routing_key: 'abc' },
    headers: { 'X-Stage': 'prod' },
    signing_secret: null,
  });
});

test('a new platform doesn’t inherit the options of the previous one', () => {
  const values = { ...channelFormValues('slack', channel), preset_options: {} };
  expect(toChannelBody(values, channel).preset_options).toEqual({});
});

test.each<[string, Partial<ReturnType<typeof channelFormValues>>, string[]]>([
  ['nothing', {}, []],
  ['only the path', { url: 'https://events.pagerduty.com/v3' }, []],
  ['the URL to an incomplete one', { url: 'https://' }, []],
  ['the host', { url: 'https://events.eu.pagerduty.com/v2/enqueue' }, ['headers.X-Team', 'signing_secret']],
  ['the platform', { preset: 'slack', preset_options: {} }, ['headers.X-Team', 'signing_secret']],
  [
    'the host, with new values and without signing',
    {
      url: 'https://example.com/',
      headers: [{ name: 'X-Team', value: 'again', isKept: true }],
      signing_secret: { kind: 'remove' },
    },
    [],
  ],
  [
    'the host and removing the header',
    { url: 'https://example.com/', headers: [], signing_secret: { kind: 'set', secret: 'whsec_x' } },
    [],
  ],
])('changing %s requires the affected secrets to be entered again', (_what, changes, fields) => {
  expect(secretsToEnter({ ...channelFormValues('pagerduty', channel), ...changes }, channel)).toEqual(fields);
});

test('stored options are never kept for a new host', () => {
  const values = { ...channelFormValues('pagerduty', channel), url: 'https://example.com/' };
  expect(toChannelBody(values, channel).preset_options).toEqual({});
});

test('no digest is sent for a platform with one incident per alert, even if it was selected before', () => {
  const values = { ...channelFormValues('slack'), digest_minutes: 15, digest_schedule: '' };
  expect(toChannelBody(values)).toMatchObject({ digest_minutes: 15 });
  expect(toChannelBody({ ...values, preset: 'pagerduty' })).toMatchObject({
    digest_minutes: null,
    digest_schedule: null,
  });
});

test.each(presetIds)('the form for %s shows the optional fields that its receiver can use', (preset) => {
  const { receiver, header } = presets[preset];
  const shown = shownFields(channelFormValues(preset));
  expect(shown).toEqual({
    headers: receiver !== 'hosted',
    signingSecret: receiver === 'custom',
    successResponse: receiver === 'custom',
  });
  expect(shown.headers || header === undefined).toBe(true);
});

test('fields with a value are shown for every platform, so that they can be cleared', () => {
  const all = { headers: true, signingSecret: true, successResponse: true };
  expect(shownFields(channelFormValues('pagerduty', channel), channel)).toEqual(all);
  const typed = channelFormValues('slack');
  typed.headers = [{ name: 'X-Team', value: 'platform', isKept: false }];
  typed.signing_secret = { kind: 'set', secret: 'whsec_' };
  typed.success_condition = { path: '', equals: 'ok' };
  expect(shownFields(typed)).toEqual(all);
});
