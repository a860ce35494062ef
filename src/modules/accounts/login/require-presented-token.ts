import { transaction } from '../../../platform/database/index.ts';
import { checkPresentedToken } from './issue-login.ts';
import { endReusedLogin, type LoginParts, loginHasEnded } from './login-parts.ts';
import { lockUser } from './user-queries.ts';

/**
 * For what outlives a login: an access token alone must not begin it, so the refresh token of this very login has to be
 * there as well, unused or used by another tab a moment ago. One that was used before is in two hands and ends the login.
 *
 * @throws ApiError `unauthenticated` without it
 */
export async function requirePresentedToken(
  parts: Pick<LoginParts, 'db' | 'wakeUps' | 'log'>,
  { userId, loginId }: { userId: number; loginId: string },
  refreshToken: string | undefined,
): Promise<void> {
  const presented = await transaction(parts.db, async (tx) => {
    if (!(await lockUser(tx, userId))) return 'none';
    const found = await checkPresentedToken(tx, loginId, refreshToken);
    if (found === 'reused') await endReusedLogin(tx, parts, { loginId, userId });
    return found;
  });
  if (presented === 'reused' || presented === 'none') throw loginHasEnded();
}
