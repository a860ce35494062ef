import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiCallError } from '../../src/client/api-client.ts';
import type { Schemas } from '../../src/generated/client-api.ts';
import { createFakeTrackers, trackerToken } from '../helpers/fake-trackers.ts';
import { createReleases } from '../helpers/monitored.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { createClock, until } from './pipeline-world.ts';

const trackers = await createFakeTrackers();
afterAll(() => trackers.close());
beforeEach(() => trackers.reset());
const server = await startTestServer();
const serverClock = createClock(server);
const clock = {
  pass: async (minutes: number) => {
    trackers.state.clockOffsetMs += minutes * 60_000;
    await serverClock.pass(minutes);
  },
};

/** Pending deliveries of one test must not arrive in the next test. */
const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

type NewChannel = Partial<Schemas['CreateNotificationChannelRequest']>;
const channelsOf = {
  github_issues: { project: 'acme/platform' },
  gitlab_issues: { project: 'acme/tools/platform' },
  jira: { project: 'OPS', issue_type: 'Task', account_email: 'bot@acme.example' },
} as const;
type Type = keyof typeof channelsOf;
const types = Object.keys(channelsOf) as Type[];

const tracker = (type: Type, fields: NewChannel = {}) => ({
  name: 'Issues',
  channel_type: type,
  url: trackers.url,
  token: trackerToken,
  ...channelsOf[type],
  ...fields,
});

/** Creates an organization that sends alerts only to a tracker. One call to `deploy` opens an alert. */
async function createWorld(type: Type, fields: NewChannel = {}, rule: object = {}) {
  const organization = await server.createOrganization();
  const { api } = organization;
  const channel = await api.call('createNotificationChannel', { body: tracker(type, fields) });
  cleanUps.push(() => api.call('deleteNotificationChannel', { path: { id: channel.id } }));
  await api.call('createNotificationRule', { body: { name: 'All', channel_ids: [channel.id], ...rule } });
  const gatherJobId = await createReleases(server, organization, ['1.0.0', '2.0.0', '3.0.0', '4.0.0']);
  const scrapeJob = await api.call('createScrapeJob', { body: { name: 'web', parser_type: 'manual' } });
  const { id: rule_id } = await api.call('createRule', {
    body: { name: 'Majors', rule_type: 'majors_behind', thresholds: { moderate: 1, high: 2, critical: 3 } },
  });
  const ids = { scrape_job_id: scrapeJob.id, gather_job_id: gatherJobId, rule_id };
  await api.call('createAlertConfig', { body: { name: 'web', ...ids } });
  const deliveries = async () =>
    (await api.call('listNotificationDeliveries')).items.toSorted((a, b) => a.id - b.id);
  return {
    ...organization,
    channelId: channel.id,
    deploy: (version: string) =>
      api.call('setScrapeJobVersion', { path: { id: scrapeJob.id }, body: { version } }),
    deliveries,
    /** Waits until at least this number of deliveries exists and all of them are completed. */
    settled: (count: number) =>
      until(`${count} deliveries`, async () => {
        const all = await deliveries();
        return all.length >= count && all.every(({ completed_at }) => completed_at !== null) && all;
      }),
    failed: (code: string) =>
      until(`a delivery fails with ${code}`, async () =>
        (await deliveries()).find(({ error }) => error?.code === code),
      ),
    async alert() {
      const open = (await api.call('listAlerts')).items[0];
      const resolved = (await api.call('listResolvedAlerts')).items[0];
      return api.call('getAlert', { path: { id: (open ?? resolved)!.id } });
    },
  };
}

async function problemsOf(call: Promise<unknown>): Promise<string[]> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiCallError)) throw error ?? new Error('it was accepted');
  expect(error.status).toBe(400);
  return error.errors.map(({ field, message }) => `${field} ${message}`);
}

describe.each(types)('tickets in %s', (type) => {
  test('an alert has one linked ticket, which stays unchanged until it is closed with the alert', async () => {
    const world = await createWorld(type, { ticket_labels: ['dependencies'] });
    await world.deploy('3.0.0');
    await world.settled(1);
    expect(trackers.issues).toHaveLength(1);
    const [issue] = trackers.issues;
    expect(issue).toMatchObject({ title: 'Moderate: web is 1 major version behind', state: 'open' });
    expect(issue!.labels).toContain('dependencies');
    expect(issue!.body).toContain(`${server.server.baseUrl}/alerts/`);
    const before = structuredClone(issue!);
    const { tickets, id } = await world.alert();
    expect(tickets).toMatchObject([
      {
        channel_id: world.channelId,
        channel_name: 'Issues',
        channel_type: type,
        state: 'open',
        closed_at: null,
      },
    ]);
    expect(tickets![0]!.key).toMatch(/[#-]1$/);
    expect(tickets![0]!.url).toMatch(/^https?:\/\/.*1$/);

    await world.api.call('acknowledgeAlert', { path: { id } });
    await world.deploy('1.0.0');
    const [, acknowledged, escalated] = await world.settled(3);
    for (const delivery of [acknowledged, escalated])
      expect(delivery).toMatchObject({ status: 'succeeded', reason: 'no_ticket' });
    expect(trackers.issues).toEqual([before]);

    await world.deploy('4.0.0');
    await world.settled(4);
    expect(trackers.issues).toEqual([{ ...before, state: 'closed' }]);
    expect((await world.alert()).tickets).toMatchObject([{ state: 'closed', closed_at: expect.any(String) }]);
    const trail = await world.api.call('listAlertActions', { path: { id } });
    const notified = trail.items.filter(({ action }) => action === 'notified').map(({ detail }) => detail);
    expect(notified.toSorted()).toEqual(['alert.created', 'alert.resolved']);
  });

  test('a ticket whose creation timed out is found by its marker among other issues', async () => {
    const world = await createWorld(type);
    await world.owner.call('putOrgOverride', {
      path: { key: 'delivery.timeout_seconds' },
      body: { value: 2 },
    });
    trackers.state.onCall = (call) => {
      if (call.method !== 'POST' || call.path.includes('search')) return null;
      trackers.state.onCall = null;
      trackers.state.losesReplies = true;
      return null;
    };
    const copied = '<!-- pacekeeper:0123456789abcdef0123456789abcdef -->';
    for (let index = 0; index < 60; index++) trackers.add({ title: 'another', body: copied, labels: [] });
    await world.deploy('1.0.0');
    await until('the ticket', async () => trackers.issues.length === 61);
    trackers.state.losesReplies = false;
    for (let index = 0; index < 60; index++) trackers.add({ title: 'later', body: copied, labels: [] });
    await world.failed('timeout');
    await clock.pass(10);
    await until('the ticket is known', async () => (await world.alert()).tickets!.length === 1);
    expect(trackers.issues).toHaveLength(121);
    expect((await world.alert()).tickets![0]!.key).toMatch(/61$/);
  });

  test('the newer of two tickets with the marker of one alert is closed', async () => {
    const world = await createWorld(type);
    trackers.state.onCall = (call) =>
      call.method === 'POST' && !call.path.includes('search') ? { status: 502 } : null;
    await world.deploy('1.0.0');
    await world.failed('http_status');
    const create = trackers.calls.find(({ method, path }) => method === 'POST' && !path.includes('search'))!;
    const { title, body, description, labels, fields } = create.json as Record<string, string>;
    const sent = (fields ?? {}) as { summary?: string; labels?: string[] };
    for (let index = 0; index < 2; index++)
      trackers.add({
        title: title ?? sent.summary!,
        body: body ?? description ?? '',
        labels: sent.labels ?? (labels as unknown as string[]) ?? [],
      });
    trackers.state.onCall = null;
    await clock.pass(10);
    await until('the ticket is known', async () => (await world.alert()).tickets!.length === 1);
    expect(trackers.issues.map(({ state }) => state)).toEqual(['open', 'closed']);
    await world.deploy('4.0.0');
    await world.settled(2);
    expect(trackers.issues.map(({ state }) => state)).toEqual(['closed', 'closed']);
  });

  test('a manually closed ticket stays closed, and no second ticket is created for its alert', async () => {
    const world = await createWorld(type);
    await world.deploy('3.0.0');
    await world.settled(1);
    trackers.issues[0]!.state = 'closed';
    await world.deploy('1.0.0');
    await world.settled(2);
    await world.deploy('4.0.0');
    const all = await world.settled(3);
    expect(all.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect(trackers.issues.map(({ state }) => state)).toEqual(['closed']);
    await world.deploy('1.0.0');
    await world.settled(4);
    expect(trackers.issues.map(({ state }) => state)).toEqual(['closed', 'open']);
  });

  test('resolving an alert succeeds if its ticket was deleted', async () => {
    const world = await createWorld(type);
    await world.deploy('1.0.0');
    await world.settled(1);
    trackers.issues[0]!.isGone = true;
    await world.deploy('4.0.0');
    const [, resolved] = await world.settled(2);
    expect(resolved).toMatchObject({ status: 'succeeded' });
    expect((await world.alert()).tickets).toMatchObject([{ state: 'missing' }]);
  });

  test('a resolution closes the ticket even if the rule routes no resolutions', async () => {
    const world = await createWorld(type, {}, { event_types: ['alert.created'] });
    await world.deploy('1.0.0');
    await world.settled(1);
    await world.deploy('4.0.0');
    await world.settled(2);
    expect(trackers.issues).toMatchObject([{ state: 'closed' }]);
  });

  test('resolving an alert without a ticket succeeds', async () => {
    const world = await createWorld(type, {}, { event_types: ['alert.resolved'] });
    await world.deploy('1.0.0');
    await until('the alert', async () => (await world.api.call('listAlerts')).items.length === 1);
    await world.deploy('4.0.0');
    const [resolved] = await world.settled(1);
    expect(resolved).toMatchObject({
      event_type: 'alert.resolved',
      status: 'succeeded',
      reason: 'no_ticket',
    });
    expect(trackers.calls).toEqual([]);
  });

  test('an invalid token causes a login error and is never returned', async () => {
    const world = await createWorld(type, { token: 'wrong-token-0123456789' });
    await world.deploy('1.0.0');
    const failed = await world.failed('ticket_login_failed');
    expect(failed.status).toBe('failed');
    const path = { id: world.channelId };
    const channel = await world.api.call('getNotificationChannel', { path });
    expect(channel).toMatchObject({ channel_type: type, has_token: true, url: trackers.url });
    const detail = await world.owner.call('getNotificationDelivery', { path: { id: failed.id } });
    const log = await world.owner.call('listAuditLog');
    expect(JSON.stringify([channel, detail, log])).not.toContain('wrong-token');
  });

  test('a token repeated by the tracker is masked completely, even in truncated text', async () => {
    const world = await createWorld(type);
    const errorOf = async (lead: string) => {
      const text = `${lead}${trackerToken}`;
      trackers.state.onCall = () => ({
        status: 403,
        json: type === 'jira' ? { errorMessages: [text] } : { message: text },
      });
      return world.api.call('testNotificationChannel', { path: { id: world.channelId } });
    };
    for (let length = 260; length <= 300; length++) {
      const { error, response_body } = await errorOf('x'.repeat(length));
      expect(error!.message).toContain('xxx');
      expect(`${error!.message} ${response_body}`).not.toContain(trackerToken.slice(0, 4));
    }
  });

  test("a token in a tracker's project name is masked", async () => {
    const world = await createWorld(type);
    if (type === 'jira') return;
    const issuesAreEnabled = { has_issues: true, issues_enabled: true };
    trackers.state.onCall = () => ({
      status: 200,
      json: { ...issuesAreEnabled, full_name: trackerToken, path_with_namespace: trackerToken },
    });
    const { detail } = await world.api.call('testNotificationChannel', { path: { id: world.channelId } });
    expect(detail).toBe('The token can read …, and its issues are enabled. No issue was created.');
  });

  test('a rate limit delays the next attempt', async () => {
    const world = await createWorld(type);
    trackers.state.onCall = (call) =>
      call.method === 'POST'
        ? { status: 429, headers: { 'retry-after': '12' }, json: { message: 'slow down' } }
        : null;
    await world.deploy('1.0.0');
    const failed = await world.failed('ticket_limited');
    const waitMs = Date.parse(failed.next_attempt_at!) - Date.parse(failed.last_attempt_at!);
    expect(waitMs).toBeGreaterThan(0);
    expect(failed.response_status).toBe(429);
    trackers.state.onCall = null;
    await clock.pass(30);
    await until('the ticket', async () => trackers.issues.length === 1);
  });

  test('a channel test checks the token and the project without creating an issue', async () => {
    const world = await createWorld(type);
    const path = { id: world.channelId };
    const result = await world.api.call('testNotificationChannel', { path });
    expect(result).toMatchObject({ success: true, status_code: 200, error: null, request_body: null });
    expect(result.detail).toMatch(/No issue was created\.$/);
    await world.api.call('updateNotificationChannel', { path, body: { token: 'wrong-token-0123456789' } });
    const refused = await world.api.call('testNotificationChannel', { path });
    expect(refused).toMatchObject({ success: false, detail: null, error: { code: 'ticket_login_failed' } });
    const other = type === 'jira' ? 'NOPE' : 'acme/nothing';
    await world.api.call('updateNotificationChannel', {
      path,
      body: { token: trackerToken, project: other },
    });
    const missing = await world.api.call('testNotificationChannel', { path });
    expect(missing).toMatchObject({ success: false, error: { code: 'ticket_project_not_found' } });
    expect(trackers.issues).toEqual([]);
  });

  test('a token must be sent again when the host of the tracker changes, but not for other changes', async () => {
    const world = await createWorld(type);
    const path = { id: world.channelId };
    expect(
      await problemsOf(
        world.api.call('updateNotificationChannel', { path, body: { url: 'https://evil.example' } }),
      ),
    ).toEqual(['token must be sent again']);
    expect(
      await problemsOf(world.api.call('updateNotificationChannel', { path, body: { token: null } })),
    ).toEqual(['token is required']);
    const other = type === 'jira' ? 'NEW' : 'acme/other';
    const changed = await world.api.call('updateNotificationChannel', { path, body: { project: other } });
    expect(changed).toMatchObject({ project: other, has_token: true });
  });

  test('correcting the project of a channel creates the tickets of waiting alerts', async () => {
    const other = type === 'jira' ? 'NOPE' : 'acme/nothing';
    const world = await createWorld(type, { project: other });
    if (type === 'jira')
      trackers.state.onCall = () => ({
        status: 404,
        json: { errorMessages: ['No project could be found.'], errors: {} },
      });
    await world.deploy('1.0.0');
    await world.failed('ticket_project_not_found');
    trackers.state.onCall = null;
    await world.api.call('updateNotificationChannel', {
      path: { id: world.channelId },
      body: { project: channelsOf[type].project },
    });
    trackers.calls.length = 0;
    await clock.pass(10);
    await until('the ticket', async () => trackers.issues.length === 1);
    expect(trackers.calls).toHaveLength(1);
  });

  test('a ticket is closed even if issues with its marker can no longer be listed', async () => {
    const world = await createWorld(type);
    trackers.state.onCall = (call) => (call.method === 'POST' ? { status: 502 } : null);
    await world.deploy('1.0.0');
    await world.failed('http_status');
    trackers.state.onCall = null;
    await clock.pass(10);
    await world.settled(1);
    trackers.state.onCall = ({ path }) =>
      path.includes('page=') || path.includes('search') ? { status: 504 } : null;
    await world.deploy('4.0.0');
    await until('the ticket is closed', async () => trackers.issues[0]!.state === 'closed');
    expect((await world.alert()).tickets).toMatchObject([{ state: 'closed' }]);
  });

  test('an attempt that fails inside Pacekeeper is retried', async () => {
    const world = await createWorld(type);
    await sql`ALTER TABLE alert_tickets RENAME TO alert_tickets_away`.execute(server.db);
    try {
      await world.deploy('3.0.0');
      await world.failed('worker_lost');
    } finally {
      await sql`ALTER TABLE alert_tickets_away RENAME TO alert_tickets`.execute(server.db);
    }
    await clock.pass(5);
    await world.settled(1);
    expect(trackers.issues).toHaveLength(1);
  });

  test('any response of a tracker can be stored', async () => {
    const world = await createWorld(type);
    const text = `${'x'.repeat(279)}😀 a\0b\ud800`;
    trackers.state.onCall = () => ({ status: 422, json: { message: text, errorMessages: [text] } });
    await world.deploy('1.0.0');
    const failed = await world.failed('ticket_rejected');
    expect(failed.status).toBe('dead_letter');
    expect(failed.error!.message.length).toBeLessThan(400);
  });
});

test('a transferred GitHub issue is closed in its new repository', async () => {
  const world = await createWorld('github_issues');
  await world.deploy('1.0.0');
  await world.settled(1);
  trackers.issues[0]!.movedTo = 'acme/other';
  await world.deploy('4.0.0');
  await world.settled(2);
  expect(trackers.issues).toMatchObject([{ state: 'closed' }]);
  expect(trackers.calls.at(-1)).toMatchObject({
    method: 'PATCH',
    json: { state: 'closed', state_reason: 'completed' },
  });
});

describe('a moved GitLab issue', () => {
  /**
   * Creates an alert and moves its issue as GitLab does: the issue is closed, and a new issue with the same
   * text continues it.
   */
  async function createMovedIssue() {
    const world = await createWorld('gitlab_issues');
    await world.deploy('1.0.0');
    await world.settled(1);
    const [issue] = trackers.issues;
    trackers.issues.push(
      { ...issue!, number: 2, isInOtherProject: true, state: 'closed', continuedBy: 3 },
      { ...issue!, number: 3, isInOtherProject: true },
      // This issue contains a copy of the marker.
      { ...issue!, number: 4, isInOtherProject: true },
    );
    Object.assign(issue!, { state: 'closed', continuedBy: 2 });
    return world;
  }

  test('is closed in its new project, and an issue with a copied marker stays open', async () => {
    const world = await createMovedIssue();
    await world.deploy('4.0.0');
    await world.settled(2);
    expect(trackers.issues.map(({ state }) => state)).toEqual(['closed', 'closed', 'closed', 'open']);
    expect(trackers.calls.at(-1)).toMatchObject({ method: 'PUT', path: '/api/v4/projects/8/issues/3' });
  });

  test.each([
    ['is no longer visible', () => Object.assign(trackers.issues[2]!, { isGone: true })],
    [
      "can't be changed",
      () => {
        trackers.state.onCall = ({ method }) =>
          method === 'PUT' ? { status: 403, json: { message: '403 Forbidden' } } : null;
      },
    ],
  ])('whose continuation %s stays open', async (_what, hide) => {
    const world = await createMovedIssue();
    hide();
    await world.deploy('4.0.0');
    const [, closing] = await world.settled(2);
    expect(closing).toMatchObject({ status: 'succeeded' });
    expect((await world.alert()).tickets).toMatchObject([{ state: 'missing' }]);
    expect(trackers.issues.slice(2).map(({ state }) => state)).toEqual(['open', 'open']);
  });
});

test('a secondary rate limit of GitHub, which is a 403, delays the next attempt', async () => {
  const world = await createWorld('github_issues');
  trackers.state.onCall = () => ({
    status: 403,
    headers: {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Math.floor(Date.now() / 1_000) + 5),
    },
    json: { message: 'You have exceeded a secondary rate limit.' },
  });
  await world.deploy('1.0.0');
  expect((await world.failed('ticket_limited')).status).toBe('failed');
});

test('disabled issues cause a dead letter with a clear error immediately', async () => {
  const world = await createWorld('github_issues');
  trackers.state.hasIssues = false;
  await world.deploy('1.0.0');
  const failed = await world.failed('ticket_rejected');
  expect(failed).toMatchObject({ status: 'dead_letter', reason: 'ticket_rejected' });
  expect(failed.error!.message).toContain('Issues are disabled');
  const channel = await world.api.call('getNotificationChannel', { path: { id: world.channelId } });
  expect(channel.is_active).toBe(true);
});

test('the error for a rejected Jira ticket names the required fields', async () => {
  const world = await createWorld('jira', { issue_type: 'Bug' });
  await world.deploy('1.0.0');
  const failed = await world.failed('ticket_rejected');
  expect(failed.error!.message).toBe(
    'The tracker rejected the ticket. Jira: customfield_10001: Severity is required.',
  );
});

test('a resolution required by Jira is set, and a missing transition to Done causes a clear error', async () => {
  const world = await createWorld('jira');
  trackers.state.transitions = [{ name: 'Start', category: 'indeterminate' }];
  await world.deploy('1.0.0');
  await world.settled(1);
  await world.deploy('4.0.0');
  const failed = await world.failed('ticket_not_closed');
  expect(failed.error!.message).toContain('no transition from "To Do" to a status of the category Done');
  trackers.state.transitions = [{ name: 'Done', category: 'done', required: ['resolution'] }];
  await clock.pass(30);
  await until('it is closed', async () => trackers.issues[0]!.state === 'closed');
  expect(trackers.calls.at(-1)!.json).toEqual({
    transition: { id: '11' },
    fields: { resolution: { name: 'Done' } },
  });
});

test('requests to Jira Data Center use a bearer token and its search API', async () => {
  const world = await createWorld('jira', { account_email: null });
  trackers.state.onCall = (call) => (call.path.endsWith('/issue') ? { status: 502 } : null);
  await world.deploy('1.0.0');
  await world.failed('http_status');
  trackers.state.onCall = null;
  await clock.pass(10);
  await until('the ticket', async () => trackers.issues.length === 1);
  expect(trackers.calls.map(({ path }) => path)).toContain('/rest/api/2/search');
});

test('an alert that is resolved before its ticket is created gets no ticket', async () => {
  const world = await createWorld('github_issues');
  trackers.state.onCall = () => ({ status: 502 });
  await world.deploy('1.0.0');
  await world.failed('http_status');
  await world.deploy('4.0.0');
  await until('it is resolved', async () => (await world.api.call('listResolvedAlerts')).items.length === 1);
  trackers.state.onCall = null;
  await clock.pass(10);
  await world.settled(2);
  expect(trackers.issues).toEqual([]);
});

test('the ticket of a deleted channel stays linked, and a ticket on another host stays unchanged', async () => {
  const world = await createWorld('github_issues');
  await world.deploy('1.0.0');
  await world.settled(1);
  await world.api.call('updateNotificationChannel', {
    path: { id: world.channelId },
    body: { url: 'https://github.invalid/api/v3', token: trackerToken },
  });
  const before = trackers.calls.length;
  await world.deploy('4.0.0');
  expect(await world.failed('ticket_elsewhere')).toMatchObject({ status: 'dead_letter' });
  expect(trackers.calls).toHaveLength(before);
  await world.api.call('deleteNotificationChannel', { path: { id: world.channelId } });
  cleanUps.length = 0;
  expect((await world.alert()).tickets).toMatchObject([
    { channel_id: null, channel_name: 'Issues', key: 'acme/platform#1' },
  ]);
});

test.each<[Type, object]>([
  ['gitlab_issues', { iid: 7, state: 'opened', references: { full: 'acme\0'.repeat(1_000) } }],
  ['jira', { key: '../../project\0' }],
])('a response from %s with an invalid key is handled safely', async (type, json) => {
  const world = await createWorld(type);
  trackers.state.onCall = ({ method }) => (method === 'POST' ? { status: 201, json } : null);
  await world.deploy('1.0.0');
  if (type === 'jira') expect((await world.failed('invalid_response')).status).toBe('failed');
  else {
    await world.settled(1);
    expect((await world.alert()).tickets![0]!.key.length).toBeLessThanOrEqual(200);
  }
});

test("a response that is too large isn't read", async () => {
  const world = await createWorld('github_issues');
  trackers.state.onCall = () => ({ status: 422, json: { message: 'x'.repeat(5_000_000) } });
  await world.deploy('1.0.0');
  expect((await world.failed('invalid_response')).response_status).toBeNull();
});

test("an older issue to which someone adds the marker isn't treated as the ticket", async () => {
  const world = await createWorld('github_issues');
  trackers.state.onCall = ({ method }) => (method === 'POST' ? { status: 502 } : null);
  await world.deploy('1.0.0');
  await world.failed('http_status');
  const { body } = trackers.calls.find(({ method }) => method === 'POST')!.json as { body: string };
  const createdAt = new Date(Date.now() + trackers.state.clockOffsetMs - 3_600_000);
  trackers.add({ title: 'another', body, labels: [], createdAt });
  trackers.add({ title: 'the ticket', body, labels: [] });
  trackers.state.onCall = null;
  await clock.pass(10);
  await world.settled(1);
  expect(trackers.issues.map(({ state }) => state)).toEqual(['open', 'open']);
  expect((await world.alert()).tickets![0]!.key).toMatch(/#2$/);
});

test("an issue with the marker in another Jira project isn't treated as the ticket", async () => {
  const world = await createWorld('jira');
  trackers.state.onCall = ({ method, path }) =>
    method === 'POST' && path.endsWith('/issue') ? { status: 502 } : null;
  await world.deploy('1.0.0');
  await world.failed('http_status');
  trackers.state.onCall = null;
  await clock.pass(10);
  await world.settled(1);
  const search = trackers.calls.find(({ path }) => path.includes('/search'))!;
  expect(search.json['jql']).toMatch(/^project = "OPS" AND labels = "pacekeeper-/);
});

test("a channel that creates tickets can't be the default channel", async () => {
  const { api, owner } = await server.createOrganization();
  const { id } = await api.call('createNotificationChannel', { body: tracker('github_issues') });
  const text = expect.stringMatching(
    /^\S+ can't be a channel that creates tickets: .* add a notification rule/,
  );
  expect(
    await problemsOf(owner.call('updateNotificationSettings', { body: { default_channel_id: id } })),
  ).toEqual([text]);
  const key = 'default_notification_channel_id';
  expect(await problemsOf(owner.call('putOrgOverride', { path: { key }, body: { value: id } }))).toEqual([
    text,
  ]);
  expect((await owner.call('getNotificationSettings')).default_channel_id).toBeNull();
});

test('the fields of tracker channels are validated', async () => {
  const { api } = await server.createOrganization();
  const create = (body: Schemas['CreateNotificationChannelRequest']) =>
    problemsOf(api.call('createNotificationChannel', { body }));
  const name = 'Issues';
  expect(await create({ name, channel_type: 'jira' })).toEqual([
    'url is required',
    'project is required',
    'token is required',
    'issue_type is required',
  ]);
  expect(await create(tracker('github_issues', { project: 'acme' }))).toEqual([
    'project must be a repository, such as acme/platform',
  ]);
  expect(await create(tracker('github_issues', { digest_minutes: 5, preset: 'slack' }))).toEqual([
    "digest_minutes can't be used: each alert has a ticket; omit it",
    "preset isn't used by channels that create tickets; omit it",
  ]);
  expect(await create(tracker('gitlab_issues', { issue_type: 'Task', ticket_labels: ['a,b'] }))).toEqual([
    'issue_type requires `channel_type` jira',
    "ticket_labels.0 can't contain commas",
  ]);
  expect(await create(tracker('jira', { ticket_labels: ['a b'] }))).toEqual([
    "ticket_labels.0 can't contain white space",
  ]);
  expect(await create({ name, url: 'https://example.com', project: 'a/b' })).toEqual([
    'project requires `channel_type` github_issues, gitlab_issues, or jira',
  ]);
  expect(await create(tracker('github_issues', { project: 'acme/..' }))).toEqual([
    'project must be a repository, such as acme/platform',
  ]);
  for (const type of ['github_issues', 'gitlab_issues'] as const)
    expect(
      await api.call('createNotificationChannel', { body: tracker(type, { project: 'acme/.github' }) }),
    ).toMatchObject({ project: 'acme/.github' });
  const pasted = { project: 'https://github.com/acme/platform.git', url: null };
  expect(
    await api.call('createNotificationChannel', { body: tracker('github_issues', pasted) }),
  ).toMatchObject({ project: 'acme/platform', url: 'https://api.github.com' });
});
