import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';

/** Returns the ID of the organization with a person's sample data. The caller has locked the person. */
export async function findSampleOrganization(tx: Tx, userId: number): Promise<number | undefined> {
  const row = await tx
    .selectFrom('organizations')
    .select('id')
    .where('sample_user_id', '=', userId)
    .executeTakeFirst();
  return row?.id;
}

/** Inserts the organization for a person's sample data. The caller has locked the person. */
export async function insertSampleOrganization(tx: Tx, userId: number): Promise<number> {
  const { id } = await tx
    .insertInto('organizations')
    .values({ name: 'Sample data', sample_user_id: userId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Deletes the organization with a person's sample data, with everything in it. The caller has locked the person.
 *
 * @param moveLoginsTo The organization in which the person's logins to the sample data continue. By default, they end.
 * @returns False if the person has no sample data.
 */
export async function deleteSampleOrganization(
  tx: Tx,
  userId: number,
  { moveLoginsTo = null }: { moveLoginsTo?: number | null } = {},
): Promise<boolean> {
  const id = await findSampleOrganization(tx, userId);
  if (id === undefined) return false;
  if (moveLoginsTo !== null)
    await tx
      .updateTable('refresh_tokens')
      .set({ organization_id: moveLoginsTo })
      .where('organization_id', '=', id)
      .execute();
  // Evaluations lock the configurations, so no alert and no entry about one is added from here on. The entries are
  // deleted before the alerts, and the configurations before the other rows that they refer to.
  await sql`SELECT FROM alert_configs WHERE organization_id = ${id} ORDER BY id FOR UPDATE`.execute(tx);
  await sql`DELETE FROM audit_entries WHERE organization_id = ${id}`.execute(tx);
  await sql`DELETE FROM alert_configs WHERE organization_id = ${id}`.execute(tx);
  await tx.deleteFrom('organizations').where('id', '=', id).execute();
  return true;
}
