import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOrganization } from '../../src/modules/accounts/index.ts';
import { runCommand } from '../cli/run-command.ts';
import { callOperation, validCalls } from '../contract/calls.ts';
import { findResponseViolation } from '../contract/check-response.ts';
import { startContractInbox } from '../contract/contract-inbox.ts';
import { contractOperations } from '../contract/contract-operations.ts';
import { buildWorld, type World } from '../contract/world.ts';
import { sharedDatabaseEnvironment, startServerProcess, until } from '../faults/fault-world.ts';
import { createTestDatabase } from '../helpers/database.ts';

const { db, connection } = await createTestDatabase();
const inbox = await startContractInbox();
afterAll(() => inbox.close());
const server = await startServerProcess({
  ...sharedDatabaseEnvironment(connection),
  PACEKEEPER_LOG_LEVEL: 'trace',
});
const owner = { email: 'owner@example.org', password: 'a password for hostile names' };
await createOrganization(db, { name: 'Hostile <b>names</b>', owner });
const world: World = await buildWorld({ baseUrl: server.url, owner, webhookUrl: inbox.url });
const { admin, make } = world;

/** Strings that an attacker could enter so that they are executed or misinterpreted where they are shown. */
const hostile = [
  `<script>alert('stored')</script>`,
  `"><img src=x onerror=alert(1)>`,
  `'-alert(1)-'`,
  `javascript:alert(1)`,
  `</title><svg/onload=alert(1)>`,
  '{{ organization.name }}{% for i in (1..9) %}x{% endfor %}',
  '${7*7}#{7*7}',
  'a\r\nX-Injected: 1\r\n\r\n<h1>other answer</h1>',
  'a\n{"level":"fatal","msg":"forged line"}',
  '\u001b[2J\u001b[31mred',
  '=HYPERLINK("http://evil.example")',
  '\u202egnp.exe',
  'C1 \u009b2J DEL \u007f CR \r end',
  '@everyone <!channel> <@U1>',
];

const presets = [
  ['generic', {}],
  ['slack', {}],
  ['discord', {}],
  ['teams', {}],
  ['pagerduty', { routing_key: 'a'.repeat(32) }],
  ['telegram', { chat_id: '-1001' }],
  ['mattermost', {}],
  ['gotify', {}],
  ['ntfy', { topic: 'alerts' }],
  ['cdevents', {}],
] as const;

/**
 * Names of the alert configurations. The test setup opens an alert for each, and every resource involved has
 * a hostile name.
 */
const configNames: string[] = [];

beforeAll(async () => {
  const channelIds: number[] = [];
  for (const [preset, preset_options] of presets) {
    const id = await make.channel({
      name: `${preset} ${hostile[0]}`,
      ...(preset !== 'generic' && { preset, preset_options }),
      url: `${inbox.url}preset/${preset}`,
      require_login_to_acknowledge: false,
    });
    channelIds.push(id);
  }
  await make.notificationRule({
    name: hostile[1]!,
    description: hostile[2]!,
    channel_ids: channelIds,
    priority: 0,
  });
  for (const text of hostile) {
    const rule = await make.rule({ name: text, description: text });
    const gatherJob = await make.gatherJob({ name: text });
    const scrapeJob = await make.scrapeJob({ name: text });
    await make.gathered();
    // The version is also user input, but versions can't contain line breaks or control characters.
    await make.deployed(scrapeJob, `1.0.0+${text}`.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim());
    const config = await make.alertConfig({
      name: text,
      rule_id: rule,
      gather_job_id: gatherJob,
      scrape_job_id: scrapeJob,
      labels: { note: text.slice(0, 60) },
    });
    configNames.push((await admin.call('getAlertConfig', { path: { id: config } })).name);
    await admin.call('createFeedback', { body: { message: text, page: text } });
    await make.apiKey({ name: text, description: text });
  }
  await admin.call('evaluateRules');
  await until(
    'every alert has reached every channel',
    async () => {
      const paths = inbox.requests.filter(({ path }) => path.startsWith('/preset/'));
      return paths.length >= hostile.length * presets.length;
    },
    60_000,
  );
});

describe('a hostile name', () => {
  test('is returned unchanged, as JSON that browsers can’t interpret as another type', async () => {
    const reads = contractOperations.filter(
      ({ method, id, side }) => method === 'GET' && id !== 'streamEvents' && side === 'client',
    );
    expect(reads.length).toBeGreaterThan(30);
    for (const operation of reads) {
      const answer = await callOperation(world, operation.id, await validCalls[operation.id](world));
      expect(findResponseViolation(operation, answer), operation.id).toBeNull();
      expect(answer.headers['content-type'], operation.id).toBe('application/json; charset=utf-8');
      expect(answer.headers['x-content-type-options'], operation.id).toBe('nosniff');
      expect(answer.headers['x-injected'], operation.id).toBeUndefined();
    }
    const { items } = await admin.call('listAlertConfigs', { query: { limit: 200 } });
    const names = items.map(({ name }) => name);
    expect(configNames.filter((name) => !names.includes(name))).toEqual([]);
    // Only the white space around a name was removed.
    expect(configNames).toEqual(hostile.map((text) => text.trim()));
  });

  test('appears as plain text on the acknowledge page', async () => {
    const links = inbox.requests
      .filter(({ path }) => path === '/preset/generic')
      .map(({ body }) => (JSON.parse(body) as { data: { acknowledge_url: string } }).data.acknowledge_url);
    expect(links.length).toBeGreaterThanOrEqual(hostile.length);
    for (const link of links) {
      const answer = await fetch(link);
      const page = await answer.text();
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(page).not.toMatch(/<(script|img|svg|h1>other)/i);
      expect(page.match(/<[a-z]+/gi)?.map((tag) => tag.toLowerCase())).toEqual(
        expect.arrayContaining(['<html', '<main', '<form']),
      );
    }
  });

  test.each(presets)('reaches a %s receiver in one JSON body, without any extra headers', (preset) => {
    const received = inbox.requests.filter(({ path }) => path === `/preset/${preset}`);
    expect(received.length).toBeGreaterThanOrEqual(hostile.length);
    for (const { body, headers } of received) {
      const text = JSON.stringify(JSON.parse(body));
      expect(headers['x-injected']).toBeUndefined();
      expect(JSON.stringify(headers)).not.toMatch(/alert\(|forged|evil/);
      // People read these messages, so they must not contain terminal control sequences or change the text
      // direction.
      if (preset !== 'generic') expect(text).not.toMatch(/\\u001b|\u202e/);
    }
  });

  test('can’t become a formula in a download or a control sequence in a terminal', async () => {
    const env = { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: world.keys.viewer };
    for (const kind of ['rules', 'gather-jobs', 'scrape-jobs', 'alert-configs', 'channels']) {
      const download = await runCommand(['get', kind, '--all', '-o', 'csv'], { env });
      expect(download.code, download.stderr).toBe(0);
      expect(download.stdout, kind).not.toMatch(/(?![\t\n]|\r\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      const cells = readCells(download.stdout);
      expect(
        cells.some((cell) => cell.startsWith(`'=HYPERLINK`)),
        kind,
      ).toBe(kind !== 'channels');
      expect(cells.filter((cell) => /^[=+\-@\t\r\n]/.test(cell) && Number.isNaN(Number(cell)))).toEqual([]);
      const table = await runCommand(['get', kind, '--all'], { env });
      expect(table.stdout, kind).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
    }
  });

  test('can’t add a line to the log or change its format', () => {
    const lines = server.program.stdout().split('\n').filter(Boolean);
    const forged = lines.filter((line) => /forged line/.test(line) && line.startsWith('{"level":"fatal"'));
    expect(forged).toEqual([]);
    const [first, ...rest] = lines.filter((line) => !line.startsWith('{'));
    expect(first).toMatch(/^Log in as/);
    expect(rest).toEqual([`Pacekeeper is running at ${server.url}`]);
    expect(server.program.stdout()).not.toContain('\u001b');
  });
});

/**
 * Splits a download into cells as permissively as any spreadsheet: outside quotes, also at semicolons and
 * tabs.
 */
function readCells(csv: string): string[] {
  return [...csv.matchAll(/"((?:[^"]|"")*)"|([^",;\t\r\n]+)/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!,
  );
}

test('a request ID can’t inject another line or header', async () => {
  const answer = await fetch(`${server.url}/api/v1/client/rules`, {
    headers: { 'x-request-id': 'a%0d%0aX-Injected:1', 'x-api-key': world.keys.viewer },
  });
  expect(answer.headers.get('x-request-id')).toBe('a%0d%0aX-Injected:1');
  expect(answer.headers.get('x-injected')).toBeNull();
});
