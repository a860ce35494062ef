import { afterAll, describe, expect, test } from 'vitest';
import type { KeyRole, Role } from '../../src/platform/http/index.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { type Call, callOperation, validCalls } from './calls.ts';
import { violationInResponse } from './check-answer.ts';
import { startContractInbox } from './contract-inbox.ts';
import { type ContractOperation, contractOperations } from './contract-operations.ts';
import { withLoginProvider } from './contract-provider.ts';
import { buildWorld, keyRoles, roles } from './world.ts';

const inbox = await startContractInbox();
afterAll(() => inbox.close());
const server = await startTestServer(await withLoginProvider());
const owner = await server.createOrganization();
const world = await buildWorld({ baseUrl: server.url, owner, webhookUrl: inbox.url, db: server.db });

/** All operations that require authentication. */
const guarded = contractOperations.filter(({ role }) => role !== null);

/** True if the contract allows a role to call the operation. */
function mayCall({ role, keyRoles: special }: ContractOperation, who: Role | KeyRole): boolean {
  if (who === 'agent' || who === 'reporter') return special.includes(who);
  return roles.indexOf(who) >= roles.indexOf(role!);
}

/**
 * Sends a request with an invalid parameter, so that even an authorized request is rejected without an
 * effect.
 */
async function statusFor(operation: ContractOperation, as: Call['as']): Promise<number> {
  const call = { path: { id: 1, key: 'a', category: 'resolved' }, query: { no_such_parameter: 1 } };
  const answer = await callOperation(world, operation.id, {
    ...call,
    ...(operation.body && { body: {} }),
    as,
  });
  expect(violationInResponse(operation, answer)).toBeNull();
  return answer.status;
}

describe.each(keyRoles)('a key with the %s role', (who) => {
  test.each(guarded)('has the access to $id that the contract defines', async (operation) => {
    const expected = !operation.security.includes('ApiKey') ? 401 : mayCall(operation, who) ? 400 : 403;
    expect(await statusFor(operation, { key: who })).toBe(expected);
  });
});

describe.each(roles)('a session with the %s role', (who) => {
  test.each(guarded)('has the access to $id that the contract defines', async (operation) => {
    const expected = !operation.security.includes('BearerToken') ? 401 : mayCall(operation, who) ? 400 : 403;
    expect(await statusFor(operation, { login: who })).toBe(expected);
    const { token } = world.logins[who];
    const cookie = `pacekeeper_session=${token}`;
    expect(await statusFor(operation, { headers: { cookie, origin: server.url } })).toBe(expected);
  });
});

describe('a reporter', () => {
  test.each(guarded.filter(({ keyRoles: special }) => special.includes('reporter')))(
    'can call $id',
    async ({ id }) => {
      const answer = await callOperation(world, id, {
        ...(await validCalls[id](world)),
        as: { key: 'reporter' },
      });
      expect(answer.status, answer.text).toBe(200);
    },
  );
});

describe('an administrator', () => {
  test.each(guarded.filter(({ side }) => side === 'agent'))('can call $id like an agent', async ({ id }) => {
    const answer = await callOperation(world, id, { ...(await validCalls[id](world)), as: { key: 'admin' } });
    expect(answer.status, answer.text).toBeLessThan(300);
  });
});
