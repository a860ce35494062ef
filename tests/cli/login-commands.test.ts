import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createApiClient } from '../../src/client/api-client.ts';
import { requireTwoFactor } from '../helpers/require-two-factor.ts';
import { type RunningProgram, runProgram } from '../helpers/run-program.ts';
import { TestBrowserSession } from '../helpers/sign-on-world.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { type SharedTestServer, sharedTestServer, type TestOrganization } from '../helpers/test-server.ts';
import { runCommand } from './run-command.ts';

let server: SharedTestServer;
let organization: TestOrganization;
let env: { XDG_CONFIG_HOME: string };

beforeAll(async () => {
  server = await sharedTestServer();
});

// Login attempts are rate-limited per account, so each test uses a new organization.
beforeEach(async () => {
  organization = await server.createOrganization('Shop');
  env = { XDG_CONFIG_HOME: temporaryFolder() };
});

const sessionFile = () => path.join(env.XDG_CONFIG_HOME, 'pacekeeper', 'session.json');
const session = () => JSON.parse(readFileSync(sessionFile(), 'utf8'));

async function logIn(): Promise<void> {
  const { email, password } = organization;
  const args = ['login', '--server', `${server.url}/`, '--email', email];
  expect(await runCommand(args, { env, stdin: `${password}\n` })).toMatchObject({ code: 0, stdout: '' });
}

test('login prompts on a terminal, and saves a session for all commands in a file that only its owner can read', async () => {
  const { email, password } = organization;
  const answers = [email, password];
  const result = await runCommand(['login', '--server', server.url], { env, answers });
  expect(result).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`as ${email} (organization: Shop)`),
  });
  expect(statSync(sessionFile()).mode & 0o777).toBe(0o600);
  expect(statSync(path.dirname(sessionFile())).mode & 0o777).toBe(0o700);
  expect(readFileSync(sessionFile(), 'utf8')).not.toContain(password);
  expect(await runCommand(['whoami'], { env })).toMatchObject({
    code: 0,
    stdout: `server: ${server.url}\nuser: ${email}\norganization: Shop\nrole: owner\n`,
  });
  // An API key can't create keys, so this command uses the session.
  expect(
    await runCommand(['create', 'key', '--set', 'name=CI', '--set', 'role=reporter'], { env }),
  ).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^key: pk_\d+_/m),
  });
});

test('login prompts for a code if the account uses two-factor authentication', async () => {
  const { email, password } = organization;
  const browser = new TestBrowserSession(server);
  await browser.logIn(organization);
  const post = async (place: string, body: object) =>
    (await browser.request(`/api/v1/auth/two-factor${place}`, { method: 'POST', body })).body;
  const secret = Secret.fromBase32(String((await post('', { password }))['secret']));
  const { recovery_codes: codes } = await post('/confirm', { code: new TOTP({ secret }).generate() });
  const answers = [email, password, ` ${(codes as string[])[0]} `];
  expect(await runCommand(['login', '--server', server.url], { env, answers })).toMatchObject({ code: 0 });
  expect(
    await runCommand(['login', '--server', server.url], { env, answers: [email, password, '000000'] }),
  ).toMatchObject({ code: 1, stderr: expect.stringContaining("isn't correct") });
  const args = ['login', '--server', server.url, '--email', email];
  expect(await runCommand(args, { env, stdin: `${password}\n` })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('use --sso'),
  });
});

test('login reports that the organization requires two-factor authentication to be set up', async () => {
  await requireTwoFactor(server, organization);
  const { email, password } = organization;
  const args = ['login', '--server', server.url, '--email', email];
  expect(await runCommand(args, { env, stdin: `${password}\n` })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`set it up: open ${server.url}/account in a browser`),
  });
  expect(await runCommand(['get', 'rules'], { env })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('two_factor_required'),
  });
});

test('a session with an expired access token is renewed automatically', async () => {
  await logIn();
  const before = session();
  const { accessToken: _, ...rest } = before.servers[server.url];
  const old = { ...before, servers: { [server.url]: { ...rest, accessToken: 'run.out.token' } } };
  writeFileSync(sessionFile(), JSON.stringify(old));
  expect(await runCommand(['whoami'], { env })).toMatchObject({ code: 0 });
  expect(session().servers[server.url].refreshToken).not.toBe(rest.refreshToken);
  expect(await runCommand(['whoami'], { env })).toMatchObject({ code: 0 });
});

test('renewing the session of one server does not replace another server as the current one', async () => {
  await logIn();
  const { servers } = session();
  const { [server.url]: here } = servers;
  const current = 'https://pacekeeper.example.com';
  writeFileSync(
    sessionFile(),
    JSON.stringify({
      current,
      servers: { [current]: here, [server.url]: { ...here, accessToken: 'run.out.token' } },
    }),
  );
  expect(await runCommand(['whoami', '--server', server.url], { env })).toMatchObject({ code: 0 });
  expect(session().servers[server.url].refreshToken).not.toBe(here.refreshToken);
  expect(session().current).toBe(current);
});

test('commands that renew the session at the same time keep it valid', async () => {
  await logIn();
  const { current, servers } = session();
  servers[server.url].accessToken = 'run.out.token';
  writeFileSync(sessionFile(), JSON.stringify({ current, servers }));
  const results = await Promise.all(Array.from({ length: 5 }, () => runCommand(['whoami'], { env })));
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
  servers[server.url] = { ...session().servers[server.url], accessToken: 'run.out.token' };
  writeFileSync(sessionFile(), JSON.stringify({ current, servers }));
  expect(await runCommand(['whoami'], { env })).toMatchObject({ code: 0 });
});

test('an interrupt during renewal still saves the new refresh token', async () => {
  await logIn();
  const { [server.url]: here } = session().servers;
  // Interrupts the program and delays the response that contains the new token.
  let program: RunningProgram | undefined;
  const proxy = createServer(async (request, response) => {
    const answer = await fetch(server.url + request.url, {
      method: request.method!,
      headers: { authorization: request.headers.authorization ?? '', cookie: request.headers.cookie ?? '' },
    });
    if (request.url?.endsWith('/refresh')) {
      program?.process.kill('SIGINT');
      await sleep(300);
    }
    for (const cookie of answer.headers.getSetCookie()) response.appendHeader('set-cookie', cookie);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const expired = { ...here, accessToken: 'run.out.token' };
  writeFileSync(sessionFile(), JSON.stringify({ current: url, servers: { [url]: expired } }));
  program = runProgram(['whoami'], env);
  await program.exited;
  expect(program.process.signalCode).toBe('SIGINT');
  expect(session().servers[url].refreshToken).not.toBe(here.refreshToken);
  expect(await runCommand(['whoami'], { env })).toMatchObject({ code: 0 });
});

test('logout ends the session at the server and deletes it locally', async () => {
  await logIn();
  const { refreshToken } = session().servers[server.url];
  expect(await runCommand(['logout'], { env })).toMatchObject({ code: 0 });
  expect(session()).toEqual({ current: server.url, servers: {} });
  const refresh = server.anonymous.call('refreshLogin', {
    headers: { cookie: `pacekeeper_refresh=${refreshToken}` },
  });
  await expect(refresh).rejects.toMatchObject({ status: 401 });
  expect(await runCommand(['logout'], { env })).toMatchObject({
    code: 0,
    stderr: `Not logged in to ${server.url}.\n`,
  });
  expect(await runCommand(['alerts'], { env })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(
      `Not logged in to ${server.url}. Run 'pacekeeper login --server ${server.url}'`,
    ),
  });
  const never = { XDG_CONFIG_HOME: temporaryFolder() };
  expect(await runCommand(['logout'], { env: never })).toMatchObject({ code: 0, stderr: 'Not logged in.\n' });
  expect(await runCommand(['alerts'], { env: never })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('No server configured.'),
  });
});

test('login with a wrong password fails with an error and saves no session', async () => {
  const args = ['login', '--server', server.url, '--email', organization.email];
  expect(await runCommand(args, { env, stdin: 'wrong' })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('Wrong email or password'),
  });
  expect(() => session()).toThrow();
});

test('the organization can be selected by ID or name', async () => {
  const other = await server.createOrganization('Other');
  const { accept_url } = await other.owner.call('inviteMember', {
    body: { email: organization.email, role: 'viewer' },
  });
  const token = accept_url.slice(accept_url.indexOf('#token=') + '#token='.length);
  await organization.owner.call('acceptInvitation', { body: { token } });
  const { email, password } = organization;
  for (const wanted of ['Other', String(other.id), 'Shop', String(organization.id)]) {
    const args = ['login', '--server', server.url, '--email', email, '--organization', wanted];
    expect(await runCommand(args, { env, stdin: password })).toMatchObject({ code: 0 });
    const { stdout } = await runCommand(['whoami'], { env });
    expect(stdout).toContain(
      `organization: ${wanted === 'Shop' || wanted === String(organization.id) ? 'Shop' : 'Other'}`,
    );
  }
  const args = ['login', '--server', server.url, '--email', email, '--organization', 'Nobody'];
  expect(await runCommand(args, { env, stdin: password })).toMatchObject({ code: 4 });
});

test('the name of an organization is printed as a single line without control characters', async () => {
  const { id, email, password } = organization;
  await sql`UPDATE organizations SET name = ${'Shop\u001b[2J\rrole: owner'} WHERE id = ${id}`.execute(
    server.db,
  );
  const args = ['login', '--server', server.url, '--email', email];
  const results = [
    await runCommand(args, { env, stdin: password }),
    await runCommand(['whoami'], { env }),
    await runCommand([...args, '--organization', 'Nobody'], { env, stdin: password }),
  ];
  for (const { stdout, stderr } of results) {
    expect(stdout + stderr).toContain('Shop');
    for (const control of ['\u001b', '\r']) expect(stdout + stderr).not.toContain(control);
  }
});

test('a session applies only to its server URL, and an API key takes precedence over it', async () => {
  await logIn();
  // This is another URL of the same server.
  const otherUrl = server.url.replace('127.0.0.1', 'localhost');
  expect(await runCommand(['whoami', '--server', otherUrl], { env })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(`Not logged in to ${otherUrl}`),
  });
  const keyed = { ...env, PACEKEEPER_API_KEY: organization.apiKey };
  expect(await runCommand(['whoami'], { env: keyed })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      new RegExp(
        `^server: ${server.url}\\ncredential: API key ".+"\\norganization: Shop\\nrole: (?:admin|member)\\n$`,
      ),
    ),
  });
  for (const role of ['reporter', 'agent'] as const) {
    const { key } = await organization.owner.call('createAPIKey', { body: { name: 'Pipeline', role } });
    expect(await runCommand(['whoami'], { env: { ...env, PACEKEEPER_API_KEY: key } })).toMatchObject({
      stdout: `server: ${server.url}\ncredential: API key "Pipeline"\norganization: Shop\nrole: ${role}\n`,
    });
  }
});

test('an error before the first request explains how to fix it', async () => {
  expect(await runCommand(['whoami'], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('login'),
  });
  const wrong = await runCommand(['whoami', '--server', 'ftp://x'], { env });
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('Invalid server URL') });
  for (const [given, meant] of [
    ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['localhost:8080', 'http://localhost:8080'],
    ['pacekeeper.example.org', 'https://pacekeeper.example.org'],
  ] as const)
    expect(await runCommand(['login', '--server', given], { env })).toMatchObject({
      code: 2,
      stderr: `pacekeeper login: Invalid server URL "${given}". Did you mean ${meant}?\n`,
    });
  mkdirSync(path.dirname(sessionFile()));
  writeFileSync(sessionFile(), '{"current": ');
  expect(await runCommand(['whoami'], { env })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is corrupt'),
  });
  const key = await runCommand(['whoami', '--server', server.url, '--api-key-file', '/nowhere'], { env });
  expect(key).toMatchObject({ code: 2 });
  expect(await runCommand(['login', '--server', server.url], { env })).toMatchObject({ code: 2 });
});

/** True if the server still accepts at least one of the tokens of the session. */
async function isAlive({ accessToken, refreshToken }: { accessToken: string; refreshToken: string }) {
  const access = createApiClient({ baseUrl: server.url, token: accessToken }).call('getMe');
  const refresh = server.anonymous.call('refreshLogin', {
    headers: { cookie: `pacekeeper_refresh=${refreshToken}` },
  });
  const [one, other] = await Promise.allSettled([access, refresh]);
  return one.status === 'fulfilled' || other.status === 'fulfilled';
}

describe('a session at the server', () => {
  test('ends at logout', async () => {
    await logIn();
    const before = session().servers[server.url];
    expect(await runCommand(['logout'], { env })).toMatchObject({ code: 0 });
    expect(await isAlive(before)).toBe(false);
  });

  test('ends at the next login', async () => {
    await logIn();
    const before = session().servers[server.url];
    await logIn();
    expect(await isAlive(before)).toBe(false);
    expect(await runCommand(['whoami'], { env })).toMatchObject({ code: 0 });
  });

  test('ends if the login names an organization that does not exist', async () => {
    const tokens: { accessToken: string; refreshToken: string }[] = [];
    const { email, password } = organization;
    const gate = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const answer = await fetch(`${server.url}${request.url}`, {
        method: request.method!,
        headers: { 'content-type': 'application/json', cookie: request.headers.cookie ?? '' },
        body: Buffer.concat(chunks),
      });
      const cookies = answer.headers.getSetCookie();
      const text = await answer.text();
      if (request.url?.endsWith('/login')) {
        const [, refreshToken = ''] = /pacekeeper_refresh=([^;]+)/.exec(cookies.join('\n')) ?? [];
        tokens.push({ accessToken: JSON.parse(text).access_token, refreshToken });
      }
      response.writeHead(answer.status, { 'content-type': 'application/json', 'set-cookie': cookies });
      response.end(text);
    });
    await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`;
    const args = ['login', '--server', url, '--email', email, '--organization', 'Nobody'];
    expect(await runCommand(args, { env, stdin: password })).toMatchObject({ code: 4 });
    gate.closeAllConnections();
    gate.close();
    expect(tokens).toHaveLength(1);
    expect(await isAlive(tokens[0]!)).toBe(false);
    expect(() => session()).toThrow();
  });
});

describe('the session file', () => {
  const mode = (file: string) => statSync(file).mode & 0o777;

  test('is accessible only to its owner, regardless of the umask and even in a world-writable directory', async () => {
    mkdirSync(path.dirname(sessionFile()));
    chmodSync(path.dirname(sessionFile()), 0o777);
    const before = process.umask(0o000);
    try {
      await logIn();
      expect([mode(path.dirname(sessionFile())), mode(sessionFile())]).toEqual([0o755, 0o600]);
      process.umask(0o777);
      await logIn();
      expect(mode(sessionFile())).toBe(0o600);
    } finally {
      process.umask(before);
    }
    expect(await runCommand(['whoami'], { env })).toMatchObject({ code: 0, stderr: '' });
  });

  test('is restricted to its owner again if other users could read it, with a single warning', async () => {
    await logIn();
    chmodSync(sessionFile(), 0o644);
    const first = await runCommand(['whoami'], { env });
    expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('other users could read') });
    expect(mode(sessionFile())).toBe(0o600);
    expect(await runCommand(['whoami'], { env })).toMatchObject({ code: 0, stderr: '' });
  });
});

test('login never accepts a password as an argument', async () => {
  const args = ['login', '--server', server.url, '--email', organization.email];
  for (const given of [['--password', organization.password], [`--password=${organization.password}`]]) {
    const result = await runCommand([...args, ...given], { env, stdin: organization.password });
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('Pass it on standard input') });
    expect(result.stderr).not.toContain(organization.password);
    expect(result.stderr).toContain('Change this password');
  }
  // In other commands, a dash means standard input. This argument exposes no password, so the error doesn't
  // suggest changing it.
  const dash = await runCommand([...args, '--password', '-'], { env, stdin: organization.password });
  expect(dash).toMatchObject({ code: 2, stderr: expect.stringContaining('Pass it on standard input') });
  expect(dash.stderr).not.toContain('Change this password');
  const program = runProgram(['login', '--help'], {});
  await program.exited;
  expect(program.stdout()).not.toContain('--password');
  expect(await runCommand(args, { env, stdin: '' })).toMatchObject({ code: 2 });
  expect(() => session()).toThrow();
});
