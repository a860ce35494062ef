import { sql } from 'kysely';
import { organizationJobKinds } from '../../src/modules/agents/index.ts';
import { recountRows } from '../../src/modules/counts/index.ts';
import { type Database, type Tx, transaction } from '../../src/platform/database/index.ts';

/**
 * Inserts many rows of an organization without running triggers or checking references, because both take
 * longer than the inserts themselves. Then updates the stored counts, as housekeeping does.
 */
export async function insertInBulk(
  db: Database,
  organizationId: number,
  insert: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  await transaction(db, async (tx) => {
    await sql`SET LOCAL session_replication_role = replica`.execute(tx);
    await insert(tx);
    await recountRows(tx, organizationId, organizationJobKinds);
  });
}
