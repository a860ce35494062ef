import type { Schemas } from '../../../generated/auth-api.ts';
import {
  afterCommit,
  type Database,
  type Tx,
  transaction,
  type WakeUps,
} from '../../../platform/database/index.ts';
import { ApiError, invalidField, notFound } from '../../../platform/errors.ts';
import {
  type ApiRequest,
  type AuthOperations,
  type Caller,
  clientNetwork,
  type Handlers,
} from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log.ts';
import { digestOneTimeToken, type Passwords, PasswordsBusyError } from '../../../platform/secrets/index.ts';
import { acceptInvitation } from '../members/accept-invitation.ts';
import { listOrganizationsOfUser, lockOrganization } from '../organizations/organization-queries.ts';
import { announceRightsChange } from '../rights-changes.ts';
import { type IssuedLogin, issueLogin, loginBody } from './issue-login.ts';
import { clearLoginCookies, refreshCookie, setLoginCookies } from './login-cookies.ts';
import { createLoginLimits } from './login-limits.ts';
import type { LoginTokens } from './login-tokens.ts';
import { findPasswordReset, isResetAllowed } from './password-reset-queries.ts';
import { endFamily, findRefreshToken, organizationOfFamily } from './refresh-token-queries.ts';
import { checkOrigin } from './request-origin.ts';
import {
  findUser,
  findUserByEmail,
  lockUser,
  normalizeEmail,
  rehashPassword,
  setPassword,
  type UserRow,
} from './user-queries.ts';

export interface LoginHandlersOptions {
  db: Database;
  wakeUps: WakeUps;
  loginTokens: LoginTokens;
  passwords: Passwords;
  baseUrl: string;
  config: { baseUrl: string | null };
  log: Log;
}

export function loginHandlers(options: LoginHandlersOptions): Handlers<keyof AuthOperations> {
  const { db, wakeUps, loginTokens, passwords, baseUrl, config, log } = options;
  const limits = createLoginLimits();

  return {
    async login({ body, http }) {
      const email = normalizeEmail(body.email);
      limits.take(http.request, email);
      const found = await findUserByEmail(db, email);
      const isRight = await whenNotBusy(
        passwords.verify(found?.password_hash ?? null, body.password, turnOf(http)),
      );
      if (!found || !isRight) throw wrongLogin();
      const newHash = passwords.needsRehash(found.password_hash)
        ? await whenNotBusy(passwords.hash(body.password, turnOf(http)))
        : null;
      const login = await transaction(db, async (tx) => {
        const user = await lockUser(tx, found.id);
        // The password was changed while it was checked.
        if (!user || user.password_hash !== found.password_hash) throw wrongLogin();
        if (newHash !== null) await rehashPassword(tx, user.id, newHash);
        const organizations = await listOrganizationsOfUser(tx, user.id);
        const organization =
          organizations.find(({ id }) => id === user.last_organization_id) ?? organizations[0];
        if (!organization) throw new ApiError('forbidden', 'You do not belong to any organization.');
        return issueLogin(tx, loginTokens, user, { organizationId: organization.id });
      });
      return answer(http, login!);
    },

    async refreshLogin({ http }) {
      const token = http.request.cookies[refreshCookie];
      if (!token) throw new ApiError('unauthenticated');
      checkOrigin(http.request, config.baseUrl, { mayBeAbsent: true });
      const digest = digestOneTimeToken(token);
      const login = await transaction(db, (tx) => renew(tx, digest));
      if (!login) throw new ApiError('unauthenticated', 'The login has ended. Log in again.');
      return answer(http, login);
    },

    async logout({ http }) {
      const token = http.request.cookies[refreshCookie];
      if (token) {
        checkOrigin(http.request, config.baseUrl, { mayBeAbsent: true });
        const digest = digestOneTimeToken(token);
        await transaction(db, async (tx) => {
          const found = await findRefreshToken(tx, digest);
          if (!found) return;
          await lockUser(tx, found.user_id);
          await endFamily(tx, found.family_id);
          announceRightsChange(tx, wakeUps, { loginId: found.family_id });
        });
      }
      clearLoginCookies(http.reply, baseUrl);
      return { status: 204 };
    },

    async getMe({ caller }) {
      const { user, organizationId } = await loggedIn(caller);
      const organizations = await listOrganizationsOfUser(db, user.id);
      const organization = organizations.find(({ id }) => id === organizationId);
      if (!organization) throw new ApiError('unauthenticated');
      return {
        status: 200,
        body: { user: { id: user.id, email: user.email, name: user.name }, organization, organizations },
      };
    },

    async changePassword({ caller, body, http }) {
      const { user: found, organizationId } = await loggedIn(caller);
      limits.takeOfUser(found.id);
      const verified = passwords.verify(found.password_hash, body.current_password, turnOf(http));
      if (!(await whenNotBusy(verified))) throw wrongPassword();
      const newHash = await whenNotBusy(passwords.hash(body.new_password, turnOf(http)));
      const login = await transaction(db, async (tx) => {
        const before = await lockUser(tx, found.id);
        if (before?.password_hash !== found.password_hash) throw wrongPassword();
        await setPassword(tx, found.id, newHash);
        announceRightsChange(tx, wakeUps, { userId: found.id });
        const user = await lockUser(tx, found.id);
        return issueLogin(tx, loginTokens, user!, { organizationId });
      });
      if (!login) throw new ApiError('unauthenticated');
      return answer(http, login);
    },

    async resetPassword({ body, http }) {
      limits.take(http.request);
      const digest = digestOneTimeToken(body.token);
      // Hashing costs a tenth of a second: not for tokens that open nothing.
      const found = await findPasswordReset(db, digest);
      if (!found) throw notFound();
      const newHash = await whenNotBusy(passwords.hash(body.new_password, turnOf(http)));
      await transaction(db, async (tx) => {
        await lockOrganization(tx, found.organizationId);
        await lockUser(tx, found.userId);
        // Of two at once, the later one finds the link used.
        if (!(await isResetAllowed(tx, digest))) throw notFound();
        await setPassword(tx, found.userId, newHash);
        announceRightsChange(tx, wakeUps, { userId: found.userId });
      });
      return { status: 204 };
    },

    async switchOrganization({ caller, body, http }) {
      const { user: found } = await loggedIn(caller);
      const token = http.request.cookies[refreshCookie];
      const login = await transaction(db, async (tx) => {
        const user = await lockUser(tx, found.id);
        if (!user) return undefined;
        // The browser's login goes on in the other organization; a login without cookies begins another one.
        const current = token ? await findRefreshToken(tx, digestOneTimeToken(token)) : undefined;
        const goesOn = current !== undefined && current.user_id === user.id && !current.is_used;
        return issueLogin(tx, loginTokens, user, {
          organizationId: body.organization_id,
          ...(goesOn && { familyId: current.family_id }),
        });
      });
      if (!login) throw notFound();
      return answer(http, login);
    },

    async acceptInvitation({ caller, body, http, requestId }) {
      limits.take(http.request);
      const hash = (password: string) => whenNotBusy(passwords.hash(password, turnOf(http)));
      const login = await acceptInvitation(db, { loginTokens, hash, wakeUps }, { caller, body, requestId });
      return answer(http, login);
    },
  };

  /**
   * Replaces a refresh token. One that was used before is in two hands: the login ends for both. Only another tab of
   * the same browser may come a moment later; it gets an access token, whose 15 minutes are all that a thief could
   * gain in this moment, and no refresh token. Answers undefined, so that the end of the login is committed.
   */
  async function renew(tx: Tx, digest: Buffer): Promise<IssuedLogin | undefined> {
    const owner = await findRefreshToken(tx, digest);
    const user = owner && (await lockUser(tx, owner.user_id));
    const found = user && (await findRefreshToken(tx, digest));
    if (!found) return undefined;
    const familyId = found.family_id;
    if (!found.is_used) {
      return issueLogin(tx, loginTokens, user, { organizationId: found.organization_id, familyId });
    }
    if (!found.is_just_used) {
      await endFamily(tx, familyId);
      announceRightsChange(tx, wakeUps, { loginId: familyId });
      afterCommit(tx, () =>
        log.warn({ userId: user.id }, 'a refresh token was used twice; its login was ended'),
      );
      return undefined;
    }
    const organizationId = await organizationOfFamily(tx, familyId);
    const body =
      organizationId === undefined
        ? undefined
        : await loginBody(tx, loginTokens, user, { organizationId, familyId });
    return body && { body, refreshToken: null };
  }

  /** The person behind a login. The contract lets nobody else in here. */
  async function loggedIn(caller: Caller | null): Promise<{ user: UserRow; organizationId: number }> {
    const user = caller?.userId == null ? undefined : await findUser(db, caller.userId);
    if (!caller || !user) throw new ApiError('login_required');
    return { user, organizationId: caller.organizationId };
  }

  function answer(
    { reply }: ApiRequest<'login'>['http'],
    { body, refreshToken }: IssuedLogin,
  ): { status: 200; body: Schemas['LoginResponse'] } {
    setLoginCookies(reply, { accessToken: body.access_token, refreshToken }, baseUrl);
    return { status: 200, body };
  }
}

/** Who waits for a password to be hashed waits in turn with others, each network once. */
function turnOf({ request }: ApiRequest<'login'>['http']): string {
  return clientNetwork(request.ip);
}

async function whenNotBusy<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PasswordsBusyError) {
      throw new ApiError('unavailable', undefined, { cause: error, retryAfterSeconds: 2 });
    }
    throw error;
  }
}

/** The same for a wrong password and for an account that does not exist. */
function wrongLogin(): ApiError {
  return new ApiError('unauthenticated', 'The e-mail address or the password is wrong.');
}

function wrongPassword(): ApiError {
  return invalidField('current_password', 'is not your present password');
}
