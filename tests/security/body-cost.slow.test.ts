import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createApiClient } from '../../src/client/api-client.ts';
import { startTestServer } from '../helpers/test-server.ts';

const server = await startTestServer();
const { apiKey } = await server.createOrganization();
const mebibyte = 1024 * 1024;

interface Refusal {
  status: number;
  body: { detail: string; errors?: { field: string; message: string }[] };
}

async function post(path: string, body: string | Uint8Array<ArrayBuffer>, headers = {}): Promise<Refusal> {
  const answer = await fetch(`${server.url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
}

const withKey = (path: string, body: string) => post(path, body, { 'x-api-key': apiKey });

/** Checks that the response contains only this error, so nothing else was validated. */
function checkErrors({ status, body }: Refusal, expected: { field: string; message: string }): void {
  expect(status, body.detail).toBe(400);
  expect(body.errors).toEqual([expected]);
}

describe('a list that is too long', () => {
  const strings = JSON.stringify(Array.from({ length: 50_000 }, (_, index) => `s${index}`));
  const cases: [field: string, list: string, maxItems: number][] = [
    ['severities', strings, 3],
    ['event_types', strings, 6],
    ['label_matchers', `[${'{},'.repeat(330_000)}{}]`, 20],
    ['rule_ids', `[${'[],'.repeat(300_000)}[]]`, 500],
  ];
  test.each(cases)('is rejected because of its length alone: %s', async (field, list, maxItems) => {
    const answer = await withKey('/client/notification-rules', `{"name":"x","${field}":${list}}`);
    checkErrors(answer, { field, message: `must have at most ${maxItems.toLocaleString('en-US')} items` });
  });

  test('is rejected with 600 alert IDs', async () => {
    const body = JSON.stringify({ alert_ids: Array.from({ length: 600 }, (_, index) => index + 1) });
    const answer = await withKey('/client/alerts/acknowledge', body);
    checkErrors(answer, { field: 'alert_ids', message: 'must have at most 500 items' });
  });
});

describe('a request with many fields and items', () => {
  const members = (count: number) =>
    Array.from({ length: count }, (_, index) => `"${index.toString(36)}":0`).join(',');
  const tooMany = (limit: number) => ({
    field: 'body',
    message: `must not have more than ${limit} fields and items`,
  });

  test('is rejected because of its number of unknown fields', async () => {
    checkErrors(await withKey('/client/rules', `{${members(90_000)}}`), tooMany(2_000));
  });

  test('is rejected if the fields are in a value that can have any type', async () => {
    const bodies = [
      `{"value":{${members(90_000)}}}`,
      `{"value":${'['.repeat(400_000)}${']'.repeat(400_000)}}`,
    ];
    for (const body of bodies) {
      const answer = await fetch(`${server.url}/api/v1/client/settings/org-overrides/gather.max_releases`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
        body,
      });
      checkErrors({ status: answer.status, body: (await answer.json()) as Refusal['body'] }, tooMany(2_000));
    }
  });

  test('has a lower limit without credentials', async () => {
    checkErrors(await post('/auth/login', `{${members(1_500)}}`), tooMany(100));
  });

  test('is rejected if a single object has too many fields, even if the body is below its limit', async () => {
    const bodies = { body: `{${members(600_000)}}`, items: `{"items":[{${members(500_000)}}]}` };
    for (const [field, body] of Object.entries(bodies))
      checkErrors(await withKey('/agent/tasks/1/results', body), {
        field,
        message: 'must have at most 20,000 fields',
      });
  });

  test('is rejected with the name and the limit of the list that has too many items', async () => {
    const list = (count: number) => `[${'0,'.repeat(count - 1)}0]`;
    const cases: [field: string, body: string][] = [
      ['rules', `{"rules":${list(20_001)}}`],
      ['settings.x', `{"settings":{"y":${list(5)},"x":${list(20_001)}}}`],
      ['body', list(20_001)],
    ];
    for (const [field, body] of cases)
      checkErrors(await withKey('/client/configuration/plan', body), {
        field,
        message: 'must have at most 20,000 items',
      });
    const nested = `{"rules":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
    checkErrors(await withKey('/client/configuration/plan', nested), {
      field: 'body',
      message: 'must not have more than 1,000 levels of nesting',
    });
  });

  test('gets at most 20 errors if it is below the limit', async () => {
    const { status, body } = await withKey('/client/rules', `{${members(1_900)}}`);
    expect(status).toBe(400);
    expect(body.errors).toHaveLength(20);
  });

  test('is rejected with more than 200 query parameters, and gets at most 20 errors with fewer', async () => {
    const ask = (count: number) =>
      fetch(
        `${server.url}/api/v1/client/rules?${members(count).replaceAll(/"|:0/g, '').replaceAll(',', '&')}`,
        {
          headers: { 'x-api-key': apiKey },
        },
      ).then((answer) => answer.json() as Promise<Refusal['body']>);
    expect((await ask(150)).errors).toHaveLength(20);
    expect((await ask(2_000)).errors).toEqual([
      { field: 'query', message: 'must not have more than 200 parameters' },
    ]);
  });
});

describe('the size limit of a body', () => {
  const tooLarge = (bytes: number) => `The request body exceeds ${bytes} bytes.`;
  const cases: [what: string, path: string, limit: number][] = [
    ['without credentials', '/auth/login', 16_384],
    ['with optional credentials', '/auth/invitations/accept', 16_384],
    ['without a body', '/client/rules/evaluate', 16_384],
    ['of the client interface', '/client/rules', mebibyte],
    ['of the agent interface', '/agent/heartbeat', mebibyte],
    ['for agent results', '/agent/tasks/1/results', 8 * mebibyte],
  ];
  test.each(cases)('applies to an operation %s and is mentioned in the error', async (_what, path, limit) => {
    const isAnonymous = path.startsWith('/auth');
    const headers = isAnonymous ? {} : { 'x-api-key': apiKey };
    const answer = await post(path, ' '.repeat(limit + 1), headers);
    expect(answer).toMatchObject({ status: 413, body: { detail: tooLarge(limit) } });
    const inChunks = await fetch(`${server.url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: new Blob([' '.repeat(limit + 1)]).stream(),
      duplex: 'half',
    } as RequestInit);
    // An operation that takes no body ignores one of unknown size, so the request succeeds.
    if (path === '/client/rules/evaluate') expect(inChunks.status).toBe(200);
    else expect(await inChunks.json()).toMatchObject({ status: 413, detail: tooLarge(limit) });
  });

  test('applies to the decompressed size', async () => {
    const packed = new Uint8Array(gzipSync(' '.repeat(8 * mebibyte + 1)));
    const headers = { 'x-api-key': apiKey, 'content-encoding': 'gzip' };
    expect(await post('/agent/tasks/1/results', packed, headers)).toMatchObject({
      status: 413,
      body: { detail: tooLarge(8 * mebibyte) },
    });
  });
});

describe('large agent results', () => {
  afterEach(() => void vi.restoreAllMocks());

  const release =
    '{"tag":"1","app_version":null,"released_at":null,"is_prerelease":false,"is_yanked":false,"url":null,"notes":null}';
  const charts = (count: number, last = release) => {
    const chart = (name: number, releases: string) =>
      `{"chart":{"name":"c${name}","latest_version":"1","app_version":null,"description":null,"deprecated":false,"version_count":1},"releases":[${releases}]}`;
    const full = `${release},`.repeat(999) + release;
    const items = Array.from({ length: count }, (_, index) => chart(index, full));
    return `{"lease_token":"none","sequence":1,"items":[${items.join(',')},${chart(count, last)}]}`;
  };

  /**
   * Sends results and returns the response and the length of the longest text that the main thread parsed.
   */
  async function longestParsed(body: string, headers = {}): Promise<{ longest: number; answer: Refusal }> {
    const parse = vi.spyOn(JSON, 'parse');
    const bytes = new Uint8Array('content-encoding' in headers ? gzipSync(body) : Buffer.from(body));
    const answer = await post('/agent/tasks/1/results', bytes, { 'x-api-key': apiKey, ...headers });
    return { longest: Math.max(...parse.mock.calls.map(([text]) => String(text).length)), answer };
  }

  test.each([{}, { 'content-encoding': 'gzip' }])(
    'are never parsed on the main thread, whether valid or invalid: %s',
    async (headers) => {
      const valid = await longestParsed(charts(60), headers);
      // The results are valid, but their task doesn't exist.
      expect(valid.answer).toMatchObject({ status: 404 });
      const wrong = await longestParsed(charts(60, '{"tag":1}'), headers);
      expect(wrong.answer.status).toBe(400);
      expect(wrong.answer.body.errors!.length).toBeLessThanOrEqual(20);
      for (const { longest } of [valid, wrong]) expect(longest).toBeLessThan(10_000);
    },
  );

  test.each([{}, { 'content-encoding': 'gzip' }])('are stored completely: %s', async (headers) => {
    const { api, owner } = await server.createOrganization();
    const job = await api.call('createGatherJob', {
      body: { name: 'large', source_type: 'github_releases', artifact_name: 'github.com/example/large' },
    });
    const { key } = await owner.call('createAPIKey', { body: { name: 'agent', role: 'agent' } });
    const agent = createApiClient({ baseUrl: server.url, apiKey: key });
    const capabilities = ['gather:github_releases'];
    const { agent_id } = await agent.call('sendHeartbeat', {
      body: { name: 'a', hostname: 'a', version: '1', capabilities, credential_names: [], running: [] },
    });
    const { tasks } = await agent.call('claimTasks', {
      body: { agent_id, capabilities, credential_names: [], max: 1, wait_seconds: 0 },
    });
    const { task_id, lease_token } = tasks[0]!;
    const notes = 'é "\\u0041" 漢 '.repeat(300);
    const items = Array.from({ length: 1_000 }, (_, index) => ({
      ...JSON.parse(release),
      tag: `1.0.${index}`,
      notes,
    }));
    const body = Buffer.from(JSON.stringify({ lease_token, sequence: 1, items }));
    expect(body.length).toBeGreaterThan(2 * mebibyte);
    const bytes = new Uint8Array('content-encoding' in headers ? gzipSync(body) : body);
    const sent = await post(`/agent/tasks/${task_id}/results`, bytes, { 'x-api-key': key, ...headers });
    expect(sent.status).toBe(204);
    await agent.call('completeTask', {
      path: { id: task_id },
      body: {
        lease_token,
        parts: 1,
        summary: {
          not_modified: false,
          is_complete_list: true,
          validators: null,
          found: 1_000,
          skipped: 0,
          skipped_examples: [],
          requests: 1,
          waited_ms: 0,
        },
      },
    });
    const { total, items: page } = await api.call('listReleases', {
      query: { gather_job_id: job.id, limit: 1 },
    });
    expect(total).toBe(1_000);
    expect((await api.call('getRelease', { path: { id: page[0]!.id } })).notes).toBe(notes);
  });
});
