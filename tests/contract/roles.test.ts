import { afterAll, describe, expect, test } from 'vitest';
import type { KeyRole, Role } from '../../src/platform/http/index.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { type Call, callOperation, validCalls } from './calls.ts';
import { findResponseViolation } from './check-response.ts';
import { startContractInbox } from './contract-inbox.ts';
import { type ContractOperation, contractOperations } from './contract-operations.ts';
import { loginProviderEnvironment } from './contract-provider.ts';
import { buildWorld, keyRoles, roles } from './world.ts';

const inbox = await startContractInbox();
afterAll(() => inbox.close());
const server = await startTestServer(await loginProviderEnvironment());
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
  expect(findResponseViolation(operation, answer)).toBeNull();
  return answer.status;
}

/**
 * Returns the roles and credentials that can call an operation, as a string. Operations with equal strings
 * have the same access.
 */
const accessOf = ({ side, role, keyRoles: special, security }: ContractOperation) =>
  `${side}: ${[role, ...special].join(', ')} by ${security.join(', ')}`;

/** One operation for each combination of roles and credentials. */
const representatives = [...Map.groupBy(guarded, accessOf).values()].map(([operation]) => operation!);

/** The status of an invalid request by a key or session of a role, according to the contract. */
function expectedStatus(operation: ContractOperation, who: Role | KeyRole, scheme: string): number {
  if (!operation.security.includes(scheme)) return 401;
  return mayCall(operation, who) ? 400 : 403;
}

test('operations require only the listed combinations of roles and credentials', () => {
  expect(representatives.map(accessOf).toSorted()).toEqual([
    'agent: admin, agent by ApiKey',
    'auth: admin by BearerToken, SessionCookie',
    'auth: viewer by BearerToken, SessionCookie',
    'client: admin by ApiKey, BearerToken, SessionCookie',
    'client: admin by BearerToken, SessionCookie',
    'client: member by ApiKey, BearerToken, SessionCookie',
    'client: member, reporter by ApiKey, BearerToken, SessionCookie',
    'client: member, reporter by ApiKey, BearerToken, SessionCookie, DeploymentToken',
    'client: viewer by ApiKey, BearerToken, SessionCookie',
    'client: viewer by BearerToken, SessionCookie',
    'client: viewer, reporter by ApiKey, BearerToken, SessionCookie',
    'client: viewer, reporter, agent by ApiKey, BearerToken, SessionCookie',
  ]);
});

describe.each(keyRoles)('a key with the %s role', (who) => {
  test.each(representatives)('has the access to $id that the contract defines', async (operation) => {
    expect(await statusFor(operation, { key: who })).toBe(expectedStatus(operation, who, 'ApiKey'));
  });
});

describe.each(roles)('a session with the %s role', (who) => {
  test.each(representatives)('has the access to $id that the contract defines', async (operation) => {
    const expected = expectedStatus(operation, who, 'BearerToken');
    expect(await statusFor(operation, { login: who })).toBe(expected);
    const { token } = world.logins[who];
    const cookie = `pacekeeper_session=${token}`;
    expect(await statusFor(operation, { headers: { cookie, origin: server.url } })).toBe(expected);
  });
});

test.each(guarded)('$id is available to the lowest role and unavailable below it', async (operation) => {
  const { role, security } = operation;
  const credential = (who: Role | KeyRole): Call['as'] =>
    security.includes('ApiKey') ? { key: who } : { login: who as Role };
  const scheme = security.includes('ApiKey') ? 'ApiKey' : 'BearerToken';
  const below: readonly (Role | KeyRole)[] =
    scheme === 'ApiKey'
      ? keyRoles.filter((who) => !mayCall(operation, who))
      : roles.slice(0, roles.indexOf(role!));
  const highestBelow = below.findLast((who) => who !== 'agent' && who !== 'reporter') ?? below.at(-1);
  expect(await statusFor(operation, credential(role!))).toBe(400);
  expect(await statusFor(operation, highestBelow === undefined ? null : credential(highestBelow))).toBe(
    highestBelow === undefined ? 401 : 403,
  );
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
