import { sql } from 'kysely';
import type { Schemas } from '../../generated/client-api.ts';
import { type Database, defineTable, type Tx } from '../../platform/database/index.ts';
import type { SealedExport } from './audit-export-secrets.ts';

export interface AuditExportRow {
  id: number;
  name: string;
  url: string;
  header_names: string[];
  last_entry_at: Date | null;
  last_success_at: Date | null;
  failing_since: Date | null;
  last_error: Schemas['DeliveryError'] | null;
  pending_count: number;
  created_at: Date;
  updated_at: Date;
}

/** Number at which the count of pending entries stops. */
const maxPending = 1_000;

const columns = [
  'id',
  'name',
  'url_shown as url',
  'header_names',
  'last_entry_at',
  'last_success_at',
  'failing_since',
  sql<AuditExportRow['last_error']>`last_error`.as('last_error'),
  sql<number>`(
    SELECT count(*)::integer FROM (
      SELECT FROM audit_log WHERE audit_log.organization_id = audit_exports.organization_id
        AND audit_log.id > audit_exports.last_entry_id LIMIT ${sql.lit(maxPending)}
    ) AS pending)`.as('pending_count'),
  'created_at',
  'updated_at',
] as const;

function selectExports(db: Database | Tx) {
  return db.selectFrom('audit_exports').select(columns);
}

const auditExports = defineTable('audit_exports', selectExports);
export const { delete: deleteAuditExport } = auditExports;

/** Lists exports, newest first. */
export async function listAuditExports(db: Database | Tx, organizationId: number): Promise<AuditExportRow[]> {
  return selectExports(db)
    .where('organization_id', '=', organizationId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/**
 * Counts the exports of an organization. Locks the organization, so that concurrent requests can't exceed the limit
 * together.
 */
export async function countAuditExports(tx: Tx, organizationId: number): Promise<number> {
  await sql`SELECT 1 FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`.execute(tx);
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM audit_exports WHERE organization_id = ${organizationId}`.execute(tx);
  return rows[0]!.count;
}

/**
 * @param since The export starts with the first entry since this time, or with the next new entry if null.
 */
export async function insertAuditExport(
  tx: Tx,
  organizationId: number,
  values: { name: string; urlShown: string; headerNames: readonly string[]; since: string | null },
  seal: (id: number) => SealedExport,
): Promise<AuditExportRow> {
  const { name, urlShown, headerNames, since } = values;
  const { rows } = await sql<{ id: number }>`
    INSERT INTO audit_exports (organization_id, name, url_shown, header_names, last_entry_id)
    SELECT ${organizationId}, ${name}, ${urlShown}, ${headerNames}::text[], coalesce(
      -- Reads more than one entry, because the first one by time can have a higher ID than one that was
      -- written at almost the same moment.
      (SELECT min(id) - 1 FROM (
        SELECT id FROM audit_log WHERE organization_id = ${organizationId} AND created_at >= ${since}::timestamptz
        ORDER BY created_at, id LIMIT 1000) AS first),
      (SELECT max(id) FROM audit_log WHERE organization_id = ${organizationId}), 0)
    RETURNING id`.execute(tx);
  const { id } = rows[0]!;
  await auditExports.update(tx, organizationId, id, seal(id));
  return (await auditExports.find(tx, organizationId, id))!;
}

/** Returns an export and locks it. */
export async function findAuditExportToDelete(
  tx: Tx,
  organizationId: number,
  id: number,
): Promise<AuditExportRow | undefined> {
  await sql`
    SELECT FROM audit_exports WHERE organization_id = ${organizationId} AND id = ${id} FOR UPDATE`.execute(
    tx,
  );
  return auditExports.find(tx, organizationId, id);
}

/**
 * Clears the transactions that the exports wait for. These transactions belonged to a database that was
 * replaced, and transactions of the new database can have the same IDs.
 */
export async function resetAuditExportHorizons(tx: Tx): Promise<void> {
  await sql`UPDATE audit_exports SET horizon_id = NULL, horizon_writers = NULL WHERE horizon_id IS NOT NULL`.execute(
    tx,
  );
}
