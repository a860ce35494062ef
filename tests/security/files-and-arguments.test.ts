import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { environmentOf, runAdmin } from '../../src/operator/commands/command-fixture.ts';
import { runCommand } from '../cli/run-command.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { sharedTestServer, testSecretKey } from '../helpers/test-server.ts';

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

/** Returns the path of a file that doesn't exist yet and of one that all users can read. */
function filesIn(folder: string): string[] {
  const existing = path.join(folder, 'existing.yaml');
  writeFileSync(existing, 'older and longer\n'.repeat(1_000), { mode: 0o644 });
  chmodSync(existing, 0o644);
  return [path.join(folder, 'new.yaml'), existing];
}

const server = await sharedTestServer();

describe('a file with secrets', () => {
  test('from an export with URLs is readable only by its owner', async () => {
    const { api, apiKey } = await server.createOrganization();
    const url = 'https://hooks.example.org/T0/secret-path';
    await api.call('createNotificationChannel', { body: { name: 'Operations', url } });
    const env = { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: apiKey };
    for (const file of filesIn(temporaryFolder())) {
      expect(await runCommand(['export', '--with-urls', '--yes', '-o', file], { env })).toMatchObject({
        code: 0,
      });
      expect(modeOf(file)).toBe('600');
      const text = readFileSync(file, 'utf8');
      expect(text).toContain(url);
      expect(text).not.toContain('older');
    }
  });

  test('from an import with secrets is readable only by its owner', async () => {
    const folder = temporaryFolder();
    const config = path.join(folder, 'argus.yml');
    writeFileSync(
      config,
      `notify: { game: { type: discord, url_fields: { WebhookID: "42", Token: DISCORDSECRET } } }
service: { app: { latest_version: { type: github, url: acme/app }, notify: { game: {} } } }
`,
    );
    for (const file of filesIn(folder)) {
      expect(
        await runCommand(['import', 'argus', config, '--with-secrets', '--yes', '-o', file]),
      ).toMatchObject({
        code: 0,
      });
      expect(modeOf(file)).toBe('600');
      expect(readFileSync(file, 'utf8')).toContain('DISCORDSECRET');
    }
  });
});

describe('a password chosen by an operator', () => {
  const env = environmentOf(server, testSecretKey);
  const create = (...args: string[]) => [
    'create-organization',
    'Shop',
    '--owner-email',
    'olga@shop.example',
    ...args,
  ];

  test('is read from standard input, not from the arguments', async () => {
    const made = await runAdmin(create('--owner-password', '-'), env, 'correct horse\nignored\n');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(/^Organization \d+ created\. Owner: olga@shop\.example\.\n$/);
    const added = await runAdmin(
      ['create-user', 'pat@shop.example', '--organization', /\d+/.exec(made.stdout)![0], '--password', '-'],
      env,
      'battery staple\r\n',
    );
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(added.stdout).not.toContain('Password');

    const logIn = (email: string, password: string) =>
      server.anonymous.call('login', { body: { email, password } });
    await logIn('olga@shop.example', 'correct horse');
    await logIn('pat@shop.example', 'battery staple');
    const reset = await runAdmin(
      ['reset-password', 'pat@shop.example', '--password', '-'],
      env,
      'another one',
    );
    expect(reset).toMatchObject({ code: 0, stderr: '' });
    await logIn('pat@shop.example', 'another one');
    await expect(logIn('pat@shop.example', 'battery staple')).rejects.toMatchObject({ status: 401 });
  });

  test.for<[string | null, RegExp]>([
    ['', /found nothing on standard input/],
    [null, /which is a terminal/],
    ['short\n', /must have 8 to 1,000 characters/],
  ])('is rejected without any changes if standard input is %j', async ([stdin, message]) => {
    const { code, stdout, stderr } = await runAdmin(
      create('--owner-password', '-', '--owner-email', 'new@shop.example'),
      env,
      stdin,
    );
    expect(code).not.toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toMatch(message);
  });
});
