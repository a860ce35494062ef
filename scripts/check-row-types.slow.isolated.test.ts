import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { callOperation, validCalls } from '../tests/contract/calls.ts';
import { startContractInbox } from '../tests/contract/contract-inbox.ts';
import { contractOperations } from '../tests/contract/contract-operations.ts';
import { loginProviderEnvironment } from '../tests/contract/contract-provider.ts';
import { buildWorld } from '../tests/contract/world.ts';
import { takeRecordedCalls, watchRows } from '../tests/helpers/run/record-rows.ts';
import { startTestServer } from '../tests/helpers/test-server.ts';
import { compareRowTypes, createProgram, mergeRecords } from './check-row-types.ts';

watchRows();
const server = await startTestServer(await loginProviderEnvironment());
const inbox = await startContractInbox();
const world = await buildWorld({
  baseUrl: server.url,
  owner: await server.createOrganization(),
  webhookUrl: inbox.url,
  db: server.db,
});

test('rows that the operations of the contract read have the types that the code declares', async () => {
  for (const { id } of contractOperations) {
    if (id === 'streamEvents') continue;
    const { status, text } = await callOperation(world, id, await validCalls[id](world));
    expect(status, `${id}: ${text}`).toBeLessThan(400);
  }
  const folder = fileURLToPath(new URL('..', import.meta.url));
  const { checked, mismatches } = compareRowTypes(createProgram(), folder, mergeRecords(takeRecordedCalls()));
  expect(mismatches).toEqual([]);
  expect(checked).toBeGreaterThan(200);
});
