import { writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runProgram } from '../helpers/run-program.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { type SharedTestServer, sharedTestServer, type TestOrganization } from '../helpers/test-server.ts';
import { authority, serverCertificates, serverKey } from '../helpers/tls-certificates.ts';
import { type CommandResult, runCommand } from './run-command.ts';

let server: SharedTestServer;
let organization: TestOrganization;
const listeners: Server[] = [];

beforeAll(async () => {
  server = await sharedTestServer();
  organization = await server.createOrganization();
});

afterAll(() => {
  for (const listener of listeners) listener.close();
});

async function listen(listener: Server): Promise<number> {
  listeners.push(listener);
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return (listener.address() as AddressInfo).port;
}

async function closedPort(): Promise<number> {
  const listener = createTcpServer();
  const port = await listen(listener);
  await new Promise((resolve) => listener.close(resolve));
  return port;
}

const respond = (listener: RequestListener) => listen(createHttpServer(listener));
const page = (status: number, text: string, headers: Record<string, string> = {}) =>
  respond((_, response) => void response.writeHead(status, headers).end(text));

/** Runs `get rules` with a well-formed key at a URL that possibly belongs to another server. */
function getRules(url: string, env: Record<string, string> = {}): Promise<CommandResult> {
  return runCommand(['get', 'rules', '--server', url, '--retries', '0'], {
    env: { PACEKEEPER_API_KEY: 'pk_1_unused', ...env },
  });
}

describe('an unreachable server', () => {
  test('is reported even without a login, while a reachable server reports how to log in', async () => {
    const url = `http://127.0.0.1:${await closedPort()}`;
    expect(await runCommand(['whoami', '--server', url])).toEqual({
      code: 3,
      stdout: '',
      stderr: `pacekeeper whoami: Can't connect to ${url}: connection refused (ECONNREFUSED). Check that the server is running and that the port is correct.\n`,
    });
    expect(await runCommand(['whoami', '--server', server.url])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining(`Not logged in to ${server.url}. Run 'pacekeeper login --server`),
    });
    const other = await page(200, '<html>Sign in</html>');
    expect(await runCommand(['whoami', '--server', `http://127.0.0.1:${other}`])).toMatchObject({ code: 3 });
  });

  test('is reported without deleting a stored session', async () => {
    const env = { XDG_CONFIG_HOME: temporaryFolder() };
    const gate = createHttpServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const answer = await fetch(`${server.url}${request.url}`, {
        method: request.method!,
        headers: {
          ...(request.headers.authorization && { authorization: request.headers.authorization }),
          ...(request.headers.cookie && { cookie: request.headers.cookie }),
          'content-type': 'application/json',
        },
        ...(request.method === 'POST' && { body: Buffer.concat(chunks) }),
      });
      response.writeHead(answer.status, {
        'content-type': 'application/json',
        'set-cookie': answer.headers.getSetCookie(),
      });
      response.end(await answer.text());
    });
    const port = await listen(gate);
    const url = `http://127.0.0.1:${port}`;
    const { email, password } = organization;
    const login = await runCommand(['login', '--server', url, '--email', email], { env, stdin: password });
    expect(login).toMatchObject({ code: 0 });
    gate.closeAllConnections();
    await new Promise((resolve) => gate.close(resolve));
    expect(await runCommand(['whoami', '--retries', '0'], { env })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('connection refused'),
    });
    // Logging out without the server deletes the local session and reports that the session on the server
    // remains.
    expect(await runCommand(['logout'], { env })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("couldn't be ended on the server"),
    });
    expect(await runCommand(['whoami', '--server', server.url], { env })).toMatchObject({ code: 4 });
  });
});

describe('each kind of connection failure', () => {
  test('is reported with a specific message for an unknown host', async () => {
    const { code, stderr } = await getRules('http://pacekeeper.invalid');
    expect(code).toBe(3);
    expect(stderr).toMatch(/host not found \(ENOTFOUND\)|the DNS lookup failed \(EAI_AGAIN\)/);
  });

  test('is reported with a specific message for a closed connection and for another protocol', async () => {
    const closing = await listen(createTcpServer((socket) => void socket.on('data', () => socket.destroy())));
    expect((await getRules(`http://127.0.0.1:${closing}`)).stderr).toMatch(
      /the connection was closed .* starts with https:\/\//,
    );
    const ssh = await listen(
      createTcpServer((socket) => void socket.on('error', () => undefined).write('SSH-2.0-OpenSSH\r\n')),
    );
    expect((await getRules(`http://127.0.0.1:${ssh}`)).stderr).toContain('Check the port.');
  });

  test('is reported with a specific message for HTTPS on an HTTP port and the reverse', async () => {
    const http = await page(200, '{}');
    expect((await getRules(`https://127.0.0.1:${http}`)).stderr).toContain(
      "the server doesn't use HTTPS on this port",
    );
    const https = await page(400, 'Client sent an HTTP request to an HTTPS server.\n');
    expect((await getRules(`http://127.0.0.1:${https}`)).stderr).toContain(
      `requires HTTPS. Use https://127.0.0.1:${https} as the server URL.`,
    );
  });

  test.each([
    ['signed by an unknown authority', false, /isn't trusted .* PACEKEEPER_CA_FILE/],
    ['nothing', false, /isn't trusted/],
    ['for a different host', true, /is for another host/],
    ['expired', true, /isn't valid at this time/],
  ] as const)(
    'is reported with a specific message for a certificate with this problem: %s',
    async (wrong, knowsAuthority, message) => {
      const tls = createHttpsServer({ key: serverKey, cert: serverCertificates[wrong] }, (_, response) => {
        response.end('{}');
      });
      const port = await listen(tls);
      const file = path.join(temporaryFolder(), 'authority.pem');
      writeFileSync(file, authority);
      const program = runProgram(['get', 'rules', '--server', `https://127.0.0.1:${port}`], {
        PACEKEEPER_API_KEY: 'pk_1_unused',
        ...(knowsAuthority && { PACEKEEPER_CA_FILE: file }),
      });
      expect(await program.exited).toBe(3);
      expect(program.stderr()).toMatch(message);
      // A retry can't fix a certificate problem.
      expect(program.stderr()).not.toContain('Retrying');
    },
  );
});

describe('a response that is not from Pacekeeper', () => {
  test.each([
    ['an HTML page', 200, '<html>Sign in</html>', /A proxy or a login page may have responded/],
    ['an empty body', 200, '', /A proxy or a login page may have responded/],
    ['another API', 200, '{"message": "hello"}', /A proxy or a login page may have responded/],
    [
      'the error page of a proxy',
      502,
      '<html>Bad gateway</html>',
      /A proxy .* returned 502: it can't reach the server/,
    ],
    ['a plain-text 404 response', 404, 'Not found', /unexpected 404 response. Check the server URL/],
    ['the block page of a firewall', 403, '<html>Blocked</html>', /unexpected 403 response/],
  ])('%s exits with code 3, and the message names the likely cause', async (_, status, text, message) => {
    const port = await page(status, text, { 'content-type': 'text/html' });
    const { code, stderr } = await getRules(`http://127.0.0.1:${port}`);
    expect(stderr).toMatch(message);
    expect(code).toBe(3);
    const login = await runCommand(
      ['login', '--server', `http://127.0.0.1:${port}`, '--email', 'a@example.org', '--retries', '0'],
      { stdin: 'password' },
    );
    expect(login).toMatchObject({ code: 3, stderr: expect.stringMatching(message) });
  });

  test('is reported with its target if it is a redirect, and the target never receives the API key', async () => {
    let isFollowed = false;
    const target = await respond((_, response) => {
      isFollowed = true;
      response.end('{}');
    });
    const moved = await respond(({ url }, response) => {
      response.writeHead(308, { location: `http://127.0.0.1:${target}${url}` }).end();
    });
    const { stderr, code } = await getRules(`http://127.0.0.1:${moved}`);
    expect(stderr).toContain(`redirects to http://127.0.0.1:${target}. Use that URL as the server URL.`);
    expect(code).toBe(3);
    const toLogin = await page(302, '', { location: 'https://sso.example.org/login?next=%2F' });
    expect((await getRules(`http://127.0.0.1:${toLogin}`)).stderr).toContain(
      'redirects to https://sso.example.org/login?next=%2F. A login page or a proxy may have responded',
    );
    expect(isFollowed).toBe(false);
  });
});

describe('a rejected request', () => {
  test('reports the origin of an invalid API key', async () => {
    const rejected = await getRules(server.url, { PACEKEEPER_API_KEY: 'pk_1_wrong' });
    expect(rejected).toMatchObject({ code: 4 });
    expect(rejected.stderr).toMatch(
      /rejected the API key from PACEKEEPER_API_KEY\. This isn't an API key\. .*\(unauthenticated, request \S+\)\n$/,
    );
    const file = path.join(temporaryFolder(), 'key.txt');
    writeFileSync(file, 'pk_1_wrong\n');
    const args = ['get', 'rules', '--server', server.url, '--api-key-file', file];
    expect((await runCommand(args)).stderr).toContain(`the API key from ${file}.`);
  });

  test('reports a revoked API key exactly once', async () => {
    const { owner } = organization;
    const { key, api_key } = await owner.call('createAPIKey', { body: { name: 'Revoked', role: 'viewer' } });
    await owner.call('deactivateAPIKey', { path: { id: api_key.id } });
    const { stderr } = await getRules(server.url, { PACEKEEPER_API_KEY: key });
    expect(stderr.replace(/request \S+\)/, 'request ID)')).toBe(
      `pacekeeper get: ${server.url} rejected the API key from PACEKEEPER_API_KEY. The API key was revoked. Create a new one. (unauthenticated, request ID)\n`,
    );
  });

  test.each([
    ['empty', '\n', 'is empty'],
    ['not an API key', 'a password\nof somebody', "isn't an API key"],
  ])('never sends the content of a key file that is %s', async (_, text, message) => {
    const file = path.join(temporaryFolder(), 'key.txt');
    writeFileSync(file, text);
    const args = ['get', 'rules', '--server', server.url, '--api-key-file', file];
    const { code, stderr } = await runCommand(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).not.toContain('password');
  });

  test('reports how to log in after a session has ended', async () => {
    const env = { XDG_CONFIG_HOME: temporaryFolder() };
    const { email, password, owner } = organization;
    const args = ['login', '--server', server.url, '--email', email];
    expect(await runCommand(args, { env, stdin: password })).toMatchObject({ code: 0 });
    // Changing the password ends all other sessions of the account.
    await owner.call('changePassword', {
      body: { current_password: password, new_password: `${password}!` },
    });
    expect(await runCommand(['get', 'rules'], { env })).toEqual({
      code: 4,
      stdout: '',
      stderr: `pacekeeper get: Your session at ${server.url} has ended. Run 'pacekeeper login --server ${server.url}'.\n`,
    });
  });

  test('reports how to log in if an API key is not enough', async () => {
    const env = { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: organization.apiKey };
    const result = await runCommand(['create', 'api-key', '--set', 'name=x'], { env });
    expect(result).toMatchObject({ code: 4 });
    expect(result.stderr).toMatch(
      /requires a login, not the API key from PACEKEEPER_API_KEY.*pacekeeper login --server .*\(login_required/,
    );
  });

  test.each([
    [429, 'rate_limited', { 'retry-after': '120' }, 1, 'Try again in 120 s.'],
    [500, 'internal', {}, 3, 'The server log has details under the request ID.'],
  ] as const)(
    'with status %i is reported with a remedy and is not retried',
    async (status, code, headers, exitCode, remedy) => {
      let asked = 0;
      const body = { status, code, title: 'x', detail: 'Something.', request_id: 'r1' };
      const port = await respond((_, response) => {
        asked++;
        response
          .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r1', ...headers })
          .end(JSON.stringify(body));
      });
      const result = await runCommand(['get', 'rules', '--server', `http://127.0.0.1:${port}`], {
        env: { PACEKEEPER_API_KEY: 'pk_1_unused' },
      });
      expect(result).toEqual({
        code: exitCode,
        stdout: '',
        stderr: `pacekeeper get: Something. ${remedy} (${code}, request r1)\n`,
      });
      expect(asked).toBe(1);
    },
  );
});
