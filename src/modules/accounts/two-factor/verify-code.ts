import type { Tx } from '../../../platform/database/index.ts';
import { ApiError, invalidField } from '../../../platform/errors.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import type { LockedUser } from '../people/user-queries.ts';
import { auditTwoFactor } from './audit-two-factor.ts';
import { findTimeStep } from './authenticator-code.ts';
import { hashOfRecoveryCode } from './recovery-codes.ts';
import {
  acceptTimeStep,
  consumeRecoveryCode,
  findSecondFactor,
  recordWrongCode,
  type SecondFactorRow,
  unsealSecondFactor,
} from './second-factor-queries.ts';

/**
 * Maximum number of wrong codes in 15 minutes, which is 480 attempts a day. At any time, three of a million
 * codes are valid, so guessing one takes two years on average.
 */
const maxWrongCodes = 5;
const wrongCodesMs = 15 * 60_000;

/**
 * Checks and uses up a code of a user with two-factor authentication, from the authenticator app or a
 * recovery code. Each code works once. After five wrong codes, only recovery codes are accepted for 15
 * minutes. The caller must have locked the user.
 *
 * @returns `null` if the code is correct or not required. Otherwise, the error to throw **after** the commit,
 * so that wrong codes are counted.
 */
export async function verifyAndConsumeCode(
  tx: Tx,
  secretBox: SecretBox,
  user: LockedUser,
  { code, requestId }: { code: string | undefined; requestId: string },
): Promise<ApiError | null> {
  const factor = await findSecondFactor(tx, user.id);
  return factor?.confirmed_at == null ? null : checkCode(tx, secretBox, user, { factor, code, requestId });
}

/** Like `verifyAndConsumeCode`, but for a given second factor, which can be unconfirmed. */
export async function checkCode(
  tx: Tx,
  secretBox: SecretBox,
  user: LockedUser,
  { factor, code, requestId }: { factor: SecondFactorRow; code: string | undefined; requestId: string },
): Promise<ApiError | null> {
  if (code === undefined || code.trim() === '')
    return invalidField(
      'code',
      'is required. Enter the code from your authenticator app, or a recovery code',
    );
  const recovery = hashOfRecoveryCode(code);
  if (recovery !== null) {
    if (!(await consumeRecoveryCode(tx, user.id, recovery)))
      return invalidField('code', "isn't one of your unused recovery codes");
    await auditTwoFactor(tx, user, { action: 'recovery_code_used', requestId });
    return null;
  }

  const now = user.now.getTime();
  // `now` can be earlier than `wrong_since` if the clock was set back or the request waited for a lock. Wrong
  // codes must still count.
  const since = factor.wrong_since === null ? null : Math.min(factor.wrong_since.getTime(), now);
  const waitMs = since === null ? 0 : since + wrongCodesMs - now;
  const isCounting = waitMs > 0;
  if (since !== null && isCounting && factor.wrong_codes >= maxWrongCodes) {
    // Store the earlier time. Otherwise, after the clock was set back, each attempt would restart the wait.
    await recordWrongCode(tx, user.id, { count: factor.wrong_codes, since: new Date(since) });
    return new ApiError(
      'rate_limited',
      `Too many wrong codes. Try again in ${minutes(waitMs)}, or use a recovery code. If this wasn't you, change your password.`,
      { retryAfterSeconds: Math.ceil(waitMs / 1_000) },
    );
  }
  const digits = code.replaceAll(/\s/g, '');
  const step = /^\d{6}$/.test(digits)
    ? findTimeStep(unsealSecondFactor(secretBox, user.id, factor), digits, user.now)
    : null;
  if (step !== null && step > factor.last_step) {
    await acceptTimeStep(tx, user.id, step);
    return null;
  }
  const count = isCounting ? factor.wrong_codes + 1 : 1;
  await recordWrongCode(tx, user.id, {
    count,
    since: since !== null && isCounting ? new Date(since) : user.now,
  });
  if (count === maxWrongCodes)
    await auditTwoFactor(tx, user, { action: 'two_factor_locked', requestId: null });
  return invalidField(
    'code',
    step === null
      ? "isn't correct. Check your phone's clock, then enter the current code from your app"
      : 'was already used. Wait for the next code in your app',
  );
}

function minutes(ms: number): string {
  const count = Math.ceil(ms / 60_000);
  return count === 1 ? '1 minute' : `${count} minutes`;
}
