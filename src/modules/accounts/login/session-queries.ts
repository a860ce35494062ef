import { sql } from 'kysely';
import {
  type Database,
  type Page,
  type PageRequest,
  readPage,
  type Tx,
} from '../../../platform/database/index.ts';

/** A login as its owner sees it: what its unused refresh token says. */
export interface SessionRow {
  id: number;
  family_id: string;
  created_at: Date;
  last_used_at: Date;
  address: string | null;
  user_agent: string | null;
  organization_id: number;
  organization_name: string;
}

/** The sessions of a person, in all organizations, the last used first. */
export async function listSessions(
  db: Database,
  userId: number,
  page: PageRequest,
): Promise<Page<SessionRow>> {
  const query = sessionsOf(db, userId)
    .innerJoin('organizations', 'organizations.id', 'refresh_tokens.organization_id')
    .select([
      'refresh_tokens.session_id as id',
      'refresh_tokens.family_id',
      'refresh_tokens.session_began_at as created_at',
      'refresh_tokens.created_at as last_used_at',
      'refresh_tokens.address',
      'refresh_tokens.user_agent',
      'refresh_tokens.organization_id',
      'organizations.name as organization_name',
    ])
    .orderBy('refresh_tokens.created_at', 'desc')
    .orderBy('refresh_tokens.session_id', 'desc');
  return readPage(db, query, page);
}

/** The login behind a session of this person. */
export async function findSession(tx: Tx, userId: number, sessionId: number): Promise<string | undefined> {
  const row = await sessionsOf(tx, userId)
    .select('refresh_tokens.family_id')
    .where('refresh_tokens.session_id', '=', sessionId)
    .executeTakeFirst();
  return row?.family_id;
}

/** Ends all sessions of a person except one. @returns how many there were */
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
    .where(sql<boolean>`refresh_tokens.expires_at > pacekeeper_now()`);
}
