import fastify from 'fastify';
import { expect, test } from 'vitest';
import { type OpenApiDocument, operationsOf } from './contract.ts';
import { readDeprecation } from './deprecation.ts';
import { type ServeOptions, serveOperations } from './serve-operations.ts';

/** A contract with a deprecated operation and one that isn't. Neither requires credentials. */
const document = {
  servers: [{ url: '/api/v1/client' }],
  paths: {
    '/old': {
      get: {
        operationId: 'listRules',
        security: [],
        deprecated: true,
        'x-deprecated-since': '2026-03-01',
        'x-sunset': '2027-03-01',
        parameters: [{ name: 'days', in: 'query', schema: { type: 'integer', minimum: 1 } }],
        responses: { '204': {} },
      },
    },
    '/new': { get: { operationId: 'listAlerts', security: [], responses: { '204': {} } } },
  },
  components: {},
} as unknown as OpenApiDocument;

async function get(path: string) {
  const app = fastify();
  app.setErrorHandler((error, _request, reply) => reply.status(400).send(String(error)));
  const empty = async () => ({ status: 204 });
  const options = { requestsPerMinute: 0, validateResponses: true, bodies: {} } as unknown as ServeOptions;
  const handlers = { listRules: empty, listAlerts: empty };
  serveOperations(app, 'client', handlers, options, operationsOf('client', document));
  const { statusCode, headers } = await app.inject({ url: `/api/v1/client${path}` });
  await app.close();
  return { status: statusCode, deprecation: headers['deprecation'], sunset: headers['sunset'] };
}

const announced = { deprecation: '@1772323200', sunset: 'Mon, 01 Mar 2027 00:00:00 GMT' };

test('every response of a deprecated operation has the dates of its deprecation and removal', async () => {
  expect(await get('/old')).toEqual({ status: 204, ...announced });
  expect(await get('/old?days=0')).toEqual({ status: 400, ...announced });
  expect(await get('/new')).toEqual({ status: 204, deprecation: undefined, sunset: undefined });
});

test.each([
  ['no dates', { deprecated: true }],
  ['no date of the removal', { deprecated: true, 'x-deprecated-since': '2026-03-01' }],
  ['dates without deprecated', { 'x-deprecated-since': '2026-03-01', 'x-sunset': '2027-03-01' }],
  [
    'a date that does not exist',
    { deprecated: true, 'x-deprecated-since': '2026-13-01', 'x-sunset': '2027-03-01' },
  ],
  [
    'a notice of less than 12 months',
    { deprecated: true, 'x-deprecated-since': '2026-03-01', 'x-sunset': '2027-02-28' },
  ],
])('a contract with %s is rejected', (_what, fields) =>
  expect(() => readDeprecation({ operationId: 'listRules', ...fields })).toThrow('listRules'),
);
