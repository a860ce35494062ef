import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { cliCommands } from '../../src/cli/command-list.ts';
import { resources } from '../../src/cli/resources/resource-table.ts';
import { createFromGuidedSetup } from '../helpers/guided-setup-world.ts';
import {
  documentationBlocks as blocks,
  documentationPage as page,
  runDocumentation,
} from '../helpers/run-documentation.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { startTestServer, type TestOrganization, type TestServer } from '../helpers/test-server.ts';
import { runCommand } from './run-command.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

/** The commands of a page with their output, in which `…` is anything and a number in brackets is any ID. */
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

async function addOwner({ owner }: TestOrganization, email: string, password: string): Promise<void> {
  const { accept_url } = await owner.call('inviteMember', { body: { email, role: 'owner' } });
  const token = accept_url.slice(accept_url.indexOf('#token=') + '#token='.length);
  await server.anonymous.call('acceptInvitation', { body: { token, name: 'Dana', password } });
}

describe('every command in the documentation does what it says', () => {
  test('docs/cli.md', { timeout: 120_000 }, async () => {
    const organization = await server.createOrganization('Shop');
    const folder = temporaryFolder();
    const [, email] = /--email (\S+)/.exec(page('cli.md'))!;
    await addOwner(organization, email!, 'a password of Dana');
    // Readers come here from there.
    await runDocumentation('getting-started.md', folder, {
      PACEKEEPER_SERVER_URL: server.url,
      PACEKEEPER_API_KEY: organization.apiKey,
    });
    await createFromGuidedSetup(organization.api);
    writeFileSync(path.join(folder, 'password.txt'), 'a password of Dana\n');
    writeFileSync(path.join(folder, 'admin-key.txt'), organization.apiKey);
    await runDocumentation('cli.md', folder, { PACEKEEPER_SERVER_URL: server.url });
    const { key } = JSON.parse(readFileSync(path.join(folder, 'key.json'), 'utf8'));
    expect(key).toMatch(/^pk_/);
    const { items } = await organization.api.call('listGatherJobs', { query: { q: 'gitea' } });
    expect(items[0]).toMatchObject({ version_pattern: '^v([0-9.]+)$', cron_expression: '@hourly' });
  });

  test('docs/configuration-as-code.md', { timeout: 60_000 }, async () => {
    const organization = await server.createOrganization();
    const folder = temporaryFolder();
    const [example] = blocks(page('configuration-as-code.md'), 'yaml');
    writeFileSync(path.join(folder, 'pacekeeper.yaml'), example!);
    await runDocumentation('configuration-as-code.md', folder, {
      PACEKEEPER_SERVER_URL: server.url,
      PACEKEEPER_API_KEY: organization.apiKey,
    });
    const exported = parse(readFileSync(path.join(folder, 'all.yaml'), 'utf8'));
    expect(exported.alert_configs[0]).toMatchObject({ name: 'Terraform', labels: { team: 'platform' } });
  });

  test('what docs/configuration-as-code.md and docs/cli.md show is what is printed', async () => {
    const organization = await server.createOrganization();
    const env = {
      PACEKEEPER_SERVER_URL: server.url,
      PACEKEEPER_API_KEY: organization.apiKey,
      OPERATIONS_URL: 'https://hooks.example.org/services/T0/B0/x',
    };
    const file = path.join(temporaryFolder(), 'pacekeeper.yaml');
    const [example] = blocks(page('configuration-as-code.md'), 'yaml');
    // The plan is that of an organization which has all of the file, except for its last section.
    writeFileSync(file, example!.replace(/^notification_rules:[^]*/m, ''));
    expect(await runCommand(['apply', '-f', file, '--yes'], { env })).toMatchObject({ code: 0 });
    writeFileSync(file, example!.replace('{ moderate: 30, high: 60,', '{ high: 60,'));

    const shown = [...shownOutputs('configuration-as-code.md'), ...shownOutputs('cli.md')];
    expect(shown.map(({ command }) => command)).toEqual([
      'apply -f pacekeeper.yaml --dry-run',
      'get rule 999',
    ]);
    for (const { command, output } of shown) {
      const args = command.split(' ').map((word) => (word === 'pacekeeper.yaml' ? file : word));
      const { stdout, stderr } = await runCommand(args, { env });
      expect(stdout + stderr).toMatch(output);
    }
  });

  test('its other files are right as well', async () => {
    const organization = await server.createOrganization();
    const [, ...others] = blocks(page('configuration-as-code.md'), 'yaml');
    expect(others.length).toBeGreaterThan(0);
    for (const stdin of others) {
      const env = { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: organization.apiKey };
      expect(await runCommand(['apply', '-f', '-', '--yes'], { env, stdin })).toMatchObject({ code: 0 });
    }
  });
});

test('the documentation names every command and every resource', () => {
  const text = page('cli.md');
  expect(Object.keys(cliCommands).filter((name) => !text.includes(`pacekeeper ${name}`))).toEqual([]);
  expect(resources.map(({ name }) => name).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});
