import type { FastifyReply, FastifyRequest } from 'fastify';
import { accessTokenSeconds } from './login-tokens.ts';

/** Name of the cookie with the access token, for the web page. */
const sessionCookie = 'pacekeeper_session';
/**
 * Name of the cookie with the refresh token. Without the prefix, clients send it to the login endpoints only.
 */
export const refreshCookie = 'pacekeeper_refresh';

/**
 * Browsers accept cookies with this prefix only from the host itself, over HTTPS, and for all paths. So
 * neither another host of the domain nor someone on the network can replace them with the cookies of another
 * session.
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
 * Reads a cookie. A browser that has one cookie with the prefix received both with it, so cookies without it
 * are ignored, even if one of the two has expired. If no cookie has the prefix, the client is another
 * program, or the session started with an earlier version.
 */
function readCookie({ cookies }: FastifyRequest, name: string, baseUrl: string | null): string | undefined {
  const hasPrefix =
    isSecure(baseUrl) && [sessionCookie, refreshCookie].some((each) => cookies[hostPrefix + each]);
  return cookies[hasPrefix ? hostPrefix + name : name];
}

/**
 * Sets the login cookies. Without a new refresh token, the browser keeps its current one.
 *
 * @param options.isBrowser Defaults to true if the request has an `Origin`, as requests from the web page do.
 * Other programs, which store cookies themselves, get cookies without the prefix.
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
  // Remove cookies that an earlier version set.
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

/**
 * Attributes that hide cookies from scripts and other sites, and restrict them to HTTPS if the base URL uses
 * it.
 */
function cookieKind(baseUrl: string) {
  return { httpOnly: true, sameSite: 'strict', secure: isSecure(baseUrl) } as const;
}

function isSecure(baseUrl: string | null): boolean {
  return baseUrl !== null && new URL(baseUrl).protocol === 'https:';
}
