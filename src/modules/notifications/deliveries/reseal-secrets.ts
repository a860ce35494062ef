import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';

/** Every sealed column there is. Each value is bound to its organization, table, row and column. */
export const sealedColumns = {
  notification_channels: [
    'url_sealed',
    'preset_options_sealed',
    'headers_sealed',
    'signing_secret_sealed',
    'previous_signing_secret_sealed',
  ],
  notification_deliveries: ['body_sealed'],
} as const;

const rowsAtOnce = 500;

/**
 * Seals everything that another key has sealed with the current one, in batches, and nobody writes meanwhile: the
 * tables are locked until the transaction ends.
 *
 * @returns how many values
 * @throws SecretBoxError when something was sealed with a key that is not known here
 */
export async function resealSecretsAcrossOrganizations(tx: Tx, secretBox: SecretBox): Promise<number> {
  let count = 0;
  for (const [table, columns] of Object.entries(sealedColumns)) {
    await sql`LOCK TABLE ${sql.table(table)} IN SHARE ROW EXCLUSIVE MODE`.execute(tx);
    for (const column of columns) count += await resealColumn(tx, secretBox, table, column);
  }
  return count;
}

async function resealColumn(tx: Tx, secretBox: SecretBox, table: string, column: string): Promise<number> {
  let count = 0;
  let last = { organization_id: 0, id: 0 };
  for (;;) {
    const { rows } = await sql<{ organization_id: number; id: number; sealed: Buffer }>`
      SELECT organization_id, id, ${sql.ref(column)} AS sealed FROM ${sql.table(table)}
      WHERE (organization_id, id) > (${last.organization_id}, ${last.id}) AND length(${sql.ref(column)}) > 0
      ORDER BY organization_id, id LIMIT ${rowsAtOnce}`.execute(tx);
    const resealed = rows
      .filter((row) => secretBox.needsReseal(row.sealed))
      .map(({ organization_id: organizationId, id, sealed }) => {
        const context = { organizationId, table, rowId: id, column };
        return { organizationId, id, sealed: secretBox.seal(secretBox.open(sealed, context), context) };
      });
    if (resealed.length > 0) {
      await sql`
        UPDATE ${sql.table(table)} AS row SET ${sql.ref(column)} = resealed.sealed
        FROM unnest(
          ${resealed.map((row) => row.organizationId)}::bigint[], ${resealed.map((row) => row.id)}::bigint[],
          ${resealed.map((row) => row.sealed)}::bytea[]
        ) AS resealed (organization_id, id, sealed)
        WHERE row.organization_id = resealed.organization_id AND row.id = resealed.id`.execute(tx);
    }
    count += resealed.length;
    const end = rows.at(-1);
    if (!end || rows.length < rowsAtOnce) return count;
    last = end;
  }
}
