import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { cliCommands } from '../../src/cli/command-list.ts';
import { resources } from '../../src/cli/resources/resource-table.ts';
import { runProgram } from '../helpers/run-program.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { type SharedTestServer, sharedTestServer, type TestOrganization } from '../helpers/test-server.ts';
import { type CommandOptions, runCommand } from './run-command.ts';

const contract = JSON.parse(
  readFileSync(new URL('../../src/generated/openapi-client.json', import.meta.url), 'utf8'),
) as {
  components: {
    schemas: Record<string, { properties: Record<string, { $ref?: string }>; required?: string[] }>;
  };
};
const checkout = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
let server: SharedTestServer;
let organization: TestOrganization;

beforeAll(async () => {
  server = await sharedTestServer();
  organization = await server.createOrganization();
});

function run(args: string[], options: CommandOptions = {}) {
  const env = { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: organization.apiKey };
  return runCommand(args, { ...options, env });
}

describe('--help', () => {
  test.each(Object.keys(cliCommands))('of %s lists subcommands only if it has some', async (name) => {
    const { code, stdout } = await runCommand([name, '--help']);
    expect(code).toBe(0);
    const inner = { preview: /\n {2}scrape /, import: /\n {2}argus / }[name];
    if (inner) expect(stdout).toMatch(inner);
    else expect(stdout).not.toContain('Commands:');
  });

  test('shows the same short option for labels in every command', async () => {
    const withLabels: string[] = [];
    for (const name of Object.keys(cliCommands)) {
      const { stdout } = await runCommand([name, '--help']);
      if (!stdout.includes('--label <key=value>')) continue;
      withLabels.push(name);
      expect(stdout, name).toContain('-l, --label <key=value>');
    }
    expect(withLabels).toEqual(
      expect.arrayContaining(['get', 'alerts', 'check', 'forecast', 'simulate', 'support', 'environments']),
    );
  });

  test('of the program aligns the summaries of its commands', async () => {
    const program = runProgram(['--help'], {});
    expect(await program.exited).toBe(0);
    const listed = program.stdout().match(/^ {2}[a-z-]+ +(?=[A-Z])/gm) ?? [];
    expect(listed.length).toBeGreaterThan(30);
    expect(new Set(listed.map(({ length }) => length)).size).toBe(1);
  });

  test('marks required options, and links to the documentation of resource fields', async () => {
    const preview = await runCommand(['preview', 'scrape', '--help'], { columns: 200, answers: [] });
    expect(preview.stdout).toMatch(/--parser .*\(required\)/);
    expect(preview.stdout).not.toMatch(/--transform .*\(required\)/);
    expect((await runCommand(['create', '--help'])).stdout).toContain('/api/v1/swagger');
  });

  /** Returns the fields of a request that a client can set, from the contract. */
  function settableFields(schemaName: string): string[] {
    const { properties } = contract.components.schemas[schemaName]!;
    return Object.entries(properties).flatMap(([field, schema]) =>
      schema.$ref === '#/components/schemas/ReadOnlyMember' ? [] : [field],
    );
  }

  const requests = resources.flatMap(({ name, create, createSchema, update, updateSchema }) => [
    ...(create ? [['create', name, createSchema!]] : []),
    ...(update ? [['update', name, updateSchema!]] : []),
  ]) as ['create' | 'update', string, string][];

  test.each(requests)('of %s lists every field of %s with its type', async (verb, name, schemaName) => {
    const { code, stdout } = await runCommand([verb, name, '--help'], { columns: 10_000 });
    expect(code).toBe(0);
    const [, section = ''] = stdout.split(`\nFields of ${name}:\n`);
    const lines = section.split('\n\n')[0]!.split('\n');
    const listed = lines.map((line) => /^ {2}(\S+) +\[\S.*?\] \S/.exec(line)?.[1]);
    expect(listed).toEqual(settableFields(schemaName));
    const { required = [] } = contract.components.schemas[schemaName]!;
    const marked = lines.flatMap((line, index) => (line.endsWith(' (required)') ? [listed[index]] : []));
    expect(marked.toSorted()).toEqual(required.toSorted());
  });

  test('of create shows values, defaults, and references of fields, with any name of the resource', async () => {
    const fieldsOf = async (...args: string[]) =>
      (await runCommand(args, { columns: 500 })).stdout.split('Fields of ')[1];
    const rule = await fieldsOf('create', 'rule', '--help');
    expect(rule).toMatch(/ {2}name +\[string\] A display name; doesn't need to be unique\. \(required\)\n/);
    expect(rule).toMatch(/ {2}rule_type +\[days_behind \| majors_behind \| /);
    expect(rule).toMatch(/ {2}thresholds +\[object with moderate, high, critical\] /);
    expect(rule).toMatch(/ {2}stable_only .* \(default: true\)\n/);
    expect(await fieldsOf('create', 'RULES', '--help')).toBe(rule);
    expect(await fieldsOf('create', '--help', 'monitoring_rule')).toBe(rule);
    // The second name is that of a channel.
    expect(await fieldsOf('update', 'channel', 'rules', '--help')).toMatch(/^notification-channels:\n/);
    const configuration = await fieldsOf('create', 'alert-config', '--help');
    expect(configuration).toMatch(/ {2}rule_id +\[rule: ID or name\] /);
    expect(await fieldsOf('create', 'nr', '--help')).toMatch(
      / {2}channel_ids +\[IDs or names of notification channels\] /,
    );
    for (const args of [['create'], ['create', 'deployments'], ['update', 'nothing']])
      expect((await runCommand([...args, '--help'])).stdout).toContain('To list the fields of a resource');
  });

  test('lists the output format `name` only if the results are resources', async () => {
    expect((await runCommand(['evaluate', '-o', 'name'])).stderr).toContain("argument 'name' is invalid");
    expect((await runCommand(['get', '--help'])).stdout).toMatch(/"name"/);
  });
});

describe('the hint for a command line mistake', () => {
  test('lists the available resources if the command line specifies none', async () => {
    const { code, stderr } = await runCommand(['get']);
    expect(code).toBe(2);
    expect(stderr).toBe(
      `pacekeeper get: Missing required argument 'resource'. Available: ${resources.map(({ name }) => name).join(', ')}.\n`,
    );
  });

  test.each(['forecast', 'support', 'environments'])(
    'explains the format of a label, and that %s accepts only one',
    async (name) => {
      const two = await runCommand([name, '-l', 'team=web', '--label', 'env=prod']);
      expect(two).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('This command accepts only one label. Remove the others.'),
      });
      const invalid = await runCommand([name, '-l', 'team']);
      expect(invalid).toMatchObject({
        code: 2,
        stderr: `pacekeeper ${name}: Invalid label "team". Use key=value, for example team=payments.\n`,
      });
    },
  );

  test('lists the valid characters for an invalid label key', async () => {
    expect(await runCommand(['get', 'alerts', '-l', '1st team=web'])).toMatchObject({
      code: 2,
      stderr: `pacekeeper get: "1st team" isn't a valid label key; start with a letter, then use letters, digits, or _ . / - (up to 63 characters).\n`,
    });
  });

  test('suggests the option for a file if the file is specified without it', async () => {
    expect(await runCommand(['apply', 'pacekeeper.yaml'])).toMatchObject({
      code: 2,
      stderr:
        "pacekeeper apply: Required option '-f, --file <file>' not specified. To read a file, use -f pacekeeper.yaml.\n",
    });
    expect((await runCommand(['create', 'rule', 'rule.yaml'])).stderr).toContain(
      'To read a file, use -f rule.yaml.',
    );
    expect((await runCommand(['export', 'all.yaml'])).stderr).toContain(
      'To write to a file, use -o all.yaml.',
    );
    expect((await runCommand(['apply'])).stderr).toBe(
      "pacekeeper apply: Required option '-f, --file <file>' not specified.\n",
    );
  });

  test('lists each of several invalid fields once', async () => {
    const values = ['name=A', 'source_type=github_releases', 'artifact_name=x', 'cron_expression=never'];
    const { stderr } = await run(['create', 'gather-job', ...values.flatMap((value) => ['--set', value])]);
    const [header, ...fields] = stderr.trimEnd().split('\n');
    expect(header).toMatch(
      /^pacekeeper create: 2 fields aren't valid\. \(validation_failed, request [\w-]+\)$/,
    );
    expect(fields).toEqual([
      "  artifact_name: it's incomplete; use github.com/owner/repo",
      expect.stringMatching(/^ {2}cron_expression: /),
    ]);
  });

  test('lists the valid characters for an invalid label key in a request or a file', async () => {
    const sets = ['name=A', 'parser_type=manual', 'labels.1st=x'];
    const { stderr } = await run(['create', 'scrape-job', ...sets.flatMap((value) => ['--set', value])]);
    const sentence = "isn't a valid label key; start with a letter, then use letters, digits, or _ . / -";
    expect(stderr).toContain(`labels.1st ${sentence}`);
    const file = path.join(temporaryFolder(), 'pacekeeper.yaml');
    writeFileSync(file, 'version: 1\nscrape_jobs:\n  - { name: A, version: "1", labels: { my team: x } }\n');
    const applied = await run(['apply', '-f', file, '--dry-run']);
    expect(applied.stderr).toContain(`line 3: scrape job "A": labels.my team: ${sentence}`);
  });

  test('suggests a similar value for an invalid one', async () => {
    const values = ['name=A', 'source_type=github_release', 'artifact_name=a/b'];
    const { stderr } = await run(['create', 'gather-job', ...values.flatMap((value) => ['--set', value])]);
    expect(stderr).toMatch(/source_type must be one of: github_releases, .*; did you mean github_releases\?/);
  });

  test('suggests a field for a misspelled one before a request is sent', async () => {
    const { code, stderr } = await run(['create', 'rule', '--set', 'nme=x']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^pacekeeper create: Unknown field "nme"\. Did you mean name\? Available: name, /);
  });

  test('suggests a nested field for a misspelled one, and the API suggests fields as well', async () => {
    const { code, stderr } = await run(['create', 'rule', '--set', 'thresholds.hgh=1']);
    expect(code).toBe(2);
    expect(stderr).toBe(
      'pacekeeper create: Unknown field "thresholds.hgh". Did you mean thresholds.high? Available: thresholds.moderate, thresholds.high, thresholds.critical.\n',
    );
    const body = { nmae: 'a', parser_type: 'manual' };
    await expect(organization.api.call('createScrapeJob', { body: body as never })).rejects.toMatchObject({
      errors: expect.arrayContaining([{ field: 'nmae', message: 'is an unknown field; did you mean name?' }]),
    });
  });

  test('recognizes two swapped letters as a typo, even in short words', async () => {
    const sets = ['name=A', 'url=https://hooks.example.org/a', 'preset=slakc'];
    const { stderr } = await run(['create', 'channel', ...sets.flatMap((value) => ['--set', value])]);
    expect(stderr).toMatch(/preset must be one of: generic, .*; did you mean slack\?/);
  });

  test('lists the labels that freshness --by accepts', async () => {
    expect(await run(['freshness', '--by', 'teem'])).toMatchObject({
      code: 1,
      stderr:
        'pacekeeper freshness: --by must be one of the labels in the setting freshness.labels: team; did you mean team?\n',
    });
    expect((await run(['freshness', '--by', '1'])).stderr).toMatch(
      /^pacekeeper freshness: --by isn't a valid label key; /,
    );
    await run(['update', 'setting', 'freshness.labels', '--set', 'value=[]']);
    expect((await run(['freshness', '--by', 'owner'])).stderr).toBe(
      'pacekeeper freshness: --by must be a label in the setting freshness.labels, which is empty; add the label there first.\n',
    );
    await run(['delete', 'setting', 'freshness.labels', '--yes']);
  });

  test('states that at least one ID is required if the command line contains none', async () => {
    expect(await run(['ack'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'pacekeeper ack: Missing alert IDs: specify at least one. If they come from another command, it found none.\n',
    });
    expect((await run(['disable', 'rules'])).stderr).toBe(
      'pacekeeper disable: Missing IDs or names: specify at least one. If they come from another command, it found none.\n',
    );
  });

  test('lists resources with the same name along with their distinguishing values', async () => {
    const create = (artifact: string) =>
      organization.api.call('createGatherJob', {
        body: { name: 'Terraform', source_type: 'github_releases', artifact_name: artifact },
      });
    const one = await create('hashicorp/terraform');
    const two = await create('acme/terraform');
    const { code, stderr } = await run(['get', 'gather-job', 'Terraform']);
    expect(code).toBe(1);
    expect(stderr).toContain(`  ${one.id}  github.com/hashicorp/terraform\n`);
    expect(stderr).toContain(`  ${two.id}  github.com/acme/terraform\n`);
  });

  test('suggests fetching the resource again if the file of an update is outdated', async () => {
    const { id } = await organization.api.call('createRule', {
      body: { name: 'Edited twice', rule_type: 'majors_behind', thresholds: { high: 1 } },
    });
    const file = path.join(temporaryFolder(), 'rule.json');
    writeFileSync(file, (await run(['get', 'rule', String(id), '-o', 'json'])).stdout);
    await organization.api.call('updateRule', { path: { id }, body: { description: 'by someone else' } });
    const { code, stderr } = await run(['update', 'rule', String(id), '-f', file]);
    expect(code).toBe(1);
    expect(stderr).toContain('Get it again with -o json');
    expect(stderr).not.toMatch(/ETag|If-Match/);
  });
});

test('deleting a setting reports that it was reset to its default', async () => {
  await run(['update', 'setting', 'gather.max_releases', '--set', 'value=500']);
  const asked: string[] = [];
  const { stdout } = await run(['delete', 'setting', 'gather.max_releases'], {
    answers: ['y'],
    onQuestion: (question) => asked.push(question),
  });
  expect(stdout).toBe('Setting gather.max_releases reset to its default\n');
  expect(asked.join()).toContain('Reset setting gather.max_releases to the default?');
});

test('a server URL with a wrong path is rejected with a suggested URL', async () => {
  const url = `${server.url}/foo`;
  const login = await runCommand(['login', '--server', url, '--email', 'a@b.example'], {
    stdin: 'a password',
  });
  expect(login).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(`${url} isn't a Pacekeeper server`),
  });
  expect(login.stderr).toContain(`Try ${server.url} as the server URL`);
  expect(await runCommand(['whoami', '--server', url])).toMatchObject({ code: 3 });
});

test('a preview of an expression without a match has the error code not_found', async () => {
  const args = ['preview', 'scrape', '-', '--parser', 'yq', '--expression', '.image.tag', '-o', 'json'];
  const { stdout } = await run(args, { stdin: 'other: 1\n' });
  expect(JSON.parse(stdout)).toMatchObject({ found: false, error: { code: 'not_found' } });
});

describe('file paths on the command line', () => {
  test('are relative to the directory where npm run was started', async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'inner'));
    writeFileSync(
      path.join(folder, 'inner', 'rule.yaml'),
      '{ name: From a file, rule_type: majors_behind, thresholds: { high: 1 } }',
    );
    const program = runProgram(
      ['create', 'rule', '-f', 'rule.yaml'],
      {
        PACEKEEPER_SERVER_URL: server.url,
        PACEKEEPER_API_KEY: organization.apiKey,
        INIT_CWD: path.join(folder, 'inner'),
        npm_lifecycle_event: 'pacekeeper',
        npm_package_json: path.join(checkout, 'package.json'),
      },
      { cwd: checkout },
    );
    expect(await program.exited, program.stderr()).toBe(0);
    expect(program.stdout()).toContain('name: From a file');
  });
});
