import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../tests/helpers/database.ts';
import { temporaryFolder } from '../../../tests/helpers/temporary-folder.ts';
import { startTestServer, testSecretKey } from '../../../tests/helpers/test-server.ts';
import { ensureFirstStart } from '../../modules/accounts/index.ts';
import { insertUser } from '../../modules/accounts/people/user-queries.ts';
import {
  bodyContext,
  responseContext,
} from '../../modules/notifications/deliveries/message/prepare-message.ts';
import { unsealChannelSecrets } from '../../modules/notifications/deliveries/secrets/channel-secrets.ts';
import { sealedColumns } from '../../modules/notifications/deliveries/secrets/reseal-secrets.ts';
import { sealChannelColumn } from '../../modules/notifications/index.ts';
import { createWakeUps, type Database, transaction } from '../../platform/database/index.ts';
import { createSilentLog } from '../../platform/log.ts';
import { createPasswords, createSecretBox, keyFingerprint } from '../../platform/secrets/index.ts';
import { insertAlerts, insertOrganization } from '../../server/server-fixture.ts';
import { runMaintenanceCommand } from './backup-fixture.ts';
import { environmentOf, runAdmin } from './command-fixture.ts';

async function createWorld() {
  const oldKey = randomBytes(32);
  const database = await createTestDatabase();
  const env = environmentOf(database, oldKey);
  expect((await runAdmin(['feedback'], env)).code).toBe(0);
  const secrets = await insertSecrets(database.db, oldKey);
  return {
    ...database,
    env,
    oldKey,
    ...secrets,
    rotate: (...argv: string[]) => runAdmin(['rotate-secret-key', ...argv], env),
  };
}

/** Inserts a channel with every possible secret, and a delivery with two attempts. */
async function insertSecrets(db: Database, key: Buffer) {
  const secretBox = createSecretBox({ current: key });
  const organizationId = await insertOrganization(db);
  const { alertIds } = await insertAlerts(db, organizationId);
  const { rows } = await sql<{ id: number }>`
    INSERT INTO notification_channels (organization_id, name, url_sealed, url_masked)
    VALUES (${organizationId}, 'x', '', '') RETURNING id`.execute(db);
  const channelId = rows[0]!.id;
  const seal = (column: Parameters<typeof sealChannelColumn>[3], value: string | Record<string, string>) =>
    sealChannelColumn(secretBox, organizationId, channelId, column, value);
  await sql`
    UPDATE notification_channels SET url_sealed = ${seal('url_sealed', 'https://hook.example/1')},
      closing_path_sealed = ${seal('closing_path_sealed', '/close/1')},
      headers_sealed = ${seal('headers_sealed', { 'X-Token': 'secret' })},
      preset_options_sealed = ${seal('preset_options_sealed', { chat_id: '7' })},
      signing_secret_sealed = ${seal('signing_secret_sealed', 'whsec_a')},
      previous_signing_secret_sealed = ${seal('previous_signing_secret_sealed', 'whsec_b')}
    WHERE id = ${channelId}`.execute(db);
  const delivery = await sql<{ id: number }>`
    WITH entry AS (
      INSERT INTO audit_entries (organization_id, alert_id, action, event_type, event_id, actor_type, actor_name, data)
      VALUES (${organizationId}, ${alertIds[0]}, 'created', 'alert.created', gen_random_uuid(), 'system', 'x', '{}') RETURNING id, event_id
    )
    INSERT INTO notification_deliveries (organization_id, channel_id, channel_name, audit_entry_id, event_id, event_type, max_attempts)
    SELECT ${organizationId}, ${channelId}, 'x', entry.id, entry.event_id, 'alert.created', 12 FROM entry RETURNING id`.execute(
    db,
  );
  const deliveryId = delivery.rows[0]!.id;
  const body = secretBox.seal('{"hello":"world"}', bodyContext(organizationId, deliveryId));
  await sql`UPDATE notification_deliveries SET body_sealed = ${body} WHERE id = ${deliveryId}`.execute(db);
  for (const number of [1, 2]) {
    const response = secretBox.seal(
      `response ${number}`,
      responseContext(organizationId, deliveryId, number),
    );
    await sql`
      INSERT INTO delivery_attempts
        (organization_id, notification_delivery_id, number, started_at, duration_ms, response_body_sealed)
      VALUES (${organizationId}, ${deliveryId}, ${number}, pacekeeper_now(), 1, ${response})`.execute(db);
  }
  return { organizationId, channelId, deliveryId };
}

async function expectOpensWith(
  db: Database,
  key: Buffer,
  { organizationId, channelId, deliveryId }: Awaited<ReturnType<typeof insertSecrets>>,
) {
  const secretBox = createSecretBox({ current: key });
  const channel = await db
    .selectFrom('notification_channels')
    .selectAll()
    .where('id', '=', channelId)
    .executeTakeFirstOrThrow();
  expect(unsealChannelSecrets(secretBox, organizationId, channelId, channel)).toEqual({
    url: 'https://hook.example/1',
    closingPath: '/close/1',
    token: null,
    headers: { 'X-Token': 'secret' },
    presetOptions: { chat_id: '7' },
    signingSecret: 'whsec_a',
    previousSigningSecret: 'whsec_b',
  });
  const { body_sealed } = await db
    .selectFrom('notification_deliveries')
    .select('body_sealed')
    .where('id', '=', deliveryId)
    .executeTakeFirstOrThrow();
  expect(secretBox.openText(body_sealed!, bodyContext(organizationId, deliveryId))).toBe('{"hello":"world"}');
  const attempts = await db.selectFrom('delivery_attempts').selectAll().orderBy('number').execute();
  expect(
    attempts.map(({ number, response_body_sealed: sealed }) =>
      secretBox.openText(sealed!, responseContext(organizationId, deliveryId, number)),
    ),
  ).toEqual(['response 1', 'response 2']);
  const { secret_key_fingerprint } = await db
    .selectFrom('installation')
    .select('secret_key_fingerprint')
    .executeTakeFirstOrThrow();
  expect(secret_key_fingerprint).toBe(keyFingerprint(key));
}

describe('a key rotation', () => {
  test('encrypts everything with a new key, and prints only the key on standard output', async () => {
    const world = await createWorld();
    const { code, stdout, stderr } = await world.rotate();
    expect(code).toBe(0);
    expect(stderr).toContain('Re-encrypted 9 values');
    const newKey = Buffer.from(stdout, 'base64');
    expect(stdout).toBe(`${newKey.toString('base64')}\n`);
    await expectOpensWith(world.db, newKey, world);

    const feedback = (key: Buffer) =>
      runAdmin(['feedback'], { ...world.env, PACEKEEPER_SECRET_KEY: key.toString('base64') });
    expect((await feedback(world.oldKey)).code).toBe(1);
    expect((await feedback(newKey)).code).toBe(0);
  });

  test('uses a key from a file, and does not print it', async () => {
    const world = await createWorld();
    const newKey = randomBytes(32);
    const file = path.join(temporaryFolder(), 'key');
    writeFileSync(file, newKey.toString('base64'));
    expect(await world.rotate('--new-key-file', file)).toMatchObject({ code: 0, stdout: '' });
    await expectOpensWith(world.db, newKey, world);
  });

  test('rejects a key that a server would reject', async () => {
    const world = await createWorld();
    const newKey = randomBytes(32);
    const file = path.join(temporaryFolder(), 'key');
    writeFileSync(file, Buffer.alloc(32, 7).toString('base64'));
    expect(await world.rotate('--new-key-file', file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("isn't random"),
    });
    const written = newKey.toString('base64url');
    writeFileSync(file, written);
    expect((await world.rotate('--new-key-file', file)).code).toBe(0);
    expect((await runAdmin(['feedback'], { ...world.env, PACEKEEPER_SECRET_KEY: written })).code).toBe(0);
  });

  test('ends every session', async () => {
    const before = await startTestServer();
    const { email, password } = await before.createOrganization();
    const post = (url: string, operation: string, init: RequestInit) =>
      fetch(`${url}/api/v1/auth/${operation}`, { method: 'POST', ...init });
    const loggedIn = await post(before.url, 'login', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    const cookie = loggedIn.headers.getSetCookie().map((each) => each.split(';')[0]);
    await before.server.stop();
    const env = environmentOf(before, testSecretKey);
    const { code, stdout } = await runAdmin(['rotate-secret-key'], env);
    expect(code).toBe(0);
    const after = await startTestServer({
      DATABASE_URL: env['DATABASE_URL']!,
      PACEKEEPER_SECRET_KEY: stdout.trim(),
    });
    const refreshed = await post(after.url, 'refresh', { headers: { cookie: cookie.join('; ') } });
    expect(refreshed.status).toBe(401);
    await after.anonymous.call('login', { body: { email, password } });
  });

  test('changes nothing if it fails', async () => {
    const world = await createWorld();
    // The rotation reads this value last, after it has written all others. The value can't be opened, because it was
    // copied from another row.
    await sql`
      INSERT INTO notification_deliveries (organization_id, channel_name, audit_entry_id, event_id, event_type, max_attempts, body_sealed)
      SELECT organization_id, channel_name, audit_entry_id, gen_random_uuid(), event_type, 12, body_sealed
      FROM notification_deliveries WHERE id = ${world.deliveryId}`.execute(world.db);
    const { code, stderr } = await world.rotate();
    expect(code).toBe(1);
    expect(stderr).toContain('An encrypted value was modified or belongs to another row.');
    await expectOpensWith(world.db, world.oldKey, world);
  });

  test('is rejected while a server is running', async () => {
    const world = await createWorld();
    const wakeUps = createWakeUps({ db: world.db, connection: world.connection, log: createSilentLog() });
    const isListening = async () =>
      (
        await sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'pacekeeper wake-ups'`.execute(
          world.db,
        )
      ).rows.length > 0;
    await expect.poll(isListening).toBe(true);
    const { code, stderr } = await world.rotate();
    expect(code).toBe(1);
    expect(stderr).toContain('a server is running. Stop all servers first.');
    await expectOpensWith(world.db, world.oldKey, world);
    await wakeUps.close();
  });

  test('is rejected while the administrator has the password that is derived from the current key', async () => {
    const world = await createWorld();
    const adminEmail = 'admin@localhost';
    const admin = { adminEmail, adminPassword: null, secretKey: world.oldKey };
    // No user exists yet, so the first start creates the administrator.
    expect(await ensureFirstStart(world.db, admin)).toMatchObject({ email: adminEmail });
    const { code, stderr } = await world.rotate();
    expect(code).toBe(1);
    expect(stderr).toContain(`${adminEmail} still has the generated password`);
    expect(stderr).toContain(`pacekeeper admin reset-password ${adminEmail}`);
    await expectOpensWith(world.db, world.oldKey, world);
    // The rotation is still rejected after the administrator has logged in.
    await sql`UPDATE users SET last_organization_id = (SELECT max(id) FROM organizations)`.execute(world.db);
    expect((await world.rotate()).code).toBe(1);

    expect((await runAdmin(['reset-password', adminEmail], world.env)).code).toBe(0);
    const rotated = await world.rotate();
    expect(rotated.code).toBe(0);
    await expectOpensWith(world.db, Buffer.from(rotated.stdout, 'base64'), world);
  });

  test('rejects the current key, a missing file, and an invalid key', async () => {
    const world = await createWorld();
    const file = path.join(temporaryFolder(), 'key');
    expect(await world.rotate('--new-key-file', file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("can't read"),
    });
    writeFileSync(file, 'short');
    expect(await world.rotate('--new-key-file', file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('32 are required'),
    });
    writeFileSync(file, world.oldKey.toString('base64'));
    expect(await world.rotate('--new-key-file', file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is the same as the current key'),
    });
    await expectOpensWith(world.db, world.oldKey, world);
  });

  test('re-encrypts the secrets of two-factor authentication, which belong to users instead of organizations', async () => {
    const { db, oldKey, rotate } = await createWorld();
    const passwordHash = await createPasswords().hash('a password');
    const userId = await transaction(db, (tx) =>
      insertUser(tx, { email: 'ada@example.com', name: 'Ada', passwordHash }),
    );
    const context = { organizationId: 1, table: 'second_factors', rowId: userId, column: 'secret_sealed' };
    const sealed = createSecretBox({ current: oldKey }).seal('JBSWY3DPEHPK3PXP', context);
    await sql`INSERT INTO second_factors (user_id, secret_sealed) VALUES (${userId}, ${sealed})`.execute(db);
    const { code, stdout } = await rotate();
    expect(code).toBe(0);
    const row = await db.selectFrom('second_factors').select('secret_sealed').executeTakeFirstOrThrow();
    const secretBox = createSecretBox({ current: Buffer.from(stdout, 'base64') });
    expect(secretBox.openText(row.secret_sealed, context)).toBe('JBSWY3DPEHPK3PXP');
  });

  test('covers every sealed column of the schema', async () => {
    const { db } = await createTestDatabase();
    const { rows } = await sql<{ name: string }>`
      SELECT table_name || '.' || column_name AS name FROM information_schema.columns
      WHERE column_name LIKE '%\\_sealed' AND table_schema = 'public' ORDER BY 1`.execute(db);
    const known = Object.entries(sealedColumns).flatMap(([table, columns]) =>
      columns.map((column) => `${table}.${column}`),
    );
    expect(rows.map((row) => row.name)).toEqual([...known, 'second_factors.secret_sealed'].toSorted());
  });
});

describe('a key rotation with the embedded database', () => {
  const dataDir = temporaryFolder();
  const env = { PACEKEEPER_DATA_DIR: dataDir, PACEKEEPER_LOG_FORMAT: 'json' };
  const file = path.join(dataDir, 'secret-key');
  const readKey = () => Buffer.from(readFileSync(file, 'utf8'), 'base64');

  test('replaces the key file, and finishes an interrupted rotation', async () => {
    expect((await runMaintenanceCommand('migrate', [], env)).code).toBe(0);
    const first = readKey();
    expect(await runAdmin(['rotate-secret-key'], env)).toMatchObject({ code: 0, stdout: '' });
    const second = readKey();
    expect(keyFingerprint(second)).not.toBe(keyFingerprint(first));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await runAdmin(['feedback'], env)).code).toBe(0);

    // The files simulate a crash after the commit and before the new key file replaced the old one.
    renameSync(file, `${file}.new`);
    writeFileSync(file, first.toString('base64'), { mode: 0o600 });
    expect((await runAdmin(['feedback'], env)).code).toBe(1);
    expect(await runAdmin(['rotate-secret-key'], env)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Finished an interrupted rotation'),
    });
    expect(readKey().equals(second)).toBe(true);
    expect(existsSync(`${file}.new`)).toBe(false);
    expect((await runAdmin(['feedback'], env)).code).toBe(0);
  });
});
