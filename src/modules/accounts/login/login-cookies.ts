import type { FastifyReply, FastifyRequest } from 'fastify';
import { accessTokenSeconds } from './login-tokens.ts';

/** The access token, for the web page. */
const sessionCookie = 'pacekeeper_session';
/** The refresh token. Unless it has the prefix, clients send it to the login interface only. */
export const refreshCookie = 'pacekeeper_refresh';

/**
 * Browsers accept cookies with this prefix only from the host itself, over HTTPS, and for all paths. So neither another host
 * of the domain nor someone on the network can replace them with the session of someone else.
 */
const hostPrefix = '__Host-';

export const refreshTokenSeconds = 14 * 24 * 60 * 60;

const sessionPath = '/';
const refreshPath = '/api/v1/auth';

export function readSessionCookie(request: FastifyRequest, baseUrl: string | null): string | undefined {
  return readCookie(request, sessionCookie, baseUrl);
}

export function readRefreshCookie(request: FastifyRequest, baseUrl: string | null): string | undefined {
  return readCookie(request, refreshCookie, baseUrl);
}

/**
 * A browser that has one cookie with the prefix has got both that way, so others don't count, even if one of them has
 * expired. Without any, it's another program, or the session began with an earlier version.
 */
function readCookie({ cookies }: FastifyRequest, name: string, baseUrl: string | null): string | undefined {
  const hasPrefix =
    isSecure(baseUrl) && [sessionCookie, refreshCookie].some((each) => cookies[hostPrefix + each]);
  return cookies[hasPrefix ? hostPrefix + name : name];
}

/**
 * Without a refresh token the browser keeps the one that it has.
 *
 * @param options.isBrowser by default, whether the request has an `Origin`, as those of the page do. Other programs, which
 * store cookies themselves, get them without the prefix
 */
export function setLoginCookies(
  reply: FastifyReply,
  { accessToken, refreshToken }: { accessToken: string; refreshToken: string | null },
  baseUrl: string,
  { isBrowser = reply.request.headers.origin !== undefined } = {},
): void {
  const kind = cookieKind(baseUrl);
  const session = { ...kind, path: sessionPath, maxAge: accessTokenSeconds };
  const refresh = { ...kind, path: refreshPath, maxAge: refreshTokenSeconds };
  if (!isBrowser || !isSecure(baseUrl)) {
    reply.setCookie(sessionCookie, accessToken, session);
    if (refreshToken !== null) reply.setCookie(refreshCookie, refreshToken, refresh);
    return;
  }
  reply.setCookie(hostPrefix + sessionCookie, accessToken, session);
  if (refreshToken !== null)
    reply.setCookie(hostPrefix + refreshCookie, refreshToken, { ...refresh, path: '/' });
  // Of an earlier version.
  const { cookies } = reply.request;
  if (cookies[sessionCookie] !== undefined) reply.setCookie(sessionCookie, '', { ...session, maxAge: 0 });
  if (cookies[refreshCookie] !== undefined && refreshToken !== null)
    reply.setCookie(refreshCookie, '', { ...refresh, maxAge: 0 });
}

export function clearLoginCookies(reply: FastifyReply, baseUrl: string): void {
  const kind = { ...cookieKind(baseUrl), maxAge: 0 };
  reply.setCookie(sessionCookie, '', { ...kind, path: sessionPath });
  reply.setCookie(refreshCookie, '', { ...kind, path: refreshPath });
  if (!isSecure(baseUrl)) return;
  const own = [sessionCookie, refreshCookie].map((name) => hostPrefix + name);
  for (const name of own.filter((each) => reply.request.cookies[each] !== undefined))
    reply.setCookie(name, '', { ...kind, path: '/' });
}

/** Out of reach for scripts and for other sites; never sent in the clear where there is https. */
function cookieKind(baseUrl: string) {
  return { httpOnly: true, sameSite: 'strict', secure: isSecure(baseUrl) } as const;
}

function isSecure(baseUrl: string | null): boolean {
  return baseUrl !== null && new URL(baseUrl).protocol === 'https:';
}
