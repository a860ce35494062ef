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
  type TokenAnswer,
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

/** How many sessions there are by single sign-on. */
async function sessions(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) FROM refresh_tokens JOIN limited_sessions USING (family_id)`.execute(db);
  return rows[0]!.count;
}

async function resign(
  answer: TokenAnswer,
  change: (claims: JWTPayload) => JWTPayload,
  { key = corp.keys[0]!, header = {} }: { key?: JWK; header?: Record<string, unknown> } = {},
): Promise<TokenAnswer> {
  const idToken = String(answer.body['id_token']);
  const token = await new SignJWT(change(decodeJwt(idToken)))
    .setProtectedHeader({ ...decodeProtectedHeader(idToken), alg: 'RS256', ...header })
    .sign(await importJWK(key, 'RS256'));
  return { ...answer, body: { ...answer.body, id_token: token } };
}

/** A token whose parts are put together by hand. */
function forge(answer: TokenAnswer, header: object, sign: (text: string) => string): TokenAnswer {
  const [, payload] = String(answer.body['id_token']).split('.');
  const text = `${base64url.encode(JSON.stringify(header))}.${payload}`;
  return { ...answer, body: { ...answer.body, id_token: `${text}.${sign(text)}` } };
}

/** What the provider's key says in public, with which a naive client would check a MAC. */
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

/** Tokens that must open nothing, as the provider's token endpoint would answer them. */
const tokens: Record<string, (answer: TokenAnswer) => Promise<TokenAnswer> | TokenAnswer> = {
  'of another issuer': (answer) => resign(answer, (claims) => ({ ...claims, iss: partner.issuer })),
  'of an issuer with a slash more': (answer) =>
    resign(answer, (claims) => ({ ...claims, iss: `${corp.issuer}/` })),
  'for another client': (answer) => resign(answer, (claims) => ({ ...claims, aud: 'another' })),
  'for several clients, without saying for which': (answer) =>
    resign(answer, (claims) => ({ ...claims, aud: [corp.clientId, 'another'] })),
  'that another client asked for': (answer) =>
    resign(answer, (claims) => ({ ...claims, aud: [corp.clientId, 'another'], azp: 'another' })),
  'that has expired': (answer) => resign(answer, (claims) => ({ ...claims, exp: past(), iat: past() - 60 })),
  'that never expires': (answer) => resign(answer, (claims) => without(claims, 'exp')),
  'with another nonce': (answer) => resign(answer, (claims) => ({ ...claims, nonce: 'another' })),
  'without a nonce': (answer) => resign(answer, (claims) => without(claims, 'nonce')),
  'without a subject': (answer) => resign(answer, (claims) => without(claims, 'sub')),
  'with an empty subject': (answer) => resign(answer, (claims) => ({ ...claims, sub: '' })),
  'signed by another key of the same name': (answer) =>
    resign(answer, (claims) => claims, { key: foreignKey }),
  'signed by an unknown key': (answer) =>
    resign(answer, (claims) => claims, { key: foreignKey, header: { kid: 'unknown' } }),
  'that brings its own key': (answer) => {
    const jwk = publicPart(foreignKey);
    return resign(answer, (claims) => claims, { key: foreignKey, header: { jwk, kid: 'unknown' } });
  },
  'with alg none': (answer) => forge(answer, { alg: 'none' }, () => ''),
  'with alg None and a kid': (answer) => forge(answer, { alg: 'None', kid: 'first' }, () => ''),
  'with HS256 by the public key': async (answer) => {
    const key = await publicText();
    return forge(answer, { alg: 'HS256', kid: 'first' }, (text) =>
      createHmac('sha256', key).update(text).digest('base64url'),
    );
  },
  'with HS256 by the client secret': (answer) =>
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
  'that is no token': (answer) => ({ ...answer, body: { ...answer.body, id_token: 'x.y.z' } }),
};

describe('a token', () => {
  test.each(Object.keys(tokens))('%s opens nothing', async (name) => {
    const before = await sessions();
    corp.tamper = async (answer) => tokens[name]!(answer);
    const browser = new TestBrowserSession(server);
    const { error, end } = await browser.signOn(corp);
    expect(error).toBe('response_invalid');
    expect(end.pathname).toBe('/login');
    expect(browser.hasSession()).toBe(false);
    expect(await sessions()).toBe(before);
  });

  test('that is as it should be opens a session, so that the others say something', async () => {
    corp.tamper = async (answer) => resign(answer, (claims) => claims);
    const browser = new TestBrowserSession(server);
    expect((await browser.signOn(corp)).error).toBeNull();
    expect(await browser.isLoggedIn()).toBe(true);
  });

  test('signed by a key that has just come opens a session; one that has gone, none', async () => {
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

  test('whose user information is of somebody else opens nothing', async () => {
    corp.accounts.set('mallory', { sub: 'mallory', email_verified: true });
    corp.tamper = async (answer) => resign(answer, (claims) => ({ ...claims, sub: 'victim' }));
    const browser = new TestBrowserSession(server);
    expect((await browser.signOn(corp)).error).toBe('response_invalid');
    expect(browser.hasSession()).toBe(false);
  });
});

describe('an answer', () => {
  /** What the browser gets for an answer. */
  async function handIn(browser: TestBrowserSession, answer: URL | string): Promise<string | null> {
    const { location } = await browser.request(answer);
    return location!.searchParams.get('sso_error');
  }

  test('is taken from the browser that began the login only', async () => {
    const answer = await new TestBrowserSession(server).beginSignOn(corp);
    const victim = new TestBrowserSession(server);
    expect(await handIn(victim, answer)).toBe('attempt_expired');
    await victim.request('/sso/corp/login');
    expect(await handIn(victim, answer)).toBe('attempt_expired');
    expect(victim.hasSession()).toBe(false);
  });

  test('is taken once, whoever kept the cookies', async () => {
    const browser = new TestBrowserSession(server);
    const answer = await browser.beginSignOn(corp);
    const thief = new TestBrowserSession(server);
    for (const [name, value] of browser.cookies) thief.cookies.set(name, value);
    expect(await handIn(browser, answer)).toBeNull();
    expect(await handIn(browser, answer)).toBe('attempt_expired');
    expect(await handIn(thief, answer)).toBe('attempt_expired');
    expect(thief.hasSession()).toBe(false);
  });

  test('with the code of another login opens nothing', async () => {
    const mallory = await new TestBrowserSession(server).beginSignOn(corp);
    const browser = new TestBrowserSession(server);
    const answer = await browser.beginSignOn(corp);
    answer.searchParams.set('code', mallory.searchParams.get('code')!);
    expect(await handIn(browser, answer)).toBe('response_invalid');
    expect(browser.hasSession()).toBe(false);
  });

  test('of one provider at the address of another opens nothing', async () => {
    const browser = new TestBrowserSession(server);
    const answer = await browser.beginSignOn(corp);
    answer.pathname = '/sso/partner/callback';
    expect(await handIn(browser, answer)).toBe('attempt_expired');
    expect(browser.hasSession()).toBe(false);
  });

  test('that names another issuer, or none, opens nothing', async () => {
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

  test('comes too late after ten minutes, also for who changed the cookie', async () => {
    const browser = new TestBrowserSession(server);
    const answer = await browser.beginSignOn(corp);
    for (const [name, value] of browser.cookies)
      if (name.startsWith('pacekeeper_sso_')) browser.cookies.set(name, `${value.slice(0, -4)}AAAA`);
    expect(await handIn(browser, answer)).toBe('attempt_expired');
  });
});

describe('a person', () => {
  test('with the address or the subject of somebody else at another provider is not that person', async () => {
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

  test('without the claim that a provider requires is let in nowhere', async () => {
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

  test('who has lost that claim loses what the provider gave', async () => {
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

  test('who is removed from the organization is let in by the groups only', async () => {
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

test('nothing of the provider is stored in the clear, or sent to the browser', async () => {
  const secrets: string[] = [];
  corp.tamper = async (answer) => {
    for (const name of ['access_token', 'refresh_token', 'id_token']) secrets.push(String(answer.body[name]));
    return answer;
  };
  const browser = new TestBrowserSession(server);
  await browser.signOn(corp);
  expect(secrets).toHaveLength(3);
  const { rows } = await sql<{ text: string }>`
    SELECT user_identities::text || encode(coalesce(refresh_token, ''), 'escape') AS text FROM user_identities
    UNION ALL SELECT limited_sessions::text FROM limited_sessions`.execute(db);
  const everything = [...rows.map(({ text }) => text), ...browser.cookies.values()].join('\n');
  for (const secret of secrets) expect(everything).not.toContain(secret);
});
