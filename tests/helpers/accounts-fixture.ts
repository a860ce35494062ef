import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll } from 'vitest';
import type { Schemas as AuthSchemas } from '../../src/generated/auth-api.ts';
import type { Schemas as ClientSchemas } from '../../src/generated/client-api.ts';
import { insertApiKey } from '../../src/modules/accounts/api-keys/api-key-queries.ts';
import {
  apiKeyHandlers,
  createAuthenticator,
  createDeploymentTokens,
  createEmbeddedAgentToken,
  createLoginTokens,
  createSingleSignOn,
  feedbackHandlers,
  loginHandlers,
  memberHandlers,
  type SingleSignOn,
} from '../../src/modules/accounts/index.ts';
import { insertMember } from '../../src/modules/accounts/people/member-queries.ts';
import { insertOrganization } from '../../src/modules/accounts/people/organization-queries.ts';
import { insertUser } from '../../src/modules/accounts/people/user-queries.ts';
import { findCreatedResource } from '../../src/modules/audit/index.ts';
import { createWakeUps, type Database, transaction } from '../../src/platform/database/index.ts';
import {
  cookieNameAndAttributes,
  createBodyBudget,
  createHttpServer,
  createInvalidCredentialLimit,
  type KeyRole,
  type OperationId,
  type Role,
  serveOperations,
} from '../../src/platform/http/index.ts';
import { createSilentLog } from '../../src/platform/log.ts';
import { createPasswords, createSecretBox } from '../../src/platform/secrets/index.ts';
import { createTestDatabase } from './database.ts';
import { sharedSandbox } from './shared-sandbox.ts';

export const password = 'correct horse battery staple';

export interface Call {
  key?: string;
  token?: string;
  headers?: Record<string, string>;
  cookies?: Record<string, string>;
  origin?: string;
  body?: unknown;
  /**
   * Client address. By default, each call uses a different one, so that rate limits apply only in the tests
   * that check them.
   */
  address?: string;
}

/**
 * Response bodies of all operations combined. Each test uses only the fields of the operation that it calls.
 */
type AnyBody = AuthSchemas['LoginResponse'] &
  ClientSchemas['CreateAPIKeyResponse'] &
  ClientSchemas['InviteMemberResponse'] &
  ClientSchemas['ResetLinkResponse'] & { items: { id: number; user_id: number }[]; invitations: object[] };

export interface Reply {
  status: number;
  body: AnyBody;
  headers: Record<string, unknown>;
  cookies: {
    name: string;
    value: string;
    maxAge?: number;
    path?: string;
    httpOnly?: boolean;
    secure?: boolean;
    sameSite?: string;
  }[];
  cookie(name: string): string | undefined;
}

export interface TestUser {
  organizationId: number;
  userId: number;
  memberId: number;
  email: string;
}

/** Starts a real HTTP server for the operations of the accounts module, with a separate database. */
export async function createAccountsServer({
  isBaseUrlConfigured = true,
  baseUrl = isBaseUrlConfigured ? 'https://pacekeeper.example' : 'http://localhost:8080',
}: {
  isBaseUrlConfigured?: boolean;
  baseUrl?: string;
} = {}) {
  const configuredBaseUrl = isBaseUrlConfigured ? baseUrl : null;
  const { db, connection, statementsOf, connectAgain } = await createTestDatabase();
  const wakeUps = createWakeUps({ db, connection, log: createSilentLog() });
  const secretKey = randomBytes(32);
  const log = createSilentLog();
  const loginTokens = createLoginTokens({ current: secretKey });
  const deploymentTokens = createDeploymentTokens(secretKey);
  const embeddedAgentToken = createEmbeddedAgentToken();
  const authenticator = createAuthenticator({
    db,
    loginTokens,
    deploymentTokens,
    configuredBaseUrl,
    embeddedAgentToken,
    log,
  });
  const app = await createHttpServer({ log, trustedProxies: [], isUnavailable: () => false });
  const sandbox = sharedSandbox({ workers: 1, deadlineMs: 2_000, maxHeapMb: 256 });
  const serveOptions = {
    authenticate: authenticator.authenticate,
    requestsPerMinute: 0,
    validateResponses: true,
    stopping: new AbortController().signal,
    bodies: { budget: createBodyBudget(), sandbox },
    idempotency: { db, findCreatedResource },
  };
  const realPasswords = createPasswords();
  /** Number of hash operations, each of which takes a tenth of a second. */
  let hashings = 0;
  const counted = <Args extends unknown[], Result>(work: (...args: Args) => Result) => {
    return (...args: Args) => {
      hashings += 1;
      return work(...args);
    };
  };
  const passwords = {
    ...realPasswords,
    hash: counted(realPasswords.hash),
    verify: counted(realPasswords.verify),
  };
  serveOperations(
    app,
    'auth',
    loginHandlers({
      db,
      loginTokens,
      deploymentTokens,
      outbound: { request: () => Promise.reject(new Error('no outbound requests')) },
      passwords,
      secretBox: createSecretBox({ current: randomBytes(32) }),
      baseUrl,
      config: { baseUrl: configuredBaseUrl },
      guessing: createInvalidCredentialLimit({ isOn: false }),
      log,
      singleSignOn: noSingleSignOn(db),
    }),
    serveOptions,
  );
  serveOperations(
    app,
    'client',
    withRejectingHandlers({
      ...apiKeyHandlers({ db }),
      ...memberHandlers({ db, baseUrl }),
      ...feedbackHandlers({ db }),
    }),
    serveOptions,
  );
  afterAll(async () => {
    await authenticator.stop();
    await app.close();
    await sandbox.close();
    await wakeUps.close();
  });

  async function call(
    operation: string,
    { key, token, headers, cookies, origin, body, address }: Call = {},
  ): Promise<Reply> {
    const [method, path] = operation.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string];
    const response = await app.inject({
      method,
      url: `/api/v1${path}`,
      remoteAddress: address ?? `10.${[...randomBytes(3)].join('.')}`,
      headers: {
        host: 'pacekeeper.example',
        ...(key !== undefined && { 'x-api-key': key }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(origin !== undefined && { origin }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(cookies && { cookies }),
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    const replyCookies = response.cookies as Reply['cookies'];
    return {
      status: response.statusCode,
      body: JSON.parse(response.body || '{}') as AnyBody,
      headers: response.headers,
      cookies: replyCookies,
      cookie: (name) => replyCookies.find((cookie) => cookie.name === name)?.value,
    };
  }

  let passwordHash: Promise<string> | undefined;

  async function makeOrganization(name = 'Acme'): Promise<number> {
    return transaction(db, (tx) => insertOrganization(tx, name));
  }

  async function makeUser(role: Role, organizationId?: number): Promise<TestUser> {
    const organization = organizationId ?? (await makeOrganization());
    passwordHash ??= passwords.hash(password);
    const email = `${randomUUID()}@shop.example`;
    const hash = await passwordHash;
    return transaction(db, async (tx) => {
      const userId = await insertUser(tx, { email, name: `A ${role}`, passwordHash: hash });
      const memberId = (await insertMember(tx, organization, { userId, role }))!;
      return { organizationId: organization, userId, memberId, email };
    });
  }

  async function makeKey(organizationId: number, role: Role | KeyRole): Promise<{ id: number; key: string }> {
    return transaction(db, (tx) =>
      insertApiKey(tx, organizationId, {
        name: 'Test key',
        description: '',
        role,
        expiresAt: null,
        createdBy: { type: 'system', id: null, name: 'Test' },
      }),
    );
  }

  async function login(
    user: { email: string },
    as = password,
  ): Promise<{ token: string; session: string; refresh: string; reply: Reply }> {
    const reply = await call('POST /auth/login', { body: { email: user.email, password: as } });
    const { access_token: token } = reply.body;
    return {
      token,
      session: reply.cookie(cookieNameAndAttributes('pacekeeper_session', '/', baseUrl).name)!,
      refresh: reply.cookie(cookieNameAndAttributes('pacekeeper_refresh', '/', baseUrl).name)!,
      reply,
    };
  }

  return {
    db,
    wakeUps,
    statementsOf,
    hashingsOf: async (work: () => Promise<unknown>) => {
      const before = hashings;
      await work();
      return hashings - before;
    },
    connectAgain,
    secretKey,
    loginTokens,
    deploymentTokens,
    embeddedAgentToken,
    authenticator,
    call,
    login,
    makeOrganization,
    makeUser,
    makeKey,
  };
}

/** Returns a single sign-on configuration that allows only password login. */
export function noSingleSignOn(db: Database): SingleSignOn {
  return createSingleSignOn({
    db,
    secretBox: createSecretBox({ current: randomBytes(32) }),
    outbound: { request: () => Promise.reject(new Error('no provider in this test')) },
    baseUrl: 'https://pacekeeper.example',
    config: { oidcFile: null, passwordLogin: true },
    log: createSilentLog(),
    onClientRejected: async () => undefined,
    onClientAccepted: async () => undefined,
  });
}

/**
 * Returns the recorded actions except logins, because callers of this fixture must log in before any other
 * action.
 */
export async function listAuditActions(db: Database, organizationId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_log')
    .select('action')
    .where('organization_id', '=', organizationId)
    .where('action', '<>', 'member.logged_in')
    .orderBy(sql`id`)
    .execute();
  return rows.map(({ action }) => action);
}

/** Rejects calls to all other operations of the client API, because they belong to other modules. */
function withRejectingHandlers(
  handlers: Partial<Record<OperationId, unknown>>,
): Partial<Record<OperationId, unknown>> {
  const notHere = () => Promise.reject(new Error('not served in this test'));
  return new Proxy(handlers, { get: (target, id) => target[id as OperationId] ?? notHere });
}
