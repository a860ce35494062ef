import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiClient } from '../../src/client/api-client.ts';
import { programMain, type RunningProgram, runProgram } from '../helpers/run-program.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { startFakeGithub } from '../helpers/upstreams/fake-github.ts';

const data = temporaryFolder();
let program: RunningProgram | undefined;
let url = '';

beforeAll(async () => {
  program = runProgram(['serve'], {
    PORT: '0',
    PACEKEEPER_DATA_DIR: data,
    PACEKEEPER_LOG_LEVEL: 'warn',
    PACEKEEPER_ADMIN_PASSWORD: 'a password for tests',
    PACEKEEPER_EGRESS_ALLOW: '127.0.0.1/32',
    PACEKEEPER_INSECURE_HOSTS: '127.0.0.1',
  });
  url = (await program.waitForOutput(/running at (\S+)/))[1]!;
});

afterAll(async () => {
  expect(await program?.stop()).toBe(0);
  rmSync(data, { recursive: true, force: true });
});

test('an old Node.js version causes a clear message instead of a syntax error', async () => {
  const old = 'data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"20.1.0"}})';
  const args = ['--import', old, programMain, '--version'];
  await expect(promisify(execFile)(process.execPath, args)).rejects.toMatchObject({
    code: 1,
    stderr: 'pacekeeper: Node.js 22.19 or later is required. This is 20.1.0.\n',
  });
});

test('the packaged program serves its web page, OpenAPI contract, and API documentation', async () => {
  const page = await fetch(url, { headers: { accept: 'text/html' } });
  const html = await page.text();
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1];
  const statuses = await Promise.all(
    [
      script ?? '/none',
      '/api/spec/openapi-client.yaml',
      '/api/spec/components/schemas/Alert.yaml',
      '/api/v1/swagger',
      '/api/v1/swagger/assets/swagger-ui.css',
    ].map(async (file) => (await fetch(url + file)).status),
  );
  expect(statuses).toEqual([200, 200, 200, 200, 200]);
});

test('the packaged program runs its agent and its sandbox processes for patterns, files, and templates', async () => {
  const github = await startFakeGithub();
  try {
    github.repositories.set('team/tool', [{ tag: 'v2.0.0', publishedAt: '2026-01-10T10:00:00Z' }]);
    const login = await createApiClient({ baseUrl: url }).call('login', {
      body: { email: 'admin@localhost', password: 'a password for tests' },
    });
    const api = createApiClient({ baseUrl: url, token: login.access_token });
    const job = await api.call('createGatherJob', {
      body: { name: 'Tool', source_type: 'github_releases', artifact_name: `${github.host}/team/tool` },
    });
    const preview = await api.call('previewScrapeJob', {
      body: { parser_type: 'yq', parse_expression: '.image.tag', content: 'image: { tag: 1.10 }' },
    });
    expect(preview).toMatchObject({ version: '1.10' });
    const regex = await api.call('validateRegex', { body: { pattern: '^v(.+)$', sample: 'v3' } });
    expect(regex).toMatchObject({ valid: true, match: '3' });
    const template = await api.call('previewNotificationTemplate', { body: { category: 'new_alert' } });
    expect(template).toMatchObject({ is_valid_json: true, errors: [] });
    const latest = async () => (await api.call('getGatherJob', { path: { id: job.id } })).latest_version;
    await expect.poll(latest).toBe('v2.0.0');
  } finally {
    await github.close();
  }
});

test('the packaged program can create and restore a backup', async () => {
  const main = programMain;
  const folder = temporaryFolder();
  const file = path.join(folder, 'backup.tar.gz');
  const run = async (args: string[], dataDir: string) => {
    const command = runProgram(args, { PACEKEEPER_DATA_DIR: dataDir }, { main });
    return { code: await command.exited, stderr: command.stderr() };
  };
  try {
    expect(await run(['backup', file], data)).toMatchObject({ code: 0 });
    const restored = await run(['restore', file], path.join(folder, 'data'));
    expect(restored).toMatchObject({ code: 0, stderr: expect.stringContaining('Start the server.') });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
