import { sql } from 'kysely';
import type { Schemas } from '../../generated/agent-api.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { HeldRun } from '../runs/index.ts';
import type { ChangedVerdicts } from './count-changed-verdicts.ts';

export type ReferenceSourceName = Schemas['FetchedReferenceSource'];

/**
 * Stores the parts of a run until an operator confirms them. They replace the parts of an earlier waiting
 * load.
 */
export async function storeWaitingLoad(
  tx: Tx,
  source: ReferenceSourceName,
  asOfMs: number,
  changes: readonly ChangedVerdicts[],
  { run, leaseToken }: { run: HeldRun; leaseToken: string },
): Promise<void> {
  const stored = changes.map(({ organizationId, changed, total }) => ({
    organization_id: organizationId,
    changed,
    total,
  }));
  await sql`
    INSERT INTO waiting_reference_loads (source_name, as_of, changes)
    VALUES (${source}, to_timestamp(${asOfMs}::float8 / 1000), ${JSON.stringify(stored)}::jsonb)
    ON CONFLICT (organization_id, source_name) DO UPDATE SET as_of = EXCLUDED.as_of, changes = EXCLUDED.changes`.execute(
    tx,
  );
  await sql`DELETE FROM waiting_reference_parts WHERE organization_id = 1 AND source_name = ${source}`.execute(
    tx,
  );
  await sql`
    INSERT INTO waiting_reference_parts (source_name, sequence, items)
    SELECT ${source}, sequence, items FROM run_parts
    WHERE organization_id = ${run.organization_id} AND run_id = ${run.id} AND lease_token = ${leaseToken}`.execute(
    tx,
  );
}

/** Deletes the waiting load unless it's newer than `asOfMs`. */
export async function deleteWaitingLoad(tx: Tx, source: ReferenceSourceName, asOfMs: number): Promise<void> {
  await sql`
    DELETE FROM waiting_reference_loads
    WHERE organization_id = 1 AND source_name = ${source} AND as_of <= to_timestamp(${asOfMs}::float8 / 1000)`.execute(
    tx,
  );
}

/** Locks the waiting load. Returns undefined if no load is waiting. */
export async function lockWaitingLoad(
  tx: Tx,
  source: ReferenceSourceName,
): Promise<{ asOfMs: number } | undefined> {
  const { rows } = await sql<{ as_of: Date }>`
    SELECT as_of FROM waiting_reference_loads WHERE organization_id = 1 AND source_name = ${source} FOR UPDATE`.execute(
    tx,
  );
  return rows[0] && { asOfMs: rows[0].as_of.getTime() };
}

/** Reads the items of the waiting load, part by part. */
export async function* readWaitingParts<Item>(tx: Tx, source: ReferenceSourceName): AsyncGenerator<Item[]> {
  const { rows: parts } = await sql<{ sequence: number }>`
    SELECT sequence FROM waiting_reference_parts WHERE organization_id = 1 AND source_name = ${source}
    ORDER BY sequence`.execute(tx);
  for (const { sequence } of parts) {
    const { rows } = await sql<{ items: Item[] }>`
      SELECT items FROM waiting_reference_parts
      WHERE organization_id = 1 AND source_name = ${source} AND sequence = ${sequence}`.execute(tx);
    yield rows[0]!.items;
  }
}
