import { Secret, TOTP } from 'otpauth';
import { afterEach, describe, expect, test } from 'vitest';
import { resetClockOffset, setClockOffset } from '../../../../tests/helpers/database.ts';
import { TestBrowserSession } from '../../../../tests/helpers/sign-on-world.ts';
import { startTestServer, type TestServer } from '../../../../tests/helpers/test-server.ts';

const server = await startTestServer();
const { db, anonymous } = server;

afterEach(() => resetClockOffset(db));

type Organization = Awaited<ReturnType<TestServer['createOrganization']>>;

async function person() {
  const organization = await server.createOrganization();
  const browser = new TestBrowserSession(server);
  await browser.logIn(organization);
  const post = (path: string, body: object) =>
    browser.request(`/api/v1/auth/two-factor${path}`, { method: 'POST', body });
  return { organization, browser, post };
}

/** Generates the code that an authenticator app shows the given number of seconds from now. */
function codeOf(secret: string, seconds = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + seconds * 1_000,
  });
}

async function withTwoFactor() {
  const { organization, browser, post } = await person();
  const started = await post('', { password: organization.password });
  const secret = String(started.body['secret']);
  const confirmed = await post('/confirm', { code: codeOf(secret) });
  expect(confirmed.status).toBe(200);
  // Reset `last_step` so that the tests can use the current code again.
  await db.updateTable('second_factors').set({ last_step: 0 }).execute();
  return { organization, browser, post, secret, recoveryCodes: confirmed.body['recovery_codes'] as string[] };
}

function logIn({ email, password }: Organization, code?: string) {
  return anonymous.call('login', { body: { email, password, ...(code !== undefined && { code }) } });
}

const wrongCode = { status: 400, errors: [{ field: 'code' }] };

describe('two-factor authentication', () => {
  test("doesn't affect logins until a first code is confirmed", async () => {
    const { organization, browser, post } = await person();
    const { body } = await post('', { password: organization.password });
    const secret = String(body['secret']);
    expect(body['uri']).toBe(
      `otpauth://totp/Pacekeeper:${encodeURIComponent(organization.email)}?issuer=Pacekeeper&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
    await logIn(organization);
    expect(await post('/confirm', { code: '000000' })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'code' }] },
    });
    await logIn(organization);
    const confirmed = await post('/confirm', { code: codeOf(secret) });
    expect(confirmed.body['recovery_codes']).toHaveLength(10);
    await expect(logIn(organization)).rejects.toMatchObject(wrongCode);
    expect((await browser.request('/api/v1/auth/two-factor')).body).toMatchObject({
      is_enabled: true,
      recovery_codes_left: 10,
    });
    expect((await post('', { password: organization.password })).status).toBe(409);
    expect((await post('/confirm', { code: codeOf(secret) })).status).toBe(409);
  });

  test('requires the password for setup, and the refresh cookie in addition to the access token', async () => {
    const { organization, browser, post } = await person();
    expect((await post('', { password: 'wrong' })).body).toMatchObject({ errors: [{ field: 'password' }] });
    await post('', { password: organization.password });
    browser.cookies.delete('pacekeeper_refresh');
    for (const [path, body] of [
      ['', { password: organization.password }],
      ['/confirm', { code: '000000' }],
      ['/recovery-codes', { code: '000000' }],
      ['/disable', { code: '000000' }],
    ] as const)
      expect((await post(path, body)).status).toBe(401);
  });

  test('ends the other sessions when it is enabled, because they started without a code', async () => {
    const { organization, browser, post } = await person();
    const other = new TestBrowserSession(server);
    await other.logIn(organization);
    const { body } = await post('', { password: organization.password });
    expect(await other.refresh()).toBe(200);
    await post('/confirm', { code: codeOf(String(body['secret'])) });
    expect(await other.refresh()).toBe(401);
    expect(await browser.refresh()).toBe(200);
  });

  test('records its changes and lockouts in the audit log, without recovery codes', async () => {
    const { post, organization, recoveryCodes } = await withTwoFactor();
    for (let attempt = 0; attempt < 5; attempt++) await post('/disable', { code: '00000' });
    const replaced = await post('/recovery-codes', { code: recoveryCodes[0] });
    const [first] = replaced.body['recovery_codes'] as string[];
    expect((await post('/disable', { code: first })).status).toBe(204);
    const { items } = await organization.api.call('listAuditLog', { query: { limit: 100 } });
    expect(items.map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        'member.two_factor_enabled',
        'member.two_factor_locked',
        'member.recovery_code_used',
        'member.recovery_codes_replaced',
        'member.two_factor_disabled',
      ]),
    );
    expect(JSON.stringify(items)).not.toContain(first);
  });
});

describe('a login', () => {
  test('accepts each code once, and only from the current, previous, or next time step', async () => {
    const { organization, secret } = await withTwoFactor();
    await expect(logIn(organization, codeOf(secret, -90))).rejects.toMatchObject(wrongCode);
    const code = codeOf(secret);
    await logIn(organization, ` ${code.slice(0, 3)} ${code.slice(3)} `);
    await expect(logIn(organization, code)).rejects.toMatchObject({
      message: expect.stringContaining('already used'),
    });
    await logIn(organization, codeOf(secret, 30));
    await expect(logIn(organization, codeOf(secret, -30))).rejects.toMatchObject(wrongCode);
  });

  test('accepts a code only once among simultaneous attempts', async () => {
    const { organization, secret } = await withTwoFactor();
    const code = codeOf(secret);
    const attempts = await Promise.allSettled(Array.from({ length: 6 }, () => logIn(organization, code)));
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('reveals nothing about codes to someone with a wrong password', async () => {
    const { organization, secret } = await withTwoFactor();
    for (const code of [undefined, '000000', codeOf(secret)])
      await expect(logIn({ ...organization, password: 'wrong' }, code)).rejects.toMatchObject({
        status: 401,
        errors: [],
      });
  });

  test('accepts each recovery code once, regardless of case and separators', async () => {
    const { organization, browser, recoveryCodes } = await withTwoFactor();
    const [first, second] = recoveryCodes as [string, string];
    await logIn(organization, first.toLowerCase().replaceAll('-', ' '));
    await expect(logIn(organization, first)).rejects.toMatchObject(wrongCode);
    await logIn(organization, second);
    expect((await browser.request('/api/v1/auth/two-factor')).body).toMatchObject({ recovery_codes_left: 8 });
  });

  test('accepts only recovery codes for 15 minutes after five wrong codes', async () => {
    const { organization, secret, recoveryCodes } = await withTwoFactor();
    for (let attempt = 0; attempt < 5; attempt++)
      await expect(logIn(organization, '00000')).rejects.toMatchObject(wrongCode);
    await logIn(organization, recoveryCodes[0]);
    await expect(logIn(organization, codeOf(secret))).rejects.toMatchObject({ status: 429 });
    await setClockOffset(db, '15 minutes');
    await logIn(organization, codeOf(secret, 15 * 60));
  });

  test('stays locked after wrong codes when the clock is set back, and for no more than 15 minutes', async () => {
    const { organization, secret } = await withTwoFactor();
    await setClockOffset(db, '1 hour');
    for (let attempt = 0; attempt < 5; attempt++)
      await expect(logIn(organization, '00000')).rejects.toMatchObject(wrongCode);
    await resetClockOffset(db);
    await expect(logIn(organization, codeOf(secret))).rejects.toMatchObject({ status: 429 });
    await setClockOffset(db, '15 minutes');
    await logIn(organization, codeOf(secret, 15 * 60));
  });

  test('must present its refresh cookie to change the password', async () => {
    const { organization, browser, secret } = await withTwoFactor();
    const change = () =>
      browser.request('/api/v1/auth/password', {
        method: 'POST',
        body: { current_password: organization.password, new_password: 'a new and longer one' },
      });
    const refreshToken = browser.cookies.get('pacekeeper_refresh')!;
    browser.cookies.delete('pacekeeper_refresh');
    expect((await change()).status).toBe(401);
    await logIn(organization, codeOf(secret));
    browser.cookies.set('pacekeeper_refresh', refreshToken);
    expect((await change()).status).toBe(200);
  });

  test('rejects the recovery code of another user', async () => {
    const one = await withTwoFactor();
    const other = await withTwoFactor();
    await expect(logIn(one.organization, other.recoveryCodes[0])).rejects.toMatchObject(wrongCode);
  });

  test('still requires a code after a password change', async () => {
    const { organization, secret, browser } = await withTwoFactor();
    const changed = await browser.request('/api/v1/auth/password', {
      method: 'POST',
      body: { current_password: organization.password, new_password: 'a new and longer one' },
    });
    expect(changed.status).toBe(200);
    const person = { ...organization, password: 'a new and longer one' };
    await expect(logIn(person)).rejects.toMatchObject(wrongCode);
    await logIn(person, codeOf(secret));
  });
});

test('new recovery codes invalidate the old ones, and logins require no code after two-factor authentication is disabled', async () => {
  const { organization, post, secret, recoveryCodes } = await withTwoFactor();
  const replaced = await post('/recovery-codes', { code: codeOf(secret) });
  const [first] = replaced.body['recovery_codes'] as string[];
  await expect(logIn(organization, recoveryCodes[0])).rejects.toMatchObject(wrongCode);
  expect((await post('/disable', { code: recoveryCodes[1] })).status).toBe(400);
  expect((await post('/disable', { code: first })).status).toBe(204);
  await logIn(organization);
  expect((await post('/disable', { code: first })).status).toBe(409);
});
