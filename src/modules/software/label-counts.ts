import { sql } from 'kysely';
import type { Schemas } from '../../generated/client-api.ts';
import type { Database } from '../../platform/database/index.ts';

const maxLabels = 1_000;

/**
 * The labels of software with the number of scrape jobs that have them, most frequent first: sums that triggers keep. An index
 * has the folded ones in this order. Those with later differences are few, and are read in addition.
 */
export async function countLabels(db: Database, organizationId: number): Promise<Schemas['SoftwareLabels']> {
  const counts = sql`row_counts WHERE organization_id = ${organizationId} AND subject = 'software_labels'`;
  const { rows } = await sql<Schemas['SoftwareLabels']['items'][number]>`
    WITH changed AS MATERIALIZED (
      SELECT kind, sum(amount) AS amount FROM ${counts} AND NOT is_folded GROUP BY kind
    ), labels AS (
      (SELECT kind, amount FROM ${counts} AND is_folded AND (kind IN (SELECT kind FROM changed)) IS NOT TRUE
        ORDER BY amount DESC, kind LIMIT ${sql.lit(maxLabels + 1)})
      UNION ALL
      SELECT kind, amount + coalesce((
        SELECT amount FROM ${counts} AND is_folded AND kind = changed.kind), 0) FROM changed
    )
    SELECT split_part(kind, '=', 1) AS key, substr(kind, strpos(kind, '=') + 1) AS value, amount::int AS count
    FROM labels WHERE amount > 0 ORDER BY amount DESC, kind LIMIT ${sql.lit(maxLabels + 1)}`.execute(db);
  return { items: rows.slice(0, maxLabels), is_complete: rows.length <= maxLabels };
}
