import { transaction } from '../../../platform/database/index.ts';
import { lockUser } from '../people/user-queries.ts';
import { checkPresentedToken } from './issue-login.ts';
import { endedLoginError, endReusedLogin, type LoginParts } from './login-parts.ts';

/**
 * Checks the refresh token before an operation whose result outlives a login. An access token alone isn't
 * enough: the request must also contain the refresh token of the same login, which must be unused or just
 * used by another tab. If the token was used earlier, two clients have it, so the login ends.
 *
 * @throws ApiError `unauthenticated` without a valid refresh token.
 */
export async function requirePresentedToken(
  parts: Pick<LoginParts, 'db' | 'log'>,
  { userId, loginId }: { userId: number; loginId: string },
  refreshToken: string | undefined,
): Promise<void> {
  const presented = await transaction(parts.db, async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) return 'none';
    const found = await checkPresentedToken(tx, loginId, refreshToken);
    if (found === 'reused') await endReusedLogin(tx, parts, { loginId, user });
    return found;
  });
  if (presented === 'reused' || presented === 'none') throw endedLoginError();
}
