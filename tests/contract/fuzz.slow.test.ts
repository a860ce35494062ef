import { afterAll, expect, test } from 'vitest';
import { isLong } from '../helpers/long-tests.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { startContractInbox } from './contract-inbox.ts';
import { loginProviderEnvironment } from './contract-provider.ts';
import { malformedRequestViolations, runFuzz } from './fuzz.ts';
import { buildWorld } from './world.ts';

const inbox = await startContractInbox();
afterAll(() => inbox.close());
const server = await startTestServer(await loginProviderEnvironment());
const owner = await server.createOrganization();
const world = await buildWorld({ baseUrl: server.url, owner, webhookUrl: inbox.url, db: server.db });

test('every response to a generated request matches the contract, and none is a 500', async () => {
  const report = await runFuzz(world, { count: isLong ? 3_000 : 1_500, seed: 20_260_315, maxMs: 25_000 });
  expect(report.faults).toEqual([]);
  expect(report.sent).toBeGreaterThan(100);
});

test('malformed HTTP is rejected with a standard error', async () => {
  expect(await malformedRequestViolations(server.url)).toEqual([]);
});
