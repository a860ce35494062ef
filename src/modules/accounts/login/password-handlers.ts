import { randomUUID } from 'node:crypto';
import { transaction } from '../../../platform/database/index.ts';
import { type ApiError, invalidField } from '../../../platform/errors.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import { digestOneTimeToken } from '../../../platform/secrets/index.ts';
import { auditPerson } from '../people/audit-person.ts';
import { copyLimits } from '../people/limited-session-queries.ts';
import { lockOrganization } from '../people/organization-queries.ts';
import { findPasswordReset, isResetAllowed } from '../people/password-reset-queries.ts';
import { announceRightsChange } from '../people/rights-changes.ts';
import { unusableLinkError } from '../people/unusable-link.ts';
import { lockUser, setPassword } from '../people/user-queries.ts';
import { sessionClientOf } from '../sessions/client-of-session.ts';
import { issueLogin } from '../sessions/issue-login.ts';
import { readRefreshCookie } from '../sessions/login-cookies.ts';
import {
  assertPasswordLogin,
  endedLoginError,
  type LoginParts,
  passwordQueueKey,
  requireLogin,
  sendLoginResponse,
  withLoginCapacity,
} from '../sessions/login-parts.ts';
import { requirePresentedToken } from '../sessions/require-presented-token.ts';
import { findSecondFactor } from '../two-factor/second-factor-queries.ts';
import { resetPasswordOf } from './reset-password-of.ts';

export function passwordHandlers(parts: LoginParts): Handlers<'changePassword' | 'resetPassword'> {
  const { db, loginTokens, passwords, baseUrl, limits, singleSignOn } = parts;
  return {
    async changePassword({ caller, body, http, requestId }) {
      assertPasswordLogin(parts);
      const { user: found, organizationId, loginId } = await requireLogin(db, caller);
      limits.takeOfUser(found.id);
      // The new session is issued without a two-factor code. So the request must present the refresh token of
      // the current session, in addition to the access token.
      if ((await findSecondFactor(db, found.id))?.confirmed_at != null) {
        const token = readRefreshCookie(http.request, baseUrl);
        await requirePresentedToken(parts, { userId: found.id, loginId }, token);
      }
      const verified = passwords.verify(
        found.password_hash,
        body.current_password,
        passwordQueueKey(http.request),
      );
      if (!(await withLoginCapacity(verified))) throw wrongPassword();
      const newHash = await withLoginCapacity(
        passwords.hash(body.new_password, passwordQueueKey(http.request)),
      );
      const client = sessionClientOf(http.request);
      const login = await transaction(db, async (tx) => {
        const before = await lockUser(tx, found.id);
        if (before?.password_hash !== found.password_hash) throw wrongPassword();
        await setPassword(tx, found.id, newHash);
        const actor = { type: 'user', id: found.id, name: found.name } as const;
        await auditPerson(tx, found, { action: 'member.password_changed', actor, requestId });
        announceRightsChange(tx, { userId: found.id });
        const user = await lockUser(tx, found.id);
        const newFamilyId = randomUUID();
        await copyLimits(tx, loginId, newFamilyId, { isReplaced: true });
        return issueLogin(tx, loginTokens, user!, { organizationId, client, newFamilyId });
      });
      if (!login) throw endedLoginError();
      return sendLoginResponse(http.reply, login, baseUrl);
    },

    async resetPassword({ body, http, requestId }) {
      assertPasswordLogin(parts);
      limits.take(http.request);
      const digest = digestOneTimeToken(body.token);
      // Hashing takes 0.1 s, so invalid tokens are rejected first.
      const found = await findPasswordReset(db, digest);
      if (!found) throw unusableResetLink();
      const newHash = await withLoginCapacity(
        passwords.hash(body.new_password, passwordQueueKey(http.request)),
      );
      await transaction(db, async (tx) => {
        await lockOrganization(tx, found.organizationId);
        const user = await lockUser(tx, found.userId);
        // If two requests use the link at the same time, the later one is rejected here.
        if (!user || !(await isResetAllowed(tx, digest))) throw unusableResetLink();
        await resetPasswordOf(tx, user, newHash, {
          actor: { type: 'user', id: user.id, name: user.name },
          requestId,
          providerOf: (issuer) => singleSignOn.findByIssuer(issuer)?.settings.id ?? issuer,
        });
        announceRightsChange(tx, { userId: found.userId });
      });
      return { status: 204 };
    },
  };
}

function unusableResetLink(): ApiError {
  return unusableLinkError('Ask an administrator of your organization for a new one.');
}

function wrongPassword(): ApiError {
  return invalidField('current_password', 'is incorrect');
}
