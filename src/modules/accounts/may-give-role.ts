import { type RawBuilder, sql } from 'kysely';

/**
 * Returns the rule of `rolesGivenBy` as an SQL condition: true if a member with the role in one column can
 * give the role in another.
 */
export function mayGiveRole(giver: string, role: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(giver)} = 'owner' OR (${sql.ref(giver)} = 'admin' AND ${sql.ref(role)} <> 'owner'))`;
}
