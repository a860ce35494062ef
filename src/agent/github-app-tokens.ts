import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { isItem } from '../domain/json/json-item.ts';
import { RunError } from '../domain/runs/run-error.ts';
import { type OutboundClient, OutboundError, type OutboundResponse } from '../platform/outbound/index.ts';
import { outboundRunError, unexpectedResponseError } from '../sources/unexpected-response.ts';
import type { AppCredential } from './agent-credential.ts';
import { createTokenCache, sharedResultMs, type TokenCache } from './token-cache.ts';

/** An installation token of a GitHub App. It's valid for an hour. */
export interface AppToken {
  token: string;
  expiresAt: Date;
  repositories: 'all' | 'selected' | 'unknown';
  /** Permissions of the token, such as `contents: read`. */
  permissions: string[];
}

export type AppTokens = TokenCache<AppCredential, AppToken>;

/**
 * Validity of an assertion, the signed token that identifies the app. GitHub accepts at most 10 minutes by
 * its own clock.
 */
const assertionMs = 8 * 60_000;
const clockErrorMs = 60_000;

/**
 * Requests read-only installation tokens of GitHub Apps, and caches them until five minutes before they
 * expire. https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app
 *
 * @param clock The actual clock of the machine, because GitHub compares the times in an assertion with its
 * own clock.
 */
export function createAppTokens({ client, clock }: { client: OutboundClient; clock: () => Date }): AppTokens {
  return createTokenCache({
    clock,
    // Minimum age of a token before it's replaced after a rejection. A repository that the app can't read
    // rejects new tokens, too, so each of its runs would otherwise request another one.
    minRejectedMs: sharedResultMs,
    request: (credential: AppCredential) => request(client, credential, clock()),
  });
}

async function request(client: OutboundClient, credential: AppCredential, now: Date): Promise<AppToken> {
  const { apiUrl, installationId } = credential;
  const url = new URL(`${apiUrl}/app/installations/${encodeURIComponent(installationId)}/access_tokens`);
  const headers = {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${await signAssertion(credential, now)}`,
    'content-type': 'application/json',
    'x-github-api-version': '2022-11-28',
  };
  const body = JSON.stringify({ permissions: { contents: 'read', metadata: 'read' } });
  let answer: OutboundResponse;
  try {
    answer = await client.request({
      url,
      purpose: 'source',
      method: 'POST',
      headers,
      body,
      timeoutMs: 20_000,
      maxBytes: 1024 * 1024,
    });
  } catch (error) {
    if (error instanceof OutboundError) throw outboundRunError(error);
    throw error;
  }
  if (answer.status !== 201) throw refusal(answer, credential, url.host, now);
  return readToken(answer.body, credential, url.host);
}

/** Signs an assertion of the app's identity. Its times allow for clocks that differ by a minute. */
function signAssertion({ appId, privateKey }: AppCredential, now: Date): Promise<string> {
  const seconds = (ms: number) => Math.floor((now.getTime() + ms) / 1_000);
  return new SignJWT()
    .setProtectedHeader({ alg: 'RS256' })
    .setIssuer(appId)
    .setIssuedAt(seconds(-clockErrorMs))
    .setExpirationTime(seconds(assertionMs))
    .sign(createPrivateKey(privateKey));
}

function refusal(
  { status, headers, body }: OutboundResponse,
  credential: AppCredential,
  host: string,
  now: Date,
): RunError {
  const app = `credential "${credential.name}"`;
  if (status === 401)
    return new RunError(
      'unauthorized',
      `${host} rejected the key of ${app}. Check app_id, private_key, and the clock of the agent's machine.`,
    );
  if (status === 404)
    return new RunError(
      'unauthorized',
      `${host}: the app in ${app} has no installation ${credential.installationId}. Check installation_id.`,
    );
  if (status === 422)
    return new RunError(
      'unauthorized',
      `The app in ${app} can't read repositories. Give it the permission "Contents: Read-only" on ${host}.`,
    );
  const text = Buffer.from(body).subarray(0, 4_096).toString('utf8');
  const what = `the installation ${credential.installationId}`;
  return unexpectedResponseError({ status, headers, text }, { host, what, credential, now });
}

function readToken(body: Uint8Array, credential: AppCredential, host: string): AppToken {
  const given = parse(body);
  const { token, expires_at: expiry, repository_selection: selection, permissions } = given;
  const expiresAt = new Date(typeof expiry === 'string' ? expiry : Number.NaN);
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/u.test(token) || Number.isNaN(expiresAt.getTime()))
    throw new RunError(
      'invalid_index',
      `${host} returned no token for credential "${credential.name}". Check api_url.`,
    );
  return {
    token,
    expiresAt,
    repositories: selection === 'all' || selection === 'selected' ? selection : 'unknown',
    // Drop unexpected text, because it's printed and must not contain control characters.
    permissions: isItem(permissions)
      ? Object.entries(permissions)
          .map(([name, access]) => `${name}: ${String(access)}`)
          .filter((text) => /^[a-z_]+: [a-z]+$/u.test(text))
      : [],
  };
}

function parse(body: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    return isItem(value) ? value : {};
  } catch {
    return {};
  }
}
