import { type Tx, transaction } from '../../../platform/database/index.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import type { AuthOperations, Handlers } from '../../../platform/http/index.ts';
import { parseOneTimeToken } from '../../../platform/secrets/index.ts';
import { chatAccountHandlers } from '../chat-accounts/chat-account-handlers.ts';
import { exchangeHandlers } from '../deployment-trusts/exchange-token.ts';
import { providerLogoutUrl } from '../login-providers/provider-logout-url.ts';
import { acceptInvitation } from '../members/accept-invitation.ts';
import { auditPerson } from '../people/audit-person.ts';
import { listOrganizationsOfUser } from '../people/organization-queries.ts';
import { findUserByEmail, lockUser, normalizeEmail, rehashPassword } from '../people/user-queries.ts';
import { auditLogin } from '../sessions/audit-login.ts';
import { type SessionClient, sessionClientOf } from '../sessions/client-of-session.ts';
import {
  checkPresentedToken,
  continuedLoginResponse,
  continueLogin,
  type IssuedLogin,
  issueLogin,
} from '../sessions/issue-login.ts';
import { clearLoginCookies, readRefreshCookie, refreshScope } from '../sessions/login-cookies.ts';
import { createLoginLimits } from '../sessions/login-limits.ts';
import {
  assertPasswordLogin,
  endedLoginError,
  endLogin,
  endReusedLogin,
  type LoginParts,
  passwordQueueKey,
  requireLogin,
  sendLoginResponse,
  withLoginCapacity,
} from '../sessions/login-parts.ts';
import {
  findRefreshToken,
  organizationOfFamily,
  type RefreshTokenRow,
} from '../sessions/refresh-token-queries.ts';
import { checkOrigin } from '../sessions/request-origin.ts';
import { sessionHandlers } from '../sessions/session-handlers.ts';
import { confirmSession } from '../single-sign-on/confirm-session.ts';
import { identityHandlers } from '../single-sign-on/identity-handlers.ts';
import { twoFactorHandlers } from '../two-factor/two-factor-handlers.ts';
import { verifyAndConsumeCode } from '../two-factor/verify-code.ts';
import { deviceLoginHandlers } from './device-login-handlers.ts';
import { loginLinkHandlers } from './login-link-handlers.ts';
import { passwordHandlers } from './password-handlers.ts';

export type LoginHandlersOptions = Omit<LoginParts, 'limits'>;

export function loginHandlers(options: LoginHandlersOptions): Handlers<keyof AuthOperations> {
  const { db, loginTokens, passwords, secretBox, baseUrl, config, guessing } = options;
  const limits = createLoginLimits();
  const parts: LoginParts = { ...options, limits };

  return {
    ...passwordHandlers(parts),
    ...sessionHandlers(parts),
    ...identityHandlers(parts),
    ...loginLinkHandlers(parts),
    ...deviceLoginHandlers(parts),
    ...twoFactorHandlers(parts),
    ...chatAccountHandlers(parts),
    ...exchangeHandlers(parts),

    async login({ body, http, requestId }) {
      assertPasswordLogin(options);
      const email = normalizeEmail(body.email);
      limits.take(http.request, email);
      const found = await findUserByEmail(db, email);
      const isRight = await withLoginCapacity(
        passwords.verify(found?.password_hash ?? null, body.password, passwordQueueKey(http.request)),
      );
      if (!found || !isRight) throw wrongLogin();
      const newHash = passwords.needsRehash(found.password_hash)
        ? await withLoginCapacity(passwords.hash(body.password, passwordQueueKey(http.request)))
        : null;
      const client = sessionClientOf(http.request);
      const login = await transaction(db, async (tx) => {
        const user = await lockUser(tx, found.id);
        // If the hash differs, the password was changed during the check.
        if (!user || user.password_hash !== found.password_hash) throw wrongLogin();
        const codeError = await verifyAndConsumeCode(tx, secretBox, user, { code: body.code, requestId });
        if (codeError) return codeError;
        if (newHash !== null) await rehashPassword(tx, user.id, newHash);
        const organizations = await listOrganizationsOfUser(tx, user.id, null);
        const organization =
          organizations.find(({ id }) => id === user.last_organization_id) ?? organizations[0];
        if (!organization) throw await noOrganization(tx, user.id);
        await auditLogin(tx, user, { method: 'password' }, requestId);
        return issueLogin(tx, loginTokens, user, { organizationId: organization.id, client });
      });
      if (login instanceof ApiError) throw login;
      return sendLoginResponse(http.reply, login!, baseUrl);
    },

    async refreshLogin({ http, requestId }) {
      const token = readRefreshCookie(http.request, baseUrl);
      if (!token)
        throw new ApiError(
          'unauthenticated',
          `The cookie ${refreshScope(baseUrl).name} is missing. Log in again.`,
        );
      checkOrigin(http.request, config.baseUrl, { mayBeAbsent: true });
      const found = await findPresented(token);
      if (found) limits.takeOfLogin(found.family_id);
      const client = sessionClientOf(http.request);
      const isValid = found && (await confirmSession(parts, found.family_id, requestId)) === 'valid';
      const login = isValid ? await transaction(db, (tx) => renew(tx, found, client)) : undefined;
      if (!login) {
        guessing.countInvalid(http.request);
        throw endedLoginError();
      }
      return sendLoginResponse(http.reply, login, baseUrl);
    },

    async logout({ http, requestId }) {
      const token = readRefreshCookie(http.request, baseUrl);
      if (token) checkOrigin(http.request, config.baseUrl, { mayBeAbsent: true });
      clearLoginCookies(http.reply, baseUrl);
      if (!token) return { status: 204 };
      const found = await findPresented(token);
      if (!found) {
        guessing.countInvalid(http.request);
        return { status: 204 };
      }
      const url = await providerLogoutUrl(parts, found.family_id);
      await transaction(db, async (tx) => {
        const user = await lockUser(tx, found.user_id);
        if (!(await endLogin(tx, found.family_id)) || !user) return;
        const actor = { type: 'user', id: user.id, name: user.name } as const;
        await auditPerson(tx, user, { action: 'member.logged_out', actor, requestId });
      });
      return url === null ? { status: 204 } : { status: 200, body: { provider_logout_url: url } };
    },

    async getMe({ caller }) {
      const { user, organizationId, loginId } = await requireLogin(db, caller);
      const organizations = await listOrganizationsOfUser(db, user.id, loginId);
      const organization = organizations.find(({ id }) => id === organizationId);
      if (!organization) throw new ApiError('unauthenticated');
      return {
        status: 200,
        body: { user: { id: user.id, email: user.email, name: user.name }, organization, organizations },
      };
    },

    async switchOrganization({ caller, body, http }) {
      const { user: found, loginId } = await requireLogin(db, caller);
      limits.takeOfLogin(loginId);
      const token = readRefreshCookie(http.request, baseUrl);
      const client = sessionClientOf(http.request);
      const login = await transaction(db, async (tx) => {
        const user = await lockUser(tx, found.id);
        if (!user) return undefined;
        const presented = await checkPresentedToken(tx, loginId, token);
        if (presented === 'reused') {
          await endReusedLogin(tx, parts, { loginId, user });
          return 'ended';
        }
        return continueLogin(tx, loginTokens, user, {
          organizationId: body.organization_id,
          client,
          loginId,
          hasPresentedToken: presented === 'unused',
        });
      });
      if (login === 'ended') throw endedLoginError();
      if (!login) throw notFound();
      return sendLoginResponse(http.reply, login, baseUrl);
    },

    async acceptInvitation({ caller, body, http, requestId }) {
      limits.take(http.request);
      const login = await acceptInvitation(parts, {
        caller,
        body,
        requestId,
        client: sessionClientOf(http.request),
        refreshToken: readRefreshCookie(http.request, baseUrl),
        queueKey: passwordQueueKey(http.request),
      });
      if (login === 'ended') throw endedLoginError();
      return sendLoginResponse(http.reply, login, baseUrl);
    },
  };

  /**
   * Finds a refresh token. Anyone can send a cookie, so an invalid one costs at most one statement and no
   * transaction.
   */
  async function findPresented(token: string): Promise<PresentedToken | undefined> {
    const digest = parseOneTimeToken(token);
    const found = digest && (await findRefreshToken(db, digest));
    return found ? { ...found, digest } : undefined;
  }

  /**
   * Replaces a refresh token. If the token was used before, two clients have it, so the login ends for both.
   * The exception is a token that was used only seconds ago, because another tab of the same browser may have
   * sent it again. That tab gets an access token but no refresh token. A thief in its place would have access
   * for only 15 minutes. Returns undefined instead of throwing, so that the end of the login is committed.
   */
  async function renew(
    tx: Tx,
    { user_id, digest }: PresentedToken,
    client: SessionClient,
  ): Promise<IssuedLogin | undefined> {
    const user = await lockUser(tx, user_id);
    const found = user && (await findRefreshToken(tx, digest));
    if (!found) return undefined;
    const familyId = found.family_id;
    if (!found.is_used) {
      return issueLogin(tx, loginTokens, user, { organizationId: found.organization_id, client, familyId });
    }
    if (!found.is_just_used) {
      await endReusedLogin(tx, parts, { loginId: familyId, user });
      return undefined;
    }
    const organizationId = await organizationOfFamily(tx, familyId);
    const body =
      organizationId === undefined
        ? undefined
        : await continuedLoginResponse(tx, loginTokens, user, { organizationId, familyId });
    return body && { body, refreshToken: null };
  }
}

/** Refresh token that a request presented, as it was read before the user was locked. */
interface PresentedToken extends RefreshTokenRow {
  digest: Buffer;
}

/**
 * Returns the error for a person without an accessible organization. Some organizations allow only single
 * sign-on.
 */
async function noOrganization(tx: Tx, userId: number): Promise<ApiError> {
  const row = await tx
    .selectFrom('memberships')
    .select('id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return new ApiError(
    'forbidden',
    row === undefined
      ? "You don't belong to any organization."
      : 'Your organizations require single sign-on. Log in with your login provider.',
  );
}

/** Returns the same error for a wrong password and an account that doesn't exist. */
function wrongLogin(): ApiError {
  return new ApiError('unauthenticated', 'Wrong email or password.');
}
