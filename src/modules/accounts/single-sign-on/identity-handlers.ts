import type { Schemas } from '../../../generated/auth-api.ts';
import { type Tx, transaction } from '../../../platform/database/index.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import { basePathOf, type Handlers } from '../../../platform/http/index.ts';
import { resolveGrantsAcrossOrganizations } from '../login-providers/resolve-grants.ts';
import { SignOnError } from '../login-providers/sign-on-error.ts';
import { endLoginsOfIdentity, findLimitedSession } from '../people/limited-session-queries.ts';
import { announceRightsChange } from '../people/rights-changes.ts';
import { lockUser } from '../people/user-queries.ts';
import { continuedLoginResponse } from '../sessions/issue-login.ts';
import { readRefreshCookie, setLoginCookies } from '../sessions/login-cookies.ts';
import { endedLoginError, type LoginParts, requireLogin } from '../sessions/login-parts.ts';
import { requirePresentedToken } from '../sessions/require-presented-token.ts';
import { verifyAndConsumeCode } from '../two-factor/verify-code.ts';
import { auditIdentity } from './complete-sign-on.ts';
import { deleteIdentity, type IdentityRow, listIdentities } from './identity-queries.ts';
import { beginAttempt } from './serve-single-sign-on.ts';
import { lockGroupOrganizations, syncGroupMemberships } from './sync-group-memberships.ts';

type IdentityOperations =
  | 'listLoginProviders'
  | 'listIdentities'
  | 'linkIdentity'
  | 'unlinkIdentity'
  | 'getSingleSignOn';

/**
 * Handlers for the login methods and the linked identities of the current user. Users can't see or change
 * those of others.
 */
export function identityHandlers(parts: LoginParts): Handlers<IdentityOperations> {
  const { db, limits, loginTokens, secretBox, singleSignOn, baseUrl } = parts;
  return {
    async listLoginProviders() {
      const providers = singleSignOn.providers.map(({ settings: { id, name } }) => ({
        id,
        name,
        login_url: `${basePathOf(baseUrl)}/sso/${id}/login`,
      }));
      return { status: 200, body: { password_login: singleSignOn.hasPasswordLogin, providers } };
    },

    async getSingleSignOn({ caller }) {
      const { organizationId } = await requireLogin(db, caller);
      const providers = await Promise.all(
        singleSignOn.providers.map(async ({ redirectUri, settings: { id, name, issuer, groups } }) => {
          const { grants } = await resolveGrantsAcrossOrganizations(db, groups);
          const own = grants.filter((grant) => grant.organizationId === organizationId);
          return {
            id,
            name,
            issuer,
            redirect_uri: redirectUri,
            groups: own.map(({ group, role }) => ({
              group,
              role,
            })),
          };
        }),
      );
      return { status: 200, body: { password_login: singleSignOn.hasPasswordLogin, providers } };
    },

    async listIdentities({ caller }) {
      const { user, loginId } = await requireLogin(db, caller);
      const rows = await listIdentities(db, user.id);
      const session = await findLimitedSession(db, loginId);
      const items = rows.map((row) => toIdentity(row, session?.identity_id ?? null));
      return { status: 200, body: { items, has_password: user.has_password } };
    },

    async linkIdentity({ caller, body, http, requestId }) {
      const { user, organizationId, loginId } = await requireLogin(db, caller);
      limits.takeOfUser(user.id);
      const connection = singleSignOn.find(body.provider);
      if (!connection) throw notFound();
      await requirePresentedToken(
        parts,
        { userId: user.id, loginId },
        readRefreshCookie(http.request, parts.baseUrl),
      );
      const login = await transaction(db, async (tx) => {
        const locked = await lockUser(tx, user.id);
        if (!locked) throw endedLoginError();
        const refused = await verifyAndConsumeCode(tx, secretBox, locked, { code: body.code, requestId });
        return (
          refused ?? continuedLoginResponse(tx, loginTokens, locked, { organizationId, familyId: loginId })
        );
      });
      if (login instanceof ApiError) throw login;
      if (!login) throw endedLoginError();
      const link = { userId: user.id, loginId };
      try {
        const url = await beginAttempt(parts, http.request, http.reply, {
          connection,
          next: '/account',
          link,
        });
        // Renew the session cookie, because the callback requires it, and it must not expire before the attempt does.
        const tokens = { accessToken: login.access_token, refreshToken: null };
        setLoginCookies(http.reply, tokens, parts.baseUrl);
        return { status: 200, body: { url: url.href } };
      } catch (error) {
        if (!(error instanceof SignOnError)) throw error;
        throw new ApiError('unavailable', error.message, { cause: error, retryAfterSeconds: 5 });
      }
    },

    async unlinkIdentity({ caller, path, requestId }) {
      const { user: found } = await requireLogin(db, caller);
      const isOwn = (await listIdentities(db, found.id)).some(({ id }) => id === path.id);
      if (!isOwn) throw notFound();
      await transaction(db, async (tx) => {
        await lockGroupOrganizations(tx, new Map(), path.id);
        const user = await lockUser(tx, found.id);
        const identities = await listIdentities(tx, found.id);
        const identity = identities.find(({ id }) => id === path.id);
        if (!user || !identity) throw notFound();
        const others = identities.filter(
          ({ id, issuer }) => id !== path.id && singleSignOn.findByIssuer(issuer) !== undefined,
        );
        if (others.length === 0 && !(user.has_password && singleSignOn.hasPasswordLogin)) {
          throw new ApiError('conflict', "This is your only way to log in, so it can't be unlinked.");
        }
        const provider = singleSignOn.findByIssuer(identity.issuer)?.settings.id ?? identity.issuer;
        await auditIdentity(tx, user, { action: 'deleted', id: identity.id, provider, requestId });
        const noRoles = { roles: new Map(), followed: null };
        await syncGroupMemberships(tx, noRoles, {
          user,
          identityId: identity.id,
          provider,
          requestId,
        });
        await endLoginsOfIdentity(tx, identity.id);
        if (await hasMemberships(tx, identity.id)) {
          throw new ApiError(
            'conflict',
            'An organization needs at least one owner. Add another owner first.',
          );
        }
        await deleteIdentity(tx, identity.id);
        announceRightsChange(tx, { userId: user.id });
      });
      return { status: 204 };
    },
  };

  function toIdentity(row: IdentityRow, currentId: number | null): Schemas['LinkedIdentity'] {
    const settings = singleSignOn.findByIssuer(row.issuer)?.settings;
    return {
      id: row.id,
      provider: settings ? { id: settings.id, name: settings.name } : null,
      issuer: row.issuer,
      email: row.email,
      last_login_at: row.last_login_at.toISOString(),
      created_at: row.created_at.toISOString(),
      is_current: row.id === currentId,
    };
  }
}

/**
 * True if the identity still grants a membership. Without groups, `syncGroupMemberships` keeps a membership only if
 * its removal would leave an organization without an owner.
 */
async function hasMemberships(tx: Tx, identityId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('memberships')
    .select('id')
    .where('granted_by_identity_id', '=', identityId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
