import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { cliCommands } from '../../src/cli/command-list.ts';
import { resources } from '../../src/cli/resources/resource-table.ts';
import { createApiClient } from '../../src/client/api-client.ts';
import { createFromGuidedSetup } from '../helpers/guided-setup-world.ts';
import {
  documentationBlocks as blocks,
  documentationPage as page,
  runDocumentation,
} from '../helpers/run-documentation.ts';
import { serveCommands } from '../helpers/serve-commands.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { type SharedTestServer, sharedTestServer } from '../helpers/test-server.ts';
import { runCommand } from './run-command.ts';

let server: SharedTestServer;

beforeAll(async () => {
  server = await sharedTestServer();
});

/**
 * Returns the commands of a page with their output. In the output, `…` matches any text, and a number in
 * parentheses matches any ID.
 */
function shownOutputs(name: string): { command: string; output: RegExp }[] {
  return blocks(page(name), 'console').flatMap((block) => {
    const [, command, output] = /^\$ pacekeeper (.+)\n([^]+)$/.exec(block) ?? [];
    if (command === undefined || output === undefined) return [];
    const pattern = output
      .replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      .replaceAll('…', '.+')
      .replaceAll(/\\\(\d+\\\)/g, '\\(\\d+\\)');
    return [{ command, output: new RegExp(`^${pattern}$`) }];
  });
}

describe('the commands in the documentation', () => {
  test('run successfully in docs/cli.md', async () => {
    // Logs in as the administrator that was created with the server.
    const [, email] = /--email (\S+)/.exec(page('cli.md'))!;
    const password = 'a password for tests';
    const { access_token: token } = await server.anonymous.call('login', {
      body: { email: email!, password },
    });
    const owner = createApiClient({ baseUrl: server.url, token });
    const { key: apiKey } = await owner.call('createAPIKey', { body: { name: 'tests', role: 'admin' } });
    const api = createApiClient({ baseUrl: server.url, apiKey });
    const folder = temporaryFolder();
    const { shellFunction, close } = await serveCommands(folder);
    onTestFinished(close);
    // The CLI page continues the Getting started page, whose commands set these variables.
    const start = {
      PACEKEEPER_SERVER_URL: server.url,
      PACEKEEPER_API_KEY: apiKey,
      EMAIL: email!,
      PASSWORD: password,
    };
    await runDocumentation('getting-started.md', folder, start, shellFunction);
    await createFromGuidedSetup(api);
    writeFileSync(path.join(folder, 'password.txt'), `${password}\n`);
    const env = { PACEKEEPER_SERVER_URL: server.url };
    const output = await runDocumentation('cli.md', folder, env, shellFunction);
    const { key } = JSON.parse(readFileSync(path.join(folder, 'admin-key.json'), 'utf8'));
    expect(key).toMatch(/^pk_/);
    // The output contains the resources that the examples created.
    expect(output).toMatch(/^terraform +v1\.5\.0 +v1\.4\.0 \(1 behind\)$/m);
    expect(output).toMatch(/^Freshness target \d+ "A year of exposure" disabled$/m);
    const { items } = await api.call('listGatherJobs', { query: { q: 'gitea' } });
    expect(items[0]).toMatchObject({ version_pattern: '^v([0-9.]+)$', cron_expression: '@hourly' });
  });

  test('run successfully in docs/configuration-as-code.md', async () => {
    const organization = await server.createOrganization();
    const folder = temporaryFolder();
    const [example] = blocks(page('configuration-as-code.md'), 'yaml');
    writeFileSync(path.join(folder, 'pacekeeper.yaml'), example!);
    // The script starts the real program for each of these commands.
    await runDocumentation('configuration-as-code.md', folder, {
      PACEKEEPER_SERVER_URL: server.url,
      PACEKEEPER_API_KEY: organization.apiKey,
    });
    const exported = parse(readFileSync(path.join(folder, 'all.yaml'), 'utf8'));
    expect(exported.alert_configs[0]).toMatchObject({ name: 'Terraform', labels: { team: 'platform' } });
  });

  test('print the output shown in docs/configuration-as-code.md and docs/cli.md', async () => {
    const organization = await server.createOrganization();
    const env = {
      PACEKEEPER_SERVER_URL: server.url,
      PACEKEEPER_API_KEY: organization.apiKey,
      OPERATIONS_URL: 'https://hooks.example.org/services/T0/B0/x',
    };
    const file = path.join(temporaryFolder(), 'pacekeeper.yaml');
    const [example] = blocks(page('configuration-as-code.md'), 'yaml');
    // The shown plan assumes that the organization has everything in the file except its last section.
    writeFileSync(file, example!.replace(/^notification_rules:[^]*/m, ''));
    expect(await runCommand(['apply', '-f', file, '--yes'], { env })).toMatchObject({ code: 0 });
    writeFileSync(file, example!.replace('{ moderate: 30, high: 60,', '{ high: 60,'));
    const mistakes = path.join(path.dirname(file), 'mistakes.yaml');
    writeFileSync(
      mistakes,
      example!
        .replace('gather.max_releases', 'gather.max_release')
        .replace('thresholds:', 'threshold:')
        .replace('github.com/hashicorp/terraform', 'github.com/terraform')
        .replace('rule: Ninety days', 'rule: Ninety day'),
    );

    const shown = [...shownOutputs('configuration-as-code.md'), ...shownOutputs('cli.md')];
    expect(shown.map(({ command }) => command)).toEqual([
      'apply -f pacekeeper.yaml --dry-run',
      'apply -f mistakes.yaml --dry-run',
      'get rule 999',
    ]);
    for (const { command, output } of shown) {
      const folder = `${path.dirname(file)}/`;
      const args = command.split(' ').map((word) => (word.endsWith('.yaml') ? `${folder}${word}` : word));
      const { stdout, stderr } = await runCommand(args, { env });
      expect((stdout + stderr).replaceAll(folder, '')).toMatch(output);
    }
  });

  test('apply the other files in docs/configuration-as-code.md', async () => {
    const organization = await server.createOrganization();
    const [, ...others] = blocks(page('configuration-as-code.md'), 'yaml');
    expect(others.length).toBeGreaterThan(0);
    for (const stdin of others) {
      const env = { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: organization.apiKey };
      expect(await runCommand(['apply', '-f', '-', '--yes'], { env, stdin })).toMatchObject({ code: 0 });
    }
  });
});

test('the documentation mentions every command and every resource', () => {
  const text = page('cli.md');
  expect(Object.keys(cliCommands).filter((name) => !text.includes(`pacekeeper ${name}`))).toEqual([]);
  expect(resources.map(({ name }) => name).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});
