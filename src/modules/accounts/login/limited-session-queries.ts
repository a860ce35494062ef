import { sql } from 'kysely';
import type { Database, Tx } from '../../../platform/database/index.ts';

/** A login that ends earlier than others: by single sign-on, or, with no identity, by a link of the operator. */
export interface LimitedSessionRow {
  identity_id: number | null;
  has_ended: boolean;
  /** The provider issued a refresh token, so the session can be confirmed. */
  is_check_near: boolean;
  /** The provider must confirm the person before the login continues. */
  is_check_due: boolean;
}

/** From the login at the provider. */
export const singleSignOnSeconds = 12 * 60 * 60;
/** A session from an operator's link is for emergencies, so it is short. */
export const operatorSessionSeconds = 2 * 60 * 60;
/** How long a provider's confirmation is valid. It's renewed in the last quarter, so a short outage ends no session. */
const confirmedSeconds = 60 * 60;
const nearSeconds = 45 * 60;

/**
 * Of `limited_sessions AS limits` and its `user_identities AS identity`, both joined from the left: whether the login
 * still opens anything. A confirmation that lies ahead, as after a clock jumped back, is none.
 */
export const isWithinLimits = `
  (limits.family_id IS NULL OR (limits.ends_at > pacekeeper_now() AND (limits.identity_id IS NULL
    OR identity.checked_at BETWEEN pacekeeper_now() - interval '${confirmedSeconds} seconds'
      AND pacekeeper_now() + interval '60 seconds')))`;

/**
 * Of `memberships` and `limited_sessions AS limits`: memberships from groups are available only to sessions of the
 * identity that has the groups, because only these are checked; an operator's link has access to all.
 */
export const isOpenToSession = `
  (memberships.granted_by_identity_id IS NULL OR limits.identity_id = memberships.granted_by_identity_id
    OR (limits.family_id IS NOT NULL AND limits.identity_id IS NULL))`;

export async function findLimitedSession(
  db: Database | Tx,
  familyId: string,
): Promise<LimitedSessionRow | undefined> {
  const { rows } = await sql<LimitedSessionRow>`
    SELECT limits.identity_id, limits.ends_at <= pacekeeper_now() AS has_ended,
      coalesce(identity.checked_at NOT BETWEEN pacekeeper_now() - make_interval(secs => ${nearSeconds})
        AND pacekeeper_now() + interval '60 seconds', false) AS is_check_near,
      NOT ${sql.raw(isWithinLimits)} AS is_check_due
    FROM limited_sessions AS limits LEFT JOIN user_identities AS identity ON identity.id = limits.identity_id
    WHERE limits.family_id = ${familyId}`.execute(db);
  return rows[0];
}

export interface NewLimitedSession {
  familyId: string;
  identityId: number | null;
  providerSessionId?: string | null;
  seconds: number;
}

/** Inserted before the login, which must never exist without its limits. */
export async function insertLimitedSession(tx: Tx, session: NewLimitedSession): Promise<void> {
  await tx
    .insertInto('limited_sessions')
    .values({
      family_id: session.familyId,
      identity_id: session.identityId,
      provider_session_id: session.providerSessionId ?? null,
      ends_at: sql`pacekeeper_now() + make_interval(secs => ${session.seconds})`,
    })
    .execute();
}

/**
 * Copies to a new login the limits of another one. If it takes the place of that one, it ends with the same session at the
 * provider; a program that it approved goes on when the browser has logged out.
 */
export async function copyLimits(
  tx: Tx,
  from: string,
  to: string,
  { isReplaced }: { isReplaced: boolean },
): Promise<void> {
  await sql`
    INSERT INTO limited_sessions (family_id, identity_id, provider_session_id, ends_at)
    SELECT ${to}, identity_id, CASE WHEN ${isReplaced} THEN provider_session_id END, ends_at
    FROM limited_sessions WHERE family_id = ${from}`.execute(tx);
}

/** Ends the logins of an identity, or those of one session at its provider. @returns the logins */
export async function endLoginsOfIdentity(
  tx: Tx,
  identityId: number,
  providerSessionId: string | null = null,
): Promise<string[]> {
  const { rows } = await sql<{ family_id: string }>`
    DELETE FROM refresh_tokens USING limited_sessions AS limits
    WHERE limits.family_id = refresh_tokens.family_id AND limits.identity_id = ${identityId}
      AND (${providerSessionId}::text IS NULL OR limits.provider_session_id = ${providerSessionId})
    RETURNING refresh_tokens.family_id`.execute(tx);
  return [...new Set(rows.map(({ family_id }) => family_id))];
}

/** Housekeeping. A row whose login still has tokens stays: without it, the login would have no end. */
export async function deleteEndedLimitsAcrossOrganizations(db: Database): Promise<number> {
  const result = await sql`
    DELETE FROM limited_sessions AS limits
    WHERE created_at < pacekeeper_now() - interval '1 hour'
      AND NOT EXISTS (SELECT FROM refresh_tokens WHERE family_id = limits.family_id)`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}
