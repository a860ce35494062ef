import { SignJWT } from 'jose';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { type NetworkSettings, OutboundError, openOutboundTo, type ResolveName } from '../outbound/index.ts';
import { oneLine, withoutSecrets } from './one-line.ts';

/** The provider of access tokens didn't issue one. The message is a sentence without hosts and secrets. */
export class AccessTokenError extends Error {}

export interface AccessTokens {
  /** Name of the mailbox. */
  user: string;
  /** Returns a token that is valid for at least a few seconds. `isNew` is false if it was cached. */
  get(): Promise<{ token: string; isNew: boolean }>;
  /** Removes a token that the mail server rejected from the cache. */
  discard(token: string): void;
  close(): Promise<void>;
}

export type AccessTokenConfig = NetworkSettings &
  Pick<
    Config,
    | 'emailFrom'
    | 'smtpOAuthTokenUrl'
    | 'smtpOAuthClientId'
    | 'smtpOAuthClientSecret'
    | 'smtpOAuthKeyFile'
    | 'smtpOAuthScope'
    | 'smtpOAuthUser'
  >;

export interface AccessTokenOptions {
  userAgent: string;
  /** Certificates (PEM) that are trusted instead of the default ones. Null except in tests. */
  ca: string | null;
  resolveName?: ResolveName;
}

/** Timeout of a token request. Shorter than the timeout of an attempt, so that its error names this cause. */
const timeoutMs = 8_000;
const maxBytes = 64 * 1024;
/** Lifetime of a token whose response doesn't state one. */
const unknownLifetimeSeconds = 300;
/** A token isn't used in its last minute, because it must still be valid when it reaches the mail server. */
const marginSeconds = 60;

/** Response of a token endpoint. The lifetime is coerced, because some providers send it as text. */
const tokenResponse = z.object({
  access_token: z.string().min(1).max(16_384),
  expires_in: z.coerce.number().positive().optional().catch(undefined),
});
const errorResponse = z.object({ error: z.string(), error_description: z.string().optional() });

/**
 * Creates an object that fetches access tokens for the mail server (XOAUTH2), with the client credentials of
 * the operator or with the key of a service account (RFC 7523). Concurrent calls share one request.
 *
 * @returns `null` if the operator has configured neither.
 */
export function createAccessTokens(
  config: AccessTokenConfig,
  options: AccessTokenOptions,
): AccessTokens | null {
  const { smtpOAuthKeyFile: account, smtpOAuthClientSecret: secret, emailFrom } = config;
  const tokenUrl = account?.tokenUrl ?? config.smtpOAuthTokenUrl;
  const user = config.smtpOAuthUser ?? emailFrom?.address;
  if (tokenUrl === null || user === undefined) return null;
  const outbound = openOutboundTo(config, {
    host: new URL(tokenUrl).hostname,
    isDirect: false,
    ...options,
  });
  const hidden = secret === null ? [] : [secret, encodeURIComponent(secret)];
  let cached: { token: string; expiresAt: number } | undefined;
  let pending: Promise<string> | undefined;

  async function grant(): Promise<Record<string, string>> {
    if (account === null)
      return {
        grant_type: 'client_credentials',
        client_id: config.smtpOAuthClientId!,
        client_secret: secret!,
        scope: config.smtpOAuthScope ?? 'https://outlook.office365.com/.default',
      };
    const assertion = await new SignJWT({ scope: config.smtpOAuthScope ?? 'https://mail.google.com/' })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(account.clientEmail)
      .setSubject(user!)
      .setAudience(account.tokenUrl)
      .setIssuedAt()
      .setExpirationTime('5 minutes')
      .sign(account.privateKey);
    return { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion };
  }

  async function fetchToken(): Promise<string> {
    const startedAt = performance.now();
    const { status, body } = await outbound
      .request({
        url: tokenUrl!,
        purpose: 'source',
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: new URLSearchParams(await grant()).toString(),
        timeoutMs,
        maxBytes,
      })
      .catch((error: unknown) => {
        if (!(error instanceof OutboundError)) throw error;
        const reason = error.message.replace(`${error.host}: `, '');
        throw new AccessTokenError(`Token endpoint of the mail server: ${reason}.`, { cause: error });
      });
    const response = parse(body);
    const found = tokenResponse.safeParse(response);
    if (status !== 200 || !found.success) throw new AccessTokenError(reasonOf(status, response, hidden));
    const { access_token: token, expires_in: lifetime = unknownLifetimeSeconds } = found.data;
    const usedSeconds = Math.max(lifetime / 2, lifetime - marginSeconds);
    cached = { token, expiresAt: startedAt + usedSeconds * 1_000 };
    return token;
  }

  return {
    user,

    async get() {
      if (cached !== undefined && performance.now() < cached.expiresAt)
        return { token: cached.token, isNew: false };
      pending ??= fetchToken().finally(() => (pending = undefined));
      return { token: await pending, isNew: true };
    },

    discard(token) {
      if (cached?.token === token) cached = undefined;
    },

    close: () => outbound.close(),
  };
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}

/** Returns a sentence with the error of the provider, which is the only text that states the cause. */
function reasonOf(status: number, response: unknown, hidden: readonly string[]): string {
  const found = errorResponse.safeParse(response);
  if (!found.success)
    return `The token endpoint of the mail server returned status ${status} without a token.`;
  const { error, error_description: description } = found.data;
  const text = description === undefined ? error : `${error}: ${description}`;
  return `The token endpoint of the mail server returned the error ${oneLine(withoutSecrets(text, hidden)).replace(/\.$/u, '')}.`;
}
