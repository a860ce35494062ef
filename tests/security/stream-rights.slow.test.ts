import { afterAll, expect, onTestFinished, test } from 'vitest';
import { attachWakeUps, topicNames } from '../../src/platform/database/index.ts';
import { ApiError } from '../../src/platform/errors.ts';
import { type Caller, createHttpServer } from '../../src/platform/http/index.ts';
import { createSilentLog } from '../../src/platform/log.ts';
import { streamHandlers } from '../../src/server/stream-events.ts';
import { createTestDatabase } from '../helpers/database.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { createPeople, trustedProxyEnvironment } from './people.ts';

const { db } = await createTestDatabase({ schema: 'empty' });
const caller: Caller = {
  organizationId: 7,
  via: 'login',
  role: 'viewer',
  userId: 3,
  apiKeyId: null,
  loginId: null,
  isSystem: false,
  isTwoFactorMissing: false,
  actor: {
    type: 'user',
    id: 3,
    name: 'Viewer',
  },
};

/** Opens an event stream whose authorization is checked every 20 ms instead of every minute. */
async function openStream(
  authenticate: () => Promise<Caller | null>,
  authorizeAgainMs = 20,
): Promise<{ ended: Promise<unknown> }> {
  const app = await createHttpServer({
    log: createSilentLog(),
    trustedProxies: [],
    isUnavailable: () => false,
  });
  afterAll(() => app.close());
  const { streamEvents } = streamHandlers({ db, authenticate, authorizeAgainMs });
  app.get('/events', async (request, reply) => {
    const { signal } = new AbortController();
    await streamEvents({ caller, http: { request, reply }, signal } as unknown as Parameters<
      typeof streamEvents
    >[0]);
    return reply.hijack();
  });
  const answer = await fetch(`${await app.listen({ port: 0 })}/events`);
  expect(answer.status).toBe(200);
  return { ended: answer.text() };
}

/** Returns a valid caller a few times, so that the stream stays open at first, then the given result. */
function after(
  times: number,
  then: () => Caller | null,
): { ask: () => Promise<Caller | null>; asked: () => number } {
  let asked = 0;
  return { ask: async () => (++asked <= times ? caller : then()), asked: () => asked };
}

test.each<[string, () => Caller | null]>([
  ['whose login has ended', () => null],
  [
    'whose key was disabled',
    () => {
      throw new ApiError('unauthenticated');
    },
  ],
  ['who is in another organization now', () => ({ ...caller, organizationId: 8 })],
])('the stream of a caller %s ends', async (_, then) => {
  const { ask, asked } = after(3, then);
  const { ended } = await openStream(ask);
  await ended;
  expect(asked()).toBe(4);
});

test('the stream of a caller whose access ended while it was being opened ends immediately', async () => {
  const { ended } = await openStream(async () => null, 3_600_000);
  await ended;
});

test('the stream of a caller whose role changed ends, so that the client reconnects with the new role', async () => {
  const { ask } = after(3, () => ({ ...caller, role: 'member' }));
  const { ended } = await openStream(ask);
  await ended;
});

test('a stream includes members and API keys only if its caller can list them', async () => {
  const server = await startTestServer(trustedProxyEnvironment);
  const { owner, api, id } = await server.createOrganization();
  const people = createPeople(server);
  expect(id).toBeGreaterThan(1);
  const roles = ['viewer', 'member', 'admin'] as const;
  const joined = await Promise.all(roles.map((role) => people.join(owner, role)));
  const open = async (token: string) => {
    const abort = new AbortController();
    onTestFinished(() => abort.abort());
    const { body } = await fetch(`${server.url}/api/v1/client/events`, {
      headers: { authorization: `Bearer ${token}` },
      signal: abort.signal,
    });
    const seen = { text: '' };
    void body!
      .pipeThrough(new TextDecoderStream())
      .pipeTo(new WritableStream({ write: (chunk) => void (seen.text += chunk) }))
      .catch(() => undefined);
    return seen;
  };
  const streams = await Promise.all(joined.map(({ token }) => open(token)));

  const { api_key } = await owner.call('createAPIKey', { body: { name: 'Pipeline' } });
  const newcomer = await people.join(owner, 'viewer');
  // A stream that contains this last change has received all earlier ones.
  const rule = await api.call('createRule', {
    body: { name: 'r', rule_type: 'majors_behind', thresholds: { high: 1 } },
  });
  const told = (resource: string, id: number) => `"resource":"${resource}","id":${id}`;
  for (const seen of streams) await expect.poll(() => seen.text).toContain(told('rule', rule.id));
  const [viewer, member, admin] = streams;
  for (const seen of [viewer!, member!]) expect(seen.text).not.toMatch(/"resource":"(member|api_key)"/);
  expect(admin!.text).toContain(told('api_key', api_key.id));
  expect(admin!.text).toContain(told('member', newcomer.memberId));
});

test('rechecking the streams of an organization uses at most 4 database connections and doesn’t delay other organizations', async () => {
  const app = await createHttpServer({
    log: createSilentLog(),
    trustedProxies: [],
    isUnavailable: () => false,
  });
  afterAll(() => app.close());
  const listeners = new Set<(detail: string | undefined) => void>();
  let asked = 0;
  const waiting: ((caller: Caller) => void)[] = [];
  onTestFinished(
    attachWakeUps(db, {
      wake: () => undefined,
      on(topic, listener) {
        if (topic === topicNames.rights) listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    }),
  );
  const { streamEvents } = streamHandlers({
    db,
    authenticate: () => {
      asked += 1;
      return new Promise((resolve) => waiting.push(resolve));
    },
    authorizeAgainMs: 3_600_000,
  });
  app.get<{ Params: { user: string; organization: string } }>(
    '/events/:organization/:user',
    async (request, reply) => {
      const own = {
        organizationId: Number(request.params.organization),
        userId: Number(request.params.user),
      };
      const { signal } = new AbortController();
      await streamEvents({
        caller: {
          ...caller,
          ...own,
        },
        http: {
          request,
          reply,
        },
        signal,
      } as unknown as Parameters<typeof streamEvents>[0]);
      return reply.hijack();
    },
  );
  const url = await app.listen({ port: 0 });
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const open = (organization: number, user: number) =>
    fetch(`${url}/events/${organization}/${user}`, { signal: abort.signal });
  for (let user = 1; user <= 20; user += 1) await open(7, user);
  // Each stream requires a check when it opens and after every role change in the organization, but only four checks
  // run at the same time.
  for (let count = 0; count < 10; count += 1)
    for (const listener of Array.from(listeners)) listener('organizationId/7');
  expect(asked).toBe(4);
  // Streams of another organization don't wait for these checks.
  await open(8, 99);
  expect(asked).toBe(5);

  const answerAll = async () => {
    while (waiting.length > 0) {
      for (const answer of waiting.splice(0)) answer({ ...caller, organizationId: 7 });
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await answerAll();
  // The four checks that were running during the change run again. All other streams are checked once.
  expect(asked).toBe(4 + 20 + 1);
});
