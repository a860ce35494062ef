import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { jwtVerify } from 'jose';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { credentialPrograms, noGithubApps } from '../../tests/helpers/cluster-agent.ts';
import { createRecordedDiscovery } from '../../tests/helpers/hold-discovery.ts';
import { localNetwork } from '../../tests/helpers/local-network.ts';
import { createAgentDataFolder } from '../../tests/helpers/temporary-folder.ts';
import { hasGitHttpBackend, startGitServer } from '../../tests/helpers/upstreams/git-server.ts';
import { startUpstreamServer, type UpstreamServer } from '../../tests/helpers/upstreams/upstream-server.ts';
import { parseContentLimits } from '../domain/parsers/content-limits.ts';
import { createSilentLog } from '../platform/log.ts';
import { openOutbound } from '../platform/outbound/index.ts';
import { createSandbox } from '../platform/sandbox/index.ts';
import { createBodyMemoryLimit } from '../sources/source-body.ts';
import { readAgentConfig, readEmbeddedAgentConfig } from './agent-config.ts';
import type { AppCredential } from './agent-credential.ts';
import { createAgentComponents } from './agent-parts.ts';
import type { AgentTask } from './agent-task.ts';
import { checkAgentAccess } from './check-agent-access.ts';
import { createHostOpener } from './docker/host-api.ts';
import { createAppTokens } from './github-app-tokens.ts';
import { createClusterOpener } from './kubernetes/cluster-api.ts';
import { createCredentialOpener } from './open-credential.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
/** Private key in PKCS #1, the format that GitHub issues. */
const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
const folder = mkdtempSync(path.join(tmpdir(), 'pacekeeper-app-'));
const closers: (() => Promise<unknown>)[] = [];
let now = new Date('2026-03-01T12:00:00Z');
let platform: UpstreamServer;
/** Contents of each token request that the fake GitHub received. */
let requests: { issuer: string | undefined; lifetimeSeconds: number; body: unknown }[] = [];
let tokens: string[] = [];
let refusal: ((response: ServerResponse) => void) | null = null;

beforeEach(async () => {
  now = new Date('2026-03-01T12:00:00Z');
  [requests, tokens, refusal] = [[], [], null];
  platform = await startUpstreamServer((request, response) => void answer(request, response));
  closers.push(() => platform.close());
});
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Responds like GitHub: issues a token only for an assertion that the app's key signed and whose times are
 * valid.
 */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (refusal) return refusal(response);
  const sendError = (status: number) => void response.writeHead(status).end('{"message":"refused"}');
  if (request.method !== 'POST' || request.url !== '/api/v3/app/installations/77/access_tokens')
    return sendError(404);
  try {
    const assertion = /^Bearer (.+)$/u.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const { payload } = await jwtVerify(assertion, publicKey, { algorithms: ['RS256'], currentDate: now });
    const lifetimeSeconds = (payload.exp ?? 0) - (payload.iat ?? 0);
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    requests.push({ issuer: payload.iss, lifetimeSeconds, body });
  } catch {
    return sendError(401);
  }
  const token = `ghs_${tokens.length + 1}`;
  tokens.push(token);
  response.writeHead(201, { 'content-type': 'application/json' }).end(
    JSON.stringify({
      token,
      expires_at: new Date(now.getTime() + 3_600_000).toISOString(),
      permissions: {
        contents: 'read',
        metadata: 'read',
      },
      repository_selection: 'selected',
    }),
  );
}

function credentialFor(host: string, change: Partial<AppCredential> = {}): AppCredential {
  return {
    type: 'github_app',
    name: 'app',
    organizations: null,
    hosts: ['127.0.0.1'],
    apiUrl: `http://${host}/api/v3`,
    appId: '1234',
    installationId: '77',
    privateKey: pem,
    ...change,
  };
}

function openTokens() {
  const { client } = openOutbound(localNetwork, { userAgent: 'Pacekeeper/test' });
  closers.push(() => client.close());
  return createAppTokens({ client, clock: () => now });
}

const task = { organization_id: 2, spec: { credential_name: 'app' } };

describe('an installation token', () => {
  test('is requested once for many tasks, with read permissions only, and replaced five minutes before it expires', async () => {
    const app = credentialFor(platform.host);
    const { openCredential } = createCredentialOpener([app], {
      appTokens: openTokens(),
      programs: credentialPrograms,
    });
    const opened = await Promise.all(Array.from({ length: 20 }, () => openCredential(task)));
    expect(new Set(opened.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(opened[0]).toEqual({
      type: 'github_token',
      name: 'app',
      hosts: ['127.0.0.1'],
      organizations: null,
      token: 'ghs_1',
      username: 'x-access-token',
    });
    const permissions = { contents: 'read', metadata: 'read' };
    expect(requests).toEqual([{ issuer: '1234', lifetimeSeconds: 540, body: { permissions } }]);

    now = new Date('2026-03-01T12:54:59Z');
    expect(await openCredential(task)).toMatchObject({ token: 'ghs_1' });
    now = new Date('2026-03-01T12:55:00Z');
    expect(await openCredential(task)).toMatchObject({ token: 'ghs_2' });
  });

  test('is never used for another installation', async () => {
    const other = credentialFor(platform.host, { name: 'other', installationId: '78' });
    const { openCredential } = createCredentialOpener([credentialFor(platform.host), other], {
      appTokens: openTokens(),
      programs: credentialPrograms,
    });
    await openCredential(task);
    const wrong = openCredential({ ...task, spec: { credential_name: 'other' } });
    await expect(wrong).rejects.toMatchObject({
      code: 'unauthorized',
      message: expect.stringContaining('no installation 78'),
    });
  });

  test('is not requested if the app belongs to another organization', async () => {
    const app = credentialFor(platform.host, { organizations: [3] });
    const { openCredential } = createCredentialOpener([app], {
      appTokens: openTokens(),
      programs: credentialPrograms,
    });
    await expect(openCredential(task)).rejects.toMatchObject({ code: 'credential_missing' });
    expect(platform.requests).toEqual([]);
  });

  const refusals: [number, Record<string, string>, string, RegExp][] = [
    [
      401,
      {},
      'unauthorized',
      /rejected the key of credential "app"\. Check app_id, private_key, and the clock/,
    ],
    [403, {}, 'unauthorized', /Credential "app" can't read the installation 77/],
    [404, {}, 'unauthorized', /no installation 77.*Check installation_id/],
    [422, {}, 'unauthorized', /permission "Contents: Read-only"/],
    [429, { 'retry-after': '120' }, 'rate_limited', /rate limiting requests until/],
    [500, {}, 'upstream_error', /returned 500/],
    [201, {}, 'invalid_index', /returned no token for credential "app"\. Check api_url/],
  ];
  test.each(refusals)('is not requested again for a minute after response %i', async (...row) => {
    const [status, headers, code, message] = row;
    refusal = (response) => void response.writeHead(status, headers).end('{}');
    const opener = createCredentialOpener([credentialFor(platform.host)], {
      appTokens: openTokens(),
      programs: credentialPrograms,
    });
    const { openCredential } = opener;
    for (let count = 0; count < 3; count++) {
      const error: unknown = await openCredential(task).catch((problem: unknown) => problem);
      expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
      // The agent calls `runFailed` for each task that fails.
      opener.runFailed({ kind: 'scrape', ...task } as AgentTask, error);
    }
    expect(platform.requests.length).toBe(1);
    refusal = null;
    now = new Date(now.getTime() + (status === 429 ? 121_000 : 60_000));
    expect(await openCredential(task)).toMatchObject({ token: 'ghs_1' });
  });

  test('is rejected if another key signed the assertion', async () => {
    const { privateKey: foreign } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const app = credentialFor(platform.host, {
      privateKey: foreign.export({ type: 'pkcs8', format: 'pem' }).toString(),
    });
    const { openCredential } = createCredentialOpener([app], {
      appTokens: openTokens(),
      programs: credentialPrograms,
    });
    await expect(openCredential(task)).rejects.toMatchObject({ code: 'unauthorized' });
  });
});

describe.skipIf(!hasGitHttpBackend)('a private repository', () => {
  async function startWorld() {
    const git = await startGitServer();
    closers.push(() => git.close());
    git.createRepository('acme/fleet.git').commit({ Dockerfile: 'FROM nginx:1.27.1\n' });
    const basic = (token: string) => `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
    git.authorization = basic('ghs_1');
    const credentials = [credentialFor(platform.host)];
    const parts = createAgentComponents(
      { ...localNetwork, dataDir: createAgentDataFolder(), version: '1' },
      credentials,
      createSilentLog(),
    );
    closers.push(() => parts.close());
    const discover = async () => {
      const repository_url = `http://${git.host}/acme/fleet.git`;
      const { held, outcome } = createRecordedDiscovery({ repository_url, credential_name: 'app' });
      await parts.runners.runGroup([held]);
      return outcome;
    };
    return { git, basic, discover };
  }

  beforeEach(() => void (now = new Date()));

  test('is read with an installation token of the app', async () => {
    const { discover } = await startWorld();
    const outcome = await discover();
    expect(outcome.error).toBeNull();
    expect(outcome.items).toMatchObject([{ version: '1.27.1' }]);
    expect(outcome.wire).not.toContain('ghs_');
    await discover();
    expect(tokens).toEqual(['ghs_1']);
  });

  test('is read with a new token a minute after it rejects a revoked token', async () => {
    const { git, basic, discover } = await startWorld();
    await discover();
    git.authorization = basic('ghs_2');
    expect((await discover()).error).toMatchObject({ code: 'unauthorized' });
    // A repository that the app can't read must not cause a token request in each run.
    expect((await discover()).error).toMatchObject({ code: 'unauthorized' });
    expect(tokens).toEqual(['ghs_1']);
    now = new Date(Date.now() + 60_000);
    vi.useFakeTimers({ toFake: ['Date'], now });
    expect((await discover()).error).toMatchObject({ code: 'unauthorized' });
    expect((await discover()).error).toBeNull();
    expect(tokens).toEqual(['ghs_1', 'ghs_2']);
  });
});

describe('the configuration of a GitHub App', () => {
  writeFileSync(path.join(folder, 'app.pem'), pem);
  const server = 'server: https://pacekeeper.example.com\napi_key: pk_1_abc\n';
  function read(entry: string) {
    const file = path.join(folder, 'agent.yaml');
    writeFileSync(file, `${server}credentials: [{ name: app, type: github_app, ${entry} }]\n`);
    return readAgentConfig(file, {}).credentials;
  }
  const key = 'private_key: "file:app.pem"';

  test('accepts numeric IDs or a client ID, and defaults to github.com', () => {
    expect(read(`app_id: 1234, installation_id: 77, ${key}`)).toEqual([
      {
        type: 'github_app',
        name: 'app',
        organizations: null,
        hosts: ['github.com', 'api.github.com'],
        apiUrl: 'https://api.github.com',
        appId: '1234',
        installationId: '77',
        privateKey: pem.trim(),
      },
    ]);
    const own = 'hosts: [git.example.org], api_url: "https://git.example.org/api/v3/"';
    expect(read(`app_id: Iv23abc, installation_id: "77", ${key}, ${own}`)).toMatchObject([
      { appId: 'Iv23abc', hosts: ['git.example.org'], apiUrl: 'https://git.example.org/api/v3' },
    ]);
  });

  test.each([
    ['app_id: 1234, installation_id: 77', /credentials\[0\]\.private_key/],
    ['app_id: 1234, installation_id: 77, private_key: secret-text', /must be the app's private key \(PEM\)/],
    [`app_id: 0, installation_id: 77, ${key}`, /credentials\[0\]\.app_id/],
    [`app_id: 1234, installation_id: x, ${key}`, /credentials\[0\]\.installation_id/],
    [
      `app_id: 1234, installation_id: 77, ${key}, hosts: [git.example.org]`,
      /credentials\[0\]\.api_url: must be on one of the hosts of the credential/,
    ],
    [`app_id: 1234, installation_id: 77, ${key}, api_url: "ftp://github.com"`, /credentials\[0\]\.api_url/],
  ])('rejects %s without revealing the key', (entry, problem) => {
    expect(() => read(entry)).toThrow(problem);
    expect(() => read(entry)).not.toThrow(/secret-text/);
  });

  test('requires organizations for the embedded agent', () => {
    const file = path.join(folder, 'embedded.yaml');
    const entry = `name: app, type: github_app, app_id: 1, installation_id: 2, ${key}`;
    writeFileSync(file, `credentials: [{ ${entry} }]\n`);
    expect(() => readEmbeddedAgentConfig(file, {})).toThrow(/organizations: is required/);
    writeFileSync(file, `credentials: [{ ${entry}, organizations: [2] }]\n`);
    expect(readEmbeddedAgentConfig(file, {}).credentials).toMatchObject([{ organizations: [2] }]);
  });
});

test('checkAgentAccess prints the permissions of the tokens of an app, or the error of the token request', async () => {
  const lines: string[] = [];
  const sandbox = createSandbox({ ...parseContentLimits, workers: 1 });
  closers.push(() => sandbox.close());
  const room = createBodyMemoryLimit();
  const userAgent = 'Pacekeeper/test';
  const deps = {
    openCluster: createClusterOpener({
      network: localNetwork,
      userAgent,
      room,
      programs: credentialPrograms,
    }),
    programs: credentialPrograms,
    sandbox,
    openHost: createHostOpener({
      userAgent,
      room,
    }),
    signal: new AbortController().signal,
    print: (line: string) => void lines.push(line),
  };
  const good = credentialFor(platform.host);
  const appTokens = openTokens();
  expect(await checkAgentAccess([good], { ...deps, appTokens })).toBe(true);
  const wrong = { ...good, installationId: '78' };
  expect(await checkAgentAccess([wrong], { ...deps, appTokens })).toBe(false);
  expect(lines).toEqual([
    `app (github_app): app 1234, installation 77, http://${platform.host}/api/v3`,
    '  repositories: selected; permissions of its tokens: contents: read, metadata: read',
    `app (github_app): app 1234, installation 78, http://${platform.host}/api/v3`,
    expect.stringContaining('has no installation 78'),
  ]);
  expect(await checkAgentAccess([], { ...deps, appTokens: noGithubApps })).toBe(true);
});
