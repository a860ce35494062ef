import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { atEndOfFile } from '../helpers/end-of-file.ts';
import { createMonitoredSoftware } from '../helpers/monitored.ts';
import { startTestServer, type TestOrganization } from '../helpers/test-server.ts';
import { expectCheapToParse, largestJsonParsedDuring } from '../helpers/watch-parsing.ts';

const server = await startTestServer({ PACEKEEPER_RETRY_SCHEDULE_SECONDS: '1,1' });

interface Hostile {
  status: number;
  body: string;
}

let answer: (method: string, path: string) => Hostile = () => ({ status: 200, body: '{}' });
const asked: string[] = [];
const tracker = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  request.resume();
  const { status, body } = answer(request.method ?? '', request.url ?? '');
  response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  response.end(gzipSync(body));
});
await new Promise<void>((resolve) => tracker.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(tracker.address() as AddressInfo).port}`;
atEndOfFile(() => {
  tracker.closeAllConnections();
  tracker.close();
});
afterEach(() => {
  asked.length = 0;
});

const trackers = {
  github_issues: { project: 'acme/platform' },
  gitlab_issues: { project: 'acme/platform' },
  jira: { project: 'OPS', issue_type: 'Task', account_email: 'bot@acme.example' },
} as const;
const types = Object.keys(trackers) as (keyof typeof trackers)[];

function createChannel({ api }: TestOrganization, type: keyof typeof trackers, name = 'Issues') {
  const fields = { channel_type: type, url, token: 'token-of-the-tests', ...trackers[type] };
  return api.call('createNotificationChannel', { body: { name, ...fields } });
}

/** Creates an alert whose events go only to this channel, and returns its deliveries. */
async function openAlert(organization: TestOrganization, channelId: number) {
  const { api } = organization;
  await api.call('createNotificationRule', { body: { name: 'All', channel_ids: [channelId] } });
  await createMonitoredSoftware(server, organization);
  return async () => (await api.call('listNotificationDeliveries')).items;
}

const fields = (count: number) =>
  Array.from({ length: count }, (_, index) => `"f${index.toString(36)}":0`).join(',');
const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const objects = (count: number) => `[${'{},'.repeat(count - 1)}{}]`;

const costly: [name: string, body: string][] = [
  ['400,000 fields', `{"message":{${fields(400_000)}},"errors":{${fields(10)}}}`],
  ['lists of 2,000,000 levels', deep(2_000_000)],
  ['1,000,000 empty objects', objects(1_000_000)],
  ['a field with a list of 200,000 levels', `{"message":{"title":${deep(200_000)}}}`],
  ['6,000 values in 24 KiB', `{"message":${objects(6_000)}}`],
  ['3 MiB of text', JSON.stringify({ message: 'x'.repeat(3 * 1024 * 1024) })],
];

describe.each(types)('a costly response of %s', (type) => {
  test.each(costly)('with %s is not parsed on the main thread of the server', async (_, body) => {
    const organization = await server.createOrganization();
    const { id } = await createChannel(organization, type);
    for (const status of [200, 422, 500]) {
      answer = () => ({ status, body });
      const largest = await largestJsonParsedDuring(async () => {
        const result = await organization.api.call('testNotificationChannel', { path: { id } });
        // A successful response that has the required fields is parsed in the sandbox, regardless of its
        // other fields.
        if (!result.success)
          expect(result.error!.code).toMatch(
            /^(invalid_response|ticket_rejected|http_status|ticket_forbidden)$/,
          );
        expect(result.success && status !== 200).toBe(false);
      });
      expectCheapToParse(largest);
    }
  });
});

/** Values that can't be converted to text, or whose text is meaningless. */
const odd = [
  '{"toString":1,"valueOf":1}',
  '[[[[{"toString":null}]]]]',
  deep(10_000),
  'null',
  '1e999',
  '{"__proto__":{"message":"x"}}',
  '"\\u0000\\ud800"',
];

const oddAnswers = (value: string) => [
  value,
  `[${value},${value}]`,
  `{"message":${value}}`,
  `{"message":"x","errors":[${value},{"field":${value},"code":${value},"message":${value}}]}`,
  `{"message":{"title":${value},"body":[${value}]}}`,
  `{"error":${value},"error_description":${value}}`,
  `{"errorMessages":[${value}],"errors":{"a":${value}}}`,
  `{"errorMessages":${value},"errors":${value}}`,
  `{"has_issues":${value},"full_name":${value},"archived":${value}}`,
  `{"path_with_namespace":${value},"issues_enabled":${value}}`,
  `{"issueTypes":[{"name":${value},"subtask":${value}}],"permissions":{"CREATE_ISSUES":${value}}}`,
  `{"issueTypes":${value},"permissions":${value}}`,
];

test.each(types)(
  'a malformed response of %s fails the channel test and never causes an internal error',
  async (type) => {
    const organization = await server.createOrganization();
    const { id } = await createChannel(organization, type);
    for (const body of odd.flatMap(oddAnswers))
      for (const status of [200, 403, 422]) {
        answer = () => ({ status, body });
        const result = await organization.api.call('testNotificationChannel', { path: { id } });
        expect(result, `${status} ${body.slice(0, 100)}`).toMatchObject({ duration_ms: expect.any(Number) });
        if (status !== 200) expect(result.error?.code).toMatch(/^ticket_/);
      }
  },
);

test.each(types)(
  'a delivery to %s that gets a malformed response fails with a receiver error',
  async (type) => {
    for (const value of odd.slice(0, 3)) {
      const organization = await server.createOrganization();
      const { id } = await createChannel(organization, type);
      const status = value.startsWith('{') ? 201 : 422;
      answer = () => ({
        status,
        body: `{"message":{"title":${value}},"number":${value},"iid":${value},"key":${value},"errors":{"a":${value}}}`,
      });
      const deliveries = await openAlert(organization, id);
      await expect
        .poll(async () => (await deliveries())[0]?.error?.code ?? null)
        .toMatch(/^(invalid_response|ticket_rejected)$/);
      await organization.api.call('deleteNotificationChannel', { path: { id } });
    }
  },
);

describe.each(['github_issues', 'gitlab_issues'] as const)('a search for a ticket in %s', (type) => {
  const pageOf = (issue: object) => JSON.stringify(Array.from({ length: 50 }, () => issue));
  const searches = () => asked.filter((line) => line.includes('page='));

  test('ends after 20 pages, without a second ticket', async () => {
    const organization = await server.createOrganization();
    const { id } = await createChannel(organization, type);
    const issue = { number: 1, iid: 1, created_at: '2099-01-01T00:00:00Z', body: '', description: '' };
    answer = (method) =>
      method === 'POST' ? { status: 500, body: '{}' } : { status: 200, body: pageOf(issue) };
    const deliveries = await openAlert(organization, id);
    await expect
      .poll(async () => (await deliveries())[0])
      .toMatchObject({ status: 'dead_letter', error: { code: 'ticket_search_incomplete' } });
    expect(searches()).toHaveLength(20);
    expect(asked.filter((line) => line.startsWith('POST'))).toHaveLength(1);
  });

  test('ends after 16 MiB', async () => {
    const organization = await server.createOrganization();
    const { id } = await createChannel(organization, type);
    const text = 'x'.repeat(60_000);
    const issue = { number: 1, iid: 1, created_at: '2099-01-01T00:00:00Z', body: text, description: text };
    answer = (method) =>
      method === 'POST' ? { status: 500, body: '{}' } : { status: 200, body: pageOf(issue) };
    const deliveries = await openAlert(organization, id);
    const largest = await largestJsonParsedDuring(() =>
      expect.poll(async () => (await deliveries())[0]?.error?.code).toBe('invalid_response'),
    );
    expectCheapToParse(largest);
    expect(searches().length).toBeLessThanOrEqual(2 * 4);
    await organization.api.call('deleteNotificationChannel', { path: { id } });
  });
});
