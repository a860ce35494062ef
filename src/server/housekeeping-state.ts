import { sql } from 'kysely';
import type { Tx } from '../platform/database/index.ts';

/**
 * Returns the state that a housekeeping task stored in an earlier run, or an empty object before the first.
 * Only the task itself writes its state.
 */
export async function readTaskState<State extends object>(tx: Tx, name: string): Promise<Partial<State>> {
  const { rows } = await sql<{
    state: Partial<State>;
  }>`SELECT state FROM housekeeping_tasks WHERE name = ${name}`.execute(tx);
  return rows[0]?.state ?? {};
}

export async function writeTaskState(tx: Tx, name: string, state: object): Promise<void> {
  await sql`UPDATE housekeeping_tasks SET state = ${JSON.stringify(state)}::jsonb WHERE name = ${name}`.execute(
    tx,
  );
}
