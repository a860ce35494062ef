import { sql } from 'kysely';
import {
  type Database,
  listOrder,
  type Page,
  type PageRequest,
  readPage,
  type Tx,
} from '../../../platform/database/index.ts';

/** A login as shown to its owner. The data comes from the unused refresh token of the login. */
export interface SessionRow {
  id: number;
  family_id: string;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
  login_method: 'password' | 'single_sign_on' | 'login_link';
  address: string | null;
  user_agent: string | null;
  organization_id: number;
  organization_name: string;
}

/** Returns the sessions of a person in all organizations, most recently used first. */
export async function listSessions(
  db: Database,
  userId: number,
  page: PageRequest,
): Promise<Page<SessionRow>> {
  const query = sessionsOf(db, userId)
    .innerJoin('organizations', 'organizations.id', 'refresh_tokens.organization_id')
    .leftJoin('limited_sessions as limits', 'limits.family_id', 'refresh_tokens.family_id')
    .select([
      'refresh_tokens.session_id as id',
      'refresh_tokens.family_id',
      'refresh_tokens.session_began_at as created_at',
      'refresh_tokens.created_at as last_used_at',
      'refresh_tokens.address',
      'refresh_tokens.user_agent',
      'refresh_tokens.organization_id',
      'organizations.name as organization_name',
      sql<Date>`least(refresh_tokens.expires_at, limits.ends_at)`.as('expires_at'),
      sql<SessionRow['login_method']>`CASE WHEN limits.family_id IS NULL THEN 'password'
        WHEN limits.identity_id IS NULL THEN 'login_link' ELSE 'single_sign_on' END`.as('login_method'),
    ]);
  return readPage(
    db,
    query,
    page,
    listOrder([
      { column: 'refresh_tokens.created_at', isDescending: true },
      { column: 'refresh_tokens.session_id', isDescending: true },
    ]),
  );
}

/** Returns the ID of the login behind a session of this person. */
export async function findSession(tx: Tx, userId: number, sessionId: number): Promise<string | undefined> {
  const row = await sessionsOf(tx, userId)
    .select('refresh_tokens.family_id')
    .where('refresh_tokens.session_id', '=', sessionId)
    .executeTakeFirst();
  return row?.family_id;
}

/**
 * Ends all sessions of a person except one.
 * @returns The number of ended sessions.
 */
export async function endSessionsExcept(tx: Tx, userId: number, familyId: string): Promise<number> {
  const row = await sessionsOf(tx, userId)
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('refresh_tokens.family_id', '<>', familyId)
    .executeTakeFirstOrThrow();
  await tx
    .deleteFrom('refresh_tokens')
    .where('user_id', '=', userId)
    .where('family_id', '<>', familyId)
    .execute();
  return row.count;
}

function sessionsOf(db: Database | Tx, userId: number) {
  return db
    .selectFrom('refresh_tokens')
    .where('refresh_tokens.user_id', '=', userId)
    .where('refresh_tokens.used_at', 'is', null)
    .where(sql<boolean>`refresh_tokens.expires_at > pacekeeper_now()`)
    .where(
      sql<boolean>`NOT EXISTS (SELECT FROM limited_sessions
        WHERE limited_sessions.family_id = refresh_tokens.family_id AND limited_sessions.ends_at <= pacekeeper_now())`,
    );
}
