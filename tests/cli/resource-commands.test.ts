import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { cliCommands } from '../../src/cli/command-list.ts';
import { formatTime } from '../../src/cli/output/format-time.ts';
import { resources } from '../../src/cli/resources/resource-table.ts';
import { operations } from '../../src/generated/operations.ts';
import { startContractInbox } from '../contract/contract-inbox.ts';
import { buildWorld, type World } from '../contract/world.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { startTestServer, type TestServer } from '../helpers/test-server.ts';

import type { WebhookInbox } from '../helpers/webhook-inbox.ts';
import { type CommandOptions, runCommand } from './run-command.ts';

let server: TestServer;
let world: World;
let inbox: WebhookInbox;

beforeAll(async () => {
  server = await startTestServer();
  const { email, password } = await server.createOrganization();
  inbox = await startContractInbox();
  world = await buildWorld({
    baseUrl: server.url,
    owner: { email, password },
    webhookUrl: inbox.url,
    db: server.db,
  });
});

afterAll(() => inbox.close());

function run(args: string[], options: CommandOptions = {}) {
  const env = { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: world.keys.admin };
  return runCommand(args, { ...options, env: { ...env, ...options.env } });
}

async function done(args: string[], options?: CommandOptions): Promise<string> {
  const result = await run(args, options);
  expect(result, args.join(' ')).toMatchObject({ code: 0 });
  return result.stdout;
}

/** Runs a command that must fail with this exit code, and returns its standard error. */
async function failed(code: number, args: string[], options?: CommandOptions): Promise<string> {
  const result = await run(args, options);
  expect(result, args.join(' ')).toMatchObject({ code });
  return result.stderr;
}

describe('the table of resources', () => {
  test('contains only operations of the contract and no ambiguous names', () => {
    const used = resources.flatMap(({ list, get, create, update, delete: remove, toggle }) =>
      [list, get, create, update, remove, toggle].filter((id) => id !== undefined),
    );
    expect(used.filter((id) => !Object.hasOwn(operations, id))).toEqual([]);
    const names = resources.flatMap(({ name, singular, aliases }) => [
      ...new Set([name, singular, ...aliases]),
    ]);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('contains every list of the API that is not part of another resource', () => {
    const lists = Object.entries(operations).flatMap(([id, { method, path, interface: name }]) =>
      name === 'client' && method === 'GET' && id.startsWith('list') && /^\/[a-z-]+$/.test(path) ? [id] : [],
    );
    const inTable: string[] = resources.map(({ list }) => list);
    // `settings` lists effective values, which include the defaults. Saved views belong to pages of the UI.
    expect(lists.filter((id) => !inTable.includes(id))).toEqual(['listSettings', 'listSavedViews']);
  });

  test.each(resources.map(({ name }) => name))('supports get %s in every output format', async (name) => {
    const list = async (): Promise<Record<string, unknown>[]> =>
      JSON.parse(await done(['get', name, '-o', 'json', '--all']));
    // For a version that is still deployed, these fields depend on the time of the request.
    const withoutTime = (items: Record<string, unknown>[]) =>
      items.map((item) => ({ ...item, last_seen_at: undefined, known_seconds: undefined }));
    if (name === 'lifecycle-products') await world.make.lifecycleProduct();
    // Pacekeeper measures freshness in the background. Create a target, because changing a target soon starts
    // a measurement.
    if (name === 'freshness-things')
      await done([
        'create',
        'freshness-target',
        '--set',
        'name=Soon',
        '--set',
        'metric=libyears',
        '--set',
        'limit=9',
      ]);
    let names: string[] = [];
    await vi.waitFor(
      async () => {
        const items = await list();
        expect(items.length).toBeGreaterThan(0);
        // Retry, because a measurement can end between the commands.
        expect(withoutTime(parse(await done(['get', name, '-o', 'yaml', '--all'])))).toEqual(
          withoutTime(items),
        );
        const table = await done(['get', name, '--all']);
        expect(table.split('\n').filter((line) => line !== '')).toHaveLength(items.length + 1);
        names = (await done(['get', name, '-o', 'name', '--all'])).trim().split('\n');
        expect(names).toHaveLength(items.length);
      },
      { timeout: 60_000 },
    );
    expect(await done(['get', name, '-o', 'csv', '--all'])).toMatch(/^\w+,.*\r\n/);
    // The output of `-o name` is a valid argument of `get`.
    const one = JSON.parse(await done(['get', name, names[0]!, '-o', 'json']));
    expect(`${name}/${one.id ?? one.category ?? one.key ?? one.name}`).toBe(names[0]);
  });
});

test('reference data is listed by name, with its age and the number of its entries', async () => {
  const product = await world.make.lifecycleProduct();
  const { items } = await world.admin.call('listReferenceSources');
  const source = items.find(({ name }) => name === 'end_of_life')!;
  const asOf = String(formatTime(source.as_of));
  const table = await done(['get', 'reference-sources']);
  expect(table).toMatch(
    new RegExp(`^end_of_life +endoflife\\.date +${asOf} +(?:yes|no) +${source.product_count} `, 'm'),
  );
  // Data that isn't loaded is neither old nor current.
  expect(table).toMatch(/^epss +EPSS +- +- +0 /m);
  expect(await done(['get', 'reference-source/end_of_life'])).toContain(`as_of: ${asOf}\n`);
  expect(await failed(1, ['get', 'reference-sources', 'end_of_live'])).toContain('Did you mean end_of_life?');
  expect(JSON.parse(await done(['get', 'lifecycle-product', product, '-o', 'json']))).toMatchObject({
    name: product,
    releases: [{ name: '1' }],
  });
  expect(await done(['get', 'lifecycle-products', '--search', product, '-o', 'name'])).toContain(
    `lifecycle-products/${product}\n`,
  );
});

test('create, get, update, toggle, and delete accept names instead of IDs', async () => {
  const { marker } = world;
  for (const [resource, sets] of [
    ['rules', ['name=CLI', 'rule_type=days_behind', 'thresholds.high=60']],
    ['gather-jobs', ['name=CLI', 'source_type=github_releases', 'artifact_name=github.com/a/b']],
    ['scrape-jobs', ['name=CLI', 'parser_type=manual']],
    ['helm-sync-jobs', ['name=CLI', 'repository_url=https://charts.example.org', 'is_active=false']],
    ['discovery-jobs', ['name=CLI', 'repository_url=https://git.example.org/a', 'is_active=false']],
    [
      'alert-configs',
      ['name=CLI', 'rule_id=CLI', 'gather_job_id=CLI', 'scrape_job_id=CLI', `labels.team=${marker}`],
    ],
    ['channels', ['name=CLI', 'url=https://hooks.example.org/cli']],
    ['notification-rules', ['name=CLI', 'channel_ids=[CLI]', 'rule_ids=[CLI]', 'priority=7']],
  ] as const) {
    const args = sets.flatMap((set) => ['--set', set]);
    const made = JSON.parse(await done(['create', resource, ...args, '-o', 'json']));
    // Compare only these fields, because others can change on their own. For example, a new alert configuration is
    // evaluated immediately.
    const { id, name, created_at } = made;
    expect(JSON.parse(await done(['get', resource, 'CLI', '-o', 'json']))).toMatchObject({
      id,
      name,
      created_at,
    });
    const changed = JSON.parse(await done(['update', resource, 'CLI', '--set', 'name=1.10', '-o', 'json']));
    expect(changed).toMatchObject({ id: made.id, name: '1.10' });
    expect(await done(['toggle', resource, 'name:1.10'])).toMatch(
      made.is_active ? / disabled\n$/ : / enabled\n$/,
    );
    await done(['update', resource, String(made.id), '--set', 'name=CLI']);
  }
  for (const resource of ['nr', 'nc', 'ac', 'hj', 'dj', 'sj', 'gj', 'r'])
    expect(await done(['delete', resource, 'CLI', '--yes'])).toMatch(/"CLI" deleted\n$/);
});

test('a resource is found by its kind with its ID or name, as one argument or as a reference', async () => {
  const id = await world.make.gatherJob({ name: 'shop/api' });
  const shown = await done(['get', 'gather-jobs', String(id), '-o', 'name']);
  for (const args of [
    ['gather-jobs/shop/api'],
    [`gj/${id}`],
    ['gather_job/shop/api'],
    ['gather-jobs', 'gather-jobs/shop/api'],
    ['gather-jobs', 'shop/api'],
    ['gather-jobs', `gj/${id}`],
  ])
    expect(await done(['get', ...args, '-o', 'name'])).toBe(shown);
});

test('names and texts are stored as entered, even if YAML would interpret them differently', async () => {
  const create = async (resource: string, ...sets: string[]) =>
    JSON.parse(
      await done(['create', resource, ...sets.flatMap((set) => ['--set', set]), '-o', 'json']),
    ) as Record<string, unknown>;
  const rule = await create('rule', 'name=days: 60', 'rule_type=days_behind', 'thresholds.high=60');
  const gather = await create(
    ...([
      'gather-job',
      'name={db}',
      'source_type=github_releases',
      'artifact_name=github.com/a/yaml',
    ] as const),
    'ignored_versions=[1.10, 2.0 ]',
  );
  const scrape = await create('scrape-job', 'name=db: postgres (prod)', 'parser_type=manual');
  const names = ['rule_id=days: 60', 'gather_job_id={db}', 'scrape_job_id=db: postgres (prod)'];
  const config = await create('alert-config', 'name=# 1', ...names, 'labels.team=a: b');
  expect(config).toMatchObject({
    rule_id: rule['id'],
    gather_job_id: gather['id'],
    scrape_job_id: scrape['id'],
    name: '# 1',
    labels: { team: 'a: b' },
  });
  expect(gather).toMatchObject({ ignored_versions: ['1.10', '2.0'] });

  const one = await create('channel', 'name=ops: prod', 'url=https://hooks.example.org/a');
  const two = await create('channel', 'name=ops, test', 'url=https://hooks.example.org/b');
  const three = await create('channel', 'name=ops [eu, us]', 'url=https://hooks.example.org/c');
  const channels = `channel_ids=[ops: prod, "ops, test", ops [eu, us]]`;
  expect(await create('notification-rule', 'name=Lists', channels)).toMatchObject({
    channel_ids: [one['id'], two['id'], three['id']],
  });
  // The API returns IDs, but tables show the names.
  expect(await done(['get', 'notification-rules', '--all'])).toMatch(
    / ops: prod, ops, test, ops \[eu, us\] /,
  );
  const setting = 'default_notification_channel_id';
  for (const key of [setting, `settings/${setting}`])
    expect(await done(['update', 'setting', key, '--set', 'value=ops: prod'])).toContain(
      `value: ${String(one['id'])}\n`,
    );
  await done(['delete', 'setting', setting, '--yes']);
});

test('create prints a new resource without its empty fields, but complete as JSON', async () => {
  const args = ['create', 'scrape-job', '--set', 'name=Short', '--set', 'parser_type=manual'];
  const { stdout } = await run(args);
  expect(stdout).toMatch(/^id: \d+$/m);
  expect(stdout).toMatch(/^name: Short$/m);
  expect(stdout).not.toMatch(/: (null|\[\]|\{\}|"")$/m);
  const whole = JSON.parse(await done([...args, '-o', 'json']));
  expect(whole).toMatchObject({ name: 'Short', repository_url: null, labels: {} });
});

test('an empty list of discovered items reports why scans are waiting or failed', async () => {
  const { api, apiKey, id } = await server.createOrganization();
  const env = { PACEKEEPER_API_KEY: apiKey };
  const list = async (...args: string[]) => run(['get', 'discovered-items', ...args], { env });
  expect((await list()).stderr).toBe('No discovered items.\n');
  const create = (body: object) => api.call('createDiscoveryJob', { body: body as never });
  await create({ name: 'Deploy', repository_url: 'https://git.example.org/deploy' });
  await create({
    name: 'EU',
    kind: 'kubernetes_cluster',
    cluster_name: 'prod-eu',
    credential_name: 'eu',
  });
  expect((await list()).stderr.split('\n').toSorted()).toEqual([
    '',
    'Discovery job "Deploy": the scan is waiting for an agent. To list the agents, run \'pacekeeper get agents\'.',
    'Discovery job "EU": the scan is waiting for an agent that has the credential "eu". To list the agents, run \'pacekeeper get agents\'.',
    'No discovered items.',
  ]);
  expect((await list('-o', 'json')).stderr).toBe('');
  const { stdout } = await run(['get', 'discovery-jobs'], { env });
  expect(stdout).toMatch(/^ID +NAME +KIND +SOURCE /);
  expect(stdout).toMatch(/EU +kubernetes_cluster +prod-eu .* pending, waiting for an agent/);
  expect(stdout).toMatch(/Deploy +git_repository +https:\/\/git\.example\.org\/deploy /);

  const end = '2030-03-03T14:05:00.000Z';
  await sql`
    UPDATE runs SET due_at = ${end}, error_code = 'rate_limited', error_message = 'limited'
    WHERE organization_id = ${id}`.execute(server.db);
  const shownEnd = String(formatTime(end));
  expect((await list()).stderr).toContain(
    `Discovery job "Deploy": the scan is waiting for a rate limit to end at ${shownEnd}.\n`,
  );
  expect((await run(['get', 'discovery-jobs'], { env })).stdout).toContain(
    `pending, rate limited until ${shownEnd}`,
  );

  await sql`
    UPDATE runs SET status = 'failed', finished_at = pacekeeper_now(), error_code = 'unauthorized',
      error_message = 'git.example.org: access denied'
    WHERE organization_id = ${id}`.execute(server.db);
  expect((await list()).stderr).toContain(
    'Discovery job "Deploy": the scan failed: git.example.org: access denied\n',
  );
});

test('create reports that a new alert configuration is not evaluated yet, except in JSON output', async () => {
  const sets = async () => [
    '--set',
    `rule_id=${await world.make.rule()}`,
    '--set',
    `gather_job_id=${await world.make.gatherJob()}`,
    '--set',
    `scrape_job_id=${await world.make.scrapeJob()}`,
    '--set',
    'name=Pending',
  ];
  const create = async (...args: string[]) => run(['create', 'alert-config', ...(await sets()), ...args]);
  expect((await create()).stderr).toMatch(
    /^Not evaluated yet: the first evaluation is pending\. To see the result, run 'pacekeeper explain \d+'\.\n$/,
  );
  expect((await create('-o', 'json')).stderr).toBe('');
});

test('create reads a resource from a file, and --set takes precedence over the file', async () => {
  const file = path.join(temporaryFolder(), 'rule.yaml');
  writeFileSync(file, 'name: From a file\nrule_type: majors_behind\nthresholds: { moderate: 1, high: 2 }\n');
  const made = JSON.parse(
    await done(['create', 'rule', '-f', file, '--set', 'thresholds.high=3', '-o', 'json']),
  );
  expect(made).toMatchObject({ name: 'From a file', thresholds: { moderate: 1, high: 3 } });
  const stdin = '{"name": "From a pipe", "rule_type": "majors_behind", "thresholds": {"high": 1}}';
  expect(await done(['create', 'rule', '-f', '-'], { stdin })).toContain('name: From a pipe');
});

test('update sets a part of a field and keeps its other parts', async () => {
  const rule = [
    '--set',
    'name=In parts',
    '--set',
    'rule_type=days_behind',
    '--set',
    'thresholds={moderate: 30, high: 60}',
  ];
  await done(['create', 'rule', ...rule]);
  const change = async (resource: string, reference: string, ...sets: string[]) =>
    JSON.parse(
      await done(['update', resource, reference, ...sets.flatMap((set) => ['--set', set]), '-o', 'json']),
    );
  expect(
    (await change('rule', 'In parts', 'thresholds.high=70', 'thresholds.critical=90')).thresholds,
  ).toEqual({
    moderate: 30,
    high: 70,
    critical: 90,
  });
  expect((await change('rule', 'In parts', 'thresholds.moderate=null')).thresholds).toEqual({
    high: 70,
    critical: 90,
  });
  const job = [
    '--set',
    'name=Labeled',
    '--set',
    'parser_type=manual',
    '--set',
    'labels={team: web, tier: front}',
  ];
  await done(['create', 'scrape-job', ...job]);
  expect((await change('scrape-job', 'Labeled', 'labels.team=shop')).labels).toEqual({
    team: 'shop',
    tier: 'front',
  });
  expect((await change('scrape-job', 'Labeled', 'labels={team: all}')).labels).toEqual({ team: 'all' });
});

test('a bulk update continues after a failure of one resource', async () => {
  const names = ['Bulk one', 'Bulk two', 'Bulk three'];
  for (const name of names) {
    const sets = [`name=${name}`, 'parser_type=manual', `labels={tier: ${name}, team: web}`];
    await done(['create', 'scrape-job', ...sets.flatMap((set) => ['--set', set])]);
  }
  const labels = async (name: string) =>
    JSON.parse(await done(['get', 'scrape-job', name, '-o', 'json'])).labels;
  const ids = (await done(['get', 'scrape-jobs', '--search', 'Bulk', '-o', 'name'])).trim().split('\n');
  expect(ids).toHaveLength(3);
  const update = (...args: string[]) => ['update', 'scrape-job', ...args, '--set', 'labels.team=payments'];
  expect(await done(update(...ids))).toMatch(/^(?:Scrape job \d+ "Bulk (?:one|two|three)" updated\n){3}$/);
  for (const name of names) expect(await labels(name)).toEqual({ tier: name, team: 'payments' });
  const args = ['update', 'scrape-job', 'Bulk one', 'nobody', 'Bulk two', '--set', 'labels.team=null'];
  const result = await run(args);
  expect(result).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^Scrape job \d+ "Bulk one" updated\nScrape job \d+ "Bulk two" updated\n$/),
  });
  expect(result.stderr).toMatch(/^nobody: No scrape job named "nobody"\./);
  expect(result.stderr).toMatch(/\npacekeeper update: 1 of 3 failed\.\n$/);
  expect(await labels('Bulk two')).toEqual({ tier: 'Bulk two' });
  expect(JSON.parse(await done([...update('Bulk one', 'Bulk two'), '-o', 'json']))).toMatchObject([
    { name: 'Bulk one', labels: { team: 'payments' } },
    { name: 'Bulk two' },
  ]);
  const file = path.join(temporaryFolder(), 'job.json');
  writeFileSync(file, await done(['get', 'scrape-job', 'Bulk one', '-o', 'json']));
  expect(await failed(2, ['update', 'scrape-job', 'Bulk one', 'Bulk two', '-f', file])).toContain(
    'To update several resources, remove the revision field from the file.',
  );
  expect(await failed(2, update())).toContain('Missing IDs or names: specify at least one.');
});

test('settings and templates can be updated and reset to their defaults', async () => {
  expect(await done(['update', 'setting', 'gather.max_releases', '--set', 'value=77'])).toContain(
    'value: 77',
  );
  expect(await done(['delete', 'setting', 'gather.max_releases', '--yes'])).toContain('reset to its default');
  // The default channel and the default rule can be specified by name, as in a configuration file.
  const channel = await world.make.channel({ name: 'Everything else' });
  const byName = ['default_notification_channel_id', '--set', 'value=Everything else'];
  expect(await done(['update', 'setting', ...byName])).toContain(`value: ${channel}\n`);
  expect(await done(['update', 'setting', byName[0]!, '--set', 'value=null'])).toContain('value: null');
  const rule = await world.make.rule({ name: 'For reports' });
  expect(await done(['update', 'setting', 'default_rule_id', '--set', 'value=For reports'])).toContain(
    `value: ${rule}\n`,
  );
  expect(await done(['update', 'template', 'acknowledged', '--set', 'body={"a": 1}'])).toContain(
    'organization_override',
  );
  // The key of the setting that holds a template is an alias for the template.
  const setting = 'notification.template.alert.acknowledged';
  expect(await done(['get', 'templates', '-o', 'wide'])).toContain(setting);
  expect(await done(['get', 'template', setting])).toContain('category: acknowledged');
  expect(await done(['delete', 'template', 'acknowledged', '--yes'])).toContain('reset to its default');
  expect(await failed(1, ['get', 'setting', 'gather.max_release'])).toContain(
    'Did you mean gather.max_releases?',
  );
});

test('commands for keys and members report that they require a login, or accept an API key', async () => {
  expect(await failed(4, ['create', 'api-key', '--set', 'name=x'])).toContain('login_required');
  const { api_key } = await world.make.apiKey({ name: 'for the command line' });
  expect(await done(['toggle', 'api-key', 'for the command line'])).toContain('disabled');
  expect(await done(['delete', 'key', String(api_key.id), '--yes'])).toContain('revoked');
  const invite = ['create', 'member', '--set', 'email=new@example.org', '--set', 'role=viewer'];
  expect(await failed(4, invite)).toContain('login_required');

  const env = { PACEKEEPER_API_KEY: '', XDG_CONFIG_HOME: temporaryFolder() };
  const { email: owner, password } = world.logins.owner;
  await done(['login', '--email', owner], { env, stdin: password });
  expect(await done(invite, { env })).toContain('accept_url');
  const { email } = await world.make.member();
  expect(await done(['update', 'member', email, '--set', 'role=member'], { env })).toContain('role: member');
  expect(await done(['delete', 'member', email, '--yes'], { env })).toContain('deleted');
});

test('a filter lists the members without two-factor authentication', async () => {
  const all = JSON.parse(await done(['get', 'members', '--all', '-o', 'json'])) as { two_factor: string }[];
  const states = async (filter: string) =>
    (
      JSON.parse(
        await done(['get', 'members', '--filter', `two_factor=${filter}`, '-o', 'json']),
      ) as typeof all
    ).map(({ two_factor }) => two_factor);
  const disabled = all.filter(({ two_factor }) => two_factor === 'disabled');
  expect(disabled.length).toBeGreaterThan(0);
  expect(await states('disabled')).toEqual(disabled.map(() => 'disabled'));
  expect(await states('enabled')).not.toContain('disabled');
  expect(await failed(1, ['get', 'members', '--filter', 'two_factor=off'])).toContain('two_factor');
});

test('the error for an ambiguous name lists the IDs, and the error for an unknown name lists similar names', async () => {
  const ids = [await world.make.rule({ name: 'Twins' }), await world.make.rule({ name: 'Twins' })];
  const words = await failed(1, ['get', 'rule', 'Twins']);
  for (const id of ids) expect(words).toContain(`  ${id}  created `);
  expect(await failed(1, ['get', 'rule', 'Twin'])).toContain('Similar: "Twins"');
  expect(await failed(1, ['toggle', 'rule', 'Nobody'])).toContain('No rule named "Nobody"');
});

test('delete requires a confirmation', async () => {
  const id = String(await world.make.rule({ name: 'Dear' }));
  expect(await failed(2, ['delete', 'rule', id])).toContain('--yes');
  expect(await failed(1, ['delete', 'rule', id], { answers: ['no'] })).toContain(
    'Canceled. No changes made.',
  );
  expect(await done(['delete', 'rule', id], { answers: ['y'] })).toContain('"Dear" deleted');
});

test('lists report that more items exist, and accept the filters of the API', async () => {
  const result = await run(['get', 'rules', '--limit', '1', '-o', 'name']);
  expect(result.stdout).toMatch(/^rules\/\d+\n$/);
  expect(result.stderr).toMatch(/^Showing 1 of \d+\. Use --all to show all\.\n$/);
  expect(await done(['get', 'scrape-jobs', '--filter', 'parser_type=yq', '-o', 'csv'])).not.toContain(
    ',manual,',
  );
  expect(await failed(1, ['get', 'rules', '--filter', 'nonsense=1'])).toContain('nonsense');
});

test('a name with control characters or a formula is escaped in tables and CSV', async () => {
  const name = '=HYPERLINK("https://evil.example","x")';
  await world.make.rule({ name });
  await world.make.rule({ name: 'red\u001b[31m text\u202e' });
  expect(await done(['get', 'rules', '-o', 'csv', '--all'])).toContain(
    `,"'=HYPERLINK(""https://evil.example"",""x"")",`,
  );
  const hidden = ['\u001b', '\u202e'];
  const table = await done(['get', 'rules', '--all']);
  expect(hidden.filter((character) => table.includes(character))).toEqual([]);
  const item = await done(['get', 'rule', 'red\u001b[31m text\u202e']);
  expect(hidden.filter((character) => item.includes(character))).toEqual([]);
});

test('a table fits the terminal', async () => {
  await world.make.rule({ name: '日本語の名前'.repeat(20) });
  const lines = (await done(['get', 'rules', '--all'], { columns: 80 })).split('\n');
  // A wide character occupies two cells.
  expect(lines.filter((line) => line.replace(/[\u3000-\u9fff]/g, 'xx').length > 80)).toEqual([]);
  expect(lines.some((line) => /[\u3000-\u9fff]…/.test(line))).toBe(true);
});

test('every command has help', async () => {
  for (const name of Object.keys(cliCommands))
    expect(await done([name, '--help'])).toMatch(/^Usage: pacekeeper/);
});
