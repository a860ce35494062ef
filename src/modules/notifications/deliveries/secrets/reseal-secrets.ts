import { sql } from 'kysely';
import type { Tx } from '../../../../platform/database/index.ts';
import type { SecretBox } from '../../../../platform/secrets/index.ts';

/** All sealed columns. Each value is bound to its organization, table, row, and column. */
export const sealedColumns = {
  notification_channels: [
    'url_sealed',
    'closing_path_sealed',
    'preset_options_sealed',
    'headers_sealed',
    'signing_secret_sealed',
    'previous_signing_secret_sealed',
    'tracker_sealed',
  ],
  notification_deliveries: ['body_sealed'],
  delivery_attempts: ['response_body_sealed'],
  hooks: ['secret_sealed'],
  audit_exports: ['url_sealed', 'headers_sealed', 'secret_sealed'],
} as const;

type SealedTable = keyof typeof sealedColumns;

/**
 * Key columns of a row within its organization. Joined with `/`, they form the row ID that values are bound
 * to.
 */
const rowKeys: Record<SealedTable, readonly string[]> = {
  notification_channels: ['id'],
  notification_deliveries: ['id'],
  delivery_attempts: ['notification_delivery_id', 'number'],
  hooks: ['id'],
  audit_exports: ['id'],
};

const batchSize = 500;

/**
 * Reseals all values that were sealed with another key, in batches. The tables are locked against writes
 * until the transaction ends.
 *
 * @returns The number of resealed values.
 * @throws SecretBoxError If a value was sealed with an unknown key.
 */
export async function resealSecretsAcrossOrganizations(tx: Tx, secretBox: SecretBox): Promise<number> {
  let count = 0;
  for (const [table, columns] of Object.entries(sealedColumns) as [SealedTable, readonly string[]][]) {
    await sql`LOCK TABLE ${sql.table(table)} IN SHARE ROW EXCLUSIVE MODE`.execute(tx);
    for (const column of columns) count += await resealColumn(tx, secretBox, table, column);
  }
  return count;
}

interface SealedRow {
  organization_id: number;
  key: number[];
  sealed: Buffer;
}

async function resealColumn(
  tx: Tx,
  secretBox: SecretBox,
  table: SealedTable,
  column: string,
): Promise<number> {
  const keys = rowKeys[table];
  const primaryKey = sql.join(['organization_id', ...keys].map((name) => sql.ref(name)));
  let count = 0;
  let last = ['organization_id', ...keys].map(() => 0);
  for (;;) {
    const { rows } = await sql<SealedRow>`
      SELECT organization_id, jsonb_build_array(${sql.join(keys.map((name) => sql.ref(name)))}) AS key,
        ${sql.ref(column)} AS sealed
      FROM ${sql.table(table)}
      WHERE (${primaryKey}) > (${sql.join(last)}) AND length(${sql.ref(column)}) > 0
      ORDER BY ${primaryKey} LIMIT ${batchSize}`.execute(tx);
    const resealed = rows
      .filter((row) => secretBox.needsReseal(row.sealed))
      .map(({ organization_id: organizationId, key, sealed }) => {
        const context = { organizationId, table, rowId: key.join('/'), column };
        return [organizationId, ...key, secretBox.seal(secretBox.open(sealed, context), context)] as const;
      });
    if (resealed.length > 0) {
      const columnsOf = (index: number) => resealed.map((row) => row[index]);
      await sql`
        UPDATE ${sql.table(table)} AS row SET ${sql.ref(column)} = resealed.sealed
        FROM unnest(${sql.join(['organization_id', ...keys].map((_, index) => sql`${columnsOf(index)}::bigint[]`))},
          ${columnsOf(keys.length + 1)}::bytea[]
        ) AS resealed (${primaryKey}, sealed)
        WHERE (${sql.join(['organization_id', ...keys].map((name) => sql.ref(`row.${name}`)))})
          = (${sql.join(['organization_id', ...keys].map((name) => sql.ref(`resealed.${name}`)))})`.execute(
        tx,
      );
    }
    count += resealed.length;
    const end = rows.at(-1);
    if (!end || rows.length < batchSize) return count;
    last = [end.organization_id, ...end.key];
  }
}
