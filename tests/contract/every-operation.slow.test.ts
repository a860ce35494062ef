import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createApiClient } from '../../src/client/api-client.ts';
import { keyedOperations } from '../../src/generated/keyed-operations.ts';
import type { OperationId } from '../../src/generated/operations.ts';
import { createLoginLink, createSystemKey, createUser } from '../../src/modules/accounts/index.ts';
import { isLong } from '../helpers/long-tests.ts';
import { requireTwoFactor } from '../helpers/require-two-factor.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { type Call, callOperation, validCalls } from './calls.ts';
import { findResponseViolation } from './check-response.ts';
import { startContractInbox } from './contract-inbox.ts';
import { type ContractOperation, contractOperations, operationOf } from './contract-operations.ts';
import { loginProviderEnvironment } from './contract-provider.ts';
import { buildWorld, createResourceFactories, type World } from './world.ts';

type MakeCall = (world: World) => Call | Promise<Call>;

/** An ID that is too high to exist. */
const neverId = 9_007_199_254_740_990;
const megabyte = 1024 * 1024;

const server = await startTestServer({
  ...(await loginProviderEnvironment()),
  PACEKEEPER_TRUSTED_PROXIES: '127.0.0.1',
});
const inbox = await startContractInbox();
const [ownOwner, otherOwner] = [await server.createOrganization(), await server.createOrganization()];
const world = await buildWorld({
  baseUrl: server.url,
  owner: ownOwner,
  webhookUrl: inbox.url,
  db: server.db,
});

const unknownUpgrade = { upgrade_id: '9000000000007-0000000000000000' };

/**
 * Calls by operation and status, for errors that need more than a missing, oversized, or disallowed value.
 */
const specialCalls: Partial<Record<OperationId, Record<number, MakeCall>>> = {
  updateGatherJob: {
    409: ({ ids }) => ({ path: { id: ids.gather_job[1] }, body: { artifact_name: 'x.example.com/y' } }),
  },
  deleteSampleData: {
    404: async ({ make }) => ({
      as: { headers: { authorization: `Bearer ${(await make.member()).token}` } },
    }),
  },
  deleteGatherJob: { 409: ({ ids }) => ({ path: { id: ids.gather_job[0] } }) },
  deleteScrapeJob: { 409: ({ ids }) => ({ path: { id: ids.scrape_job[0] } }) },
  runScrapeJob: { 409: ({ ids }) => ({ path: { id: ids.scrape_job[0] } }) },
  setScrapeJobVersion: { 409: ({ ids }) => ({ path: { id: ids.scrape_job[1] }, body: { version: '1' } }) },
  reportDeployment: { 409: reportToSeveralJobs, 413: () => ({ body: 'a'.repeat(12 * megabyte) }) },
  reportDeploymentEvent: { 204: returnOwnEvent, 409: reportEventToSeveralJobs },
  deleteHelmSyncJob: { 409: deleteSharedHelmSyncJob },
  deleteDiscoveryJob: { 409: deleteFeedingDiscoveryJob },
  acknowledgeAlert: { 409: onResolvedAlert },
  unacknowledgeAlert: { 409: onResolvedAlert },
  assignAlert: { 409: (own) => ({ ...onResolvedAlert(own), body: { member_id: null } }) },
  snoozeAlert: { 409: (own) => ({ ...onResolvedAlert(own), body: { until_version_changes: true } }) },
  unsnoozeAlert: { 409: onResolvedAlert },
  createAlertConfig: { 409: ({ ids }) => ({ body: { name: 'twice', ...comparedBy(ids) } }) },
  updateAlertConfig: {
    409: async ({ ids, make }) => ({ path: { id: await make.alertConfig() }, body: comparedBy(ids) }),
  },
  getUpgrade: { 404: () => ({ path: unknownUpgrade }) },
  listUpgradePlaces: { 404: () => ({ path: unknownUpgrade }) },
  changeUpgrade: { 404: () => ({ path: unknownUpgrade, body: { action: 'acknowledge' } }) },
  getLifecycleProduct: { 404: () => ({ path: { name: 'no-such-product' } }) },
  planConfiguration: { 413: () => ({ body: largeConfiguration() }) },
  applyConfiguration: {
    409: applyInProgress,
    412: () => ({
      query: { fingerprint: 'f'.repeat(64) },
      body: { scrape_jobs: [{ name: 'not planned', parser_type: 'manual' }] },
    }),
    413: () => ({ query: { fingerprint: '0'.repeat(64) }, body: largeConfiguration() }),
  },
  putOrgOverride: { 404: () => ({ path: { key: 'no.such.key' }, body: { value: 1 } }) },
  deleteOrgOverride: { 404: () => ({ path: { key: 'gather.max_releases' } }) },
  deleteNotificationTemplate: {
    404: async ({ make, admin }) => {
      await make.templateOverride('acknowledged');
      await admin.call('deleteNotificationTemplate', { path: { category: 'acknowledged' } });
      return { path: { category: 'acknowledged' } };
    },
  },
  updateNotificationRule: {
    409: async ({ make }) => ({
      path: { id: await make.strandedNotificationRule() },
      body: { is_active: true },
    }),
  },
  updateSilence: {
    409: async ({ make }) => ({ path: { id: await make.endedSilence() }, body: { reason: 'Longer' } }),
  },
  toggleNotificationRule: {
    409: async ({ make }) => ({ path: { id: await make.strandedNotificationRule() } }),
  },
  retryNotificationDelivery: { 409: ({ ids }) => ({ path: { id: ids.delivery[0] } }) },
  toggleAPIKey: { 409: async ({ make }) => ({ path: { id: await make.deactivatedKey() } }) },
  createAPIKey: { 401: () => ({ as: { key: 'owner' }, body: { name: 'by a key' } }) },
  inviteMember: { 409: ({ logins }) => ({ body: { email: logins.viewer.email, role: 'viewer' } }) },
  updateMember: {
    409: ({ logins }) => ({
      path: { id: logins.owner.memberId },
      body: { role: 'admin' },
      as: { login: 'owner' },
    }),
  },
  deleteMember: { 409: ({ logins }) => ({ path: { id: logins.owner.memberId }, as: { login: 'owner' } }) },
  claimTasks: {
    404: () => ({
      body: { agent_id: neverId, capabilities: [], credential_names: [], max: 1, wait_seconds: 0 },
    }),
  },
  renewTask: { 409: withLateLease('renewTask') },
  submitTaskResults: { 409: withLateLease('submitTaskResults') },
  listTaskPackages: { 409: withLateLease('listTaskPackages') },
  listTaskCves: { 409: withLateLease('listTaskCves') },
  findMissingRecords: { 409: withLateLease('findMissingRecords') },
  completeTask: { 409: withLateLease('completeTask') },
  failTask: { 409: withLateLease('failTask') },
  login: {
    401: ({ logins }) => ({ body: { email: logins.viewer.email, password: 'wrong' } }),
    403: async ({ make, owner }) => {
      const { email, password } = await make.member();
      const { items } = await owner.call('listMembers', { query: { q: email } });
      await owner.call('deleteMember', { path: { id: items[0]!.id } });
      return { body: { email, password } };
    },
  },
  refreshLogin: { 401: () => ({}), 403: fromElsewhere() },
  logout: { 403: fromElsewhere() },
  endSession: { 403: async (own) => ({ ...(await fromElsewhere()(own)), path: { id: own.ids.session[0] } }) },
  useLoginLink: {
    403: async ({ make, admin, owner }) => {
      const { email } = await make.member();
      const { items } = await admin.call('listMembers', { query: { q: email } });
      await owner.call('deleteMember', { path: { id: items[0]!.id } });
      return { body: { token: (await createLoginLink(server.db, email)).token } };
    },
    404: () => ({ body: { token: 'never-given' } }),
  },
  listSessions: { 403: withoutTwoFactor },
  listIdentities: { 403: withoutTwoFactor },
  listChatAccounts: { 403: withoutTwoFactor },
  getDeviceLogin: {
    403: async () => ({ ...(await withoutTwoFactor()), query: { user_code: 'never given' } }),
    404: () => ({ query: { user_code: 'never given' } }),
  },
  approveDeviceLogin: {
    403: fromElsewhere({ user_code: 'WDJB-MJHT' }),
    404: ({ logins: { viewer } }) => ({
      body: { user_code: 'never given' },
      as: { headers: { authorization: `Bearer ${viewer.token}`, cookie: viewer.cookies } },
    }),
  },
  claimDeviceLogin: {
    202: async ({ make }) => ({ body: { device_code: (await make.deviceLogin()).device_code } }),
    404: () => ({ body: { device_code: 'never-given' } }),
  },
  exchangeDeploymentToken: {
    401: async ({ make }) => ({ body: { ...(await make.identityToken()), trust: 'never-given' } }),
    403: async (own) => {
      const body = await own.make.identityToken();
      await sql`UPDATE deployment_trusts SET claims = '{"repository": "acme/other"}'
        WHERE code = ${body.trust}`.execute(server.db);
      return { body };
    },
  },
  linkIdentity: { 403: fromElsewhere({ provider: 'corp' }), 404: () => ({ body: { provider: 'unknown' } }) },
  unlinkIdentity: {
    403: async (own) => ({ ...(await fromElsewhere()(own)), path: { id: own.ids.identity[0] } }),
    409: async (own) => {
      const call = await validCalls.unlinkIdentity(own);
      await sql`UPDATE users SET has_password = false FROM user_identities AS i
        WHERE i.user_id = users.id AND i.id = ${Number(call.path?.['id'])}`.execute(server.db);
      return call;
    },
  },
  previewChatAccount: { 403: fromElsewhere({ token: 'a' }), 404: () => ({ body: { token: 'never-given' } }) },
  linkChatAccount: {
    403: fromElsewhere({ token: 'a' }),
    404: async (own) => ({ ...(await validCalls.linkChatAccount(own)), body: { token: 'never-given' } }),
  },
  unlinkChatAccount: {
    403: async (own) => ({ ...(await fromElsewhere()(own)), path: { id: own.ids.chat_account[0] } }),
  },
  endOtherSessions: { 403: fromElsewhere() },
  changePassword: { 403: fromElsewhere({ current_password: 'a', new_password: 'a password' }) },
  startTwoFactor: {
    403: fromElsewhere({ password: 'a' }),
    409: async ({ make }) => {
      const { as } = await make.twoFactor();
      return { as, body: { password: 'a' } };
    },
  },
  confirmTwoFactor: { 403: fromElsewhere({ code: '492039' }), 409: ({ make }) => make.twoFactor() },
  replaceRecoveryCodes: {
    403: fromElsewhere({ code: '492039' }),
    409: ({ make }) => make.twoFactor('started'),
  },
  disableTwoFactor: { 403: fromElsewhere({ code: '492039' }), 409: ({ make }) => make.twoFactor('started') },
  switchOrganization: {
    403: fromElsewhere({ organization_id: 2 }),
    404: () => ({ body: { organization_id: otherOwner.id } }),
  },
  resetPassword: { 404: () => ({ body: { token: 'never-given', new_password: 'a password' } }) },
  acceptInvitation: {
    401: async ({ owner }) => {
      const { accept_url } = await owner.call('inviteMember', {
        body: { email: otherOwner.email, role: 'viewer' },
      });
      return { body: { token: accept_url.split('#token=')[1] } };
    },
    403: fromElsewhere({ token: 'a' }),
    404: () => ({ body: { token: 'never-given' } }),
    409: async ({ make, organizationId }) => {
      const { email, token } = await make.invitation();
      const password = 'a password of hers';
      await createUser(server.db, { organizationId, role: 'viewer', user: { email, password } });
      const { access_token } = await server.anonymous.call('login', { body: { email, password } });
      return { body: { token }, as: { headers: { authorization: `Bearer ${access_token}` } } };
    },
  },
};

/**
 * Documented responses that no call here triggers, with the reason. The statuses 429, 500, and 503 have
 * separate tests.
 */
const exceptions: Partial<Record<OperationId, Record<number, string>>> = {
  updateNotificationTemplate: {
    404: 'an unknown category is a wrong parameter; 404 is kept for templates that go away',
  },
  changeUpgrade: {
    409: 'takes more than 1,000 open alerts; src/modules/upgrades/upgrade-handlers.test.ts has them',
  },
  updateArtifactAlias: {
    409: 'takes two aliases with one prefix; src/modules/discovery/aliases/alias-handlers.slow.test.ts has them',
  },
  createSavedView: {
    403: 'sharing takes a higher role; src/modules/software/saved-view-handlers.test.ts has it',
  },
  listSavedViews: { 403: 'every role may' },
  loadSampleData: { 403: 'every role may' },
  deleteSampleData: {
    403: 'every role may',
    409: 'takes a session in the sample data; src/modules/sample-data/sample-data-handlers.test.ts has one',
  },
  deleteSavedView: {
    403: 'a shared view takes a higher role; src/modules/software/saved-view-handlers.test.ts has it',
  },
  previewChatAccount: {
    409: 'takes a person in two organizations; tests/security/chat-buttons.slow.test.ts has one',
  },
  linkChatAccount: { 409: 'takes two links at once; tests/security/chat-buttons.slow.test.ts has them' },
  compareEnvironments: { 409: 'takes someone who creates the same comparison at the same moment' },
  logout: {
    200: 'takes a session of a provider that ends its own; tests/security/single-sign-on.slow.test.ts has one',
  },
  sendHeartbeat: { 409: 'takes a hundred agents; tests/security/agent-limits.test.ts registers them' },
};

/** Generic calls that trigger a status. `null` if the status doesn't apply to the operation. */
const generalCalls: Record<
  number,
  (operation: ContractOperation, own: World) => Call | null | Promise<Call | null>
> = {
  400: async ({ id }) => ({ ...(await unusedCallOf(id)), query: { no_such_parameter: 1 } }),
  401: async ({ id, isOpen }) => (isOpen ? null : { ...(await unusedCallOf(id)), as: null }),
  403: async ({ id, role, keyRoles, security }) => {
    if (role === null) return null;
    const call = await unusedCallOf(id);
    if (keyRoles.includes('agent')) return { ...call, as: { key: 'member' } };
    if (security.includes('ApiKey')) return { ...call, as: { key: role === 'viewer' ? 'agent' : 'viewer' } };
    return role === 'viewer' ? null : { ...call, as: { login: 'viewer' } };
  },
  404: async ({ id, parameters }) =>
    parameters.some((each) => each.in === 'path' && each.name === 'id')
      ? { ...(await unusedCallOf(id)), path: { id: neverId } }
      : null,
  409: async (operation, own) => {
    const used = await withUsedKey(operation, own);
    if (used !== null) await forgetOutcome(used.key);
    return used?.call ?? null;
  },
  412: async ({ id }) => ({ ...(await unusedCallOf(id)), headers: { 'if-match': '"999999999"' } }),
  413: async ({ id, side }) => {
    const call = await unusedCallOf(id);
    return { ...call, body: 'x'.repeat((side === 'agent' ? 8 : 1) * megabyte) };
  },
  415: async ({ id }) => ({ ...(await unusedCallOf(id)), headers: { 'content-type': 'text/plain' } }),
  422: async (operation, own) => {
    const used = await withUsedKey(operation, own);
    if (used === null) return null;
    const { call } = used;
    if (call.path) return { ...call, path: { id: neverId } };
    return {
      ...call,
      body: { ...(call.body as object), ...(otherFields[operation.id] ?? { name: 'Another' }) },
    };
  },
};

/** A changed field of the body, for operations whose bodies have no name. */
const otherFields: Partial<Record<OperationId, object>> = {
  createFeedback: { message: 'Another' },
  createSilence: { reason: 'Another' },
  createArtifactAlias: { upstream_prefix: 'another.example.org' },
  createArtifactCorrection: { artifact_name: 'another/artifact' },
  inviteMember: { email: 'another@example.org' },
};

const ownTests = new Set([429, 500, 503]);

/** Statuses of requests that are rejected before they have an effect. */
const withoutEffect = new Set([400, 401, 403, 404, 412, 413, 415]);

/**
 * Order of the cases of an operation. Requests without an effect come first, so that all of them, and the successful
 * request after them, can use the same valid call.
 */
function orderOf(id: OperationId, status: number): number {
  if (specialCalls[id]?.[status]) return 2;
  return withoutEffect.has(status) ? 0 : status < 300 ? 1 : 2;
}

const cases = contractOperations.flatMap((operation) =>
  [...operation.responses.keys()]
    .filter((status) => !ownTests.has(status))
    .toSorted((a, b) => orderOf(operation.id, a) - orderOf(operation.id, b))
    .map((status) => ({ id: operation.id, status, operation })),
);

describe('the documented statuses', () => {
  test.each(cases)(
    'are returned or have an explicit exception: $id $status',
    async ({ id, status, operation }) => {
      const reason = exceptions[id]?.[status];
      const call = await callFor(operation, status);
      if (reason !== undefined) {
        expect(specialCalls[id]?.[status], 'an exception has no call').toBeUndefined();
        return;
      }
      expect(call, `a call of ${id} that is answered ${status}`).not.toBeNull();
      const answer = await callOperation(world, id, call!);
      expect(answer.status, answer.text.slice(0, 1_000)).toBe(status);
      expect(findResponseViolation(operation, answer)).toBeNull();
    },
  );

  test('include every status with a special call or an exception', () => {
    for (const [id, statuses] of Object.entries({ ...specialCalls, ...exceptions })) {
      const listed = [...operationOf(id as OperationId).responses.keys()];
      expect(listed, id).toEqual(expect.arrayContaining(Object.keys(statuses).map(Number)));
    }
  });
});

describe('an operation without a request body', () => {
  const bodiless = contractOperations.filter(({ body, id }) => !body && id !== 'streamEvents');
  // Without `PACEKEEPER_LONG_TESTS=1`, the test sends one request for each kind of operation.
  const kinds = Map.groupBy(bodiless, ({ side, method, role }) => `${side} ${method} ${role}`);
  test.each(isLong ? bodiless : [...kinds.values()].map(([operation]) => operation!))(
    'ignores a body that a request contains: $id',
    async (operation) => {
      const call = await validCalls[operation.id](world);
      const answer = await callOperation(world, operation.id, {
        ...call,
        body: '{',
        headers: { 'content-type': 'no/type' },
      });
      expect(answer.status, answer.text).toBeLessThan(300);
      expect(findResponseViolation(operation, answer)).toBeNull();
    },
  );
});

async function callFor(operation: ContractOperation, status: number): Promise<Call | null> {
  const special = specialCalls[operation.id]?.[status];
  if (special) return special(world);
  if (status < 300) return unusedCallOf(operation.id);
  return (await generalCalls[status]?.(operation, world)) ?? null;
}

/** The newest call that `unusedCallOf` returned. */
let unused: { id: OperationId; call: Promise<Call> } | undefined;

/** Returns the same valid call until another operation is next, because creating its resources takes the longest. */
function unusedCallOf(id: OperationId): Promise<Call> {
  if (unused?.id !== id) unused = { id, call: Promise.resolve(validCalls[id](world)) };
  return unused.call;
}

/** Completes a request with an idempotency key, and returns it. `null` if the operation takes no such key. */
async function withUsedKey(
  { id }: ContractOperation,
  own: World,
): Promise<{ key: string; call: Call } | null> {
  if (!keyedOperations.has(id)) return null;
  const key = randomUUID();
  const call = { ...(await validCalls[id](own)), headers: { 'idempotency-key': key } };
  const { status, text } = await callOperation(own, id, call);
  expect(status, text).toBeLessThan(300);
  return { key, call };
}

/** Makes the request with this idempotency key look as if it were still in progress. */
async function forgetOutcome(key: string): Promise<void> {
  const { numAffectedRows } = await sql`
    UPDATE idempotency_keys SET status = NULL, lease_until = pacekeeper_now() + interval '1 hour'
    WHERE key_hash = ${createHash('sha256').update(key).digest()}`.execute(server.db);
  expect(numAffectedRows).toBe(1n);
}

/** Returns the IDs that the first alert configuration of a world uses. */
function comparedBy(ids: World['ids']) {
  return { scrape_job_id: ids.scrape_job[0], gather_job_id: ids.gather_job[0], rule_id: ids.rule[0] };
}

function largeConfiguration() {
  return { settings: { x: 'x'.repeat(16 * megabyte) } };
}

/** Returns a call in an organization with a configuration apply in progress. */
async function applyInProgress(): Promise<Call> {
  const { id, apiKey, api } = await server.createOrganization();
  await sql`
    INSERT INTO configuration_applies (organization_id, status, fingerprint, steps_total, created_count, updated_count,
      deleted_count, actor_type, actor_name, lease_until)
    VALUES (${id}, 'in_progress', ${'0'.repeat(64)}, 1, 1, 0, 0, 'system', 'Pacekeeper', pacekeeper_now() + interval '1 hour')`.execute(
    server.db,
  );
  const body = { scrape_jobs: [{ name: 'Shop', parser_type: 'manual' }] };
  const { fingerprint } = await api.call('planConfiguration', { body });
  return { query: { fingerprint }, body, as: { headers: { 'x-api-key': apiKey } } };
}

function onResolvedAlert({ ids }: World): Call {
  return { path: { id: ids.alert[1] } };
}

/** Returns a cross-site request: it has the cookies of a session, but a foreign origin. */
function fromElsewhere(body?: object): MakeCall {
  return ({ logins }) => ({
    ...(body && { body }),
    as: { headers: { cookie: logins.viewer.cookies, origin: 'https://elsewhere.example' } },
  });
}

/** Returns the session of a user without two-factor authentication in an organization that requires it. */
async function withoutTwoFactor(): Promise<Call> {
  const organization = await server.createOrganization();
  const { email, password } = organization;
  await requireTwoFactor(server, organization);
  const { access_token } = await server.anonymous.call('login', { body: { email, password } });
  return { as: { headers: { authorization: `Bearer ${access_token}` } } };
}

type LeasedOperation =
  | 'renewTask'
  | 'submitTaskResults'
  | 'listTaskPackages'
  | 'listTaskCves'
  | 'findMissingRecords'
  | 'completeTask'
  | 'failTask';

function withLateLease(id: LeasedOperation): MakeCall {
  return async (own) => {
    const { body } = await validCalls[id](own);
    return { path: { id: own.ids.task[0] }, body: { ...(body as object), lease_token: crypto.randomUUID() } };
  };
}

async function deleteFeedingDiscoveryJob({ make, organizationId }: World): Promise<Call> {
  const id = await make.discoveryJob();
  await sql`
    INSERT INTO scrape_jobs (organization_id, name, parser_type, discovery_job_id)
    VALUES (${organizationId}, 'fed', 'discovered', ${id})`.execute(server.db);
  return { path: { id } };
}

/**
 * Returns a call that deletes a global Helm sync job while this organization uses one of its gather jobs. Not
 * even a system key can delete both.
 */
/** Reports a deployment to a service and environment that two scrape jobs track. */
async function reportToSeveralJobs({ admin, make }: World): Promise<Call> {
  const [service, environment] = [make.name(), 'production'];
  for (const cluster of ['eu', 'us'])
    await admin.call('reportDeployment', {
      body: { service, environment, version: '1.0.0', labels: { cluster } },
    });
  return { body: { service, environment, version: '1.0.0' } };
}

async function reportEventToSeveralJobs(world: World): Promise<Call> {
  const { body } = (await reportToSeveralJobs(world)) as { body: { service: string; environment: string } };
  return eventCall(world, '/deployer', body);
}

/** Returns a call with an event whose source is the organization itself, as if a program had sent it back. */
function returnOwnEvent(world: World): Call {
  const source = `${world.baseUrl}/organizations/${ownOwner.id}`;
  return eventCall(world, source, { service: world.make.name(), environment: 'production' });
}

function eventCall(
  { make }: World,
  source: string,
  { service, environment }: { service: string; environment: string },
): Call {
  return {
    body: {
      context: {
        id: make.name(),
        source,
        type: 'dev.cdevents.service.deployed',
        timestamp: '2026-01-01T00:00:00Z',
      },
      subject: {
        id: service,
        content: { environment: { id: environment }, artifactId: 'pkg:generic/checkout@1.0.0' },
      },
    },
  };
}

async function deleteSharedHelmSyncJob({ make, baseUrl }: World): Promise<Call> {
  const [admin, agent] = [await systemKey('admin'), await systemKey('agent')];
  const api = createApiClient({ baseUrl, apiKey: admin });
  const global = createResourceFactories({
    baseUrl,
    marker: 'global',
    owner: api,
    admin: api,
    webhookUrl: inbox.url,
    agent: createApiClient({
      baseUrl,
      apiKey: agent,
    }),
  });
  const id = await global.helmSyncJob();
  await global.gathered();
  const fed = await api.call('listGatherJobs', { query: { helm_sync_job_id: id } });
  await make.alertConfig({ gather_job_id: fed.items[0]!.id });
  return { path: { id }, query: { cascade: true }, as: { headers: { 'x-api-key': admin } } };
}

async function systemKey(role: 'admin' | 'agent'): Promise<string> {
  return (await createSystemKey(server.db, { name: role, role })).key;
}
