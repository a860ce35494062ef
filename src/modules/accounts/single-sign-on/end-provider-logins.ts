import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import type { ProviderLogout } from '../login-providers/provider-connection.ts';
import { endLoginsOfIdentity } from '../people/limited-session-queries.ts';
import { announceRightsChange } from '../people/rights-changes.ts';
import { lockUser } from '../people/user-queries.ts';
import { auditEndedSessions, type EndedSessions } from './audit-ended-sessions.ts';

/** Ends the sessions that a provider has ended, either one session or all sessions of a person. */
export async function endProviderLogins(
  tx: Tx,
  { issuer, subject, sessionId }: ProviderLogout,
  by: Pick<EndedSessions, 'settings' | 'requestId'>,
): Promise<void> {
  const { rows } = await sql<{ id: number; user_id: number }>`
    SELECT DISTINCT identity.id, identity.user_id FROM user_identities AS identity
    LEFT JOIN limited_sessions AS limits ON limits.identity_id = identity.id
    WHERE identity.issuer = ${issuer}
      AND (${subject}::text IS NULL OR identity.subject = ${subject})
      AND (${sessionId}::text IS NULL OR limits.provider_session_id = ${sessionId})
    ORDER BY identity.user_id`.execute(tx);
  for (const { id, user_id: userId } of rows) {
    const user = await lockUser(tx, userId);
    const { length: count } = await endLoginsOfIdentity(tx, id, sessionId);
    if (user) await auditEndedSessions(tx, user, { ...by, reason: 'provider_logout', count });
    announceRightsChange(tx, { userId });
  }
}
