import { type RawBuilder, sql } from 'kysely';

/**
 * Returns an SQL condition with the same rule as `assignableRoles`: true if a member with the role in column `giver` can
 * give the role in column `role`.
 */
export function canAssignRoleSql(giver: string, role: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(giver)} = 'owner' OR (${sql.ref(giver)} = 'admin' AND ${sql.ref(role)} <> 'owner'))`;
}
