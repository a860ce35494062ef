import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { startTestServer } from '../helpers/test-server.ts';

const server = await startTestServer();
const organization = await server.createOrganization();
const client = `${server.url}/api/v1/client`;
const headers = { 'x-api-key': organization.apiKey };

async function get(path: string, extra: Record<string, string> = {}) {
  const response = await request(`${client}${path}`, { headers: { ...headers, ...extra } });
  return { response, body: Buffer.from(await response.body.arrayBuffer()) };
}

describe('the API', () => {
  test.each(['', 'pk_1_wrong'])('sends the authentication scheme with every 401 (key %j)', async (key) => {
    const response = await fetch(`${client}/rules`, { headers: key === '' ? {} : { 'x-api-key': key } });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="Pacekeeper"');
  });

  test('returns the location of a new resource, and the resource is available there', async () => {
    const bodies: Record<string, object> = {
      '/rules': { name: 'Ninety days', rule_type: 'days_behind', thresholds: { high: 90 } },
      '/scrape-jobs': { name: 'web', parser_type: 'manual' },
      '/gather-jobs': { name: 'web', source_type: 'github_releases', artifact_name: 'github.com/acme/web' },
      '/notification-channels': { name: 'hook', url: 'https://hooks.example.org/x' },
      '/notification-rules': { name: 'all' },
    };
    for (const [path, body] of Object.entries(bodies)) {
      const created = await fetch(client + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const { id } = (await created.json()) as { id: number };
      const location = created.headers.get('location');
      expect(location).toBe(`/api/v1/client${path}/${id}`);
      const found = await fetch(server.url + location, { headers });
      expect(await found.json()).toMatchObject({ id });
    }
    const key = await fetch(`${client}/api-keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await ownerToken()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'ci' }),
    });
    const { api_key } = (await key.json()) as { api_key: { id: number } };
    expect(key.headers.get('location')).toBe(`/api/v1/client/api-keys/${api_key.id}`);
  });

  test.each(['/rules/', '/alerts/summary/', '/dropdowns/rules/'])(
    'treats %s like the path without its trailing slash',
    async (path) => {
      const { response, body } = await get(path);
      expect(response.statusCode).toBe(200);
      expect(body).toEqual((await get(path.slice(0, -1))).body);
    },
  );

  test.each(['/api/v1/swagger/', '/health/live/'])('serves %s despite its trailing slash', async (path) => {
    expect((await fetch(server.url + path)).status).toBe(200);
  });

  test('compresses only responses larger than 1 KiB, and only for clients that accept it', async () => {
    const plain = await get('/settings/effective');
    expect(plain.body.length).toBeGreaterThan(1024);
    expect(plain.response.headers['content-encoding']).toBeUndefined();
    const packed = {
      br: await get('/settings/effective', { 'accept-encoding': 'gzip, br' }),
      gzip: await get('/settings/effective', { 'accept-encoding': 'gzip' }),
    };
    for (const [encoding, { response, body }] of Object.entries(packed)) {
      expect(response.headers['content-encoding']).toBe(encoding);
      expect(response.headers['vary']).toContain('accept-encoding');
      expect(body.length).toBeLessThan(plain.body.length);
      const unpacked = encoding === 'br' ? brotliDecompressSync(body) : gunzipSync(body);
      expect(unpacked).toEqual(plain.body);
    }
    const small = await get('/alerts/summary', { 'accept-encoding': 'gzip, br' });
    expect(small.response.headers['content-encoding']).toBeUndefined();
    const unknown = await get('/settings/effective', { 'accept-encoding': 'zstd' });
    expect(unknown.body).toEqual(plain.body);
  });

  test('compresses the OpenAPI documents and the interactive documentation', async () => {
    for (const path of ['/api/spec/openapi-client.yaml', '/api/v1/swagger/assets/swagger-ui-bundle.js']) {
      const response = await request(server.url + path, { headers: { 'accept-encoding': 'gzip' } });
      expect(response.headers['content-encoding'], path).toBe('gzip');
      await response.body.dump();
    }
  });

  test('rejects compressed request bodies', async () => {
    const response = await fetch(`${client}/rules`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: 'not gzip',
    });
    expect(response.status).toBe(415);
  });
});

async function ownerToken(): Promise<string> {
  const { email, password } = organization;
  return (await server.anonymous.call('login', { body: { email, password } })).access_token;
}
