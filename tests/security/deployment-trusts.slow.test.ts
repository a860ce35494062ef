import { createHmac, createPublicKey, type JsonWebKey } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { base64url, type JWK, type JWTPayload } from 'jose';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { createApiClient } from '../../src/client/api-client.ts';
import type { Schemas } from '../../src/generated/client-api.ts';
import { freshClaims, gitHubClaims, gitLabClaims, startCiIssuer } from '../helpers/ci-issuer.ts';
import { resetClockOffset, setClockOffset } from '../helpers/database.ts';
import { atEndOfFile } from '../helpers/end-of-file.ts';
import { createSigningKey } from '../helpers/login-provider.ts';
import { startTestServer, type TestOrganization } from '../helpers/test-server.ts';

type NewTrust = Schemas['CreateDeploymentTrustRequest'];

const server = await startTestServer();
const { db, anonymous } = server;
const audience = server.url;
const gitHub = await startCiIssuer();
const gitLab = await startCiIssuer();
const mallory = await createSigningKey('first');
let acme: TestOrganization;
let trust: Schemas['DeploymentTrust'];
let gitLabTrust: Schemas['DeploymentTrust'];

const trustOf = (body: Partial<NewTrust> = {}): NewTrust => ({
  name: 'Checkout',
  issuer: gitHub.issuer,
  claims: { repository: 'acme/checkout', environment: 'production' },
  services: ['checkout', 'payments-*'],
  environments: ['production'],
  ...body,
});

const createTrust = (body: Partial<NewTrust> = {}, { owner } = acme) =>
  owner.call('createDeploymentTrust', { body: trustOf(body) });

beforeEach(async () => {
  acme = await server.createOrganization();
  trust = await createTrust();
  gitLabTrust = await createTrust({
    issuer: gitLab.issuer,
    claims: { project_path: 'acme/checkout', ref: 'main', ref_type: 'branch' },
  });
});

/** Claims that the trust for GitHub allows, with changes. */
const ofGitHub = (changes: JWTPayload = {}): JWTPayload => ({
  ...gitHubClaims(gitHub.issuer, audience),
  ...changes,
});
const ofGitLab = (changes: JWTPayload = {}): JWTPayload => ({
  ...gitLabClaims(gitLab.issuer, audience),
  ...changes,
});

const exchange = (id_token: string, { code } = trust) =>
  anonymous.call('exchangeDeploymentToken', { body: { trust: code, id_token } });

async function deploymentToken(): Promise<string> {
  return (await exchange(await gitHub.sign(ofGitHub()))).access_token;
}

const report = { service: 'checkout', environment: 'production', version: '1.0.0' } as const;
const clientOf = (token: string) => createApiClient({ baseUrl: server.url, token });

const publicPart = ({ kty, n, e, kid }: JWK) => ({ kty, n, e, kid });
const publicText = (key: JWK) =>
  createPublicKey({ key: publicPart(key) as JsonWebKey, format: 'jwk' })
    .export({ type: 'spki', format: 'pem' })
    .toString();

/** Assembles a token with any header and signature. */
function assemble(header: object, claims: JWTPayload, sign: (text: string) => string): string {
  const text = [header, claims].map((part) => base64url.encode(JSON.stringify(part))).join('.');
  return `${text}.${sign(text)}`;
}
const hmac = (secret: string) => (text: string) =>
  createHmac('sha256', secret).update(text).digest('base64url');

const now = () => Math.floor(Date.now() / 1_000);
const without = (claims: JWTPayload, name: string): JWTPayload =>
  Object.fromEntries(Object.entries(claims).filter(([each]) => each !== name));

/** Attacks on the exchange. Each one returns the response to the exchange that it attempts. */
const attacks: Record<string, [attack: () => Promise<unknown>, status: number, message: string]> = {
  'an unsigned token': [
    () => exchange(assemble({ alg: 'none' }, ofGitHub(), () => '')),
    401,
    'signed with none',
  ],
  'a MAC with the public key in PEM': [
    () => exchange(assemble({ alg: 'HS256', kid: 'first' }, ofGitHub(), hmac(publicText(gitHub.keys[0]!)))),
    401,
    'signed with HS256',
  ],
  'a MAC with the public key in JSON': [
    () => exchange(assemble({ alg: 'HS256' }, ofGitHub(), hmac(JSON.stringify(publicPart(gitHub.keys[0]!))))),
    401,
    'signed with HS256',
  ],
  'the signature of another key with the known key ID': [
    async () => exchange(await gitHub.sign(ofGitHub(), { key: mallory })),
    401,
    'signature is invalid',
  ],
  'a key inside the token': [
    async () =>
      exchange(await gitHub.sign(ofGitHub(), { key: mallory, header: { jwk: publicPart(mallory) } })),
    401,
    'signature is invalid',
  ],
  'a URL of keys inside the token': [
    async () =>
      exchange(
        await gitHub.sign(ofGitHub(), {
          key: mallory,
          header: { jku: `${gitLab.issuer}/jwks`, x5u: `${gitLab.issuer}/jwks` },
        }),
      ),
    401,
    'signature is invalid',
  ],
  'an unknown key ID': [
    async () => exchange(await gitHub.sign(ofGitHub(), { key: mallory, header: { kid: 'mallory' } })),
    401,
    'has no key',
  ],
  'an unknown critical header': [
    async () =>
      exchange(assemble({ alg: 'RS256', kid: 'first', crit: ['b64'], b64: false }, ofGitHub(), () => 'AA')),
    401,
    'rejected',
  ],
  'claims that were changed after signing': [
    async () => {
      const [header, , signature] = (await gitHub.sign(ofGitHub({ repository: 'mallory/checkout' }))).split(
        '.',
      );
      return exchange(`${header}.${base64url.encode(JSON.stringify(ofGitHub()))}.${signature}`);
    },
    401,
    'signature is invalid',
  ],
  'another issuer with its own signature': [
    async () => exchange(await gitLab.sign({ ...ofGitHub(), iss: gitLab.issuer })),
    401,
    "isn't the issuer of the trust",
  ],
  'the issuer of the trust with the signature of another issuer': [
    async () => exchange(await gitLab.sign(ofGitHub(), { key: mallory })),
    401,
    'signature is invalid',
  ],
  'an issuer with a slash at the end': [
    async () => exchange(await gitHub.sign(ofGitHub({ iss: `${gitHub.issuer}/` }))),
    401,
    "isn't the issuer of the trust",
  ],
  'the audience of another service': [
    async () => exchange(await gitHub.sign(ofGitHub({ aud: 'https://github.com/acme' }))),
    401,
    'audience (https://github.com/acme)',
  ],
  'several audiences': [
    async () => exchange(await gitHub.sign(ofGitHub({ aud: [audience, 'https://other.example.org'] }))),
    401,
    "isn't the one of the trust",
  ],
  'no audience': [
    async () => exchange(await gitHub.sign(without(ofGitHub(), 'aud'))),
    401,
    "isn't the one of the trust",
  ],
  'an expired token': [
    async () => exchange(await gitHub.sign(ofGitHub({ iat: now() - 400, exp: now() - 100 }))),
    401,
    'has expired',
  ],
  'a token that is not valid yet': [
    async () => exchange(await gitHub.sign(ofGitHub({ nbf: now() + 200 }))),
    401,
    'claim nbf',
  ],
  'a token from the future': [
    async () => exchange(await gitHub.sign(ofGitHub({ iat: now() + 200, exp: now() + 500 }))),
    401,
    'claim iat',
  ],
  'a token without an end': [
    async () => exchange(await gitHub.sign(without(ofGitHub(), 'exp'))),
    401,
    'no claim exp',
  ],
  'a token without a beginning': [
    async () => exchange(await gitHub.sign(without(ofGitHub(), 'iat'))),
    401,
    'no claim iat',
  ],
  'a token that is valid for years': [
    async () => exchange(await gitHub.sign(ofGitHub({ iat: now() - 90_000, exp: now() + 100_000_000 }))),
    401,
    'rejected',
  ],
  'a second use': [
    async () => {
      const token = await gitHub.sign(ofGitHub());
      await exchange(token);
      return exchange(token);
    },
    401,
    'already exchanged',
  ],
  'a second use with another signature of the same ID': [
    async () => {
      const jti = `same ${Math.random()}`;
      await exchange(await gitHub.sign(ofGitHub({ jti })));
      return exchange(await gitHub.sign(ofGitHub({ jti, run_id: '9' })));
    },
    401,
    'already exchanged',
  ],
  'a second use without an ID': [
    async () => {
      const token = await gitHub.sign(without(ofGitHub(), 'jti'));
      await exchange(token);
      return exchange(token);
    },
    401,
    'already exchanged',
  ],
  'a second use for the trust of another organization': [
    async () => {
      const token = await gitHub.sign(ofGitHub());
      await exchange(token);
      return exchange(token, await createTrust({}, await server.createOrganization()));
    },
    401,
    'already exchanged',
  ],
  'ten uses at the same time': [
    async () => {
      const token = await gitHub.sign(ofGitHub());
      const results = await Promise.allSettled(Array.from({ length: 10 }, () => exchange(token)));
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      return exchange(token);
    },
    401,
    'already exchanged',
  ],
  'a pull request': [
    async () =>
      exchange(
        await gitHub.sign(
          ofGitHub({
            event_name: 'pull_request',
            ref: 'refs/pull/7/merge',
            sub: 'repo:acme/checkout:pull_request',
          }),
        ),
      ),
    403,
    'can come from a fork',
  ],
  'a pull request that runs on the main branch': [
    async () => exchange(await gitHub.sign(ofGitHub({ event_name: 'pull_request_target' }))),
    403,
    'can come from a fork',
  ],
  'a merge request': [
    async () =>
      exchange(await gitLab.sign(ofGitLab({ pipeline_source: 'merge_request_event' })), gitLabTrust),
    403,
    'can come from a fork',
  ],
  'another repository': [
    async () => exchange(await gitHub.sign(ofGitHub({ repository: 'mallory/checkout' }))),
    403,
    'claim repository: mallory/checkout',
  ],
  'a repository whose name begins like the trusted one': [
    async () => exchange(await gitHub.sign(ofGitHub({ repository: 'acme/checkout-2' }))),
    403,
    'claim repository',
  ],
  'another environment': [
    async () => exchange(await gitHub.sign(ofGitHub({ environment: 'staging' }))),
    403,
    'claim environment: staging',
  ],
  'a tag with the name of the trusted branch': [
    async () => exchange(await gitLab.sign(ofGitLab({ ref_type: 'tag' })), gitLabTrust),
    403,
    'claim ref_type: tag',
  ],
  'a list of repositories': [
    async () => exchange(await gitHub.sign(ofGitHub({ repository: ['acme/checkout', 'mallory/checkout'] }))),
    403,
    'no claim repository',
  ],
  'an unknown trust': [
    async () => exchange(await gitHub.sign(ofGitHub()), { ...trust, code: 'unknown' }),
    401,
    'Unknown trust',
  ],
  'a number as a token': [() => exchange('1.2.3'), 401, "isn't a signed JWT"],
  'an encrypted token': [() => exchange('a.b.c.d.e'), 401, "isn't a signed JWT"],
  'an oversized token': [
    async () => exchange(await gitHub.sign(ofGitHub({ padding: 'x'.repeat(9_000) }))),
    400,
    'id_token',
  ],
  'a disabled trust': [
    async () => {
      await acme.owner.call('updateDeploymentTrust', { path: { id: trust.id }, body: { is_active: false } });
      return exchange(await gitHub.sign(ofGitHub()));
    },
    401,
    'is disabled',
  ],
  'an expired trust': [
    async () => {
      await sql`UPDATE deployment_trusts SET expires_at = pacekeeper_now() WHERE id = ${trust.id}`.execute(
        db,
      );
      return exchange(await gitHub.sign(ofGitHub()));
    },
    401,
    'has expired',
  ],
  'a deleted trust': [
    async () => {
      await acme.api.call('deleteDeploymentTrust', { path: { id: trust.id } });
      return exchange(await gitHub.sign(ofGitHub()));
    },
    401,
    'Unknown trust',
  ],
  'a trust whose administrator lost the role': [
    async () => {
      await sql`UPDATE memberships SET role = 'member' WHERE organization_id = ${acme.id}`.execute(db);
      return exchange(await gitHub.sign(ofGitHub()));
    },
    401,
    'no longer an administrator',
  ],
};

describe('the exchange', () => {
  test.each(Object.entries(attacks))('rejects %s', async (_, [attack, status, message]) => {
    await expect(attack()).rejects.toMatchObject({ status, detail: expect.stringContaining(message) });
  });

  test('returns a token for the claims of GitHub, GitLab, and other issuers', async () => {
    const body = { access_token: expect.any(String), token_type: 'Bearer', expires_in: 300 };
    expect(await exchange(await gitHub.sign(ofGitHub()))).toMatchObject({
      ...body,
      services: ['checkout', 'payments-*'],
      environments: ['production'],
    });
    expect(await exchange(await gitLab.sign(ofGitLab()), gitLabTrust)).toMatchObject(body);
    const other = await createTrust({
      audience: 'deployments',
      claims: { sub: 'system:serviceaccount:ci:deployer' },
    });
    const claims = { ...freshClaims(gitHub.issuer, 'deployments'), sub: 'system:serviceaccount:ci:deployer' };
    expect(await exchange(await gitHub.sign(claims), other)).toMatchObject(body);
    const key = await createSigningKey('elliptic', 'ES256');
    gitLab.setKeys([...gitLab.keys, key]);
    const elliptic = await startCiIssuer();
    elliptic.setKeys([key]);
    const trusted = await createTrust({ issuer: elliptic.issuer });
    const token = await elliptic.sign(gitHubClaims(elliptic.issuer, audience));
    expect(await exchange(token, trusted)).toMatchObject(body);
  });

  test('keeps used tokens until they would have expired, and records the first use by a subject', async () => {
    await db.deleteFrom('used_identity_tokens').execute();
    await exchange(await gitHub.sign(ofGitHub()));
    await exchange(await gitHub.sign(ofGitHub()));
    const { rows } = await sql<{ seconds: number }>`
      SELECT extract(epoch FROM expires_at - pacekeeper_now())::int AS seconds FROM used_identity_tokens`.execute(
      db,
    );
    expect(rows).toHaveLength(2);
    for (const { seconds } of rows) expect(seconds).toBeGreaterThan(300);
    const { items } = await acme.api.call('listAuditLog', { query: { resource: 'deployment_trust' } });
    expect(items.filter(({ action }) => action === 'deployment_trust.used')).toMatchObject([
      {
        actor: { type: 'deployment_trust', id: trust.id, name: trust.name },
        detail: { subject: 'repo:acme/checkout:environment:production' },
      },
    ]);
    const { last_used_at } = await acme.api.call('getDeploymentTrust', { path: { id: trust.id } });
    expect(last_used_at).not.toBeNull();
  });

  test('works again when another administrator saves the trust of a person who left', async () => {
    const { id } = await createTrust();
    await sql`UPDATE deployment_trusts SET saved_by_user_id = NULL WHERE id = ${id}`.execute(db);
    const path = { id };
    expect(await acme.api.call('getDeploymentTrust', { path })).toMatchObject({ status: 'orphaned' });
    const saved = await acme.owner.call('updateDeploymentTrust', { path, body: { is_active: true } });
    expect(saved).toMatchObject({ status: 'active', revision: 1 });
    await exchange(await gitHub.sign(ofGitHub()), saved);
  });
});

describe('the documents of an issuer', () => {
  const bodies: Record<string, [status: number, body: string, headers?: Record<string, string>]> = {};
  const issuer = createServer((request, response) => {
    const [status, body, headers = {}] = bodies[request.url!] ?? [404, ''];
    response.writeHead(status, headers).end(body);
  });
  let count = 0;

  /** Exchanges a token of a new issuer with the given metadata and keys. */
  async function exchangeWith(
    metadata: (issuer: string) => string,
    keys: string,
    response: [status: number, headers: Record<string, string>] = [200, {}],
  ) {
    const path = `/${++count}`;
    const url = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}${path}`;
    bodies[`${path}/.well-known/openid-configuration`] = [response[0], metadata(url), response[1]];
    bodies[`${path}/keys`] = [200, keys];
    const created = await createTrust({ issuer: url });
    return exchange(await gitHub.sign({ ...ofGitHub(), iss: url }), created);
  }
  const usual = (url: string) => JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` });
  const keys = (list: readonly unknown[]) => JSON.stringify({ keys: list });

  beforeEach(async () => {
    if (issuer.listening) return;
    await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
    atEndOfFile(() => issuer.close().closeAllConnections());
  });

  test('are used if they are correct', async () => {
    await exchangeWith(usual, keys([publicPart(gitHub.keys[0]!)]));
  });

  test.each<[string, (url: string) => string, string, string, [number, Record<string, string>]?]>([
    ['name another issuer', () => usual(gitHub.issuer), '{}', 'names another issuer'],
    ['have no URL of keys', (url) => JSON.stringify({ issuer: url }), '{}', 'no https:// URL'],
    ['are a list', () => '[]', '{}', "isn't a JSON object"],
    ['are a web page', () => '<html>', '{}', "isn't JSON"],
    ['are too large', () => ' '.repeat(200_000), '{}', 'A request to the issuer failed'],
    ['are nested too deeply', () => '['.repeat(5_000), '{}', 'nested too deeply'],
    ['have too many keys', usual, keys(Array.from({ length: 101 }, () => ({}))), 'at most 100 keys'],
    ['are an error', () => '{}', '{}', 'returned status 500', [500, {}]],
    ['redirect', () => '', '{}', 'returned status 302', [302, { location: `${gitHub.issuer}/x` }]],
    [
      'lead to a private network',
      (url) => JSON.stringify({ issuer: url, jwks_uri: 'https://10.0.0.1/keys' }),
      '{}',
      "isn't allowed",
    ],
    [
      'lead to the metadata of a cloud',
      (url) => JSON.stringify({ issuer: url, jwks_uri: 'http://169.254.169.254/keys' }),
      '{}',
      '169.254.169.254',
    ],
  ])('are rejected if they %s', async (_, metadata, keySet, message, response) => {
    await expect(exchangeWith(metadata, keySet, response)).rejects.toMatchObject({
      status: 503,
      detail: expect.stringContaining(message),
    });
  });

  test.each<[string, readonly unknown[]]>([
    ['a secret key', [{ kty: 'oct', k: 'c2VjcmV0', kid: 'first' }]],
    ['another key', [publicPart(mallory)]],
    ['no key', []],
  ])('are rejected with %s', async (_, list) => {
    await expect(exchangeWith(usual, keys(list))).rejects.toMatchObject({ status: 401 });
  });

  test('are not requested from addresses that the egress guard rejects', async () => {
    const created = await createTrust({ issuer: 'https://10.0.0.1' });
    const token = await gitHub.sign({ ...ofGitHub(), iss: 'https://10.0.0.1' });
    await expect(exchange(token, created)).rejects.toMatchObject({
      status: 503,
      detail: expect.stringContaining("isn't allowed"),
    });
  });
});

describe('a deployment token', () => {
  test('reports the deployments that its trust allows, and names the trust in the ledger', async () => {
    const api = clientOf(await deploymentToken());
    const { deployment } = await api.call('reportDeployment', { body: report });
    expect(deployment.reported_by).toEqual({ type: 'deployment_trust', id: trust.id, name: 'Checkout' });
    await api.call('reportDeployment', { body: { ...report, service: 'payments-eu' } });
    const { items } = await acme.api.call('listDeployments');
    expect(items.map(({ service }) => service)).toEqual(['payments-eu', 'checkout']);
    const { items: entries } = await acme.api.call('listAuditLog', { query: { resource: 'scrape_job' } });
    expect(entries[0]).toMatchObject({ actor: { type: 'deployment_trust', id: trust.id } });
  });

  test.each([
    [{ service: 'billing' }, 'the service billing'],
    [{ service: 'payments-' }, 'the service payments-'],
    [{ environment: 'staging' }, 'the environment staging'],
    [{ labels: { environment: 'staging' } }, 'must not have another value'],
  ])('can’t report another deployment (%o)', async (change, message) => {
    const api = clientOf(await deploymentToken());
    await expect(api.call('reportDeployment', { body: { ...report, ...change } })).rejects.toMatchObject({
      detail: expect.stringContaining(message),
    });
    expect((await acme.api.call('listDeployments')).items).toEqual([]);
  });

  describe('with events', () => {
    const post = async (
      changes: { id?: string; service?: string; environment?: string; version?: string } = {},
    ) => {
      const { id = 'run-1', service = 'checkout', environment = 'production', version = '1.0.0' } = changes;
      const type = 'dev.cdevents.service.deployed.0.3.0';
      const timestamp = new Date(Date.now() - 60_000).toISOString();
      const response = await fetch(`${server.url}/api/v1/client/deployments/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await deploymentToken()}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          context: { specversion: '0.5.1', id, source: '/ci', type, timestamp },
          subject: {
            id: service,
            content: { environment: { id: environment }, artifactId: `pkg:generic/${service}@${version}` },
          },
        }),
      });
      return { status: response.status, body: await response.text() };
    };

    test('reports the deployments that its trust allows', async () => {
      expect(await post()).toMatchObject({ status: 200 });
      expect(await post({ id: 'run-2', service: 'payments-eu' })).toMatchObject({ status: 200 });
      const { items } = await acme.api.call('listDeployments');
      expect(items.map(({ service, reported_by }) => [service, reported_by.type])).toEqual([
        ['payments-eu', 'deployment_trust'],
        ['checkout', 'deployment_trust'],
      ]);
    });

    test.each([
      [{ service: 'billing' }, 'the service billing'],
      [{ environment: 'staging' }, 'the environment staging'],
    ])('can’t report another deployment (%o)', async (changes, message) => {
      const answer = await post(changes);
      expect(answer.status).toBe(403);
      expect(answer.body).toContain(message);
      expect((await acme.api.call('listDeployments')).items).toEqual([]);
    });

    test('can’t read or change another deployment with the ID of its event', async () => {
      const wide = await createTrust({ name: 'Wide', services: ['*'], environments: ['*'] });
      const narrow = trust;
      trust = wide;
      expect(await post({ service: 'billing', version: '7.7.7' })).toMatchObject({ status: 200 });
      expect(await post({ id: 'run-2', environment: 'staging' })).toMatchObject({ status: 200 });
      trust = narrow;
      const before = (await acme.api.call('listDeployments')).items;
      for (const id of ['run-1', 'run-2']) {
        const answer = await post({ id });
        expect(answer.status).toBe(200);
        expect(answer.body).not.toMatch(/7\.7\.7|billing|staging/);
      }
      const after = (await acme.api.call('listDeployments')).items;
      expect(after).toEqual(expect.arrayContaining(before));
    });
  });

  test('reports components of a bill of materials only for the services of its trust', async () => {
    const sbom = {
      document: JSON.stringify({
        bomFormat: 'CycloneDX',
        specVersion: '1.6',
        components: [{ type: 'library', name: 'billing', version: '9.9.9' }],
      }),
      components: [{ name: 'billing' }],
    };
    const api = clientOf(await deploymentToken());
    // The document isn't read for another service.
    for (const document of [sbom.document, '{'])
      await expect(
        api.call('reportDeployment', {
          body: { ...report, service: 'billing', sbom: { ...sbom, document } },
        }),
      ).rejects.toMatchObject({ status: 403, detail: expect.stringContaining('the service billing') });
    expect((await acme.api.call('listDeployments')).items).toEqual([]);
    const { components } = await api.call('reportDeployment', { body: { ...report, sbom } });
    expect(components).toMatchObject([
      { status: 'recorded', deployment: { service: 'checkout', environment: 'production' } },
    ]);
  });

  test('can’t call any other operation', async () => {
    const token = await deploymentToken();
    const api = clientOf(token);
    const { id } = await acme.api.call('createScrapeJob', {
      body: { name: 'Manual', parser_type: 'manual' },
    });
    const calls: (() => Promise<unknown>)[] = [
      () => api.call('listDeployments'),
      () => api.call('setScrapeJobVersion', { path: { id }, body: { version: '2.0.0' } }),
      () => api.call('listScrapeJobs'),
      () => api.call('getCaller'),
      () => api.call('createDeploymentTrust', { body: trustOf() }),
      () => api.call('getMe'),
      () => api.call('listSessions'),
    ];
    for (const call of calls)
      await expect(call()).rejects.toMatchObject({
        status: 403,
        detail: expect.stringContaining('only report'),
      });
    await expect(api.call('refreshLogin')).rejects.toMatchObject({ status: 401 });
    const metrics = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    expect(metrics.status).toBe(403);
    const asCookie = { cookie: `pacekeeper_session=${token}` };
    expect((await fetch(`${server.url}/api/v1/client/deployments`, { headers: asCookie })).status).toBe(401);
    const asKey = createApiClient({ baseUrl: server.url, apiKey: token });
    await expect(asKey.call('reportDeployment', { body: report })).rejects.toMatchObject({ status: 401 });
  });

  test('reports only to the organization of its trust', async () => {
    const other = await server.createOrganization();
    const theirs = await createTrust({}, other);
    const token = (await exchange(await gitHub.sign(ofGitHub()), theirs)).access_token;
    await clientOf(token).call('reportDeployment', { body: report });
    expect((await acme.api.call('listDeployments')).items).toEqual([]);
    expect((await other.api.call('listDeployments')).items).toHaveLength(1);
  });

  test('ends after five minutes', async () => {
    const api = clientOf(await deploymentToken());
    await setClockOffset(db, '4 minutes 50 seconds');
    await api.call('reportDeployment', { body: report });
    await setClockOffset(db, '5 minutes 1 second');
    const late = api.call('reportDeployment', { body: report }).finally(() => resetClockOffset(db));
    await expect(late).rejects.toMatchObject({ status: 401, detail: expect.stringContaining('has expired') });
  });

  test.each<[string, () => Promise<unknown>]>([
    [
      'changes',
      () =>
        acme.owner.call('updateDeploymentTrust', {
          path: { id: trust.id },
          body: { environments: ['production', 'staging'] },
        }),
    ],
    ['is deleted', () => acme.api.call('deleteDeploymentTrust', { path: { id: trust.id } })],
    [
      'is orphaned',
      () => sql`UPDATE memberships SET role = 'viewer' WHERE organization_id = ${acme.id}`.execute(db),
    ],
  ])('ends when its trust %s', async (_, end) => {
    const api = clientOf(await deploymentToken());
    await api.call('reportDeployment', { body: report });
    await end();
    await expect(api.call('reportDeployment', { body: report })).rejects.toMatchObject({
      status: 401,
      detail: expect.stringContaining('has ended'),
    });
  });
});

describe('a trust', () => {
  test.each<[Partial<NewTrust>, string]>([
    [{ issuer: 'https://token.actions.githubusercontent.com', claims: { repository: '*' } }, 'claims'],
    [{ issuer: 'https://gitlab.com', claims: { ref: 'main' } }, 'claims'],
    [{ claims: { repository: 'acme/checkout', aud: 'x' } }, 'claims'],
    [{ claims: { repository: 'acme/**' } }, 'claims.repository'],
    [{ claims: {} }, 'claims'],
    [{ issuer: 'https://user:secret@ci.example.org' }, 'issuer'],
    [{ issuer: 'https://ci.example.org/?a=b' }, 'issuer'],
    [{ issuer: 'https://[' }, 'issuer'],
    [{ services: [] }, 'services'],
    [{ environments: ['a*b*'] }, 'environments.0'],
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
  ])('can’t be created with %o', async (body, field) => {
    await expect(createTrust(body)).rejects.toMatchObject({ status: 400, errors: [{ field }] });
  });

  test('can’t be widened by an update', async () => {
    const { owner, api } = acme;
    const path = { id: trust.id };
    const wider = owner.call('updateDeploymentTrust', {
      path,
      body: { claims: { environment: 'production' } },
    });
    // A claim on `environment` alone is too broad, because every project of an issuer can use that
    // environment name. The update is rejected for private issuers, too, such as the one in these tests.
    await expect(wider).rejects.toMatchObject({ status: 400, errors: [{ field: 'claims' }] });
    const byKey = api.call('updateDeploymentTrust', { path, body: { services: ['*'] } });
    await expect(byKey).rejects.toMatchObject({ status: 401, code: 'login_required' });
    expect(await api.call('getDeploymentTrust', { path })).toEqual(trust);
  });
});

test('exchanges from one address are limited, even if no other rate limit applies', async () => {
  const outcomes = new Map<unknown, unknown>();
  const attempt = () =>
    exchange('a.b.c', { ...trust, code: 'unknown' }).catch(({ status, retryAfterSeconds }) =>
      outcomes.set(status, retryAfterSeconds),
    );
  for (let round = 0; round < 20 && !outcomes.has(429); round++)
    await Promise.all(Array.from({ length: 40 }, attempt));
  expect([...outcomes]).toEqual([
    [401, null],
    [429, expect.any(Number)],
  ]);
});
