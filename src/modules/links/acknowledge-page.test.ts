import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { resetClockOffset, setClockOffset } from '../../../tests/helpers/database.ts';
import { requireTwoFactor } from '../../../tests/helpers/require-two-factor.ts';
import { startTestServer, type TestOrganization } from '../../../tests/helpers/test-server.ts';
import { createHttpServer, type Role } from '../../platform/http/index.ts';
import { createLog } from '../../platform/log.ts';
import { createTokenSigner } from '../../platform/secrets/index.ts';
import { insertAlerts } from '../../server/server-fixture.ts';
import { createUser } from '../accounts/index.ts';
import { createAcknowledgeToken } from '../notifications/index.ts';
import { serveAcknowledgePage } from './acknowledge-page.ts';

const secretKey = randomBytes(32);
const signer = createTokenSigner({ purpose: 'acknowledge-link', current: secretKey });
const server = await startTestServer({ PACEKEEPER_SECRET_KEY: secretKey.toString('base64') });
const { db, url } = server;

interface AckWorld {
  organization: TestOrganization;
  alertId: number;
  channelId: number;
  link: string;
}

async function createWorld({ asksForLogin = false, name = 'payments' } = {}): Promise<AckWorld> {
  const organization = await server.createOrganization();
  const channel = await organization.api.call('createNotificationChannel', {
    body: { name: 'Operations', url: 'http://127.0.0.1:9/hook', require_login_to_acknowledge: asksForLogin },
  });
  const { alertIds } = await insertAlerts(db, organization.id, { name });
  const alertId = alertIds[0]!;
  const target = { organizationId: organization.id, alertId, channelId: channel.id };
  return {
    organization,
    alertId,
    channelId: channel.id,
    link: `${url}/ack/${createAcknowledgeToken(signer, target, await now())}`,
  };
}

async function now(): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`SELECT pacekeeper_now() AS now`.execute(db);
  return rows[0]!.now;
}

async function logIn({ email, password }: { email: string; password: string }): Promise<string> {
  const answer = await fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return answer.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith('pacekeeper_session='))!
    .split(';')[0]!;
}

async function logInAs(organizationId: number, role: Role): Promise<string> {
  const user = { email: `${randomBytes(6).toString('hex')}@example.org`, password: 'a password for tests' };
  await createUser(db, { organizationId, role, user });
  return logIn(user);
}

/** Sends the same request as a browser when the button on the page is clicked. */
function click(link: string, { cookie, origin = url }: { cookie?: string; origin?: string } = {}) {
  return fetch(link, {
    method: 'POST',
    headers: {
      origin,
      'content-type': 'application/x-www-form-urlencoded',
      ...(cookie !== undefined && { cookie }),
    },
  });
}

async function stateOf({
  organization,
  alertId,
}: AckWorld): Promise<{ status: string; by: unknown; entries: number }> {
  const alert = await organization.api.call('getAlert', { path: { id: alertId } });
  const actions = await organization.api.call('listAlertActions', { path: { id: alertId } });
  return {
    status: alert.status,
    by: alert.acknowledged_by,
    entries: actions.items.filter(({ action }) => action === 'acknowledged').length,
  };
}

async function expectPage(answer: Response, status: number, text: RegExp): Promise<string> {
  const body = await answer.text();
  expect({ status: answer.status, body }).toEqual({ status, body: expect.stringMatching(text) });
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  return body;
}

describe('an acknowledge link', () => {
  test('changes nothing when it is opened, and acknowledges when its button is clicked', async () => {
    const world = await createWorld();
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      const answer = await fetch(world.link, { method });
      expect([200, 204]).toContain(answer.status);
    }
    const body = await expectPage(await fetch(world.link), 200, /<form method="post">/);
    expect(body).toContain('payments 1');
    expect(await stateOf(world)).toMatchObject({ status: 'unacknowledged', entries: 0 });

    await expectPage(await click(world.link), 200, /Alert acknowledged/);
    expect(await stateOf(world)).toEqual({
      status: 'acknowledged',
      by: { type: 'link', id: null, name: 'Acknowledge link' },
      entries: 1,
    });
  });

  test('can be used twice', async () => {
    const world = await createWorld();
    await click(world.link);
    await expectPage(await click(world.link), 200, /acknowledged this alert at/);
    const body = await expectPage(await fetch(world.link), 200, /acknowledged this alert at/);
    expect(body).not.toContain('<form');
    expect(await stateOf(world)).toMatchObject({ entries: 1 });
  });

  test('shows who acknowledged the alert only to users of its organization', async () => {
    const world = await createWorld();
    const cookie = await logIn(world.organization);
    await click(world.link, { cookie });
    const { acknowledged_by } = await world.organization.api.call('getAlert', {
      path: { id: world.alertId },
    });
    const { name } = acknowledged_by!;
    const known = await expectPage(
      await fetch(world.link, { headers: { cookie } }),
      200,
      /acknowledged this alert at/,
    );
    expect(known).toContain(`${name} acknowledged`);
    const stranger = await logIn(await server.createOrganization());
    for (const answer of [
      await fetch(world.link),
      await click(world.link),
      await fetch(world.link, { headers: { cookie: stranger } }),
      await click(world.link, { cookie: stranger }),
    ]) {
      const page = await expectPage(answer, 200, /Someone acknowledged/);
      expect(page).not.toContain(name);
    }
  });

  test('acknowledges only once if it is clicked concurrently', async () => {
    const world = await createWorld();
    const answers = await Promise.all(Array.from({ length: 8 }, () => click(world.link)));
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(await stateOf(world)).toMatchObject({ entries: 1 });
  });

  test('reports that its alert is resolved or deleted', async () => {
    const world = await createWorld();
    const alertConfigId = (await world.organization.api.call('getAlert', { path: { id: world.alertId } }))
      .alert_config_id;
    await world.organization.api.call('resolveAlert', { path: { id: world.alertId } });
    await expectPage(await click(world.link), 200, /already resolved/);
    await world.organization.api.call('deleteAlertConfig', { path: { id: alertConfigId } });
    await expectPage(await fetch(world.link), 410, /Alert deleted/);
    await expectPage(await click(world.link), 410, /Alert deleted/);
  });

  test('expires after seven days', async () => {
    const world = await createWorld();
    try {
      await setClockOffset(db, '6 days 23 hours');
      await expectPage(await fetch(world.link), 200, /<form/);
      await setClockOffset(db, '7 days 1 minute');
      await expectPage(await fetch(world.link), 410, /Link expired/);
      await expectPage(await click(world.link), 410, /Link expired/);
    } finally {
      await resetClockOffset(db);
    }
    expect(await stateOf(world)).toMatchObject({ status: 'unacknowledged' });
  });

  test('is invalid unless this installation signed it', async () => {
    const { link } = await createWorld();
    const other = createTokenSigner({ purpose: 'acknowledge-link', current: randomBytes(32) });
    const foreign = createAcknowledgeToken(
      other,
      { organizationId: 2, alertId: 1, channelId: 1 },
      await now(),
    );
    for (const token of ['garbage', `${link.split('/').at(-1)!.slice(0, -1)}~`, foreign]) {
      await expectPage(await fetch(`${url}/ack/${token}`), 404, /Invalid link/);
      await expectPage(await click(`${url}/ack/${token}`), 404, /Invalid link/);
    }
  });

  test('rejects a form submitted from another site', async () => {
    const world = await createWorld();
    for (const origin of ['https://evil.example', 'null']) {
      await expectPage(await click(world.link, { origin }), 403, /Request blocked/);
    }
    expect(await stateOf(world)).toMatchObject({ status: 'unacknowledged' });
    // A program that has the link sends no `Origin` header.
    expect((await fetch(world.link, { method: 'POST' })).status).toBe(200);
  });

  test('rejects PUT, PATCH, and DELETE requests', async () => {
    const world = await createWorld();
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const answer = await fetch(world.link, { method });
      expect({ status: answer.status, allow: answer.headers.get('allow') }).toEqual({
        status: 405,
        allow: 'GET, HEAD, POST',
      });
    }
    expect(await stateOf(world)).toMatchObject({ status: 'unacknowledged' });
  });

  test('acknowledges on behalf of the user who is logged in', async () => {
    const world = await createWorld();
    const cookie = await logIn(world.organization);
    await click(world.link, { cookie });
    expect(await stateOf(world)).toMatchObject({ by: { type: 'user' } });

    // A session of another organization doesn't identify the user here.
    const other = await createWorld();
    await click(other.link, { cookie });
    expect(await stateOf(other)).toMatchObject({ by: { type: 'link' } });
  });
});

describe('an acknowledge link that requires a login', () => {
  test('without a session acknowledges nothing, shows no alert, and leads to the login page', async () => {
    const world = await createWorld({ asksForLogin: true });
    const path = encodeURIComponent(new URL(world.link).pathname);
    const page = await expectPage(await fetch(world.link), 200, /Log in to acknowledge/);
    expect(page).toContain(`href="/login?next=${path}"`);
    expect(page).not.toContain('payments');
    await expectPage(await click(world.link), 401, /Log in to acknowledge/);
    // An API key doesn't replace a session, and neither does a session cookie that a form of another site
    // sends.
    const withKey = await fetch(world.link, {
      method: 'POST',
      headers: { 'x-api-key': world.organization.apiKey },
    });
    expect(withKey.status).toBe(401);
    const fromElsewhere = await click(world.link, {
      cookie: await logIn(world.organization),
      origin: 'https://evil.example',
    });
    expect(fromElsewhere.status).toBe(403);
    expect(await stateOf(world)).toMatchObject({ status: 'unacknowledged' });
  });

  test('works for a member, but not for a viewer or a user of another organization', async () => {
    const world = await createWorld({ asksForLogin: true });
    const viewer = await logInAs(world.organization.id, 'viewer');
    await expectPage(await click(world.link, { cookie: viewer }), 403, /Permission denied/);
    const stranger = await logIn(await server.createOrganization());
    const refused = await expectPage(
      await click(world.link, { cookie: stranger }),
      403,
      /another organization/,
    );
    expect(refused).not.toContain('payments');
    expect(await stateOf(world)).toMatchObject({ status: 'unacknowledged' });

    const member = await logInAs(world.organization.id, 'member');
    await expectPage(await fetch(world.link, { headers: { cookie: member } }), 200, /<form/);
    await expectPage(await click(world.link, { cookie: member }), 200, /Alert acknowledged/);
    expect(await stateOf(world)).toMatchObject({ status: 'acknowledged', by: { type: 'user' } });
  });

  test('rejects a member without the two-factor authentication that the organization requires', async () => {
    const world = await createWorld({ asksForLogin: true });
    const member = await logInAs(world.organization.id, 'member');
    await requireTwoFactor(server, world.organization);
    const page = await expectPage(
      await click(world.link, { cookie: member }),
      403,
      /Two-factor authentication required/,
    );
    expect(page).not.toContain('payments');
    expect(await stateOf(world)).toMatchObject({ status: 'unacknowledged' });
  });

  test('a link whose channel was deleted requires a login', async () => {
    const world = await createWorld();
    await world.organization.api.call('deleteNotificationChannel', { path: { id: world.channelId } });
    await expectPage(await click(world.link), 401, /Log in/);
  });
});

test('the page runs no scripts, is never cached, and cannot be embedded in a frame', async () => {
  const { link } = await createWorld();
  const { headers } = await fetch(link);
  const policy = headers.get('content-security-policy');
  expect(policy).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
  );
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-frame-options')).toBe('DENY');
  // With `no-referrer`, browsers would send `Origin: null` with the form.
  expect(headers.get('referrer-policy')).toBe('strict-origin');
});

test('text from users is escaped on the page', async () => {
  const world = await createWorld({ name: '<img src=x onerror="alert(1)"> & \'co\'' });
  const body = await (await fetch(world.link)).text();
  expect(body).toContain('&#60;img src=x onerror=&#34;alert(1)&#34;&#62; &#38; &#39;co&#39; 1');
  expect(body).not.toContain('<img');
});

test('the token is never logged, even after an error', async () => {
  const { link } = await createWorld();
  const token = link.split('/').at(-1)!;
  const lines: string[] = [];
  const log = createLog({
    level: 'trace',
    format: 'json',
    destination: { write: (line) => void lines.push(line) },
  });
  const app = await createHttpServer({ log, trustedProxies: [], isUnavailable: () => false });
  serveAcknowledgePage(app, {
    db,
    log,
    acknowledgeSigner: signer,
    config: { baseUrl: null },
    authenticate: async () => {
      throw new Error('the database is away');
    },
  });
  const failed = await app.inject({
    method: 'POST',
    url: `/ack/${token}`,
    headers: { referer: link, origin: url, host: new URL(url).host },
  });
  expect(failed.statusCode).toBe(503);
  expect(failed.body).toContain('Nothing changed');
  await app.inject({ method: 'GET', url: `/ack/${token}x` });
  await app.inject({ method: 'PUT', url: `/ack/${token}` });
  await app.inject({ method: 'GET', url: `/ack/${token}/more?and=${token}` });
  await app.close();
  const text = lines.join('');
  expect(text).toContain('/ack/:token');
  expect(text).toContain('the database is away');
  expect(text).not.toContain(token.slice(0, 20));
});
