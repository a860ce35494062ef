import { createHmac, createPublicKey, type JsonWebKey } from 'node:crypto';
import {
  base64url,
  decodeJwt,
  decodeProtectedHeader,
  importJWK,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  createSigningKey,
  type LoginProvider,
  startLoginProvider,
  type TokenResponse,
} from '../helpers/login-provider.ts';
import { TestBrowserSession, writeProviderFile } from '../helpers/sign-on-world.ts';
import { startTestServer } from '../helpers/test-server.ts';

const redirectUris = () => ['corp', 'partner'].map((id) => `${server.url}/sso/${id}/callback`);
const corp = await startLoginProvider({ redirectUris });
const partner = await startLoginProvider({ redirectUris });
const everyone = { groups: [{ group: '*', organization: 'Acme', role: 'member' }] };
const server = await startTestServer({
  PACEKEEPER_OIDC_FILE: writeProviderFile({
    corp: { provider: corp, settings: everyone },
    partner: { provider: partner, settings: { ...everyone, required_claims: { hd: ['partner.example'] } } },
  }),
});
const { db } = server;
const acme = await server.createOrganization('Acme');
const foreignKey = await createSigningKey('first');

beforeEach(() => {
  for (const provider of [corp, partner]) {
    provider.accounts.set('mallory', {
      sub: 'mallory',
      email: 'mallory@corp.example',
      email_verified: true,
      name: 'Mallory',
      hd: 'partner.example',
    });
    provider.loginAs = 'mallory';
    provider.tamper = null;
    provider.isUp = true;
  }
});

/** Returns the number of single sign-on sessions. */
async function sessions(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) FROM refresh_tokens JOIN limited_sessions USING (family_id)`.execute(db);
  return rows[0]!.count;
}

async function resign(
  answer: TokenResponse,
  change: (claims: JWTPayload) => JWTPayload,
  { key = corp.keys[0]!, header = {} }: { key?: JWK; header?: Record<string, unknown> } = {},
): Promise<TokenResponse> {
  const idToken = String(answer.body['id_token']);
  const token = await new SignJWT(change(decodeJwt(idToken)))
    .setProtectedHeader({ ...decodeProtectedHeader(idToken), alg: 'RS256', ...header })
    .sign(await importJWK(key, 'RS256'));
  return { ...answer, body: { ...answer.body, id_token: token } };
}

/** Returns a response with a manually assembled token. */
function forge(answer: TokenResponse, header: object, sign: (text: string) => string): TokenResponse {
  const [, payload] = String(answer.body['id_token']).split('.');
  const text = `${base64url.encode(JSON.stringify(header))}.${payload}`;
  return { ...answer, body: { ...answer.body, id_token: `${text}.${sign(text)}` } };
}

/** Returns the provider's public key as text, which a naive client would use to verify a MAC. */
async function publicText(): Promise<string> {
  const key = createPublicKey({ key: publicPart(corp.keys[0]!) as JsonWebKey, format: 'jwk' });
  return key.export({ type: 'spki', format: 'pem' }).toString();
}

function publicPart({ kty, kid, alg, n, e }: JWK): JWK {
  return { kty, kid, alg, n, e } as JWK;
}

function without(claims: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(claims).filter(([each]) => each !== name));
}

const past = () => Math.floor(Date.parse('2026-01-01T00:00:00Z') / 1_000);

/** Invalid tokens in responses of the provider's token endpoint. None of them can start a session. */
const tokens: Record<string, (answer: TokenResponse) => Promise<TokenResponse> | TokenResponse> = {
  'from another issuer': (answer) => resign(answer, (claims) => ({ ...claims, iss: partner.issuer })),
  'from an issuer with an extra slash': (answer) =>
    resign(answer, (claims) => ({ ...claims, iss: `${corp.issuer}/` })),
  'for another client': (answer) => resign(answer, (claims) => ({ ...claims, aud: 'another' })),
  'for several clients without an authorized party': (answer) =>
    resign(answer, (claims) => ({ ...claims, aud: [corp.clientId, 'another'] })),
  'requested by another client': (answer) =>
    resign(answer, (claims) => ({ ...claims, aud: [corp.clientId, 'another'], azp: 'another' })),
  'that has expired': (answer) => resign(answer, (claims) => ({ ...claims, exp: past(), iat: past() - 60 })),
  'that never expires': (answer) => resign(answer, (claims) => without(claims, 'exp')),
  'with another nonce': (answer) => resign(answer, (claims) => ({ ...claims, nonce: 'another' })),
  'without a nonce': (answer) => resign(answer, (claims) => without(claims, 'nonce')),
  'without a subject': (answer) => resign(answer, (claims) => without(claims, 'sub')),
  'with an empty subject': (answer) => resign(answer, (claims) => ({ ...claims, sub: '' })),
  'signed by another key with the same ID': (answer) =>
    resign(answer, (claims) => claims, { key: foreignKey }),
  'signed by an unknown key': (answer) =>
    resign(answer, (claims) => claims, { key: foreignKey, header: { kid: 'unknown' } }),
  'with an embedded key': (answer) => {
    const jwk = publicPart(foreignKey);
    return resign(answer, (claims) => claims, { key: foreignKey, header: { jwk, kid: 'unknown' } });
  },
  'with alg none': (answer) => forge(answer, { alg: 'none' }, () => ''),
  'with alg None and a kid': (answer) => forge(answer, { alg: 'None', kid: 'first' }, () => ''),
  'signed by HS256 with the public key': async (answer) => {
    const key = await publicText();
    return forge(answer, { alg: 'HS256', kid: 'first' }, (text) =>
      createHmac('sha256', key).update(text).digest('base64url'),
    );
  },
  'signed by HS256 with the client secret': (answer) =>
    forge(answer, { alg: 'HS256' }, (text) =>
      createHmac('sha256', corp.clientSecret).update(text).digest('base64url'),
    ),
  'with a critical extension': (answer) =>
    resign(answer, (claims) => claims, { header: { crit: ['b64'], b64: true } }),
  'with a changed payload': (answer) => {
    const [header, payload, signature] = String(answer.body['id_token']).split('.');
    const claims = JSON.parse(new TextDecoder().decode(base64url.decode(payload!))) as JWTPayload;
    const changed = base64url.encode(JSON.stringify({ ...claims, sub: 'admin' }));
    return { ...answer, body: { ...answer.body, id_token: `${header}.${changed}.${signature}` } };
  },
  'without an ID token': ({ status, body }) => ({ status, body: without(body, 'id_token') }),
  "that isn't a token": (answer) => ({ ...answer, body: { ...answer.body, id_token: 'x.y.z' } }),
};

describe('a token', () => {
  test.each(Object.keys(tokens))('%s is rejected and starts no session', async (name) => {
    const before = await sessions();
    corp.tamper = async (answer) => tokens[name]!(answer);
    const browser = new TestBrowserSession(server);
    const { error, end } = await browser.signOn(corp);
    expect(error).toBe('response_invalid');
    expect(end.pathname).toBe('/login');
    expect(browser.hasSession()).toBe(false);
    expect(await sessions()).toBe(before);
  });

  test('that is valid starts a session, which proves that the other tests can fail', async () => {
    corp.tamper = async (answer) => resign(answer, (claims) => claims);
    const browser = new TestBrowserSession(server);
    expect((await browser.signOn(corp)).error).toBeNull();
    expect(await browser.isLoggedIn()).toBe(true);
  });

  test('signed by a new key starts a session, but one signed by a removed key doesn’t', async () => {
    const [old] = corp.keys;
    expect((await new TestBrowserSession(server).signOn(corp)).error).toBeNull();
    const fresh = await createSigningKey('second');
    corp.setKeys([fresh]);
    expect((await new TestBrowserSession(server).signOn(corp)).error).toBeNull();
    corp.tamper = async (answer) =>
      resign(answer, (claims) => claims, { key: old!, header: { kid: 'first' } });
    expect((await new TestBrowserSession(server).signOn(corp)).error).toBe('response_invalid');
    corp.setKeys([old!]);
  });

  test('with the user information of another person starts no session', async () => {
    corp.accounts.set('mallory', { sub: 'mallory', email_verified: true });
    corp.tamper = async (answer) => resign(answer, (claims) => ({ ...claims, sub: 'victim' }));
    const browser = new TestBrowserSession(server);
    expect((await browser.signOn(corp)).error).toBe('response_invalid');
    expect(browser.hasSession()).toBe(false);
  });
});

describe('a callback response', () => {
  /** Requests the callback URL and returns the error code of the redirect, or `null`. */
  async function handIn(browser: TestBrowserSession, answer: URL | string): Promise<string | null> {
    const { location } = await browser.request(answer);
    return location!.searchParams.get('sso_error');
  }

  test('is accepted only from the browser that began the login', async () => {
    const answer = await new TestBrowserSession(server).beginSignOn(corp);
    const victim = new TestBrowserSession(server);
    expect(await handIn(victim, answer)).toBe('attempt_expired');
    await victim.request('/sso/corp/login');
    expect(await handIn(victim, answer)).toBe('attempt_expired');
    expect(victim.hasSession()).toBe(false);
  });

  test('is accepted only once, even with copied cookies', async () => {
    const browser = new TestBrowserSession(server);
    const answer = await browser.beginSignOn(corp);
    const thief = new TestBrowserSession(server);
    for (const [name, value] of browser.cookies) thief.cookies.set(name, value);
    expect(await handIn(browser, answer)).toBeNull();
    expect(await handIn(browser, answer)).toBe('attempt_expired');
    expect(await handIn(thief, answer)).toBe('attempt_expired');
    expect(thief.hasSession()).toBe(false);
  });

  test('with the code of another login starts no session', async () => {
    const mallory = await new TestBrowserSession(server).beginSignOn(corp);
    const browser = new TestBrowserSession(server);
    const answer = await browser.beginSignOn(corp);
    answer.searchParams.set('code', mallory.searchParams.get('code')!);
    expect(await handIn(browser, answer)).toBe('response_invalid');
    expect(browser.hasSession()).toBe(false);
  });

  test('from one provider to the callback URL of another starts no session', async () => {
    const browser = new TestBrowserSession(server);
    const answer = await browser.beginSignOn(corp);
    answer.pathname = '/sso/partner/callback';
    expect(await handIn(browser, answer)).toBe('attempt_expired');
    expect(browser.hasSession()).toBe(false);
  });

  test('with another issuer, or without one, starts no session', async () => {
    const change = async (edit: (answer: URL) => void) => {
      const browser = new TestBrowserSession(server);
      const answer = await browser.beginSignOn(corp);
      edit(answer);
      const error = await handIn(browser, answer);
      expect(browser.hasSession()).toBe(false);
      return error;
    };
    expect(await change((answer) => answer.searchParams.set('iss', partner.issuer))).toBe('response_invalid');
    expect(await change((answer) => answer.searchParams.delete('iss'))).toBe('response_invalid');
    expect(await change((answer) => answer.searchParams.append('state', 'x'))).toBe('response_invalid');
    expect(await change((answer) => answer.searchParams.delete('code'))).toBe('response_invalid');
    expect(await change((answer) => answer.searchParams.delete('state'))).toBe('attempt_expired');
    expect(await change((answer) => (answer.search = ''))).toBe('attempt_expired');
    expect(
      await change((answer) => {
        answer.searchParams.delete('code');
        answer.searchParams.set('error', 'access_denied');
      }),
    ).toBe('provider_refused');
  });

  test('is rejected after 10 minutes, even with a changed cookie', async () => {
    const browser = new TestBrowserSession(server);
    const answer = await browser.beginSignOn(corp);
    for (const [name, value] of browser.cookies)
      if (name.startsWith('pacekeeper_sso_')) browser.cookies.set(name, `${value.slice(0, -4)}AAAA`);
    expect(await handIn(browser, answer)).toBe('attempt_expired');
  });
});

describe('a person', () => {
  test('with the address or subject of another person at another provider can’t log in as that person', async () => {
    const owner = { email: acme.email, sub: 'whoever', email_verified: true };
    for (const provider of [corp, partner])
      provider.accounts.set('mallory', { ...owner, hd: 'partner.example' });
    const attempts: [LoginProvider, string][] = [
      [corp, 'corp'],
      [partner, 'partner'],
    ];
    for (const [provider, id] of attempts)
      expect((await new TestBrowserSession(server).signOn(provider, id)).error).toBe('account_exists');

    const ada = { sub: 'ada', email: 'ada@corp.example', email_verified: true, hd: 'partner.example' };
    corp.accounts.set('mallory', ada);
    const browser = new TestBrowserSession(server);
    await browser.signOn(corp);
    const { user } = await browser.me();
    partner.accounts.set('mallory', { ...ada, email: 'other@partner.example' });
    const other = new TestBrowserSession(server);
    expect((await other.signOn(partner, 'partner')).error).toBeNull();
    expect((await other.me()).user.id).not.toBe(user.id);
    partner.accounts.set('mallory', { ...ada, sub: 'not ada', email: 'ADA@corp.example' });
    expect((await new TestBrowserSession(server).signOn(partner, 'partner')).error).toBe('account_exists');
  });

  test('without the claim that a provider requires can’t log in', async () => {
    partner.accounts.set('mallory', {
      sub: 'outside',
      email: 'x@y.example',
      email_verified: true,
      hd: 'other.example',
    });
    expect((await new TestBrowserSession(server).signOn(partner, 'partner')).error).toBe('claim_required');
    partner.accounts.set('mallory', { sub: 'outside', email: 'x@y.example', email_verified: true });
    expect((await new TestBrowserSession(server).signOn(partner, 'partner')).error).toBe('claim_required');
  });

  test('who no longer has that claim loses the memberships granted through the provider', async () => {
    const eve = { sub: 'eve', email: 'eve@partner.example', email_verified: true };
    partner.accounts.set('mallory', { ...eve, hd: 'partner.example' });
    const browser = new TestBrowserSession(server);
    await browser.signOn(partner, 'partner');
    expect(await browser.isLoggedIn()).toBe(true);
    partner.accounts.set('mallory', eve);
    expect((await new TestBrowserSession(server).signOn(partner, 'partner')).error).toBe('claim_required');
    expect(await browser.isLoggedIn()).toBe(false);
    const { rows } = await sql`SELECT FROM memberships JOIN users ON users.id = user_id
      WHERE email = 'eve@partner.example'`.execute(db);
    expect(rows).toEqual([]);
  });

  test('who was removed from the organization can only get access again through groups', async () => {
    corp.accounts.set('mallory', { sub: 'bob', email: 'bob@corp.example', email_verified: true });
    const browser = new TestBrowserSession(server);
    await browser.signOn(corp);
    await sql`DELETE FROM memberships USING users WHERE users.id = user_id AND email = 'bob@corp.example'`.execute(
      db,
    );
    expect(await browser.isLoggedIn()).toBe(false);
    expect(await browser.refresh()).toBe(401);
  });
});

test('tokens of the provider are neither stored in plain text nor sent to the browser', async () => {
  const secrets: string[] = [];
  corp.tamper = async (answer) => {
    for (const name of ['access_token', 'refresh_token', 'id_token']) secrets.push(String(answer.body[name]));
    return answer;
  };
  const browser = new TestBrowserSession(server);
  await browser.signOn(corp);
  expect(secrets).toHaveLength(3);
  const { rows } = await sql<{ text: string }>`
    SELECT limited_sessions::text || encode(coalesce(refresh_token, ''), 'escape') AS text
    FROM limited_sessions UNION ALL SELECT user_identities::text FROM user_identities`.execute(db);
  const everything = [...rows.map(({ text }) => text), ...browser.cookies.values()].join('\n');
  for (const secret of secrets) expect(everything).not.toContain(secret);
});
