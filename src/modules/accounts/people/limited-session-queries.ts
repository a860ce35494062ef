import { sql } from 'kysely';
import type { Database, Tx } from '../../../platform/database/index.ts';

/**
 * A login that ends earlier than others: a login from single sign-on or, if it has no identity, from an
 * operator's login link.
 */
export interface LimitedSessionRow {
  identity_id: number | null;
  /** Login whose row stores the provider's refresh token; null without an identity. */
  provider_family_id: string | null;
  has_ended: boolean;
  /** True if the provider's confirmation needs to be renewed soon. */
  is_check_near: boolean;
  /** True if the session has ended or the provider must confirm the person before it continues. */
  is_check_due: boolean;
}

/** Maximum duration of a session, counted from the login at the provider. */
export const singleSignOnSeconds = 12 * 60 * 60;
/** Maximum duration of a session from an operator's link. It's short because the link is for emergencies. */
export const operatorSessionSeconds = 2 * 60 * 60;
/**
 * Validity of a provider's confirmation. The confirmation is renewed in the last quarter of this time, so a
 * short outage of the provider doesn't end a session.
 */
const confirmedSeconds = 60 * 60;
const nearSeconds = 45 * 60;

/**
 * SQL condition for `limited_sessions AS limits` and `limited_sessions AS confirmation` (the row of its
 * `provider_family_id`), both left-joined: true if the login is within its limits. A confirmation in the
 * future isn't valid; it can exist after a clock was set back.
 */
export const isWithinLimits = `
  (limits.family_id IS NULL OR (limits.ends_at > pacekeeper_now() AND (limits.identity_id IS NULL
    OR confirmation.checked_at BETWEEN pacekeeper_now() - interval '${confirmedSeconds} seconds'
      AND pacekeeper_now() + interval '60 seconds')))`;

/**
 * SQL condition for `memberships` and `limited_sessions AS limits`: true if the session can use the
 * membership. A membership that was granted by groups can be used only in sessions of the identity that has
 * the groups, because the provider confirms only these sessions. A session from an operator's link can use
 * all memberships.
 */
export const isOpenToSession = `
  (memberships.granted_by_identity_id IS NULL OR limits.identity_id = memberships.granted_by_identity_id
    OR (limits.family_id IS NOT NULL AND limits.identity_id IS NULL))`;

export async function findLimitedSession(
  db: Database | Tx,
  familyId: string,
): Promise<LimitedSessionRow | undefined> {
  const { rows } = await sql<LimitedSessionRow>`
    SELECT limits.identity_id, limits.provider_family_id, limits.ends_at <= pacekeeper_now() AS has_ended,
      coalesce(confirmation.checked_at NOT BETWEEN pacekeeper_now() - make_interval(secs => ${nearSeconds})
        AND pacekeeper_now() + interval '60 seconds', false) AS is_check_near,
      NOT ${sql.raw(isWithinLimits)} AS is_check_due
    FROM limited_sessions AS limits
    LEFT JOIN limited_sessions AS confirmation ON confirmation.family_id = limits.provider_family_id
    WHERE limits.family_id = ${familyId}`.execute(db);
  return rows[0];
}

export interface NewLimitedSession {
  familyId: string;
  identityId: number | null;
  providerSessionId?: string | null;
  /** Encrypted refresh token of the provider. */
  refreshToken?: Buffer | null;
  seconds: number;
}

/** Inserts the limits before the login, because a login must never exist without its limits. */
export async function insertLimitedSession(tx: Tx, session: NewLimitedSession): Promise<void> {
  await tx
    .insertInto('limited_sessions')
    .values({
      family_id: session.familyId,
      identity_id: session.identityId,
      provider_session_id: session.providerSessionId ?? null,
      refresh_token: session.refreshToken ?? null,
      ...(session.identityId !== null && {
        provider_family_id: session.familyId,
        checked_at: sql`pacekeeper_now()`,
      }),
      ends_at: sql`pacekeeper_now() + make_interval(secs => ${session.seconds})`,
    })
    .execute();
}

/**
 * Copies the limits of a login to a new one. A new login that replaces the old one also ends when the
 * provider ends the session. Any other new login belongs to a program that was approved in the old login. The
 * program stays logged in after the browser has logged out.
 */
export async function copyLimits(
  tx: Tx,
  from: string,
  to: string,
  { isReplaced }: { isReplaced: boolean },
): Promise<void> {
  await sql`
    INSERT INTO limited_sessions (family_id, identity_id, provider_session_id, provider_family_id, ends_at)
    SELECT ${to}, identity_id, CASE WHEN ${isReplaced} THEN provider_session_id END, provider_family_id, ends_at
    FROM limited_sessions WHERE family_id = ${from}`.execute(tx);
}

/**
 * Ends the logins of an identity, or only those of one session at its provider.
 * @returns The IDs of the ended logins.
 */
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

/**
 * Ends a single sign-on login of a browser and the logins of programs that were approved in it. Other
 * browsers of the person have separate logins.
 * @returns The IDs of the ended logins.
 */
export async function endProviderLogin(tx: Tx, providerFamilyId: string): Promise<string[]> {
  const { rows } = await sql<{ family_id: string }>`
    DELETE FROM refresh_tokens USING limited_sessions AS limits
    WHERE limits.family_id = refresh_tokens.family_id AND limits.provider_family_id = ${providerFamilyId}
    RETURNING refresh_tokens.family_id`.execute(tx);
  return [...new Set(rows.map(({ family_id }) => family_id))];
}

/**
 * Deletes the limits of ended logins. Housekeeping calls this function. A row is kept while its login has
 * tokens, because the login would otherwise become unlimited. It's also kept while another login uses the
 * refresh token in it.
 */
export async function deleteEndedLimitsAcrossOrganizations(db: Database): Promise<number> {
  const result = await sql`
    DELETE FROM limited_sessions AS limits
    WHERE created_at < pacekeeper_now() - interval '1 hour'
      AND NOT EXISTS (SELECT FROM refresh_tokens WHERE family_id = limits.family_id)
      AND NOT EXISTS (
        SELECT FROM limited_sessions AS other
        WHERE other.provider_family_id = limits.family_id AND other.family_id <> limits.family_id)`.execute(
    db,
  );
  return Number(result.numAffectedRows ?? 0);
}
