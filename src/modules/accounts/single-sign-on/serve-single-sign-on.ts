import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { SignOnErrorCode } from '../../../domain/sign-on/sign-on-errors.ts';
import type { Config } from '../../../platform/config.ts';
import { type Database, transaction } from '../../../platform/database/index.ts';
import { clientBlock, createRateLimit, readSmallBody } from '../../../platform/http/index.ts';
import { createRateLimitedLog } from '../../../platform/log-sparingly.ts';
import type { ProviderConnection } from '../login-providers/provider-connection.ts';
import { SignOnError } from '../login-providers/sign-on-error.ts';
import { databaseNow, type SingleSignOn } from '../login-providers/single-sign-on.ts';
import { sessionClientOf } from '../sessions/client-of-session.ts';
import { readSessionCookie, setLoginCookies } from '../sessions/login-cookies.ts';
import type { LoginParts } from '../sessions/login-parts.ts';
import {
  attemptSeconds,
  clearAttemptCookie,
  digestOf,
  maxNextLength,
  randomSecret,
  readAttemptCookie,
  type SignOnAttempt,
  setAttemptCookie,
} from './attempt-cookie.ts';
import { isLoginActive, linkBySignOn, logInBySignOn, revokeSignOnAccess } from './complete-sign-on.ts';
import { endProviderLogins } from './end-provider-logins.ts';
import { reportAcceptedClient } from './report-rejected-client.ts';

export interface ServeSingleSignOnParts
  extends Pick<LoginParts, 'db' | 'loginTokens' | 'passwords' | 'baseUrl' | 'log'> {
  singleSignOn: SingleSignOn;
  config: Pick<Config, 'rateLimitPerMinute'>;
}

interface ProviderParams {
  provider: string;
}

/**
 * Maximum number of requests per minute from an address. It's the same as for password logins, which are
 * counted separately.
 */
const maxPerAddressAndMinute = 100;
const maxLogoutBytes = 16_384;
/** Query parameter that marks a callback as requested by a page of this server. */
const returnedParameter = 'pacekeeper_returned';

/**
 * Registers the single sign-on routes for browsers and providers. `/sso/<provider>/login?next=<path>` starts
 * a login and redirects the browser to the provider, which redirects it back to `/sso/<provider>/callback`.
 * Failed logins end on the login page with an error code. Providers end sessions with `POST
 * /sso/<provider>/logout` (OpenID Connect Back-Channel Logout).
 */
export function serveSingleSignOn(app: FastifyInstance, parts: ServeSingleSignOnParts): void {
  const { singleSignOn, baseUrl, db, loginTokens, log } = parts;
  const limit = createRateLimit(parts.config.rateLimitPerMinute > 0 ? maxPerAddressAndMinute : 0);
  const warn = createRateLimitedLog(log);

  app.get<{ Params: ProviderParams }>('/sso/:provider/login', async (request, reply) => {
    const next = toLocalPath(queryOf(request).get('next'), baseUrl);
    const connection = singleSignOn.find(request.params.provider);
    return orLoginPage(reply, { provider: request.params.provider, next }, async () => {
      takeTurn(request);
      if (!connection) throw new SignOnError('provider_unavailable', 'unknown provider');
      // The login must start on the host of the base URL, because the callback requires the cookie that is
      // set there.
      if (request.host !== new URL(baseUrl).host && !wasMoved(request))
        return redirect(
          reply,
          `${baseUrl}/sso/${connection.settings.id}/login?next=${encodeURIComponent(next)}&moved=true`,
        );
      return redirect(
        reply,
        (await beginAttempt(parts, request, reply, { connection, next, link: null })).href,
      );
    });
  });

  app.get<{ Params: ProviderParams }>('/sso/:provider/callback', async (request, reply) => {
    const query = queryOf(request);
    const state = query.get('state') ?? '';
    const attempt =
      state.length > 200 ? null : readAttemptCookie(request, singleSignOn.secretBox, state, baseUrl);
    const back = {
      provider: request.params.provider,
      next: attempt?.next ?? '/',
      isLink: attempt?.link != null,
    };
    return orLoginPage(reply, back, async () => {
      takeTurn(request);
      const connection = singleSignOn.find(request.params.provider);
      const presented = attempt?.link ? await presentedLogin(request) : null;
      if (attempt?.link && presented === null && !query.has(returnedParameter)) {
        if (await isLoginActive(db, attempt.link.loginId)) return sendReturnPage(request, reply);
      }
      if (attempt) clearAttemptCookie(reply, state, baseUrl);
      if (!attempt || !connection) throw new SignOnError('attempt_expired');
      // Rejects the response of one provider at the callback URL of another.
      if (attempt.provider !== connection.settings.id)
        throw new SignOnError('attempt_expired', 'another provider');
      if (attempt.expiresAt.getTime() <= (await databaseNow(db)).getTime())
        throw new SignOnError('attempt_expired', 'too late');
      if (attempt.link && presented === null) throw new SignOnError('session_ended');
      if (attempt.link && presented !== attempt.link.loginId)
        throw new SignOnError('attempt_expired', 'another session');
      await consumeAttempt(db, attempt);
      query.delete(returnedParameter);
      const answer = await connection.exchange(query, attempt);
      await reportAcceptedClient(parts, connection);
      const { settings } = connection;
      const granted = await singleSignOn.rolesOf(connection, answer).catch(async (error: unknown) => {
        if (error instanceof SignOnError && error.code === 'claim_required')
          await revokeSignOnAccess(parts, { settings, answer, requestId: request.id });
        throw error;
      });
      const confirmed = { settings, answer, ...granted, requestId: request.id };
      if (attempt.link) {
        await linkBySignOn(parts, confirmed, attempt.link);
        return redirect(reply, `${baseUrl}/account?login_linked=${connection.settings.id}`);
      }
      const { body, refreshToken } = await logInBySignOn(parts, confirmed, sessionClientOf(request));
      const tokens = { accessToken: body.access_token, refreshToken };
      setLoginCookies(reply, tokens, baseUrl);
      // Redirect to the login page, which continues the login. Browsers don't send the new cookies when they follow
      // this redirect.
      return redirect(
        reply,
        `${baseUrl}/login?${new URLSearchParams({ sso: 'done', next: back.next }).toString()}`,
      );
    });
  });

  app.post<{ Params: ProviderParams }>('/sso/:provider/logout', async (request, reply) => {
    const connection = singleSignOn.find(request.params.provider);
    if (!connection) return reply.status(404).send();
    const token = new URLSearchParams(
      (await readSmallBody(request, reply, maxLogoutBytes)).toString('utf8'),
    ).get('logout_token');
    try {
      const logout = token === null ? null : await connection.readLogoutToken(token);
      if (!logout) {
        // Only invalid requests count toward the rate limit, because a provider can end many sessions at the
        // same time from one IP address.
        const { retryAfterSeconds } = limit.take(clientBlock(request.ip));
        if (retryAfterSeconds > 0) return await reply.status(429).send();
        return await reply.status(400).send({ error: 'invalid_request' });
      }
      const { settings } = connection;
      await transaction(db, (tx) => endProviderLogins(tx, logout, { settings, requestId: request.id }));
      return await reply.status(200).send();
    } catch (error) {
      if (!(error instanceof SignOnError)) throw error;
      logFailure(error, connection.settings.id, request);
      return reply.status(503).send();
    }
  });

  /** Returns the login that the request presents in its cookie, whether or not the login is still active. */
  async function presentedLogin(request: FastifyRequest): Promise<string | null> {
    const token = readSessionCookie(request, baseUrl);
    const claims = token === undefined ? null : await loginTokens.verify(token);
    return claims?.familyId ?? null;
  }

  function takeTurn(request: FastifyRequest): void {
    if (limit.take(clientBlock(request.ip)).retryAfterSeconds > 0) throw new SignOnError('rate_limited');
  }

  async function orLoginPage(
    reply: FastifyReply,
    { provider, next, isLink = false }: { provider: string; next: string; isLink?: boolean },
    work: () => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    try {
      return await work();
    } catch (error) {
      const code: SignOnErrorCode = error instanceof SignOnError ? error.code : 'internal';
      if (error instanceof SignOnError) logFailure(error, provider, reply.request);
      else warn({ err: error, requestId: reply.request.id }, 'single sign-on failed', { level: 'error' });
      const query = new URLSearchParams(isLink ? { sso_error: code } : { sso_error: code, next });
      return redirect(reply, `${baseUrl}${isLink ? '/account' : '/login'}?${query.toString()}`);
    }
  }

  function logFailure({ code, reason }: SignOnError, provider: string, request: FastifyRequest): void {
    const fields = { code, reason, provider: provider.slice(0, 40), requestId: request.id };
    warn(fields, `single sign-on failed: ${code}`);
  }
}

/**
 * Starts a login attempt and stores it in a cookie.
 * @returns The provider's URL to redirect the browser to.
 */
export async function beginAttempt(
  { singleSignOn, baseUrl, db }: Pick<ServeSingleSignOnParts, 'singleSignOn' | 'baseUrl' | 'db'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { connection, next, link }: { connection: ProviderConnection } & Pick<SignOnAttempt, 'next' | 'link'>,
): Promise<URL> {
  const checks = { state: randomSecret(), nonce: randomSecret(), codeVerifier: randomSecret() };
  const url = await connection.authorizationUrl(checks);
  const expiresAt = new Date((await databaseNow(db)).getTime() + attemptSeconds * 1_000);
  const attempt = { ...checks, provider: connection.settings.id, next, link, expiresAt };
  setAttemptCookie(request, reply, singleSignOn.secretBox, attempt, baseUrl);
  return url;
}

/**
 * Sends a page that requests the callback again. Session cookies are `SameSite=Strict`, so the browser
 * doesn't send them when a provider on another site redirects to the callback. The browser does send them
 * when a page of this server requests the callback.
 */
function sendReturnPage({ raw }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [, query = ''] = (raw.url ?? '').split('?', 2);
  const target = `callback?${query}&${returnedParameter}=true`.replace(
    /[&"<>]/g,
    (each) => `&#${each.charCodeAt(0)};`,
  );
  return reply
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${target}"><title>Pacekeeper</title><p><a href="${target}">Continue</a></p></html>`,
    );
}

/** Rejects a response that was already used, even from the browser that started the login. */
async function consumeAttempt(db: Database, { state, expiresAt }: SignOnAttempt): Promise<void> {
  await sql`DELETE FROM used_sign_on_states WHERE expires_at <= pacekeeper_now()`.execute(db);
  const result = await sql`
    INSERT INTO used_sign_on_states (state_hash, expires_at) VALUES (${digestOf(state)}, ${expiresAt})
    ON CONFLICT DO NOTHING`.execute(db);
  if (result.numAffectedRows !== 1n) throw new SignOnError('attempt_expired', 'used before');
}

/** Returns a path on this server. Other URLs become `/`. */
export function toLocalPath(given: string | null, baseUrl: string): string {
  if (given === null || given.length > maxNextLength || !URL.canParse(given, baseUrl)) return '/';
  const { origin, pathname, search, hash } = new URL(given, baseUrl);
  // A path that starts with two slashes would refer to another host.
  if (origin !== new URL(baseUrl).origin || /^[/\\]{2}/.test(pathname)) return '/';
  const path = `${pathname}${search}${hash}`;
  // Percent-encoding can make a path nine times as long.
  return path.length > maxNextLength ? '/' : path;
}

function wasMoved(request: FastifyRequest): boolean {
  return queryOf(request).get('moved') === 'true';
}

function queryOf(request: FastifyRequest): URLSearchParams {
  const [, query = ''] = request.url.split('?', 2);
  return new URLSearchParams(query);
}

function redirect(reply: FastifyReply, url: string): FastifyReply {
  return reply.header('location', url).status(303).send();
}
