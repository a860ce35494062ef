import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Tx, transaction } from '../../../platform/database/index.ts';
import { ApiError } from '../../../platform/errors.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import { createOneTimeToken, parseOneTimeToken } from '../../../platform/secrets/index.ts';
import { insertLimitedSession, operatorSessionSeconds } from '../people/limited-session-queries.ts';
import { listOrganizationsOfUser } from '../people/organization-queries.ts';
import { unusableLinkError } from '../people/unusable-link.ts';
import { lockUser } from '../people/user-queries.ts';
import { auditLogin } from '../sessions/audit-login.ts';
import { sessionClientOf } from '../sessions/client-of-session.ts';
import { issueLogin } from '../sessions/issue-login.ts';
import { type LoginParts, sendLoginResponse } from '../sessions/login-parts.ts';

/** Handlers for login links from an operator, for cases in which no one can log in otherwise. */
export function loginLinkHandlers({
  db,
  loginTokens,
  baseUrl,
  limits,
}: LoginParts): Handlers<'useLoginLink'> {
  return {
    async useLoginLink({ body, http, requestId }) {
      limits.take(http.request);
      const digest = parseOneTimeToken(body.token);
      if (!digest) throw unusableLoginLink();
      const client = sessionClientOf(http.request);
      const login = await transaction(db, async (tx) => {
        const link = await tx
          .deleteFrom('login_links')
          .where('token_hash', '=', digest)
          .where(sql<boolean>`expires_at > pacekeeper_now()`)
          .returning('user_id')
          .executeTakeFirst();
        const user = link && (await lockUser(tx, link.user_id));
        if (!user) throw unusableLoginLink();
        const familyId = randomUUID();
        await insertLimitedSession(tx, { familyId, identityId: null, seconds: operatorSessionSeconds });
        const organizations = await listOrganizationsOfUser(tx, user.id, familyId);
        const organization =
          organizations.find(({ id }) => id === user.last_organization_id) ?? organizations[0];
        if (!organization) throw new ApiError('forbidden', "You don't belong to any organization.");
        await auditLogin(tx, user, { method: 'login_link' }, requestId);
        const values = { organizationId: organization.id, client, newFamilyId: familyId };
        return (await issueLogin(tx, loginTokens, user, values))!;
      });
      return sendLoginResponse(http.reply, login, baseUrl);
    },
  };
}

function unusableLoginLink(): ApiError {
  return unusableLinkError('Ask the operator of the server for a new one.');
}

/**
 * Creates a login link and deletes earlier links of the person.
 * @returns The token, which isn't stored.
 */
export async function insertLoginLink(tx: Tx, userId: number): Promise<string> {
  const { token, digest } = createOneTimeToken();
  await tx.deleteFrom('login_links').where('user_id', '=', userId).execute();
  await tx
    .insertInto('login_links')
    .values({
      token_hash: digest,
      user_id: userId,
      expires_at: sql`pacekeeper_now() + interval '15 minutes'`,
    })
    .execute();
  return token;
}
