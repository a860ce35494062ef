import { importJWK, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { createSigningKey } from '../../../../tests/helpers/login-provider.ts';
import { createProviderConnection } from './provider-connection.ts';
import type { ProviderSettings } from './provider-file.ts';

const issuer = 'https://login.example.com';
const settings: ProviderSettings = {
  id: 'corp',
  name: 'Corp',
  issuer,
  clientId: 'pacekeeper',
  clientSecret: 'secret',
  scopes: ['openid'],
  groupsClaim: 'groups',
  groupsShape: { separator: null, field: null },
  emailClaims: ['email'],
  clientAuthentication: null,
  requiredClaims: {},
  groups: [],
  parameters: {},
  createsAccounts: true,
  trustsEmail: false,
  endsProviderSession: true,
};

/** Creates a connection to a provider with one signing key, and records the requested URLs. */
async function providerWith(jwksUri: string, more: Record<string, string> = {}) {
  const { kty, n, e, kid } = await createSigningKey('first');
  const asked: string[] = [];
  const metadata = {
    issuer,
    jwks_uri: jwksUri,
    authorization_endpoint: `${issuer}/authorize`,
    end_session_endpoint: `${issuer}/logout`,
    ...more,
  };
  const connection = createProviderConnection(settings, {
    baseUrl: 'https://pacekeeper.example.com',
    outbound: {
      async request({ url: given }) {
        const url = String(given);
        asked.push(url);
        const body = url === jwksUri ? { keys: [{ kty, n, e, kid }] } : metadata;
        return {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: Buffer.from(JSON.stringify(body)),
        } as never;
      },
    },
  });
  return { connection, asked };
}

async function tokenOf(kid: string): Promise<string> {
  const key = await importJWK(await createSigningKey(kid), 'RS256');
  return new SignJWT({ sub: 'ada' }).setProtectedHeader({ alg: 'RS256', kid }).setIssuedAt().sign(key);
}

test('tokens with unknown key IDs make the server fetch the keys of the provider only once', async () => {
  const jwksUri = `${issuer}/keys`;
  const { connection, asked } = await providerWith(jwksUri);
  for (const kid of ['second', 'third', 'fourth'])
    expect(await connection.readLogoutToken(await tokenOf(kid))).toBeNull();
  expect(asked.filter((url) => url === jwksUri)).toHaveLength(1);
});

test("keys at a URL without TLS are not fetched if the provider's issuer uses TLS", async () => {
  const jwksUri = 'http://login.example.com/keys';
  const { connection, asked } = await providerWith(jwksUri);
  await expect(connection.readLogoutToken(await tokenOf('first'))).rejects.toMatchObject({
    code: 'response_invalid',
  });
  expect(asked).not.toContain(jwksUri);
});

test('the error for an endpoint without TLS contains the endpoint and the likely cause', async () => {
  const tokenEndpoint = 'http://login.example.com/token';
  const { connection, asked } = await providerWith(`${issuer}/keys`, { token_endpoint: tokenEndpoint });
  await expect(connection.refresh('a refresh token', 'ada')).rejects.toMatchObject({
    reason: expect.stringMatching(
      /http:\/\/login\.example\.com\/token, which isn't https.*X-Forwarded-Proto/,
    ),
  });
  expect(asked).not.toContain(tokenEndpoint);
});
