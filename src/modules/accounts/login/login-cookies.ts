import type { FastifyReply } from 'fastify';
import { accessTokenSeconds } from './login-tokens.ts';

/** The access token, for the web page. */
export const sessionCookie = 'pacekeeper_session';
/** The refresh token; browsers send it to the login interface only. */
export const refreshCookie = 'pacekeeper_refresh';

export const refreshTokenSeconds = 14 * 24 * 60 * 60;

const sessionPath = '/';
const refreshPath = '/api/v1/auth';

/** Without a refresh token the browser keeps the one that it has. */
export function setLoginCookies(
  reply: FastifyReply,
  { accessToken, refreshToken }: { accessToken: string; refreshToken: string | null },
  baseUrl: string,
): void {
  const kind = cookieKind(baseUrl);
  reply.setCookie(sessionCookie, accessToken, { ...kind, path: sessionPath, maxAge: accessTokenSeconds });
  if (refreshToken !== null) {
    reply.setCookie(refreshCookie, refreshToken, { ...kind, path: refreshPath, maxAge: refreshTokenSeconds });
  }
}

export function clearLoginCookies(reply: FastifyReply, baseUrl: string): void {
  const kind = cookieKind(baseUrl);
  reply.setCookie(sessionCookie, '', { ...kind, path: sessionPath, maxAge: 0 });
  reply.setCookie(refreshCookie, '', { ...kind, path: refreshPath, maxAge: 0 });
}

/** Out of reach for scripts and for other sites; never sent in the clear where there is https. */
function cookieKind(baseUrl: string) {
  return { httpOnly: true, sameSite: 'strict', secure: new URL(baseUrl).protocol === 'https:' } as const;
}
