import { afterAll, describe, expect, test } from 'vitest';
import { findCreatedResource } from '../../src/modules/audit/index.ts';
import {
  createBodyBudget,
  createHttpServer,
  type OperationId,
  readContract,
  serveOperations,
} from '../../src/platform/http/index.ts';
import { createSilentLog } from '../../src/platform/log.ts';
import { createSandbox } from '../../src/platform/sandbox/index.ts';
import { createTestDatabase } from '../helpers/database.ts';
import {
  contractOperations,
  type InterfaceName,
  type Json,
  operationOf,
  resolveRef,
  strictResponseValidator,
} from './contract-operations.ts';

/** Returns every object with listed fields in a schema, each with its location. */
function objectsOf(
  side: InterfaceName,
  part: Json,
  place: string,
  seen: readonly unknown[] = [],
): [place: string, schema: Json][] {
  const ref = part['$ref'];
  if (ref !== undefined && seen.includes(ref)) return [];
  const schema = resolveRef(side, part);
  const inner = (each: Json, name: string) => objectsOf(side, each, `${place}.${name}`, [...seen, ref]);
  const { properties, items, additionalProperties: rest } = schema;
  const choices = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => (schema[key] as Json[] | undefined) ?? []);
  return [
    ...(properties ? [[place, schema] as [string, Json]] : []),
    ...Object.entries((properties ?? {}) as Record<string, Json>).flatMap(([name, each]) =>
      inner(each, name),
    ),
    ...choices.flatMap((each) => inner(each, '')),
    ...(items ? inner(items as Json, '[]') : []),
    ...(rest !== null && typeof rest === 'object' ? inner(rest as Json, '*') : []),
  ];
}

function isClosed(schema: Json): boolean {
  return schema['additionalProperties'] === false || schema['unevaluatedProperties'] === false;
}

describe('the schemas of every operation', () => {
  test.each(contractOperations)(
    'allow additional fields in the responses of $id',
    ({ id, side, responses }) => {
      const objects = [...responses].flatMap(([status, { schema }]) =>
        schema ? objectsOf(side, schema, `${id} ${status}`) : [],
      );
      expect(objects.filter(([, schema]) => isClosed(schema)).map(([place]) => place)).toEqual([]);
      expect(objects.length).toBeGreaterThan(0);
    },
  );

  // Later versions of the CDEvents specification can add fields to its documents, which are ignored.
  const closed = contractOperations.filter(({ body, id }) => body !== null && id !== 'reportDeploymentEvent');

  test.each(closed)('reject additional fields in the request of $id', ({ id, side, body }) => {
    const objects = objectsOf(side, body!.schema, id);
    expect(objects.filter(([, schema]) => !isClosed(schema)).map(([place]) => place)).toEqual([]);
    expect(objects.length).toBeGreaterThan(0);
  });
});

describe('a response field that is not in the contract', () => {
  const summary = {
    open: 1,
    unacknowledged: 1,
    acknowledged: 0,
    resolved: 0,
    by_severity: {
      moderate: 1,
      high: 0,
      critical: 0,
    },
    unacknowledged_by_severity: {
      moderate: 1,
      high: 0,
      critical: 0,
    },
  };
  const leaking = [
    ['at the top level', { ...summary, organization_id: 7 }],
    ['in a nested schema', { ...summary, by_severity: { ...summary.by_severity, lease_token: 'x' } }],
  ] as const;

  test.each(leaking)('causes a 500 in tests: %s', async (_place, body) => {
    expect(await statusOf(body)).toBe(500);
    expect(await statusOf(summary)).toBe(200);
  });

  test.each(leaking)('fails response validation: %s', (_place, body) => {
    const { side, responses } = operationOf('getAlertSummary');
    const validate = strictResponseValidator(side, responses.get(200)!.schema!);
    expect(validate(body)).toBe(false);
    expect(validate(summary)).toBe(true);
  });

  test('is detected in every response that describes an object', () => {
    const served = ['client', 'agent', 'auth'].flatMap((side) => readContract(side as InterfaceName));
    let count = 0;
    for (const { id, side, responses } of contractOperations) {
      const operation = served.find(({ operationId }) => operationId === id)!;
      for (const [status, { schema }] of responses) {
        if (!schema || resolveRef(side, schema)['properties'] === undefined) continue;
        count++;
        for (const validate of [
          operation.response(status)!.validate(),
          strictResponseValidator(side, schema),
        ]) {
          validate({ leaked: 1 });
          const named = (validate.errors ?? []).map(({ params }) => String(params['additionalProperty']));
          expect(named, `${id} ${status}`).toContain('leaked');
        }
      }
    }
    expect(count).toBeGreaterThan(500);
  });
});

const { db } = await createTestDatabase();
const log = createSilentLog();
const sandbox = createSandbox({ workers: 1, deadlineMs: 10_000, maxHeapMb: 64 });
const apps: Awaited<ReturnType<typeof createHttpServer>>[] = [];
afterAll(async () => {
  for (const app of apps) await app.close();
  await sandbox.close();
});

/** Returns the status of a request whose handler returns this body. */
async function statusOf(body: object): Promise<number> {
  const app = await createHttpServer({ log, trustedProxies: [], isUnavailable: () => false });
  apps.push(app);
  const handler = () => Promise.resolve({ status: 200, body });
  const handlers = Object.fromEntries(
    readContract('client').map(({ operationId }) => [operationId, handler]),
  ) as Record<OperationId, unknown>;
  serveOperations(app, 'client', handlers, {
    authenticate: () =>
      Promise.resolve({
        organizationId: 2,
        via: 'login',
        role: 'owner',
        userId: 1,
        apiKeyId: null,
        loginId: null,
        actor: {
          type: 'user',
          id: 1,
          name: 'Ana',
        },
        isSystem: false,
        isTwoFactorMissing: false,
      }),
    requestsPerMinute: 0,
    validateResponses: true,
    stopping: new AbortController().signal,
    bodies: { budget: createBodyBudget(), sandbox },
    idempotency: { db, findCreatedResource },
  });
  return (await app.inject({ method: 'GET', url: '/api/v1/client/alerts/summary' })).statusCode;
}
