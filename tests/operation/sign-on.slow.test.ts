import { randomBytes } from 'node:crypto';
import { base64url, decodeJwt, importJWK, SignJWT } from 'jose';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { examineLoginProviders } from '../../src/modules/accounts/index.ts';
import { createProviderConnection } from '../../src/modules/accounts/login-providers/provider-connection.ts';
import { readProviderFile } from '../../src/modules/accounts/login-providers/provider-file.ts';
import { SignOnError } from '../../src/modules/accounts/login-providers/sign-on-error.ts';
import { createLog } from '../../src/platform/log.ts';
import { openOutbound } from '../../src/platform/outbound/index.ts';
import { resetClockOffset, setClockOffset } from '../helpers/database.ts';
import { atEndOfFile } from '../helpers/end-of-file.ts';
import { type ProviderAccount, startLoginProvider, type TokenResponse } from '../helpers/login-provider.ts';
import { TestBrowserSession, writeProviderFile } from '../helpers/sign-on-world.ts';
import { startTestServer } from '../helpers/test-server.ts';

/** Settings for different ways to report an email address and groups, each for a separate provider. */
const shapes = {
  upn: { email_claim: ['email', 'upn'], trust_email: true },
  'only-upn': { email_claim: 'upn', trust_email: true },
  defaults: { trust_email: true },
  'not-trusted': {},
  nested: { email_claim: 'contact.mail', trust_email: true, groups_claim: 'access.teams' },
  separated: { groups_separator: ';' },
  spaced: { groups_separator: ' ' },
  zitadel: { groups_claim: 'urn:zitadel:iam:org:project:roles' },
  'by-id': { groups_field: 'id' },
} as const;
const ids = ['corp', 'post', ...Object.keys(shapes)];
const redirectUris = () => ids.map((id) => `${server.url}/sso/${id}/callback`);
const corp = await startLoginProvider({ redirectUris });
/** A provider that accepts the client's credentials only in the body of a request. */
const post = await startLoginProvider({
  redirectUris,
  client: { token_endpoint_auth_method: 'client_secret_post' },
});
const shaped = new Map(
  await Promise.all(
    Object.keys(shapes).map(async (id) => [id, await startLoginProvider({ redirectUris })] as const),
  ),
);
const groups = [
  { group: 'ops', organization: 'Acme', role: 'admin' },
  { group: 'everyone else', organization: 'Acme', role: 'viewer' },
];
const lines: Record<string, unknown>[] = [];
const log = createLog({
  level: 'warn',
  format: 'json',
  destination: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
});
const server = await startTestServer(
  {
    PACEKEEPER_OIDC_FILE: writeProviderFile({
      corp: { provider: corp, settings: { groups } },
      post: { provider: post, settings: { groups, token_endpoint_auth_method: 'client_secret_post' } },
      ...Object.fromEntries(
        Object.entries(shapes).map(([id, settings]) => [
          id,
          { provider: shaped.get(id)!, settings: { groups, ...settings } },
        ]),
      ),
    }),
  },
  log,
);
const { db } = server;
await server.createOrganization('Acme');
const { client: outbound } = openOutbound({
  egressAllow: ['127.0.0.1/32'],
  insecureHosts: ['127.0.0.1'],
  caCertificates: null,
  proxyUrl: null,
  noProxy: [],
  proxyHosts: [],
});
atEndOfFile(() => outbound.close());
let count = 0;

beforeEach(() => {
  lines.length = 0;
  for (const provider of [corp, post, ...shaped.values()]) {
    provider.tamper = null;
    provider.refusal = null;
    provider.accounts.clear();
  }
});
afterEach(() => resetClockOffset(db));
const hours = (number: number) => setClockOffset(db, `${number} hours`);

function person(more: Partial<ProviderAccount> = {}): ProviderAccount {
  const sub = `person${++count}`;
  return { sub, email: `${sub}@corp.example`, email_verified: true, name: sub, groups: ['ops'], ...more };
}

/** Adds claims to the ID token that the provider would omit because its scopes don't cover them. */
async function withClaims(
  answer: TokenResponse,
  claims: object,
  key = corp.keys[0]!,
): Promise<TokenResponse> {
  const idToken = String(answer.body['id_token']);
  const token = await new SignJWT({ ...decodeJwt(idToken), ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'first' })
    .sign(await importJWK(key, 'RS256'));
  return { ...answer, body: { ...answer.body, id_token: token } };
}

async function signOn(account: ProviderAccount, id = 'corp') {
  const provider = id === 'corp' ? corp : (shaped.get(id) ?? post);
  const browser = new TestBrowserSession(server);
  provider.accounts.set(account.sub, account);
  provider.loginAs = account.sub;
  return { browser, ...(await browser.signOn(provider, id)) };
}

describe('login providers', () => {
  const forms: [string, string, object, string | null, string | null][] = [
    // Columns: name of the form, provider, claims, email address of the account or error code, role.
    ['`upn` as a fallback', 'upn', { email: undefined, upn: 'a@upn.example' }, 'a@upn.example', 'admin'],
    ['`upn` instead of `email`', 'only-upn', { upn: 'b@upn.example' }, 'b@upn.example', 'admin'],
    [
      '`preferred_username` by default',
      'defaults',
      { email: undefined, preferred_username: 'c@upn.example' },
      'c@upn.example',
      'admin',
    ],
    [
      'an address in another claim that no one verified',
      'not-trusted',
      { email: undefined, preferred_username: 'd@upn.example' },
      'email_not_verified',
      null,
    ],
    [
      'an account name that is no address',
      'defaults',
      { email: undefined, preferred_username: 'CORP\\ada' },
      'email_missing',
      null,
    ],
    [
      'claims at a path',
      'nested',
      { contact: { mail: 'e@corp.example' }, access: { teams: ['ops'] } },
      'e@corp.example',
      'admin',
    ],
    ['groups as text with separators', 'separated', { groups: 'x; ops;everyone else' }, null, 'admin'],
    ['groups as text with spaces', 'spaced', { groups: 'x ops y' }, null, 'admin'],
    ['one group as text', 'corp', { groups: 'everyone else' }, null, 'viewer'],
    [
      'groups as a list of objects',
      'corp',
      { groups: [{ id: 7, name: 'ops' }, { name: 'x' }] },
      null,
      'admin',
    ],
    ['groups as a list of SCIM objects', 'corp', { groups: [{ value: '7', display: 'ops' }] }, null, 'admin'],
    ['groups as objects with a chosen field', 'by-id', { groups: [{ id: 'ops', name: 'x' }] }, null, 'admin'],
    [
      'groups as keys of an object (Zitadel)',
      'zitadel',
      { 'urn:zitadel:iam:org:project:roles': { ops: { 2837: 'corp.example' } } },
      null,
      'admin',
    ],
  ];

  test.each(forms)(
    'claims in the form %s are accepted or rejected with the expected result',
    async (_form, id, claims, expected, role) => {
      const provider = id === 'corp' ? corp : shaped.get(id)!;
      const account = person(claims);
      provider.tamper = (answer) => withClaims(answer, account, provider.keys[0]);
      const { browser, error } = await signOn(account, id);
      if (role === null) {
        expect(error).toBe(expected);
        return;
      }
      expect(error).toBeNull();
      const me = await browser.me();
      expect(me.user.email).toBe(expected ?? account.email);
      expect(me.organizations).toMatchObject([{ role }]);
    },
  );

  test('a provider that accepts client credentials only in the request body receives them there', async () => {
    const { browser, error } = await signOn(person(), 'post');
    expect(error).toBeNull();
    expect(await browser.isLoggedIn()).toBe(true);
  });

  test.each([
    ['email_claim: []', 'email_claim: must name a claim'],
    ['token_endpoint_auth_method: basic', 'token_endpoint_auth_method: must be client_secret_basic'],
    ['groups_separator: ""', 'groups_separator: must not be empty'],
  ])('the invalid setting %s is rejected with the accepted values', (line, problem) => {
    const [field, value] = line.split(': ') as [string, string];
    const file = writeProviderFile({
      corp: { provider: corp, settings: { [field]: JSON.parse(value.replace(/^([a-z]+)$/, '"$1"')) } },
    });
    expect(() => readProviderFile(file)).toThrow(problem);
  });
});

describe('the reason for a failed login', () => {
  /** Logs in at the provider without a server, and returns the code and the reason that would be logged. */
  async function failureOf(settings: object = {}): Promise<{ code: string; reason: string }> {
    const file = writeProviderFile({ corp: { provider: corp, settings: { groups, ...settings } } });
    const connection = createProviderConnection(readProviderFile(file)[0]!, {
      outbound,
      baseUrl: server.url,
    });
    const secret = () => randomBytes(32).toString('base64url');
    const checks = { state: secret(), nonce: secret(), codeVerifier: secret() };
    try {
      const account = person();
      corp.accounts.set(account.sub, account);
      corp.loginAs = account.sub;
      const answer = await corp.followLogin((await connection.authorizationUrl(checks)).href);
      await connection.exchange(answer.searchParams, checks);
    } catch (error) {
      if (error instanceof SignOnError) return { code: error.code, reason: error.reason };
      throw error;
    }
    throw new Error('the login succeeded');
  }

  test('names the configured issuer and the one that the provider states', async () => {
    const { reason } = await failureOf({ issuer: `${corp.issuer}/` });
    expect(reason).toContain(`configured as ${corp.issuer}/`);
    expect(reason).toContain(`states ${corp.issuer};`);
  });

  test('names both issuers if only the token contains a different one', async () => {
    corp.tamper = (answer) => withClaims(answer, { iss: 'https://other.example' });
    const { reason } = await failureOf();
    expect(reason).toContain(corp.issuer);
    expect(reason).toContain('https://other.example');
  });

  test('names an unsupported signing algorithm and the remedy', async () => {
    corp.tamper = async (answer) => {
      const [, payload = ''] = String(answer.body['id_token']).split('.');
      const token = `${base64url.encode('{"alg":"HS256"}')}.${payload}.${base64url.encode('signature')}`;
      return { ...answer, body: { ...answer.body, id_token: token } };
    };
    const { reason } = await failureOf();
    expect(reason).toContain('HS256');
    expect(reason).toContain('Choose a signing key');
  });

  test.each([400, 401])(
    'contains the error and the description of the provider (status %i)',
    async (status) => {
      const description = 'AADSTS7000222: The provided client secret keys are expired.';
      corp.tamper = async () => ({
        status,
        body: { error: 'invalid_client', error_description: description },
      });
      expect(await failureOf()).toEqual({
        code: 'client_rejected',
        reason: `the provider returned the error invalid_client: ${description}`,
      });
    },
  );

  test('contains the error from the callback URL', async () => {
    const file = writeProviderFile({ corp: { provider: corp } });
    const connection = createProviderConnection(readProviderFile(file)[0]!, {
      outbound,
      baseUrl: server.url,
    });
    const query = new URLSearchParams({
      error: 'access_denied',
      error_description: 'AADSTS50105: not assigned',
      state: 's',
      iss: corp.issuer,
    });
    await expect(
      connection.exchange(query, { state: 's', nonce: 'n', codeVerifier: 'v'.repeat(43) }),
    ).rejects.toMatchObject({
      code: 'provider_refused',
      reason: 'the provider returned the error access_denied: AADSTS50105: not assigned',
    });
  });

  test('lists the claims that the token contains if one is missing', async () => {
    corp.tamper = (answer) => withClaims(answer, { aud: 'another' });
    expect((await failureOf()).reason).toContain('another');
    corp.tamper = (answer) => withClaims(answer, { iat: undefined });
    const { reason } = await failureOf();
    expect(reason).toMatch(/"iat".*missing/);
    expect(reason).toContain('claims received: sub');
  });

  test('never contains a token', async () => {
    const secrets: string[] = [];
    corp.tamper = async (answer) => {
      const changed = await withClaims(answer, { iss: 'https://other.example' });
      for (const name of ['access_token', 'refresh_token', 'id_token'])
        secrets.push(String(changed.body[name]));
      return changed;
    };
    const { reason } = await failureOf();
    expect(secrets).toHaveLength(3);
    expect(secrets.filter((secret) => reason.includes(secret))).toEqual([]);
  });
});

describe('the log', () => {
  const reasons = () => lines.map(({ code, reason }) => `${String(code)}: ${String(reason)}`).join('\n');

  test('names the received groups if none of them has a role', async () => {
    const account = person({ groups: ['guests', 'interns'] });
    expect((await signOn(account)).error).toBe('no_access');
    expect(reasons()).toContain('groups received: guests, interns');
  });

  test('names the received claims if the email address is missing', async () => {
    // Failures with the same code share one log line for five seconds, so retry until this failure is logged.
    await expect
      .poll(
        async () => {
          const account = person({ email: undefined, email_verified: undefined });
          expect((await signOn(account)).error).toBe('email_missing');
          return reasons();
        },
        { interval: 1_000 },
      )
      .toMatch(/no email address in email, preferred_username, upn; claims received: .*sub/);
  });
});

describe('the hourly check', () => {
  test.each([
    ['invalid_client', 400],
    ['invalid_client', 401],
    ['unauthorized_client', 400],
  ])('keeps the session if the provider rejects the client (%s, %i), and logs it', async (error, status) => {
    const { browser } = await signOn(person());
    corp.refusal = { status, body: { error, error_description: 'The secret has expired.' } };
    await hours(0.8);
    expect(await browser.refresh()).toBe(200);
    await hours(1.1);
    expect(await browser.refresh()).toBe(503);
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        provider: 'corp',
        reason: `the provider returned the error ${error}: The secret has expired.`,
      }),
    );
    corp.refusal = null;
    expect(await browser.refresh()).toBe(200);
    expect(await browser.isLoggedIn()).toBe(true);
  });

  test('notifies the organizations of the person when the provider rejects the client, and when the provider accepts the client again', async () => {
    await server.createOrganization('Unaffected');
    await sql`UPDATE organizations SET sign_on_failing_notified = '{}'`.execute(db);
    await sql`DELETE FROM audit_entries WHERE event_type LIKE 'login\\_provider.%'`.execute(db);
    await sql`DELETE FROM reported_troubles`.execute(db);
    const failAt = async (number: number) => {
      corp.refusal = null;
      await hours(number);
      const { browser } = await signOn(person());
      corp.refusal = { status: 401, body: { error: 'invalid_client', error_description: 'topsecret' } };
      await hours(number + 1.1);
      expect([await browser.refresh(), await browser.refresh()]).toEqual([503, 503]);
      const { rows } = await sql<{ name: string; data: object }>`
        SELECT o.name, e.data FROM audit_entries AS e JOIN organizations AS o ON o.id = e.organization_id
        WHERE e.event_type LIKE 'login\\_provider.%' ORDER BY e.id`.execute(db);
      return rows;
    };
    const notified = {
      name: 'Acme',
      data: {
        provider: {
          id: 'corp',
          name: expect.any(String),
          reason: "The login provider doesn't accept Pacekeeper's credentials.",
        },
      },
    };
    const recovered = {
      name: 'Acme',
      data: { provider: { id: 'corp', name: expect.any(String), reason: null, resolution: 'recovered' } },
    };
    expect(await failAt(0)).toEqual([notified]);
    expect(await failAt(12)).toEqual([notified, recovered, notified]);
  });

  test('ends the session only in the browser whose session ended at the provider', async () => {
    for (const ending of [0, 1]) {
      const account = person();
      const browsers = [(await signOn(account)).browser, (await signOn(account)).browser];
      await hours(1.1);
      corp.tamper = async () => ({ status: 400, body: { error: 'invalid_grant' } });
      expect(await browsers[ending]!.refresh()).toBe(401);
      corp.tamper = null;
      expect(await browsers[1 - ending]!.refresh()).toBe(200);
      expect(await browsers[1 - ending]!.isLoggedIn()).toBe(true);
      expect(await browsers[ending]!.isLoggedIn()).toBe(false);
      await resetClockOffset(db);
    }
  });

  test('uses the refresh token of the browser that is checked', async () => {
    const account = person();
    const tokens: string[] = [];
    corp.tamper = async (answer) => {
      tokens.push(String(answer.body['refresh_token']));
      return answer;
    };
    const first = (await signOn(account)).browser;
    const second = (await signOn(account)).browser;
    const { rows } = await sql<{ count: number }>`
      SELECT count(DISTINCT refresh_token)::int AS count FROM limited_sessions AS limits
      JOIN user_identities AS identity ON identity.id = limits.identity_id WHERE subject = ${account.sub}`.execute(
      db,
    );
    expect([tokens.length, rows[0]!.count]).toEqual([2, 2]);
    for (const hour of [1.1, 2.2, 3.3]) {
      await hours(hour);
      expect([await first.refresh(), await second.refresh()]).toEqual([200, 200]);
    }
  });
});

describe('a new email address or name at the provider', () => {
  const change = async (before: ProviderAccount, after: Partial<ProviderAccount>) => {
    const { browser } = await signOn(before);
    corp.accounts.set(before.sub, { ...before, ...after });
    await hours(1.1);
    expect(await browser.refresh()).toBe(200);
    const { user } = await browser.me();
    return { browser, user };
  };

  test('is stored in the account at the hourly check and recorded in the audit log', async () => {
    const account = person();
    const email = `new-${account.email}`;
    const { user } = await change(account, { email, name: 'New Name' });
    expect(user).toMatchObject({ email, name: 'New Name' });
    const { rows } = await sql<{ detail: unknown }>`
      SELECT detail FROM audit_log WHERE action = 'member.profile_changed' AND resource_name = 'New Name'`.execute(
      db,
    );
    expect(rows).toMatchObject([{ detail: { email: { from: account.email, to: email } } }]);
  });

  test('is stored in the account at the next login', async () => {
    const account = person();
    await signOn(account);
    const { browser } = await signOn({ ...account, email: `later-${account.email}` });
    expect((await browser.me()).user.email).toBe(`later-${account.email}`);
  });

  test('changes nothing if the new address is not verified', async () => {
    const account = person();
    const { user } = await change(account, { email: `unverified-${account.email}`, email_verified: false });
    expect(user.email).toBe(account.email);
  });

  test('is ignored if it comes from a different claim than the current address', async () => {
    const provider = shaped.get('upn')!;
    const account = person();
    const { browser } = await signOn(account, 'upn');
    const later = { ...account, email: undefined, upn: `other-${account.sub}@upn.example` };
    provider.accounts.set(account.sub, later as never);
    provider.tamper = (answer) => withClaims(answer, later, provider.keys[0]);
    await hours(1.1);
    expect(await browser.refresh()).toBe(200);
    expect((await browser.me()).user.email).toBe(account.email);
  });

  test('changes nothing if another account has the address', async () => {
    const other = person();
    await signOn(other);
    const account = person();
    const { user } = await change(account, { email: other.email! });
    expect(user.email).toBe(account.email);
    expect(lines.map(({ msg }) => String(msg)).join('\n')).toContain('another account has it');
  });

  test('doesn’t replace the address of an account that links a login with another address', async () => {
    const organization = await server.createOrganization();
    const browser = new TestBrowserSession(server);
    await browser.logIn(organization);
    const account = person();
    corp.accounts.set(account.sub, account);
    corp.loginAs = account.sub;
    const { body } = await browser.request('/api/v1/auth/identities/link', {
      method: 'POST',
      body: { provider: 'corp' },
    });
    await browser.request(await corp.followLogin(String(body['url'])));
    const { browser: later } = await signOn({ ...account, email: `moved-${account.email}` });
    expect((await later.me()).user.email).toBe(organization.email);
  });
});

describe('the doctor', () => {
  const examine = async (settings: object) => {
    const file = writeProviderFile({ corp: { provider: corp, settings } });
    return (await examineLoginProviders({ db, outbound, file, baseUrl: server.url }))[0]!;
  };

  test('names the configured issuer and the one that the provider states if they differ', async () => {
    const { problem, isUnreachable } = await examine({ issuer: `${corp.issuer}/` });
    expect(problem).toContain(`configured as ${corp.issuer}/, but the provider states ${corp.issuer}`);
    expect(isUnreachable).toBe(false);
  });

  test('finds credentials that the provider rejects', async () => {
    const { problem } = await examine({ client_secret: 'expired' });
    expect(problem).toContain('invalid_client');
    expect((await examine({})).problem).toBeNull();
  });
});
