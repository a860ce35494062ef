import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll } from 'vitest';
import { auditHandlers, findCreatedResource } from '../../src/modules/audit/index.ts';
import { channelHandlers } from '../../src/modules/notifications/channels/channel-handlers.ts';
import { notificationRuleHandlers } from '../../src/modules/notifications/rules/notification-rule-handlers.ts';
import { notificationSettingsHandlers } from '../../src/modules/notifications/settings/notification-settings-handlers.ts';
import { silenceHandlers } from '../../src/modules/notifications/silences/silence-handlers.ts';
import { templateHandlers } from '../../src/modules/notifications/templates/template-handlers.ts';
import { settingHandlers } from '../../src/modules/settings/index.ts';
import { createWakeUps } from '../../src/platform/database/index.ts';
import { ApiError } from '../../src/platform/errors.ts';
import {
  type Caller,
  createBodyBudget,
  createHttpServer,
  type OperationId,
  type Role,
  serveOperations,
} from '../../src/platform/http/index.ts';
import { createSilentLog } from '../../src/platform/log.ts';
import {
  createEgressGuard,
  createHttpPolicy,
  createOutboundClient,
} from '../../src/platform/outbound/index.ts';
import { createSecretBox } from '../../src/platform/secrets/index.ts';
import { createTestDatabase } from './database.ts';
import { sharedSandbox } from './shared-sandbox.ts';

export interface Reply<Body = never> {
  status: number;
  // Response body. Its type depends on the operation that the test calls.
  body: Body;
}

/** Caller of an operation, as an organization and a role. */
export interface TestCaller {
  organizationId: number;
  role?: Role;
}

interface Egress {
  egressAllow?: string[];
  allowHttpWebhooks?: boolean;
}

/**
 * Starts an HTTP server with the real handlers for settings, channels, templates, and notification rules, and
 * a separate database.
 */
export async function createNotificationsServer({
  egressAllow = [],
  allowHttpWebhooks = false,
}: Egress = {}) {
  const { db, connection, statementsOf } = await createTestDatabase();
  const log = createSilentLog();
  const wakeUps = createWakeUps({ db, connection, log });
  const sandbox = sharedSandbox({ workers: 1, deadlineMs: 10_000, maxHeapMb: 64 });
  const secretBox = createSecretBox({ current: randomBytes(32) });
  const defaults = { retryScheduleSeconds: [1, 2, 3] };
  const config = { egressAllow, insecureHosts: [], allowHttpWebhooks };
  const outbound = createOutboundClient({
    guard: createEgressGuard({ allow: egressAllow }),
    allowHttp: createHttpPolicy(config),
  });
  const app = await createHttpServer({ log, trustedProxies: [], isUnavailable: () => false });
  const baseUrl = 'https://pacekeeper.example';
  const deps = {
    db,
    sandbox,
    responseSandbox: sandbox,
    secretBox,
    defaults,
    config,
    outbound,
    baseUrl,
    mailer: null,
    version: '0.1.0',
  };
  const handlers = {
    ...settingHandlers(deps),
    ...channelHandlers(deps),
    ...templateHandlers(deps),
    ...notificationRuleHandlers(deps),
    ...notificationSettingsHandlers(deps),
    ...silenceHandlers(deps),
    ...auditHandlers(deps),
  };
  serveOperations(app, 'client', withRejectingHandlers(handlers), {
    authenticate: (request) => Promise.resolve(readCaller(request.headers['x-test-caller'])),
    requestsPerMinute: 0,
    validateResponses: true,
    stopping: new AbortController().signal,
    bodies: { budget: createBodyBudget(), sandbox },
    idempotency: { db, findCreatedResource },
  });
  afterAll(async () => {
    await app.close();
    await outbound.close();
    await wakeUps.close();
    await sandbox.close();
  });

  /** Calls an operation such as `GET /settings`. The default role of the caller is owner. */
  async function call<Body = Record<string, unknown>>(
    as: TestCaller,
    operation: string,
    body?: unknown,
  ): Promise<Reply<Body>> {
    const [method, path] = operation.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string];
    const response = await app.inject({
      method,
      url: `/api/v1/client${path}`,
      headers: {
        'x-test-caller': JSON.stringify(as),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    if (response.statusCode === 500) throw new Error(`${operation} answered 500: ${response.body}`);
    return { status: response.statusCode, body: (response.body === '' ? null : response.json()) as Body };
  }

  async function makeOrganization(): Promise<TestCaller> {
    const { rows } = await sql<{
      id: number;
    }>`INSERT INTO organizations (name) VALUES ('Acme') RETURNING id`.execute(db);
    return { organizationId: rows[0]!.id };
  }

  /** Starts `work` while a transaction locks the row, so that all of its calls wait for the same lock. */
  async function meetingAt<T>(
    table: 'notification_channels' | 'notification_rules',
    id: number,
    work: () => Promise<T>,
  ): Promise<T> {
    const working = await db.transaction().execute(async (tx) => {
      await tx.selectFrom(table).select('id').where('id', '=', id).forUpdate().execute();
      const begun = work();
      await sleep(300);
      return { begun };
    });
    return working.begun;
  }

  return { meetingAt, db, connection, statementsOf, secretBox, sandbox, wakeUps, call, makeOrganization };
}

function readCaller(header: unknown): Caller {
  if (typeof header !== 'string') throw new ApiError('unauthenticated');
  const { organizationId, role = 'owner' } = JSON.parse(header) as TestCaller;
  return {
    organizationId,
    via: 'login',
    role,
    actor: { type: 'user', id: 1, name: 'Ana' },
    userId: 1,
    apiKeyId: null,
    loginId: null,
    isSystem: organizationId === 1,
    isTwoFactorMissing: false,
  };
}

/** Adds rejecting handlers for all other operations of the client API, which belong to other modules. */
function withRejectingHandlers(
  handlers: Partial<Record<OperationId, unknown>>,
): Partial<Record<OperationId, unknown>> {
  const notHere = () => Promise.reject(new Error('not served in this test'));
  return new Proxy(handlers, { get: (target, id) => target[id as OperationId] ?? notHere });
}
