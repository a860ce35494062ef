import { sql } from 'kysely';
import type { Schemas } from '../../generated/client-api.ts';
import type { Database } from '../../platform/database/index.ts';
import { toAlert } from './alert-handlers.ts';
import { selectAlerts } from './alert-queries.ts';

/** The open alerts that nobody acknowledged: the most severe first, of these the oldest. */
export async function listTopAlerts(
  db: Database,
  organizationId: number,
  limit: number,
): Promise<Schemas['Alert'][]> {
  // The first of each severity along its index, which takes a severity that is written out: of many open ones few are read.
  const firstOf = (severity: string, rank: number) => sql`(
    SELECT id AS top_id, ${sql.lit(rank)} AS severity_rank FROM alerts
    WHERE organization_id = ${organizationId} AND severity = ${sql.lit(severity)}
      AND resolved_at IS NULL AND acknowledged_at IS NULL
    ORDER BY created_at, id LIMIT ${limit})`;
  const first = sql<{ top_id: number; severity_rank: number }>`(
    ${firstOf('critical', 1)} UNION ALL ${firstOf('high', 2)} UNION ALL ${firstOf('moderate', 3)})`;
  const rows = await selectAlerts(db, organizationId)
    .innerJoin(first.as('top'), 'top.top_id', 'a.id')
    .orderBy('top.severity_rank')
    .orderBy('a.created_at')
    .orderBy('a.id')
    .limit(limit)
    .execute();
  return rows.map(toAlert);
}
