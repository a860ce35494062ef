import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { resources } from '../../src/cli/resources/resource-table.ts';
import { startContractInbox } from '../contract/contract-inbox.ts';
import { buildWorld, type World } from '../contract/world.ts';
import { createMonitoredSoftware } from '../helpers/monitored.ts';
import { runProgram } from '../helpers/run-program.ts';
import { startTestServer, type TestServer } from '../helpers/test-server.ts';
import type { WebhookInbox } from '../helpers/webhook-inbox.ts';
import { runCommand } from './run-command.ts';

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

const env = () => ({ PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: world.keys.admin });

async function done(...args: string[]): Promise<string> {
  const result = await runCommand(args, { env: env() });
  expect(result, args.join(' ')).toMatchObject({ code: 0 });
  return result.stdout;
}

async function failed(...args: string[]): Promise<string> {
  const result = await runCommand(args, { env: env() });
  expect(result, args.join(' ')).toMatchObject({ code: 2, stdout: '' });
  return result.stderr;
}

const lines = (text: string) => text.split('\n').filter((line) => line !== '');

test('the lag of an alert configuration has the unit of its rule', async () => {
  const rule = await world.make.rule({ rule_type: 'majors_behind', thresholds: { high: 1 } });
  const id = await world.make.alertConfig({ rule_id: rule, scrape_job_id: await world.make.scrapeJob() });
  await sql`UPDATE alert_configs SET behind_by = 2, due_at = 'infinity' WHERE id = ${id}`.execute(server.db);
  const [header = '', ...rows] = lines(await done('get', 'alert-configs', '--all'));
  const row = rows.find((each) => each.trimStart().startsWith(`${id} `))!;
  expect(header).toContain('BEHIND');
  expect(row).toContain(' 2 majors ');
});

test('an empty list prints a note in tables, and none in other formats', async () => {
  const search = ['--search', 'no resource has this name'];
  for (const [args, note] of [
    [['get', 'rules', ...search], 'No matching rules.\n'],
    [['get', 'api-keys', ...search, '-o', 'wide'], 'No matching API keys.\n'],
    [['get', 'software', ...search], 'No matching software.\n'],
    [['get', 'versions', '--filter', 'scrape_job_id=999999'], 'No matching versions.\n'],
    [['alerts', '--resolved', ...search], 'No matching resolved alerts.\n'],
    [['get', 'rules', ...search, '-o', 'csv'], ''],
    [['alerts', ...search, '-o', 'name'], ''],
  ] as const)
    expect(await runCommand(args, { env: env() })).toMatchObject({ code: 0, stderr: note });
  expect(await done('alerts', ...search)).toBe('');
  expect(await done('alerts', ...search, '-o', 'json')).toBe('[]\n');
  const { apiKey } = await server.createOrganization('Empty');
  const own = { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: apiKey };
  // Both commands list only open alerts.
  for (const args of [['alerts'], ['get', 'alerts']])
    expect(await runCommand(args, { env: own })).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No open alerts.\n',
    });
  const controller = new AbortController();
  const watched = await runCommand(['alerts', '--watch', '--resolved', ...search], {
    env: own,
    answers: [],
    signal: controller.signal,
    onOutput: () => controller.abort(),
  });
  expect(watched.stdout).toMatch(/No matching resolved alerts\.\n$/);
});

test('a misspelled filter is rejected with a suggestion', async () => {
  const filter = async (text: string) =>
    (await runCommand(['get', 'gather-jobs', '--filter', text], { env: env() })).stderr;
  expect(await filter('source_typ=git_tags')).toContain('did you mean source_type?');
  expect(await filter('nonsense=1')).toMatch(/nonsense is an unknown parameter; available: .*source_type/);
  expect(await filter('source_type=github_release')).toContain('did you mean github_releases?');
});

describe('a label selector', () => {
  test('filters as in the API, and several selectors must all match', async () => {
    const scrape = () => world.make.scrapeJob();
    const config = async (labels: Record<string, string>) =>
      world.make.alertConfig({ labels, scrape_job_id: await scrape() });
    const both = await config({ team: 'x', env: 'prod' });
    const one = await config({ team: 'x', env: 'test' });
    await config({ team: 'y', env: 'prod' });
    const names = async (...args: string[]) =>
      lines(await done('get', 'alert-configs', '-o', 'name', ...args)).sort();
    expect(await names('-l', 'team=x')).toEqual([`alert-configs/${both}`, `alert-configs/${one}`].sort());
    expect(await names('-l', 'team=x', '--label', 'env=prod')).toEqual([`alert-configs/${both}`]);
    expect(await names('-l', 'team=x', '-l', 'env=prod', '--all')).toEqual([`alert-configs/${both}`]);
    expect(await names('-l', 'team=nobody')).toEqual([]);
    expect(await done('alerts', '-l', 'team=x', '-l', 'env=prod', '-o', 'json')).toBe('[]\n');
  });

  test('is rejected before a request if invalid, or if the list does not support labels', async () => {
    expect(await failed('get', 'configs', '-l', 'team')).toContain('Use key=value');
    expect(await failed('get', 'rules', '-l', 'team=x')).toContain(
      "rules can't be filtered by label. Only alert-configs, software, freshness-things, and alerts can.",
    );
    expect(await failed('get', 'agents', '-q', 'x')).toContain("can't be filtered by name");
  });
});

describe('--sort', () => {
  test('accepts the sort fields of the API', async () => {
    await world.make.rule({ name: 'AAA first' });
    await world.make.rule({ name: 'zzz last' });
    const first = async (sort: string) =>
      JSON.parse(await done('get', 'rules', '--sort', sort, '--limit', '1', '-o', 'json'))[0].name;
    expect([await first('name'), await first('-name')]).toEqual(['AAA first', 'zzz last']);
    const severities: { severity: string }[] = JSON.parse(
      await done('alerts', '--sort', '-severity', '-o', 'json'),
    );
    expect(severities.length).toBeGreaterThan(0);
    expect(await failed('get', 'rules', '--sort', 'nam')).toContain(
      'Did you mean name? Available: created_at',
    );
    expect(await failed('get', 'agents', '--sort', 'name')).toContain("agents can't be sorted.");
  });

  test('defaults to worst first for open alerts, as in the UI', async () => {
    const organization = await server.createOrganization('Worst first');
    const { configId } = await createMonitoredSoftware(server, organization);
    const { rule_id, gather_job_id } = await organization.api.call('getAlertConfig', {
      path: { id: configId },
    });
    await organization.api.call('evaluateRules');
    const job = await organization.api.call('createScrapeJob', {
      body: { name: 'Newer', parser_type: 'manual' },
    });
    await organization.api.call('setScrapeJobVersion', { path: { id: job.id }, body: { version: '2.0.0' } });
    await organization.api.call('createAlertConfig', {
      body: { name: 'Newer', rule_id, gather_job_id, scrape_job_id: job.id },
    });
    await organization.api.call('evaluateRules');
    const list = async (...args: string[]) => {
      const own = { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: organization.apiKey };
      const { stdout } = await runCommand([...args, '-o', 'json'], { env: own });
      return (JSON.parse(stdout) as { severity: string }[]).map(({ severity }) => severity);
    };
    expect(await list('alerts')).toEqual(['high', 'moderate']);
    expect(await list('get', 'alerts')).toEqual(['high', 'moderate']);
    expect(await list('alerts', '--sort=-created_at')).toEqual(['moderate', 'high']);
    expect(await list('get', 'alerts', '--filter', 'sort=-created_at')).toEqual(['moderate', 'high']);
    expect(await list('alerts', '--resolved')).toEqual([]);
  });

  test('lists its fields in the help', async () => {
    expect(await done('get', '--help')).toMatch(/\n {2}rules: created_at, updated_at, name\n/);
    expect(await done('alerts', '--help')).toMatch(/\n {2}resolved alerts: resolved_at, /);
  });

  test.each(resources.filter(({ hasPages }) => hasPages).map(({ name }) => name))(
    'accepts every field that its error message lists for %s',
    async (name) => {
      const words = await failed('get', name, '--sort', 'no such field');
      const [, list] = /Available: (.*)\.\n$/.exec(words) ?? [];
      if (list === undefined) expect(words).toContain("can't be sorted.");
      else for (const field of list.split(', ')) await done('get', name, '--sort', field);
    },
  );
});

describe('--limit and --all', () => {
  test('span several pages of the API', async () => {
    const organization = await server.createOrganization('Large');
    await sql`INSERT INTO scrape_jobs (organization_id, name, parser_type)
      SELECT ${organization.id}, 'job ' || n, 'manual' FROM generate_series(1, 450) AS n`.execute(server.db);
    const count = async (...args: string[]) => {
      const result = await runCommand(['get', 'scrape-jobs', '-o', 'name', ...args], {
        env: { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: organization.apiKey },
      });
      expect(result.code, result.stderr).toBe(0);
      return { count: new Set(lines(result.stdout)).size, note: result.stderr };
    };
    expect(await count()).toEqual({ count: 50, note: 'Showing 50 of 450. Use --all to show all.\n' });
    expect(await count('--limit', '201')).toMatchObject({ count: 201 });
    expect(await count('--limit', '400')).toMatchObject({ count: 400 });
    expect(await count('--limit', '1000')).toEqual({ count: 450, note: '' });
    expect(await count('--all')).toEqual({ count: 450, note: '' });
  });

  test('reject a limit below 1 or without a number', async () => {
    expect(await failed('get', 'rules', '--limit', '0')).toContain('Must be at least 1.');
    expect(await failed('get', 'rules', '--limit', 'many')).toContain('Must be a whole number.');
  });
});

describe('output formats', () => {
  test.each(resources.map(({ name }) => name))(
    '%s: the wide table has more columns and the same rows',
    async (name) => {
      if (name === 'lifecycle-products') await world.make.lifecycleProduct();
      // Pacekeeper measures freshness in the background, so the list can be empty at first.
      await expect.poll(async () => lines(await done('get', name, '-o', 'name')).length).toBeGreaterThan(0);
      const [head = '', ...rows] = lines(await done('get', name, '--all'));
      const [wideHead = '', ...wideRows] = lines(await done('get', name, '--all', '-o', 'wide'));
      expect(wideHead.split(/ {2,}/).length).toBeGreaterThan(head.split(/ {2,}/).length);
      expect(wideRows).toHaveLength(rows.length);
      // Tables don't contain ISO 8601 timestamps.
      expect(`${rows.join('\n')}${wideRows.join('\n')}`).not.toMatch(/\d{4}-\d{2}-\d{2}T\d{2}:/);
    },
  );

  test('a table shows times in US format and in the time zone of the user', async () => {
    const job = await world.make.scrapeJob();
    const { latest_version_at } = await world.admin
      .call('setScrapeJobVersion', { path: { id: job }, body: { version: '1.0' } })
      .then(() => world.admin.call('getScrapeJob', { path: { id: job } }));
    const expected = new Intl.DateTimeFormat('en-US', {
      timeZone: 'Asia/Tokyo',
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }).format(new Date(latest_version_at!));
    expect(expected).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{2}:\d{2}$/);
    for (const args of [
      ['get', 'scrape-jobs', '--all'],
      ['get', 'scrape-job', String(job)],
    ]) {
      const program = runProgram(args, { ...env(), TZ: 'Asia/Tokyo' });
      expect(await program.exited).toBe(0);
      expect(program.stdout()).toContain(expected);
    }
    for (const format of ['json', 'yaml', 'csv'])
      expect(await done('get', 'scrape-job', String(job), '-o', format)).toContain(latest_version_at!);
    const [stored] = parse(await done('get', 'versions', '-o', 'yaml', '--limit', '1'));
    expect(stored.discovered_at).toMatch(/^\d{4}-\d{2}-\d{2}T/);
  });

  test('the error for an unknown name suggests a similar name', async () => {
    await world.make.rule({ name: 'Ninety days' });
    const result = await runCommand(['get', 'rule', 'ninty days'], { env: env() });
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('Did you mean "Ninety days"?') });
    const other = await runCommand(['get', 'rule', 'something else'], { env: env() });
    expect(other.stderr).toBe('pacekeeper get: No rule named "something else".\n');
  });
});
