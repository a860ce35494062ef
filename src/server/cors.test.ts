import { describe, expect, test } from 'vitest';
import { startTestServer } from '../../tests/helpers/test-server.ts';
import document from '../generated/openapi-client.json' with { type: 'json' };

const portal = 'https://portal.example.com';
const server = await startTestServer({ PACEKEEPER_CORS_ORIGINS: `${portal}, http://localhost:3000/` });
const closed = await startTestServer();
const { apiKey } = await server.createOrganization();
const rules = '/api/v1/client/rules';

function preflight(path: string, origin: string, base = server.url): Promise<Response> {
  return fetch(base + path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type,if-match,x-api-key',
    },
  });
}

/** Returns the names of all headers that the contract describes for requests or responses, in lowercase. */
function headersOfContract(of: 'parameters' | 'headers'): string[] {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const part = value as Record<string, unknown>;
    if (of === 'parameters' && part['in'] === 'header') found.add(String(part['name']).toLowerCase());
    if (of === 'headers' && typeof part['headers'] === 'object' && 'description' in part)
      for (const name of Object.keys(part['headers']!)) found.add(name.toLowerCase());
    Object.values(part).forEach(visit);
  };
  visit(document);
  return [...found];
}

describe('with PACEKEEPER_CORS_ORIGINS', () => {
  test.each([portal, 'http://localhost:3000'])('pages of %s can call the API with a key', async (origin) => {
    const asked = await preflight(`${rules}/1`, origin);
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBe(origin);
    expect(asked.headers.get('access-control-allow-methods')).toContain('PUT');
    const allowed = asked.headers.get('access-control-allow-headers')!.toLowerCase();
    for (const header of ['content-type', 'x-api-key', 'authorization', ...headersOfContract('parameters')])
      expect(allowed).toContain(header);

    const answer = await fetch(server.url + rules, { headers: { origin, 'x-api-key': apiKey } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    const exposed = answer.headers.get('access-control-expose-headers')!.toLowerCase();
    for (const header of headersOfContract('headers')) expect(exposed).toContain(header);
    expect(answer.headers.get('vary')!.toLowerCase()).toContain('origin');
  });

  test('pages can read errors too', async () => {
    for (const path of [rules, '/api/v1/client/none']) {
      const answer = await fetch(server.url + path, { headers: { origin: portal } });
      expect(answer.status).toBeGreaterThanOrEqual(401);
      expect(answer.headers.get('access-control-allow-origin')).toBe(portal);
    }
  });

  test('no page is allowed to send the cookies of a login', async () => {
    for (const path of [rules, '/api/v1/auth/refresh']) {
      const asked = await preflight(path, portal);
      expect(asked.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  test.each([
    'https://evil.example',
    'https://portal.example.com.evil.example',
    'http://portal.example.com',
    'https://portal.example.com:444',
    'null',
  ])('pages of %s get no permission', async (origin) => {
    const asked = await preflight(rules, origin);
    expect(asked.headers.get('access-control-allow-origin')).toBeNull();
    const answer = await fetch(server.url + rules, { headers: { origin, 'x-api-key': apiKey } });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('only the API is open to other origins', async () => {
    for (const path of ['/', '/health/live', '/docs', '/ack/none']) {
      const answer = await fetch(server.url + path, { headers: { origin: portal } });
      expect(answer.headers.get('access-control-allow-origin'), path).toBeNull();
    }
  });

  test('OPTIONS without a preflight is still rejected with an Allow header', async () => {
    const answer = await fetch(server.url + rules, { method: 'OPTIONS', headers: { 'x-api-key': apiKey } });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toContain('GET');
  });
});

test('without PACEKEEPER_CORS_ORIGINS, no other origin can call the API', async () => {
  const asked = await preflight(rules, portal, closed.url);
  expect(asked.status).toBe(405);
  expect(asked.headers.get('access-control-allow-origin')).toBeNull();
});
