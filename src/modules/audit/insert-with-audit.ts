import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/index.ts';
import type { EditedResource } from './edited-fields.ts';
import { createdChanges, type EditRequest } from './record-edit.ts';

export interface Insertion<Row> {
  /** Insert statement that returns all columns of the new rows. */
  insert: Compilable<{ id: number }>;
  /** Query that selects the result from the new rows, which are available as `created`, ordered by ID. */
  read: RawBuilder<Row>;
}

/**
 * Creates resources together with their entries in the audit log, in one statement.
 *
 * @param created the new resources as the API will return them, in the order of the inserted values
 * @returns The rows, in the same order.
 */
export async function insertWithAudit<Row>(
  tx: Tx,
  { caller: { organizationId, actor }, requestId }: EditRequest,
  resource: EditedResource,
  { insert, read }: Insertion<Row>,
  created: readonly { name: string }[],
): Promise<Row[]> {
  const changes = created.map((each) => JSON.stringify(createdChanges(resource, each)));
  // The IDs are in the order of the values, because a single statement inserts all rows.
  const { rows } = await sql<Row>`
    WITH created AS (${insert}), recorded AS (
      INSERT INTO audit_log (organization_id, action, resource, resource_id, resource_name, actor_type, actor_id, actor_name,
        changes, request_id)
      SELECT ${organizationId}::bigint, ${`${resource}.created`}, ${resource}, placed.id, entry.name, ${actor.type},
        ${actor.id}::bigint, ${actor.name}, entry.changes, ${requestId}
      FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM created) AS placed
      JOIN unnest(${created.map(({ name }) => name)}::text[], ${changes}::jsonb[])
        WITH ORDINALITY AS entry (name, changes, place) USING (place)
      ORDER BY placed.id
    )
    ${read}`.execute(tx);
  return rows;
}
