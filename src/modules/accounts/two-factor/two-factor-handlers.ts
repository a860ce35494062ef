import { type Tx, transaction } from '../../../platform/database/index.ts';
import { ApiError, invalidField } from '../../../platform/errors.ts';
import type { ApiRequest, Handlers } from '../../../platform/http/index.ts';
import { announceRightsChange } from '../people/rights-changes.ts';
import { type LockedUser, lockUser } from '../people/user-queries.ts';
import { readRefreshCookie } from '../sessions/login-cookies.ts';
import {
  assertPasswordLogin,
  endedLoginError,
  type LoginParts,
  passwordQueueKey,
  requireLogin,
  withLoginCapacity,
} from '../sessions/login-parts.ts';
import { requirePresentedToken } from '../sessions/require-presented-token.ts';
import { endSessionsExcept } from '../sessions/session-queries.ts';
import { auditTwoFactor } from './audit-two-factor.ts';
import { authenticatorUri, createAuthenticatorSecret } from './authenticator-code.ts';
import { createRecoveryCodes, hashOfRecoveryCode } from './recovery-codes.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  countRecoveryCodes,
  deleteSecondFactor,
  findSecondFactor,
  replaceRecoveryCodes,
} from './second-factor-queries.ts';
import { checkCode } from './verify-code.ts';

type TwoFactorOperations =
  | 'getTwoFactor'
  | 'startTwoFactor'
  | 'confirmTwoFactor'
  | 'replaceRecoveryCodes'
  | 'disableTwoFactor';

/** Handles two-factor authentication for password logins. Users can access only their own second factor. */
export function twoFactorHandlers(parts: LoginParts): Handlers<TwoFactorOperations> {
  const { db, passwords, limits, secretBox } = parts;
  return {
    async getTwoFactor({ caller }) {
      const { user } = await requireLogin(db, caller);
      const factor = await findSecondFactor(db, user.id);
      const enabledAt = factor?.confirmed_at ?? null;
      return {
        status: 200,
        body: {
          is_enabled: enabledAt !== null,
          enabled_at: enabledAt?.toISOString() ?? null,
          recovery_codes_left: enabledAt === null ? 0 : await countRecoveryCodes(db, user.id),
        },
      };
    },

    async startTwoFactor({ caller, body, http }) {
      assertPasswordLogin(parts);
      const { user: found, loginId } = await requireLogin(db, caller);
      limits.takeOfUser(found.id);
      await requirePresentedToken(
        parts,
        { userId: found.id, loginId },
        readRefreshCookie(http.request, parts.baseUrl),
      );
      if (!found.has_password)
        throw new ApiError(
          'conflict',
          'Your account has no password, so two-factor authentication is up to your login provider.',
        );
      if ((await findSecondFactor(db, found.id))?.confirmed_at != null) throw alreadyOn();
      const verified = passwords.verify(found.password_hash, body.password, passwordQueueKey(http.request));
      if (!(await withLoginCapacity(verified))) throw wrongPassword();
      const secret = createAuthenticatorSecret();
      await transaction(db, async (tx) => {
        const user = await lockUser(tx, found.id);
        if (user?.password_hash !== found.password_hash) throw wrongPassword();
        if ((await findSecondFactor(tx, user.id))?.confirmed_at != null) throw alreadyOn();
        await beginSecondFactor(tx, secretBox, user.id, secret);
      });
      return { status: 200, body: { secret, uri: authenticatorUri(secret, found.email) } };
    },

    async confirmTwoFactor(request) {
      const codes = await withCode(request, 'unconfirmed', async (tx, user, loginId) => {
        await confirmSecondFactor(tx, user.id);
        // End the other sessions, because they were started without a code.
        await endSessionsExcept(tx, user.id, loginId);
        announceRightsChange(tx, { userId: user.id });
        await auditTwoFactor(tx, user, { action: 'two_factor_enabled', requestId: request.requestId });
        return issueRecoveryCodes(tx, user);
      });
      return { status: 200, body: { recovery_codes: codes } };
    },

    async replaceRecoveryCodes(request) {
      const codes = await withCode(request, 'confirmed', async (tx, user) => {
        await auditTwoFactor(tx, user, { action: 'recovery_codes_replaced', requestId: request.requestId });
        return issueRecoveryCodes(tx, user);
      });
      return { status: 200, body: { recovery_codes: codes } };
    },

    async disableTwoFactor(request) {
      await withCode(request, 'confirmed', async (tx, user) => {
        await deleteSecondFactor(tx, user.id);
        // Until the user sets up two-factor authentication again, for example on another phone, the user's
        // sessions have no access to organizations that require it.
        announceRightsChange(tx, { userId: user.id });
        await auditTwoFactor(tx, user, { action: 'two_factor_disabled', requestId: request.requestId });
      });
      return { status: 204 };
    },
  };

  /** Checks the caller's code, then runs `act` in the same transaction. */
  async function withCode<Result>(
    {
      caller,
      body,
      http,
      requestId,
    }: ApiRequest<'confirmTwoFactor' | 'replaceRecoveryCodes' | 'disableTwoFactor'>,
    state: 'confirmed' | 'unconfirmed',
    act: (tx: Tx, user: LockedUser, loginId: string) => Promise<Result>,
  ): Promise<Result> {
    const { user: found, loginId } = await requireLogin(db, caller);
    limits.takeOfUser(found.id);
    await requirePresentedToken(
      parts,
      { userId: found.id, loginId },
      readRefreshCookie(http.request, parts.baseUrl),
    );
    const result = await transaction(db, async (tx): Promise<{ error: ApiError } | { value: Result }> => {
      const user = await lockUser(tx, found.id);
      if (!user) throw endedLoginError();
      const factor = await findSecondFactor(tx, user.id);
      if (!factor || (factor.confirmed_at === null) !== (state === 'unconfirmed')) throw wrongState(state);
      const error = await checkCode(tx, secretBox, user, { factor, code: body.code, requestId });
      return error ? { error } : { value: await act(tx, user, loginId) };
    });
    if ('error' in result) throw result.error;
    return result.value;
  }
}

async function issueRecoveryCodes(tx: Tx, user: LockedUser): Promise<string[]> {
  const codes = createRecoveryCodes();
  await replaceRecoveryCodes(
    tx,
    user.id,
    codes.map((code) => hashOfRecoveryCode(code)!),
  );
  return codes;
}

function wrongState(state: 'confirmed' | 'unconfirmed'): ApiError {
  return new ApiError(
    'conflict',
    state === 'confirmed'
      ? "Two-factor authentication isn't enabled."
      : "Two-factor authentication is already enabled, or its setup wasn't started.",
  );
}

function alreadyOn(): ApiError {
  return new ApiError('conflict', 'Two-factor authentication is already enabled.');
}

function wrongPassword(): ApiError {
  return invalidField('password', 'is incorrect');
}
