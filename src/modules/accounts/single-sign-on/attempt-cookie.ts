import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { SecretBox } from '../../../platform/secrets/index.ts';

/**
 * A login that a browser has started. It's stored only in that browser, encrypted, so that no other browser
 * can complete it and the server stores nothing for logins that are never completed.
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

/** Maximum number of concurrent attempts, because several tabs can log in at the same time. */
const maxAttempts = 6;
const prefix = 'pacekeeper_sso_';
const path = '/sso';
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

export function setAttempt(
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
  const others = Object.keys(request.cookies).filter((name) => name.startsWith(prefix));
  for (const name of others.slice(0, Math.max(0, others.length - maxAttempts + 1)))
    clear(reply, name, baseUrl);
  reply.setCookie(nameOf(state), sealed, { ...kind(baseUrl), maxAge: attemptSeconds });
}

/** Returns the attempt that a response belongs to, if this browser started it, and removes its cookie. */
export function takeAttempt(
  request: FastifyRequest,
  reply: FastifyReply,
  secretBox: SecretBox,
  state: string,
  baseUrl: string,
): SignOnAttempt | null {
  const name = nameOf(state);
  const sealed = request.cookies[name];
  if (sealed === undefined || sealed.length > maxCookieLength) return null;
  clear(reply, name, baseUrl);
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

export function digestOf(state: string): Buffer {
  return createHash('sha256').update(state, 'utf8').digest();
}

function clear(reply: FastifyReply, name: string, baseUrl: string): void {
  reply.setCookie(name, '', { ...kind(baseUrl), maxAge: 0 });
}

/** Derives the cookie name from the state, so that a response finds its attempt. */
function nameOf(state: string): string {
  return prefix + digestOf(state).toString('base64url').slice(0, 16);
}

function contextOf(state: string) {
  return { organizationId: 1, table: 'sign_on_attempt', rowId: state, column: 'cookie' };
}

/** Uses `Lax`, because the browser returns from another site. */
function kind(baseUrl: string) {
  return { httpOnly: true, sameSite: 'lax', path, secure: new URL(baseUrl).protocol === 'https:' } as const;
}
