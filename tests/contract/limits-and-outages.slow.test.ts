import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { OperationId } from '../../src/generated/operations.ts';
import { startTestServer, type TestServer } from '../helpers/test-server.ts';
import { type Call, callOperation, toRequest, validCalls } from './calls.ts';
import { findResponseViolation } from './check-response.ts';
import { startContractInbox } from './contract-inbox.ts';
import { contractOperations, operationOf } from './contract-operations.ts';
import { loginProviderEnvironment } from './contract-provider.ts';
import { type RawRequest, type RawResponse, sendRequest } from './send-request.ts';
import { buildWorld, type World } from './world.ts';

const inbox = await startContractInbox();
afterAll(() => inbox.close());

async function worldOf(server: TestServer): Promise<World> {
  const owner = await server.createOrganization();
  return buildWorld({ baseUrl: server.url, owner, webhookUrl: inbox.url, db: server.db });
}

function checkRefused(id: OperationId, answer: RawResponse, status: number, code: string): void {
  expect(answer.status, answer.text).toBe(status);
  expect(JSON.parse(answer.text)).toMatchObject({ code });
  expect(findResponseViolation(operationOf(id), answer)).toBeNull();
}

describe('the rate limit', async () => {
  const server = await startTestServer({
    ...(await loginProviderEnvironment()),
    PACEKEEPER_RATE_LIMIT_PER_MINUTE: '300',
  });
  const world = await worldOf(server);

  test('applies to each credential, and every operation that accepts it returns 429', async () => {
    const { key } = await world.make.apiKey({ role: 'admin' });
    const as = { headers: { 'x-api-key': key } };
    await Promise.all(
      Array.from({ length: 300 }, () => callOperation(world, 'getRule', { path: { id: 1 }, as })),
    );
    for (const { id } of contractOperations.filter(({ security }) => security.includes('ApiKey'))) {
      const answer = await untilRefused(() => callOperation(world, id, { ...cheapCall(id), as }), 20);
      checkRefused(id, answer, 429, 'rate_limited');
      expect(answer.headers['ratelimit']).toMatch(/^"default";r=0;t=\d+$/);
      expect(answer.headers['ratelimit-policy']).toBe('"default";q=300;w=60');
    }
  });

  test('applies to wrong keys from one address, but not to a valid key', async () => {
    const as = { headers: { 'x-api-key': 'pk_1_wrong' } };
    for (let count = 0; count < 300; count++) {
      checkRefused('listRules', await callOperation(world, 'listRules', { as }), 401, 'unauthenticated');
    }
    const answer = await untilRefused(() => callOperation(world, 'listRules', { as }), 50);
    checkRefused('listRules', answer, 429, 'rate_limited');
    expect((await callOperation(world, 'getOverview', {})).status).toBe(200);
  });

  test('applies to logins to one account', async () => {
    const call = { body: { email: 'nobody@example.org', password: 'guessed' } };
    for (let count = 0; count < 10; count++)
      checkRefused('login', await callOperation(world, 'login', call), 401, 'unauthenticated');
    checkRefused('login', await callOperation(world, 'login', call), 429, 'rate_limited');
  });
});

const server = await startTestServer(await loginProviderEnvironment());
const world = await worldOf(server);

test('an event stream above the limit returns 429', async () => {
  const streams = await Promise.all(Array.from({ length: 5 }, () => openStream(world)));
  checkRefused('streamEvents', await callOperation(world, 'streamEvents', {}), 429, 'rate_limited');
  for (const close of streams) close();
});

test('an internal error returns 500 and exposes no internals', async () => {
  onTestFinished(async () => {
    await sql`ALTER TABLE rules_that_are_gone RENAME TO rules`.execute(server.db);
  });
  await sql`ALTER TABLE rules RENAME TO rules_that_are_gone`.execute(server.db);
  for (const id of ['listRules', 'getRule', 'createRule'] as const) {
    const answer = await callOperation(world, id, await validCalls[id](world));
    checkRefused(id, answer, 500, 'internal');
    expect(answer.text).not.toMatch(/relation|rules|sql|42P01/i);
  }
});

test('every operation returns 503 without the database, and recovers with it', async () => {
  const requests: [id: OperationId, request: RawRequest][] = [];
  for (const operation of contractOperations) {
    // Skip this operation. It reads a file instead of the database, so that the login page can still show the error.
    if (operation.id === 'listLoginProviders') continue;
    // Without the database, no caller is authenticated, so only the requests of anonymous callers must be valid.
    const call = operation.role === null ? await validCalls[operation.id](world) : cheapCall(operation.id);
    requests.push([operation.id, toRequest(world, operation, call)]);
  }
  const bring = await takeDatabaseAway(server);
  for (const [id, request] of requests)
    checkRefused(id, await sendRequest(server.url, request), 503, 'unavailable');
  await bring();
  expect((await callOperation(world, 'listRules', {})).status).toBe(200);
});

/**
 * Repeats a request with increasing concurrency until a response is 429. The concurrency outpaces the refill
 * of the rate limit, even on a slow machine.
 */
async function untilRefused(ask: () => Promise<RawResponse>, atMost: number): Promise<RawResponse> {
  for (let count = 1; ; count++) {
    const answers = await Promise.all(Array.from({ length: count }, ask));
    const refused = answers.find(({ status }) => status === 429);
    if (refused || count === atMost) return refused ?? answers[0]!;
  }
}

/** Closes all connections to the database and blocks new ones until the returned function is called. */
async function takeDatabaseAway({ connection }: TestServer): Promise<() => Promise<void>> {
  const { database } = connection;
  const operator = new pg.Client({ ...connection, database: 'template1' });
  await operator.connect();
  await operator.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`);
  await operator.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
    database,
  ]);
  return async () => {
    await operator.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`);
    await operator.end();
  };
}

/** Returns a call that is rejected before any processing. */
function cheapCall(id: OperationId): Call {
  return { path: { id: 1, key: 'a', category: 'resolved' }, ...(operationOf(id).body && { body: {} }) };
}

async function openStream(world: World): Promise<() => void> {
  const controller = new AbortController();
  const { path } = operationOf('streamEvents');
  const answer = await fetch(world.baseUrl + path, {
    headers: { 'x-api-key': world.keys.viewer },
    signal: controller.signal,
  });
  expect(answer.status).toBe(200);
  return () => controller.abort();
}
