import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createApiClient } from '../../src/client/api-client.ts';
import { createTestDatabase } from '../helpers/database.ts';
import { databaseUrl } from '../helpers/database-url.ts';
import { type RunningProgram, runProgram } from '../helpers/run-program.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const programs: RunningProgram[] = [];
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.stop()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function dataFolder(): string {
  const folder = temporaryFolder();
  folders.push(folder);
  return path.join(folder, 'data');
}

function serve(env: Record<string, string>): RunningProgram {
  const program = runProgram(['serve'], { PORT: '0', PACEKEEPER_EMBEDDED_AGENT: 'false', ...env });
  programs.push(program);
  return program;
}

const listening = /running at (\S+)/;
const firstLogin = /Log in as (\S+) with password (\S+)/;

test('the generated password is printed at every start until it is used, even after a start with a port in use and killed starts', async () => {
  const dataDir = dataFolder();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  const failed = serve({ PACEKEEPER_DATA_DIR: dataDir, PORT: String(port) });
  expect(await failed.exited).toBe(1);
  expect(failed.stderr()).toMatch(/is already in use\./);
  // The password isn't lost, because nothing was created.
  expect(existsSync(dataDir)).toBe(false);
  other.close();

  for (const moment of [/embedded PostgreSQL is ready/, listening]) {
    const killed = serve({ PACEKEEPER_DATA_DIR: dataDir });
    await killed.waitForOutput(moment);
    killed.process.kill('SIGKILL');
    await killed.exited;
  }
  const program = serve({ PACEKEEPER_DATA_DIR: dataDir });
  const [, url] = await program.waitForOutput(listening);
  const [, email, password] = await program.waitForOutput(firstLogin);
  const body = { email: email!, password: password! };
  expect((await createApiClient({ baseUrl: url! }).call('login', { body })).user.email).toBe(email);
  await program.stop();
  const later = serve({ PACEKEEPER_DATA_DIR: dataDir });
  await later.waitForOutput(listening);
  expect(later.stdout()).not.toMatch(firstLogin);
});

test('a server that listens on all addresses prints a URL that opens in a browser, and warns', async () => {
  const { connection } = await createTestDatabase();
  const env = {
    HOST: '0.0.0.0',
    DATABASE_URL: databaseUrl(connection),
    PACEKEEPER_SECRET_KEY: randomBytes(32).toString('base64'),
    PACEKEEPER_DATA_DIR: dataFolder(),
  };
  const program = serve(env);
  const [, url] = await program.waitForOutput(listening);
  expect(url).toMatch(/^http:\/\/localhost:\d+$/);
  expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  expect(program.stdout()).toContain("PACEKEEPER_BASE_URL isn't set");
  // Links in responses use the address that the client used.
  const [, email, password] = await program.waitForOutput(firstLogin);
  const asked = url!.replace('localhost', '127.0.0.1');
  const body = { email: email!, password: password! };
  const { access_token } = await createApiClient({ baseUrl: asked }).call('login', { body });
  const api = createApiClient({ baseUrl: asked, token: access_token });
  const invited = await api.call('inviteMember', { body: { email: 'ada@shop.example', role: 'member' } });
  expect(new URL(invited.accept_url).origin).toBe(asked);
  const named = serve({ ...env, PACEKEEPER_BASE_URL: 'https://pacekeeper.example.org' });
  expect((await named.waitForOutput(listening))[1]).toBe('https://pacekeeper.example.org');
  expect(named.stdout()).not.toContain("PACEKEEPER_BASE_URL isn't set");
});
