import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentCredential } from '../../src/agent/agent-credential.ts';
import { createRepositoryReader } from '../../src/agent/git/repository-reader.ts';
import { createSilentLog } from '../../src/platform/log.ts';
import { createTestBench, testCertificate } from '../../src/platform/outbound/outbound-test-servers.ts';
import { githubReleases } from '../../src/sources/github-releases.ts';
import { ociRegistry } from '../../src/sources/oci-registry.ts';
import { gatherFrom } from '../helpers/upstreams/gather-from.ts';
import { hasGitHttpBackend, startGitServer } from '../helpers/upstreams/git-server.ts';
import { startUpstreamServer, type UpstreamServer } from '../helpers/upstreams/upstream-server.ts';

const bench = createTestBench();
const closers: (() => Promise<unknown>)[] = [];
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pacekeeper-chain-'));
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await bench.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * A credential for every port of both hosts, so that only the redirect chain decides where the credential is
 * sent.
 */
const token: AgentCredential = {
  type: 'https_pat',
  name: 'readonly',
  hosts: ['127.0.0.1', 'good.test'],
  token: 'secret-token',
  organizations: null,
};

async function start(answer: Parameters<typeof startUpstreamServer>[0]): Promise<UpstreamServer> {
  const server = await startUpstreamServer(answer);
  closers.push(() => server.close());
  return server;
}

/** Returns the paths of requests with a credential. */
const trusted = (server: UpstreamServer) =>
  server.requests.filter(({ headers }) => headers.authorization !== undefined).map((request) => request.path);

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { location }).end();
}

/**
 * Starts two servers: the one that the credential is for, and another that redirects everything to `/back…`
 * on the first.
 */
async function startTwo(answer: (request: IncomingMessage, response: ServerResponse, other: string) => void) {
  const other = await start((request, response) =>
    redirect(response, `http://${home.host}/back${request.url}`),
  );
  const home: UpstreamServer = await start((request, response) =>
    answer(request, response, `http://${other.host}`),
  );
  return { home, other };
}

describe('sources', () => {
  const gather = (host: string) =>
    gatherFrom(githubReleases, `${host}/acme/app`, {
      client: bench.client(),
      insecureHosts: ['127.0.0.1'],
      credential: token,
      isFull: true,
    });
  const page = (tag: string) => JSON.stringify([{ tag_name: tag, draft: false, prerelease: false }]);

  test('a redirect to another origin and back drops the credential, also for the following pages', async () => {
    const { home, other } = await startTwo((request, response, away) => {
      const url = request.url ?? '';
      if (url.startsWith('/api')) return redirect(response, `${away}${url}`);
      if (url === '/second') return void response.end(page('v1'));
      response.writeHead(200, { link: '</second>; rel="next"' }).end(page('v2'));
    });
    const { releases } = await gather(home.host);
    expect(releases.map(({ tag }) => tag)).toEqual(['v2', 'v1']);
    expect(trusted(home)).toEqual([expect.stringMatching(/^\/api/u)]);
    expect(trusted(other)).toEqual([]);
  });

  test('a link to another origin and back drops the credential', async () => {
    const other = await start((_, response) => {
      response.writeHead(200, { link: `<http://${home.host}/third>; rel="next"` }).end(page('v2'));
    });
    const home: UpstreamServer = await start((request, response) => {
      if (request.url === '/third') return void response.end(page('v1'));
      response.writeHead(200, { link: `<http://${other.host}/second>; rel="next"` }).end(page('v3'));
    });
    const { releases } = await gather(home.host);
    expect(releases.map(({ tag }) => tag)).toEqual(['v3', 'v2', 'v1']);
    expect(trusted(home)).toEqual([expect.stringMatching(/^\/api/u)]);
    expect(trusted(other)).toEqual([]);
  });

  test('a registry that is reached through another origin gets no credential for a token', async () => {
    const { home, other } = await startTwo((request, response, away) => {
      const url = request.url ?? '';
      if (url.startsWith('/v2')) return redirect(response, `${away}${url}`);
      if (url.startsWith('/token')) return void response.end(JSON.stringify({ token: 'public' }));
      if (request.headers.authorization === 'Bearer public') return void response.end('{"tags":[]}');
      const challenge = `Bearer realm="http://${home.host}/token",service="registry"`;
      response.writeHead(401, { 'www-authenticate': challenge }).end();
    });
    const registry: AgentCredential = {
      type: 'registry_basic',
      name: 'registry',
      hosts: ['127.0.0.1'],
      username: 'reader',
      password: 'secret',
      organizations: null,
    };
    await gatherFrom(ociRegistry, `${home.host}/acme/app`, {
      client: bench.client(),
      insecureHosts: ['127.0.0.1'],
      credential: registry,
    }).catch(() => undefined);
    const seen = [...home.requests, ...other.requests]
      .filter(({ headers }) => headers.authorization?.startsWith('Basic'))
      .map((request) => request.path);
    expect(home.requests.some((request) => request.path.startsWith('/token'))).toBe(true);
    expect(seen.filter((each) => !each.startsWith('/v2'))).toEqual([]);
  });

  test('a redirect from http to https on the same host drops the credential', async () => {
    const seen: (string | undefined)[] = [];
    const secure = await bench.https((request, response) => {
      seen.push(request.headers.authorization);
      response.end(page('v1'));
    });
    const plain = await bench.http((request, response) =>
      redirect(response, `https://good.test:${secure}${request.url}`),
    );
    await gatherFrom(githubReleases, `good.test:${plain}/acme/app`, {
      client: bench.client(),
      insecureHosts: ['good.test'],
      credential: token,
    });
    expect(seen).toEqual([undefined]);
  });
});

describe.skipIf(!hasGitHttpBackend)('git', () => {
  async function readVersion(url: string): Promise<string> {
    const client = bench.client();
    const reader = createRepositoryReader({
      folder,
      client,
      allowHttp: () => true,
      log: createSilentLog(),
    });
    closers.push(() => reader.close());
    const { signal } = new AbortController();
    const texts: string[] = [];
    await reader.readFiles(
      { organizationId: 2, url, credential: token, signal },
      [{ ref: 'HEAD', file: 'version' }],
      async (_, result) => {
        if (result instanceof Error) throw result;
        texts.push(result.text);
      },
    );
    return texts.join();
  }

  async function startRepositories() {
    const server = await startGitServer();
    closers.push(() => server.close());
    server.createRepository('back/acme/app.git').commit({ version: '1' });
    return server;
  }

  test('a repository that redirects through another origin is read without the credential', async () => {
    const server = await startRepositories();
    const other = await start((request, response) =>
      redirect(response, `http://${server.host}/back${request.url}`),
    );
    server.intercept = (request, response) => {
      if (request.url?.startsWith('/back')) return false;
      redirect(response, `http://${other.host}${request.url}`);
      return true;
    };
    expect(await readVersion(`http://${server.host}/acme/app.git`)).toBe('1');
    expect(trusted(other)).toEqual([]);
    expect(trusted(server).filter((each) => each.startsWith('/back'))).toEqual([]);
    expect(trusted(server).length).toBeGreaterThan(0);
  });

  test('a redirect through another origin drops the credential over https as well', async () => {
    const server = await startRepositories();
    /** Credentials of the requests that the redirects lead to. */
    const seen: (string | undefined)[] = [];
    const away: number = await bench.https((request, response) =>
      redirect(response, `https://good.test:${home}/back${request.url}`),
    );
    const home: number = await bench.https((request, response) => {
      if (!request.url?.startsWith('/back'))
        return redirect(response, `https://good.test:${away}${request.url}`);
      seen.push(request.headers.authorization);
      const inner = sendRequest(
        `http://${server.host}${request.url}`,
        { method: request.method ?? 'GET', headers: request.headers },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        },
      );
      request.pipe(inner);
    });
    const authority = path.join(folder, 'authority.pem');
    writeFileSync(authority, testCertificate);
    process.env['GIT_SSL_CAINFO'] = authority;
    try {
      expect(await readVersion(`https://good.test:${home}/acme/app.git`)).toBe('1');
    } finally {
      delete process.env['GIT_SSL_CAINFO'];
    }
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.filter((each) => each !== undefined)).toEqual([]);
  });
});
