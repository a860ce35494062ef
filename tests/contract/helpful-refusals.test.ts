import { expect, test } from 'vitest';
import { labelKeyProblem } from '../../src/domain/text/label-key.ts';
import { sharedTestServer } from '../helpers/test-server.ts';

const server = await sharedTestServer();
const { api, apiKey } = await server.createOrganization();

interface Refusal {
  status: number;
  detail: string;
  errors?: { field: string; message: string }[];
}

async function send(method: string, path: string): Promise<Refusal> {
  const answer = await fetch(`${server.url}/api/v1/client${path}`, {
    method,
    headers: { 'x-api-key': apiKey },
  });
  return { ...((await answer.json()) as Refusal), status: answer.status };
}

test.each([
  ['2026-03-01T00:00:00+02:00', /encode \+ as %2B/],
  ['2026-03-01T00:00:00.5+0200', /encode \+ as %2B/],
  ['2026-03-01T00:00:00', /no time zone: add Z/],
  ['2026-03-01T00:00', /no time zone: add Z/],
  ['2026-03-01', /has no time/],
  ['yesterday', /such as 2026-03-01T00:00:00Z/],
])('since=%s is rejected with the correct format', async (since, hint) => {
  for (const path of ['/versions', '/notification-deliveries', '/audit-log', '/releases']) {
    const { status, errors } = await send('GET', `${path}?since=${since}`);
    expect([path, status, errors?.[0]?.field]).toEqual([path, 400, 'since']);
    expect(errors?.[0]?.message).toMatch(hint);
  }
});

test('since accepts a time with an escaped +', async () => {
  const answer = await fetch(`${server.url}/api/v1/client/versions?since=2026-03-01T00:00:00%2B02:00`, {
    headers: { 'x-api-key': apiKey },
  });
  expect(answer.status).toBe(200);
});

test('the error for a missing override says that the global value applies, and the error for an unknown setting refers to the list', async () => {
  expect(await send('DELETE', '/settings/org-overrides/task.max_attempts')).toMatchObject({
    status: 404,
    detail: expect.stringMatching(/doesn't override task\.max_attempts.*org-overrides/),
  });
  expect(await send('DELETE', '/settings/org-overrides/nothing')).toMatchObject({
    status: 404,
    detail: expect.stringMatching(/nothing doesn't exist\. GET \/settings\/effective/),
  });
  expect(await send('DELETE', '/notification-templates/resolved')).toMatchObject({
    status: 404,
    detail: expect.stringMatching(/the global template already applies/),
  });
});

test('the error for an invalid label describes a valid one', async () => {
  const filtered = await send('GET', '/alerts?label=team');
  expect(filtered.errors).toEqual([
    {
      field: 'label',
      message: expect.stringMatching(/^must be key=value, such as team=payments; keys start/),
    },
  ]);
  const grouped = await send('GET', '/freshness?group_by=1');
  expect(grouped.detail).toBe(`group_by ${labelKeyProblem}`);
  const create = (labels: Record<string, string>) =>
    api.call('createScrapeJob', { body: { name: 'a', parser_type: 'manual', labels } });
  await expect(create({ 'my team': 'x', team: 'y' })).rejects.toMatchObject({
    status: 400,
    errors: [{ field: 'labels.my team', message: labelKeyProblem }],
  });
  await expect(create({ team: 'x'.repeat(201) })).rejects.toMatchObject({
    errors: [{ field: 'labels.team', message: 'must have at most 200 characters' }],
  });
  const matchers = [{ label: '', operator: '=', value: 'a' }] as const;
  const silence = { label_matchers: [...matchers], reason: 'a', ends_at: '2100-01-01T00:00:00Z' };
  await expect(api.call('createSilence', { body: silence })).rejects.toMatchObject({
    errors: [{ field: 'label_matchers.0.label', message: labelKeyProblem }],
  });
});

test('the error for an invalid label key or platform word in a setting describes a valid one', async () => {
  const set = (key: string, value: unknown) =>
    api.call('putOrgOverride', { path: { key: key as 'freshness.labels' }, body: { value } });
  await expect(set('environments.label', 'my env')).rejects.toMatchObject({
    errors: [{ field: 'value', message: labelKeyProblem }],
  });
  await expect(set('freshness.labels', ['team', '1'])).rejects.toMatchObject({
    errors: [{ field: 'value.1', message: labelKeyProblem }],
  });
  await expect(set('versions.platform_words', ['Alpine 3'])).rejects.toMatchObject({
    errors: [{ field: 'value.0', message: 'must be 2 to 32 letters from a to z, in lowercase' }],
  });
});

test('setting a description to null clears it', async () => {
  const rule = await api.call('createRule', {
    body: { name: 'a', description: 'b', rule_type: 'majors_behind', thresholds: { high: 1 } },
  });
  const changed = await api.call('updateRule', { path: { id: rule.id }, body: { description: null } });
  expect(changed.description).toBe('');
  const made = await api.call('createNotificationRule', { body: { name: 'a', description: 'b' } });
  const body = { description: null };
  expect((await api.call('updateNotificationRule', { path: { id: made.id }, body })).description).toBe('');
});
