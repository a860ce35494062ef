import { sql } from 'kysely';
import type { Database, Tx } from '../../../platform/database/index.ts';
import type { Role } from '../../../platform/http/index.ts';
import { assignableKeyRoles } from '../people/roles.ts';

export interface KeyOfCreator {
  id: number;
  name: string;
}

/**
 * Revokes those keys of a member that the member couldn't create with the new role. If `role` is null,
 * revokes all keys that the member created.
 */
export async function deactivateKeysOfCreator(
  tx: Tx,
  organizationId: number,
  { userId, role }: { userId: number; role: Role | null },
): Promise<KeyOfCreator[]> {
  const allowed = assignableKeyRoles(role);
  return tx
    .updateTable('api_keys')
    .set({ is_active: false, deactivated_at: sql`pacekeeper_now()`, updated_at: sql`pacekeeper_now()` })
    .where('organization_id', '=', organizationId)
    .where('created_by_user_id', '=', userId)
    .where('deactivated_at', 'is', null)
    .$if(allowed.length > 0, (query) => query.where('role', 'not in', allowed))
    .returning(['id', 'name'])
    .execute();
}

/**
 * Returns the unexpired keys that `deactivateKeysOfCreator` would revoke: the first `limit` keys by name, and
 * the total number.
 */
export async function previewKeysOfCreator(
  db: Database,
  organizationId: number,
  { userId, role }: { userId: number; role: Role | null },
  limit: number,
): Promise<{ items: KeyOfCreator[]; total: number }> {
  const allowed = assignableKeyRoles(role);
  const rows = await db
    .selectFrom('api_keys')
    .select(['id', 'name', sql<number>`count(*) OVER ()`.as('total')])
    .where('organization_id', '=', organizationId)
    .where('created_by_user_id', '=', userId)
    .where('deactivated_at', 'is', null)
    .where(sql<boolean>`(expires_at IS NULL OR expires_at > pacekeeper_now())`)
    .$if(allowed.length > 0, (query) => query.where('role', 'not in', allowed))
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .limit(limit)
    .execute();
  return { items: rows.map(({ id, name }) => ({ id, name })), total: rows[0]?.total ?? 0 };
}
