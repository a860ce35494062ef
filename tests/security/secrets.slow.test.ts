import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiClient } from '../../src/client/api-client.ts';
import { createOrganization, createSystemKey } from '../../src/modules/accounts/index.ts';
import { callOperation, validCalls } from '../contract/calls.ts';
import { startContractInbox } from '../contract/contract-inbox.ts';
import { contractOperations } from '../contract/contract-operations.ts';
import { buildWorld, type World } from '../contract/world.ts';
import { sharedDatabaseEnvironment, startServerProcess, until } from '../faults/fault-world.ts';
import { createTestDatabase } from '../helpers/database.ts';

const { db, connection } = await createTestDatabase();
const inbox = await startContractInbox();
afterAll(() => inbox.close());
const env = sharedDatabaseEnvironment(connection);
const server = await startServerProcess({ ...env, PACEKEEPER_LOG_LEVEL: 'trace' });

const random = (length = 32) => randomBytes(length).toString('hex').slice(0, length);

/** Values that must not appear anywhere, by description. */
const secrets = new Map<string, string>([['the secret key', env['PACEKEEPER_SECRET_KEY']!]]);
function secret(what: string, value: string): string {
  secrets.set(what, value);
  return value;
}

const owner = {
  email: `${random(12)}@example.org`,
  password: secret('the password of the owner', `password ${random()}`),
};
await createOrganization(db, { name: 'Secrets', owner });
const world: World = await buildWorld({ baseUrl: server.url, owner, webhookUrl: inbox.url });
const { admin, make } = world;
/** Responses that aren't successful. */
const refusals: string[] = [];

async function refused(...[id, call]: Parameters<typeof callWith>): Promise<void> {
  const answer = await callWith(id, call);
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
  refusals.push(answer.text, JSON.stringify(answer.headers));
}

function callWith(id: Parameters<typeof callOperation>[1], call: Parameters<typeof callOperation>[2]) {
  return callOperation(world, id, call);
}

/**
 * Sends each kind of secret to every place that accepts one, uses it, makes it fail, and sends it again in a
 * rejected request.
 */
beforeAll(async () => {
  for (const [role, key] of Object.entries(world.keys))
    secret(`the key of role ${role}`, key.split('_').at(-1)!);
  for (const [role, { password, token, cookies }] of Object.entries(world.logins)) {
    secret(`the password of the ${role}`, password);
    secret(`the access token of the ${role}`, token);
    for (const cookie of cookies.split('; '))
      secret(`a cookie of the ${role}`, cookie.slice(cookie.indexOf('=') + 1));
  }
  // Single-use tokens: used, unused, and wrong guesses.
  const invitation = await make.invitation();
  secret('the token of an open invitation', invitation.token);
  secret('the token of a reset link', await make.resetToken());
  const password = secret('a new password', `new ${random()}`);
  const used = secret('the token of a used reset link', await make.resetToken());
  await createApiClient({ baseUrl: server.url }).call('resetPassword', {
    body: { token: used, new_password: password },
  });
  await refused('resetPassword', { body: { token: used, new_password: `${password} again` } });
  await refused('acceptInvitation', {
    body: { token: `${invitation.token}x`, name: 'x', password },
  });
  await refused('login', { body: { email: owner.email, password: `${owner.password}!` } });
  await refused('login', { body: { email: owner.password, password: owner.password } });
  for (const key of Object.values(world.keys)) {
    await refused('listRules', { as: { headers: { 'x-api-key': `${key}x` } } });
    await refused('listRules', { as: { headers: { authorization: `Bearer ${key}` } } });
  }

  // Channels with every optional field: one with a healthy receiver, one with a failing receiver, and one
  // with an unreachable receiver.
  const channel = (what: string) => ({
    headers: { 'X-Token': secret(`a header of the ${what} channel`, random()) },
    signing_secret: `whsec_${secret(`the signing secret of the ${what} channel`, randomBytes(32).toString('base64'))}`,
  });
  const path = (what: string) => secret(`the address of the ${what} channel`, random());
  inbox.answerAlways(({ path: at }) => ({ status: at.startsWith('/fail') ? 500 : 200, body: 'ok' }));
  const key = secret('a preset option', random());
  const channelIds = [
    await make.channel({ ...channel('healthy'), url: `${inbox.url}${path('healthy')}` }),
    await make.channel({ ...channel('failing'), url: `${inbox.url}fail/${path('failing')}` }),
    await make.channel({ ...channel('absent'), url: `http://127.0.0.1:1/${path('absent')}` }),
    await make.channel({
      preset: 'pagerduty',
      preset_options: { routing_key: key },
      url: `${inbox.url}${path('preset')}`,
    }),
    await make.channel({
      url: `${inbox.url}${path('opening')}`,
      closing_path: `/close/${path('closing')}/{{ alert.id }}`,
    }),
  ];
  for (const id of channelIds) await admin.call('testNotificationChannel', { path: { id } });
  await make.notificationRule({ channel_ids: channelIds, priority: 0 });
  await make.openAlert();
  await until('its deliveries are tried', async () => {
    const counts = await Promise.all(
      channelIds.map((id) =>
        admin.call('listNotificationDeliveries', { query: { channel_id: id, limit: 1 } }),
      ),
    );
    return counts.every(({ items }) => (items[0]?.attempt_count ?? 0) > 0);
  });
  const sent = inbox.requests.filter(({ body }) => body.includes('/ack/'));
  const [token] = /\/ack\/([^"?\\]+)/.exec(sent.at(-1)!.body)!.slice(1);
  secret('the token of an acknowledge link', token!);
  await fetch(`${server.url}/ack/${token}`);
  await fetch(`${server.url}/ack/${token}x`, { method: 'POST' });

  // Send the same values in requests that the server rejects.
  const [id] = channelIds;
  const { keys } = world;
  const as = { headers: { 'x-api-key': keys.admin } };
  await refused('createNotificationChannel', {
    as,
    body: { name: 'x', url: `ftp://x/${path('refused')}`, ...channel('refused'), unknown: 1 },
  });
  await refused('updateNotificationChannel', {
    as,
    path: { id },
    body: { url: `https://user:${path('refused user')}@x/`, headers: { 'X-T': `${random()}\n` } },
  });
  await refused('createNotificationChannel', {
    as,
    body: { name: 'x', url: inbox.url, preset: 'pagerduty', preset_options: { routing_key: `${key}x` } },
  });
  await refused('createGatherJob', {
    as,
    body: {
      name: 'x',
      source_type: 'git_tags',
      artifact_name: `https://user:${path('repository')}@git.example.com/x`,
    },
  });
  await refused('createScrapeJob', {
    as,
    body: {
      name: 'x',
      parser_type: 'yq',
      repository_url: `https://user:${path('second repository')}@git.example.com/x`,
      target_file: 'a',
      parse_expression: '.a',
    },
  });
});

/** Returns the encodings in which a value could appear. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const forms = [
    value,
    bytes.toString('hex'),
    bytes.toString('base64').replaceAll('=', ''),
    bytes.toString('base64url'),
    encodeURIComponent(value),
  ];
  const raw = /^[A-Za-z0-9+/]{42,44}=?$/.test(value) ? [Buffer.from(value, 'base64').toString('hex')] : [];
  return [...new Set([...forms, ...raw])];
}

function findIn(haystack: string, except: (what: string) => boolean = () => false): string[] {
  return [...secrets]
    .filter(([what]) => !except(what))
    .filter(([, value]) => formsOf(value).some((form) => haystack.includes(form)))
    .map(([what]) => what);
}

describe('the search for secrets in plain text', () => {
  test('secrets appear in sent requests, which proves that this search finds them', () => {
    const sent = inbox.requests.map((request) => JSON.stringify(request)).join('\n');
    expect(secrets.size).toBeGreaterThan(30);
    expect(findIn(sent)).toEqual(
      expect.arrayContaining([
        'a header of the healthy channel',
        'the address of the failing channel',
        'the address of the closing channel',
        'a preset option',
        'the token of an acknowledge link',
      ]),
    );
  });

  test('no row of the database contains a secret', async () => {
    const { rows: tables } = await sql<{ name: string }>`
      SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`.execute(db);
    let dump = '';
    for (const { name } of tables) {
      const { rows } = await sql<{
        line: string;
      }>`SELECT to_jsonb(t)::text AS line FROM ${sql.table(name)} t`.execute(db);
      dump += rows.map(({ line }) => `${name} ${line}\n`).join('');
    }
    expect(dump).toContain(world.marker);
    expect(dump).toContain('"attempt_count": 1');
    expect(findIn(dump)).toEqual([]);
  });

  test('the log contains no secret, even at debug level', () => {
    const log = server.program.stdout() + server.program.stderr();
    expect(log).toContain('"level":"debug"');
    expect(log).toContain('/ack/:token');
    expect(findIn(log)).toEqual([]);
  });

  test('the metrics contain no secret', async () => {
    const { key } = await createSystemKey(db, { name: 'metrics', role: 'viewer' });
    const answer = await fetch(`${server.url}/metrics`, { headers: { 'x-api-key': key } });
    const text = await answer.text();
    expect(text).toContain('/api/v1/client/notification-channels');
    expect(findIn(text)).toEqual([]);
  });

  test('no body or header of an error contains a secret', () => {
    expect(refusals.length).toBeGreaterThan(20);
    expect(findIn(refusals.join('\n'))).toEqual([]);
  });

  test('no response to a reader contains a secret, except channel URLs for people who can edit them', async () => {
    let forViewer = '';
    let forAdmin = '';
    const reads = contractOperations.filter(
      ({ method, id, side }) => method === 'GET' && id !== 'streamEvents' && side === 'client',
    );
    for (const operation of reads) {
      const { as: _as, ...call } = await validCalls[operation.id](world);
      forViewer += (await callWith(operation.id, { ...call, as: { key: 'viewer' } })).text;
      forAdmin += (await callWith(operation.id, { ...call, as: { key: 'admin' } })).text;
    }
    const { items } = await admin.call('listNotificationDeliveries', { query: { limit: 200 } });
    for (const { id } of items) {
      const call = { path: { id } };
      forViewer += (await callWith('getNotificationDelivery', { ...call, as: { key: 'viewer' } })).text;
      forAdmin += (await callWith('getNotificationDelivery', { ...call, as: { key: 'admin' } })).text;
    }
    expect(forViewer).toContain(world.marker);
    expect(findIn(forViewer)).toEqual([]);
    // Admins can edit channels, so they can read channel URLs. All other secrets are write-only.
    expect(forAdmin).toContain('"payload":"{');
    expect(findIn(forAdmin, (what) => what.startsWith('the address of'))).toEqual([]);
  });
});
