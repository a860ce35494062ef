import type { FastifyReply, FastifyRequest } from 'fastify';
import { systemActor } from '../../../domain/audit/actor.ts';
import type { Schemas } from '../../../generated/auth-api.ts';
import type { Config } from '../../../platform/config.ts';
import { afterCommit, type Database, type Tx } from '../../../platform/database/index.ts';
import { ApiError } from '../../../platform/errors.ts';
import { type Caller, clientBlock, type InvalidCredentialLimit } from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log.ts';
import type { OutboundClient } from '../../../platform/outbound/index.ts';
import { type Passwords, PasswordsBusyError, type SecretBox } from '../../../platform/secrets/index.ts';
import type { SingleSignOn } from '../login-providers/single-sign-on.ts';
import { auditPerson } from '../people/audit-person.ts';
import { announceRightsChange } from '../people/rights-changes.ts';
import { findUser, type UserRow } from '../people/user-queries.ts';
import type { DeploymentTokens } from './deployment-tokens.ts';
import type { IssuedLogin } from './issue-login.ts';
import { setLoginCookies } from './login-cookies.ts';
import type { LoginLimits } from './login-limits.ts';
import type { LoginTokens } from './login-tokens.ts';
import { revokeTokenFamily } from './refresh-token-queries.ts';

/** Dependencies that the handlers of the login API share. */
export interface LoginParts {
  db: Database;
  loginTokens: LoginTokens;
  deploymentTokens: DeploymentTokens;
  /** Sends requests to the issuers of trusts. */
  outbound: Pick<OutboundClient, 'request'>;
  passwords: Passwords;
  /** Encrypts the secrets of two-factor authentication. */
  secretBox: SecretBox;
  baseUrl: string;
  config: Pick<Config, 'baseUrl'>;
  log: Log;
  limits: LoginLimits;
  singleSignOn: SingleSignOn;
  /** Counts invalid refresh tokens. */
  guessing: InvalidCredentialLimit;
}

/**
 * Returns the user and the login of the caller. Rejects callers without a login, although the API contract
 * already excludes them.
 */
export async function requireLogin(
  db: Database,
  caller: Caller | null,
): Promise<{ user: UserRow; organizationId: number; loginId: string }> {
  const user = caller?.userId == null ? undefined : await findUser(db, caller.userId);
  if (!user || !caller?.loginId) throw new ApiError('login_required');
  return { user, organizationId: caller.organizationId, loginId: caller.loginId };
}

export function sendLoginResponse(
  reply: FastifyReply,
  { body, refreshToken }: IssuedLogin,
  baseUrl: string,
): { status: 200; body: Schemas['LoginResponse'] } {
  setLoginCookies(reply, { accessToken: body.access_token, refreshToken }, baseUrl);
  return { status: 200, body };
}

/**
 * Ends a login and all streams that it opened.
 * @returns False if another request has ended the login.
 */
export async function endLogin(tx: Tx, loginId: string): Promise<boolean> {
  const hasEnded = await revokeTokenFamily(tx, loginId);
  announceRightsChange(tx, { loginId });
  return hasEnded;
}

/** Ends a login whose refresh token is known to two clients, for both of them. */
export async function endReusedLogin(
  tx: Tx,
  parts: Pick<LoginParts, 'log'>,
  { loginId, user }: { loginId: string; user: { id: number; name: string } },
): Promise<void> {
  await endLogin(tx, loginId);
  // The system is the actor, because the request can come from a thief.
  await auditPerson(tx, user, {
    action: 'member.session_ended',
    actor: systemActor,
    detail: { reason: 'refresh_token_reused' },
    requestId: null,
  });
  afterCommit(tx, () => parts.log.warn({ userId: user.id }, 'refresh token reused; session revoked'));
}

/** Throws if users can log in only with single sign-on. */
export function assertPasswordLogin({ singleSignOn }: Pick<LoginParts, 'singleSignOn'>): void {
  if (!singleSignOn.hasPasswordLogin)
    throw new ApiError('forbidden', 'Password login is disabled. Log in with single sign-on.');
}

export function endedLoginError(): ApiError {
  return new ApiError('unauthenticated', 'Your session has expired. Log in again.');
}

/**
 * Returns the key that identifies the client in the queue for password hashing. The queue is fair: it serves one
 * request of each network in turn.
 */
export function passwordQueueKey({ ip }: Pick<FastifyRequest, 'ip'>): string {
  return clientBlock(ip);
}

export async function withLoginCapacity<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PasswordsBusyError) {
      throw new ApiError('unavailable', undefined, { cause: error, retryAfterSeconds: 2 });
    }
    throw error;
  }
}
