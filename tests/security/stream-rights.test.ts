import { afterAll, expect, test } from 'vitest';
import { ApiError } from '../../src/platform/errors.ts';
import { type Caller, createHttpServer } from '../../src/platform/http/index.ts';
import { createSilentLog } from '../../src/platform/log.ts';
import { streamHandlers } from '../../src/server/stream-events.ts';

const caller: Caller = {
  ...{
    organizationId: 7,
    via: 'login',
    role: 'viewer',
    userId: 3,
    apiKeyId: null,
    loginId: null,
    isSystem: false,
  },
  actor: { type: 'user', id: 3, name: 'Viewer' },
};

/** A stream whose rights are checked every 20 ms instead of every minute. */
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
  const { streamEvents } = streamHandlers({
    wakeUps: {
      wake: () => undefined,
      wakeAfterCommit: () => undefined,
      on: () => () => undefined,
      close: async () => undefined,
    },
    authenticate,
    authorizeAgainMs,
  });
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

/** Right for a while, so that a stream is seen to live on, then what is given. */
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
    'whose key was turned off',
    () => {
      throw new ApiError('unauthenticated');
    },
  ],
  ['who is in another organization now', () => ({ ...caller, organizationId: 8 })],
])('the stream of somebody %s is ended', async (_, then) => {
  const { ask, asked } = after(3, then);
  const { ended } = await openStream(ask);
  await ended;
  expect(asked()).toBe(4);
});

test('the stream of somebody whose right ended while it was opened is ended at once', async () => {
  const { ended } = await openStream(async () => null, 3_600_000);
  await ended;
});

test('the stream of somebody with another role is ended, and begins again with this role', async () => {
  const { ask } = after(3, () => ({ ...caller, role: 'member' }));
  const { ended } = await openStream(ask);
  await ended;
});
