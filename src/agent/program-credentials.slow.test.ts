import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { noGithubApps } from '../../tests/helpers/cluster-agent.ts';
import { gatherFrom } from '../../tests/helpers/upstreams/gather-from.ts';
import { hasGitHttpBackend, startGitServer } from '../../tests/helpers/upstreams/git-server.ts';
import {
  sendJson,
  startUpstreamServer,
  type UpstreamServer,
} from '../../tests/helpers/upstreams/upstream-server.ts';
import { createSilentLog } from '../platform/log.ts';
import { createHttpPolicy } from '../platform/outbound/index.ts';
import { createTestBench } from '../platform/outbound/outbound-test-servers.ts';
import { gitlabReleases } from '../sources/gitlab-releases.ts';
import { ociRegistry } from '../sources/oci-registry.ts';
import type { ClusterCredential, HelperCredential } from './agent-credential.ts';
import { createRepositoryReader, type RepositoryReader } from './git/repository-reader.ts';
import { createCredentialOpener } from './open-credential.ts';
import { createProgramCredentials, type ExecClusterCredential } from './program-credentials.ts';

const bench = createTestBench();
let folder: string;
let now: Date;
let servers: UpstreamServer[] = [];
let readers: RepositoryReader[] = [];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pacekeeper-programs-'));
  now = new Date('2026-03-01T12:00:00Z');
});
afterEach(async () => {
  await bench.close();
  for (const each of [...readers, ...servers]) await each.close();
  servers = [];
  readers = [];
  rmSync(folder, { recursive: true, force: true });
});

const clock = () => now;
const pass = (seconds: number) => void (now = new Date(now.getTime() + seconds * 1_000));

/** Writes an executable program. The shell script gets the folder in `$DIR`, and records its calls in `calls`. */
function writeProgram(name: string, script: string): void {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\nDIR='${folder}'\n${script}\n`);
  chmodSync(file, 0o755);
}

const calls = () =>
  existsSync(path.join(folder, 'calls'))
    ? readFileSync(path.join(folder, 'calls'), 'utf8').trim().split('\n')
    : [];

function helper(change: Partial<HelperCredential> = {}): HelperCredential {
  return {
    type: 'credential_helper',
    as: 'registry_basic',
    name: 'ecr',
    organizations: null,
    hosts: ['127.0.0.1', '127.0.0.1:5000', 'r.example.com', 'docker.io'],
    program: {
      command: 'docker-credential-fake',
      args: ['get'],
      env: { PATH: `${folder}:${process.env['PATH']}` },
    },
    ...change,
  };
}

/** Writes a helper that returns these texts. `$SERVER` in them is the address that the helper received. */
function writeHelper(username: string, secret: string): void {
  writeProgram(
    'docker-credential-fake',
    `read -r SERVER; echo "$1 $SERVER" >> "$DIR/calls"
printf '{"ServerURL":"%s","Username":"%s","Secret":"%s"}' "$SERVER" "${username}" "${secret}"`,
  );
}

describe('credential helpers', () => {
  test('receive the address of the server on standard input, once for many jobs', async () => {
    writeHelper('AWS', 'password of $SERVER');
    const programs = createProgramCredentials({ clock });
    const credential = helper();
    const opened = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        programs.open(credential, index % 2 === 0 ? 'r.example.com' : '127.0.0.1:5000'),
      ),
    );
    expect(opened[0]).toMatchObject({
      type: 'registry_basic',
      name: 'ecr',
      username: 'AWS',
      password: 'password of r.example.com',
    });
    expect(opened[1]).toMatchObject({ password: 'password of 127.0.0.1:5000' });
    expect(calls().toSorted()).toEqual(['get 127.0.0.1:5000', 'get r.example.com']);
    await programs.open(credential, 'docker.io');
    expect(calls()).toContain('get https://index.docker.io/v1/');
  });

  test('run again after a minute if the password has no expiry, and shortly before the expiry otherwise', async () => {
    const programs = createProgramCredentials({ clock });
    const count = async (secret: string, seconds: number[]) => {
      rmSync(path.join(folder, 'calls'), { force: true });
      now = new Date('2026-03-01T12:00:00Z');
      writeHelper('AWS', secret);
      const credential = helper();
      const counts = [];
      for (const each of seconds) {
        pass(each);
        await programs.open(credential, 'r.example.com');
        counts.push(calls().length);
      }
      return counts;
    };
    const expiry = Date.parse('2026-03-02T00:00:00Z') / 1_000;
    const encode = (value: object, encoding: 'base64' | 'base64url') =>
      Buffer.from(JSON.stringify(value)).toString(encoding);
    const hours = 3_600;
    expect(await count('opaque', [0, 59, 1])).toEqual([1, 1, 2]);
    // ECR issues passwords that contain their expiry.
    expect(
      await count(encode({ payload: 'x', expiration: expiry }, 'base64'), [0, 11.9 * hours, 0.05 * hours]),
    ).toEqual([1, 1, 2]);
    // Azure issues JSON Web Tokens.
    const token = `${encode({ alg: 'RS256' }, 'base64url')}.${encode({ exp: expiry }, 'base64url')}.sig`;
    expect(await count(token, [0, 11.9 * hours, 0.05 * hours])).toEqual([1, 1, 2]);
  });

  test('of Azure return an identity token, which is sent with the user name that Azure defines', async () => {
    writeHelper('<token>', 'refresh');
    const { username } = await createProgramCredentials({ clock }).open(helper(), 'r.example.com');
    expect(username).toBe('00000000-0000-0000-0000-000000000000');
  });

  test('receive only the variables of their environment and a single argument', async () => {
    writeProgram(
      'docker-credential-fake',
      `read -r SERVER; printf '{"Username":"%s","Secret":"%s"}' "$#$*" "$(env | grep -v -e ^PWD= -e ^_= -e ^SHLVL= -e ^OLDPWD= | cut -d= -f1 | sort | tr '\\n' ' ')"`,
    );
    expect(await createProgramCredentials({ clock }).open(helper(), 'r.example.com')).toMatchObject({
      username: '1get',
      password: 'PATH ',
    });
  });

  test.each<[string, string, RegExp, string]>([
    [
      'has no password',
      `echo 'credentials not found in native keychain'; exit 1`,
      /has no credentials for r\.example/u,
      'credential_missing',
    ],
    ['fails', 'echo topsecret; echo topsecret >&2; exit 3', /exit code 3/u, 'credential_failed'],
    ['returns something else', 'echo topsecret', /returned no user name and password/u, 'credential_failed'],
    [
      'returns a password with a line break',
      `printf '{"Username":"a","Secret":"topsecret\\\\n"}'`,
      /returned no user/u,
      'credential_failed',
    ],
    ['writes without end', 'while :; do echo topsecret; done', /too much output/u, 'credential_failed'],
    ['is killed', 'kill -9 $$', /was killed/u, 'credential_failed'],
  ])(
    'cause an error that contains none of their output: a helper that %s',
    async (_, script, reason, code) => {
      writeProgram('docker-credential-fake', script);
      const programs = createProgramCredentials({ clock });
      const credential = helper();
      const error = await programs.open(credential, 'r.example.com').catch((reasons: unknown) => reasons);
      expect(error).toMatchObject({ code, message: expect.stringMatching(reason) });
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('topsecret');
      // The error is cached, so that a thousand jobs don't start a thousand programs.
      writeHelper('AWS', 'x');
      await expect(programs.open(credential, 'r.example.com')).rejects.toBe(error);
      pass(60);
      expect(await programs.open(credential, 'r.example.com')).toMatchObject({ password: 'x' });
    },
  );

  test('that are not installed cause a clear error', async () => {
    await expect(createProgramCredentials({ clock }).open(helper(), 'r.example.com')).rejects.toMatchObject({
      code: 'credential_failed',
      message: "The program docker-credential-fake of a credential can't be started (ENOENT).",
    });
  });

  test('never run for a host that the credential does not list', async () => {
    writeHelper('AWS', 'x');
    const { openCredential } = createCredentialOpener([helper()], {
      appTokens: noGithubApps,
      programs: createProgramCredentials({ clock }),
    });
    const open = (spec: object) =>
      openCredential({ organization_id: 1, spec: { credential_name: 'ecr', ...spec } });
    await expect(open({ artifact_name: 'evil.example.com/app' })).rejects.toMatchObject({
      code: 'credential_not_for_host',
    });
    await expect(open({ artifact_name: '' })).rejects.toMatchObject({ code: 'credential_not_for_host' });
    expect(calls()).toEqual([]);
    await open({ artifact_name: 'r.example.com/team/app' });
    await open({ repository_url: 'https://r.example.com/charts' });
    await open({ repository_url: null, url: 'https://r.example.com:8443/x' });
    // Jobs can't start a program for each port of a host.
    expect(calls()).toEqual(['get r.example.com']);
  });
});

/**
 * Starts a registry like ECR: it accepts Basic authentication with a password that its service issued less than two
 * minutes ago, and has no token service. `docker-credential-fake` gets its passwords from the service.
 */
async function startEcr(
  passwordOf: (number: number, expiresAt: number) => string,
): Promise<{ server: UpstreamServer; revoke(): void; issued(): number }> {
  const valid = new Map<string, number>();
  let issued = 0;
  const server = await startUpstreamServer((request, response, url) => {
    if (url.pathname === '/issue') {
      issued += 1;
      const expiresAt = now.getTime() + 120_000;
      const password = passwordOf(issued, expiresAt);
      valid.set(password, expiresAt);
      return sendJson(response, 200, { Username: 'AWS', Secret: password });
    }
    const [, given = ''] = /^Basic (.+)$/u.exec(request.headers.authorization ?? '') ?? [];
    const password = Buffer.from(given, 'base64').toString().replace(/^AWS:/u, '');
    if ((valid.get(password) ?? 0) <= now.getTime()) {
      response.setHeader('www-authenticate', 'Basic realm="https://ecr.example",service="ecr.amazonaws.com"');
      return sendJson(response, 401, {
        errors: [{ code: 'DENIED', message: 'Your authorization token has expired.' }],
      });
    }
    sendJson(response, 200, { name: 'team/app', tags: ['1.0.0', '1.1.0'] });
  });
  servers.push(server);
  // Use a shell script, because a helper in JavaScript would take ten times as long.
  writeProgram('docker-credential-fake', 'read -r SERVER; exec curl --silent "http://$SERVER/issue"');
  return { server, revoke: () => valid.clear(), issued: () => issued };
}

describe('a registry whose passwords are valid for two minutes', () => {
  async function startRuns(ecr: { server: UpstreamServer }) {
    const { openCredential } = createCredentialOpener([helper({ hosts: [ecr.server.host] })], {
      appTokens: noGithubApps,
      programs: createProgramCredentials({ clock }),
    });
    const artifact_name = `${ecr.server.host}/team/app`;
    return async () => {
      const credential = await openCredential({
        organization_id: 1,
        spec: { credential_name: 'ecr', artifact_name },
      });
      const { releases } = await gatherFrom(ociRegistry, artifact_name, {
        client: bench.client({ allow: ['127.0.0.1/32'] }),
        insecureHosts: ['127.0.0.1'],
        credential,
        now,
      });
      return releases.length;
    };
  }

  test.each<[string, (number: number, expiresAt: number) => string]>([
    [
      'contain their expiry',
      (number, at) => Buffer.from(JSON.stringify({ number, expiration: at / 1_000 })).toString('base64'),
    ],
    ['do not contain their expiry', (number) => `opaque-${number}`],
  ])('is read for 30 minutes without a failed run if the passwords %s', async (_, passwordOf) => {
    const ecr = await startEcr(passwordOf);
    const run = await startRuns(ecr);
    for (let seconds = 0; seconds <= 1_800; seconds += 25) {
      expect(await run()).toBe(2);
      pass(25);
    }
    expect(ecr.issued()).toBeGreaterThanOrEqual(15);
    expect(ecr.issued()).toBeLessThanOrEqual(31);
  });

  test('is read in the same run with a new password after it rejects the previous one', async () => {
    const ecr = await startEcr((number) => `opaque-${number}`);
    const run = await startRuns(ecr);
    await run();
    pass(30);
    ecr.revoke();
    expect(await run()).toBe(2);
    expect(ecr.issued()).toBe(2);
  });

  test('fails the run if it also rejects the new password', async () => {
    const ecr = await startEcr((number) => `opaque-${number}`);
    const run = await startRuns(ecr);
    await run();
    pass(30);
    ecr.server.intercept = (request, response) => {
      if (request.url === '/issue') return false;
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
      return true;
    };
    await expect(run()).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(run()).rejects.toMatchObject({ code: 'unauthorized' });
    expect(ecr.issued()).toBe(2);
  });
});

test('the credential helper of a registry with a token service runs once, although the registry rejects the first request', async () => {
  writeHelper('robot', 'opaque');
  const server = await startUpstreamServer((request, response, url) => {
    const { authorization = '' } = request.headers;
    if (url.pathname === '/token')
      return sendJson(response, authorization.startsWith('Basic ') ? 200 : 401, { token: 't' });
    if (authorization === 'Bearer t') return sendJson(response, 200, { name: 'team/app', tags: ['1.0.0'] });
    response.setHeader('www-authenticate', `Bearer realm="http://${url.host}/token",service="x"`);
    sendJson(response, 401, {});
  });
  servers.push(server);
  const programs = createProgramCredentials({ clock });
  const credential = await programs.open(helper(), server.host);
  pass(30);
  const { releases } = await gatherFrom(ociRegistry, `${server.host}/team/app`, {
    client: bench.client({ allow: ['127.0.0.1/32'] }),
    insecureHosts: ['127.0.0.1'],
    credential,
  });
  expect(releases).toHaveLength(1);
  expect(calls()).toHaveLength(1);
});

describe.skipIf(!hasGitHttpBackend)('Git over HTTPS (needs git with http-backend)', () => {
  /** Starts a Git host that accepts one password, and an agent whose https_pat credential has a helper. */
  async function startGitHost() {
    const server = await startGitServer();
    servers.push(server);
    const repository = server.createRepository('acme/deploy.git');
    repository.commit({ version: '1.0.0' });
    const allowHttp = createHttpPolicy({ insecureHosts: ['127.0.0.1'], allowHttpWebhooks: false });
    const client = bench.client({ allow: ['127.0.0.1/32'] });
    const reader = createRepositoryReader({
      folder: path.join(folder, 'repositories'),
      client,
      allowHttp,
      log: createSilentLog(),
    });
    readers.push(reader);
    const { openCredential } = createCredentialOpener([helper({ as: 'https_pat', hosts: [server.host] })], {
      appTokens: noGithubApps,
      programs: createProgramCredentials({ clock }),
    });
    const open = (spec: object) =>
      openCredential({ organization_id: 1, spec: { credential_name: 'ecr', ...spec } });
    const read = async (url = repository.url) => {
      const results: (string | Error)[] = [];
      await reader.readFiles(
        {
          organizationId: 1,
          url,
          credential: await open({ repository_url: url }),
          signal: new AbortController().signal,
        },
        [{ ref: 'HEAD', file: 'version' }],
        async (_, result) => void results.push(result instanceof Error ? result : result.text),
      );
      return results;
    };
    const accept = (username: string, password: string) => {
      server.authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    };
    return { server, repository, open, read, accept };
  }

  test('a repository is read with the user name and password of the helper, which runs once a minute', async () => {
    const { server, read, accept } = await startGitHost();
    writeHelper('robot', 'opaque');
    accept('robot', 'opaque');
    expect([await read(), await read()]).toEqual([['1.0.0'], ['1.0.0']]);
    expect(calls()).toEqual([`get ${server.host}`]);
    pass(60);
    expect(await read()).toEqual(['1.0.0']);
    expect(calls()).toHaveLength(2);
    const [cached = ''] = readdirSync(path.join(folder, 'repositories'));
    expect(readFileSync(path.join(folder, 'repositories', cached, 'config'), 'utf8')).not.toContain('opaque');
  });

  test('a token whose helper returns no user name is sent like a configured one', async () => {
    const { open, read, accept, repository } = await startGitHost();
    writeHelper('', 'opaque');
    accept('x-access-token', 'opaque');
    expect(await read()).toEqual(['1.0.0']);
    expect(await open({ repository_url: repository.url })).toMatchObject({
      type: 'https_pat',
      token: 'opaque',
    });
  });

  test('a rejected password is replaced in the same run, also after a redirect', async () => {
    const { server, read, accept } = await startGitHost();
    server.intercept = (request, response) => {
      if (!request.url?.startsWith('/acme/old')) return false;
      response.writeHead(301, { location: request.url.replace('old', 'deploy') }).end();
      return true;
    };
    const old = `http://${server.host}/acme/old.git`;
    writeHelper('robot', 'first');
    accept('robot', 'first');
    expect([await read(), await read(old)]).toEqual([['1.0.0'], ['1.0.0']]);
    pass(30);
    writeHelper('robot', 'second');
    accept('robot', 'second');
    expect([await read(), await read(old)]).toEqual([['1.0.0'], ['1.0.0']]);
    expect(calls()).toHaveLength(2);
    pass(60);
    writeHelper('robot', 'third');
    accept('robot', 'third');
    expect(await read(old)).toEqual(['1.0.0']);
    expect(calls()).toHaveLength(3);
  });

  test('a host that also rejects the new password fails the run', async () => {
    const { read, accept } = await startGitHost();
    writeHelper('robot', 'opaque');
    accept('robot', 'opaque');
    await read();
    pass(30);
    accept('robot', 'other');
    await expect(read()).rejects.toMatchObject({
      code: 'unauthorized',
      message: expect.stringContaining('rejected credential "ecr"'),
    });
    await expect(read()).rejects.toMatchObject({ code: 'unauthorized' });
    expect(calls()).toHaveLength(2);
  });

  test('an SSH URL is rejected with the type of credential that it requires', async () => {
    const { server, read } = await startGitHost();
    writeHelper('robot', 'opaque');
    await expect(read(`ssh://git@${server.host}/acme/deploy.git`)).rejects.toMatchObject({
      code: 'unauthorized',
      message: expect.stringContaining('SSH URLs need an ssh_key credential'),
    });
  });

  test('an API of the Git host receives a new token after it rejects the previous one', async () => {
    writeHelper('robot', 'first');
    const server = await startUpstreamServer((request, response) => {
      if (request.headers.authorization === 'Bearer second') return sendJson(response, 200, []);
      response.setHeader('www-authenticate', 'Bearer realm="GitLab"');
      sendJson(response, 401, {});
    });
    servers.push(server);
    const programs = createProgramCredentials({ clock });
    const credential = await programs.open(helper({ as: 'https_pat', hosts: [server.host] }), server.host);
    pass(30);
    writeHelper('robot', 'second');
    const { releases } = await gatherFrom(gitlabReleases, `${server.host}/acme/app`, {
      client: bench.client({ allow: ['127.0.0.1/32'] }),
      insecureHosts: ['127.0.0.1'],
      credential,
    });
    expect(releases).toEqual([]);
    expect(calls()).toHaveLength(2);
  });
});

describe('exec plugins of clusters', () => {
  const apiVersion = 'client.authentication.k8s.io/v1';

  function cluster(change: Partial<NonNullable<ClusterCredential['exec']>> = {}): ExecClusterCredential {
    return {
      type: 'kubernetes',
      name: 'eks',
      organizations: null,
      apiServer: 'https://10.0.0.1',
      caFile: null,
      tokenFile: null,
      isInCluster: false,
      exec: {
        apiVersion,
        command: path.join(folder, 'plugin'),
        args: ['get-token'],
        env: { PATH: process.env['PATH'] ?? '' },
        providesClusterInfo: true,
        ...change,
      },
    };
  }

  const writePlugin = (status: string, version = apiVersion) =>
    writeProgram(
      'plugin',
      `echo "$1 $KUBERNETES_EXEC_INFO" >> "$DIR/calls"; printf '%s' '{"kind":"ExecCredential","apiVersion":"${version}","status":${status}}'`,
    );

  test('return a token that is used until shortly before it expires', async () => {
    writePlugin('{"token":"k8s-aws-v1.x","expirationTimestamp":"2026-03-01T12:14:00Z"}');
    const programs = createProgramCredentials({ clock });
    const credential = cluster();
    for (const seconds of [0, 500, 39]) {
      pass(seconds);
      expect(await programs.clusterToken(credential)).toBe('k8s-aws-v1.x');
    }
    const info = {
      kind: 'ExecCredential',
      apiVersion,
      spec: { interactive: false, cluster: { server: 'https://10.0.0.1' } },
    };
    expect(calls()).toEqual([`get-token ${JSON.stringify(info)}`]);
    pass(1);
    await programs.clusterToken(credential);
    expect(calls()).toHaveLength(2);
    pass(10);
    programs.rejectClusterToken(credential);
    await programs.clusterToken(credential);
    expect(calls()).toHaveLength(3);
  });

  test.each([
    ['{"clientCertificateData":"topsecret","clientKeyData":"topsecret"}', apiVersion, /client certificate/u],
    ['{}', apiVersion, /returned no token/u],
    ['{"token":"topsecret"}', 'client.authentication.k8s.io/v1beta1', /apiVersion other than/u],
  ])('that return %s with %s fail with a reason', async (status, version, reason) => {
    writePlugin(status, version);
    const error = await createProgramCredentials({ clock })
      .clusterToken(cluster())
      .catch((found: unknown) => found);
    expect(error).toMatchObject({ code: 'credential_failed', message: expect.stringMatching(reason) });
    expect(String(error)).not.toContain('topsecret');
  });
});
