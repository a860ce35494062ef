import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { cookieNameAndAttributes } from '../../../platform/http/index.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';

/**
 * A login that a browser has started. It's stored encrypted, and only in that browser. So no other browser
 * can complete it, and the server stores nothing for logins that are never completed.
 */
export interface SignOnAttempt {
  provider: string;
  state: string;
  nonce: string;
  codeVerifier: string;
  /** Path to open after the login. */
  next: string;
  /** The user and login to link the identity to; null if the attempt is a login. */
  link: { userId: number; loginId: string } | null;
  expiresAt: Date;
}

export const attemptSeconds = 10 * 60;
/** Maximum length of a path. Longer paths are dropped, to keep cookies small. */
export const maxNextLength = 512;

/** Maximum number of attempts that a browser can start at the same time, for example in several tabs. */
const maxAttempts = 6;
const cookie = 'pacekeeper_sso_';
const maxCookieLength = 4_096;

const stored = z.tuple([
  z.string(),
  z.string(),
  z.string(),
  z.string(),
  z.string(),
  z.tuple([z.int(), z.string()]).nullable(),
  z.number(),
]);

export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function setAttemptCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  secretBox: SecretBox,
  attempt: SignOnAttempt,
  baseUrl: string,
): void {
  const { provider, state, nonce, codeVerifier, next, link, expiresAt } = attempt;
  const values = [
    provider,
    state,
    nonce,
    codeVerifier,
    next,
    link && [link.userId, link.loginId],
    expiresAt.getTime(),
  ];
  const sealed = secretBox.seal(JSON.stringify(values), contextOf(state)).toString('base64url');
  const { name, prefix, attributes } = scopeOf(state, baseUrl);
  const others = Object.keys(request.cookies).filter((each) => each.startsWith(prefix));
  for (const each of others.slice(0, Math.max(0, others.length - maxAttempts + 1)))
    reply.setCookie(each, '', { ...attributes, maxAge: 0 });
  reply.setCookie(name, sealed, { ...attributes, maxAge: attemptSeconds });
}

/** Returns the attempt that a response belongs to, or null if another browser started it. */
export function readAttemptCookie(
  request: FastifyRequest,
  secretBox: SecretBox,
  state: string,
  baseUrl: string,
): SignOnAttempt | null {
  const sealed = request.cookies[scopeOf(state, baseUrl).name];
  if (sealed === undefined || sealed.length > maxCookieLength) return null;
  let text: string;
  try {
    text = secretBox.openText(Buffer.from(sealed, 'base64url'), contextOf(state));
  } catch {
    return null;
  }
  const [provider, ownState, nonce, codeVerifier, next, link, expiresAt] = stored.parse(JSON.parse(text));
  return {
    provider,
    nonce,
    codeVerifier,
    next,
    state: ownState,
    link: link && {
      userId: link[0],
      loginId: link[1],
    },
    expiresAt: new Date(expiresAt),
  };
}

/** Removes the cookie of an attempt. */
export function clearAttemptCookie(reply: FastifyReply, state: string, baseUrl: string): void {
  const { name, attributes } = scopeOf(state, baseUrl);
  reply.setCookie(name, '', { ...attributes, maxAge: 0 });
}

export function digestOf(state: string): Buffer {
  return createHash('sha256').update(state, 'utf8').digest();
}

function contextOf(state: string) {
  return { organizationId: 1, table: 'sign_on_attempt', rowId: state, column: 'cookie' };
}

/**
 * Returns the name and attributes of an attempt's cookie. The name is derived from the state, so that the
 * attempt can be found by the state in the response. Uses `SameSite=Lax`, because the provider's site
 * redirects the browser to the callback.
 */
function scopeOf(state: string, baseUrl: string) {
  const digest = digestOf(state).toString('base64url').slice(0, 16);
  const { name, attributes } = cookieNameAndAttributes(`${cookie}${digest}`, '/sso', baseUrl);
  return {
    name,
    /** Common prefix of the cookie names of all attempts. */
    prefix: name.slice(0, name.indexOf(digest)),
    attributes: { ...attributes, sameSite: 'lax' },
  } as const;
}
