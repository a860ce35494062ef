import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieNameAndAttributes } from '../../../platform/http/index.ts';
import { accessTokenSeconds } from './login-tokens.ts';

export const refreshTokenSeconds = 14 * 24 * 60 * 60;

/** @param baseUrl Null if it isn't configured. The server is then reached over HTTP without a base path. */
export function readSessionCookie({ cookies }: FastifyRequest, baseUrl: string | null): string | undefined {
  return cookies[sessionScope(baseUrl ?? 'http://localhost').name];
}

export function readRefreshCookie({ cookies }: FastifyRequest, baseUrl: string): string | undefined {
  return cookies[refreshScope(baseUrl).name];
}

/** Sets the login cookies. Without a new refresh token, the browser keeps its current one. */
export function setLoginCookies(
  reply: FastifyReply,
  { accessToken, refreshToken }: { accessToken: string; refreshToken: string | null },
  baseUrl: string,
): void {
  const session = sessionScope(baseUrl);
  reply.setCookie(session.name, accessToken, { ...session.attributes, maxAge: accessTokenSeconds });
  if (refreshToken === null) return;
  const refresh = refreshScope(baseUrl);
  reply.setCookie(refresh.name, refreshToken, { ...refresh.attributes, maxAge: refreshTokenSeconds });
}

export function clearLoginCookies(reply: FastifyReply, baseUrl: string): void {
  for (const { name, attributes } of [sessionScope(baseUrl), refreshScope(baseUrl)])
    reply.setCookie(name, '', { ...attributes, maxAge: 0 });
}

/** Returns the name and attributes of the cookie with the access token, for the web page. */
function sessionScope(baseUrl: string) {
  return loginScope('pacekeeper_session', '/', baseUrl);
}

/**
 * Returns the name and attributes of the cookie with the refresh token. Over HTTP, clients send it to the
 * login endpoints only.
 */
export function refreshScope(baseUrl: string) {
  return loginScope('pacekeeper_refresh', '/api/v1/auth', baseUrl);
}

/** Uses `Strict`, so that requests from other sites have no session. */
function loginScope(cookie: string, path: string, baseUrl: string) {
  const { name, attributes } = cookieNameAndAttributes(cookie, path, baseUrl);
  return { name, attributes: { ...attributes, sameSite: 'strict' } } as const;
}
