import { sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';

/**
 * Corrects times after the clock was set back, so that the delays of queued runs and the leases of runs in
 * progress keep their remaining duration.
 */
export async function recoverRunsAcrossOrganizations(tx: Tx, backMs: number): Promise<void> {
  const back = sql`${backMs}::float8 * interval '1 millisecond'`;
  await sql`
    UPDATE runs SET due_at = greatest(pacekeeper_now(), due_at - ${back})
    WHERE status = 'queued' AND due_at > pacekeeper_now()`.execute(tx);
  await sql`
    UPDATE runs SET lease_until = lease_until - ${back}
    WHERE status = 'in_progress' AND lease_until >= pacekeeper_now() + ${back}`.execute(tx);
  await sql`
    UPDATE check_claims SET lease_until = lease_until - ${back}
    WHERE lease_until >= pacekeeper_now() + ${back}`.execute(tx);
}
