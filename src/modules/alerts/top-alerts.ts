import { sql } from 'kysely';
import type { Schemas } from '../../generated/client-api.ts';
import type { Database } from '../../platform/database/index.ts';
import { toAlert } from './alert-handlers.ts';
import { selectAlerts } from './alert-queries.ts';

/** The open alerts that nobody acknowledged: the most severe first, of these the oldest. */
export async function listTopAlerts(db: Database, organizationId: number, limit: number): Promise<Schemas['Alert'][]> {
  // The first of each severity, along its index: of so many open alerts few are read.
  const rows = await selectAlerts(db, organizationId)
    .innerJoin(
      sql<{ top_id: number; severity_rank: number }>`(
        SELECT first.id AS top_id, severities.rank AS severity_rank
        FROM (VALUES ('critical', 1), ('high', 2), ('moderate', 3)) AS severities (severity, rank)
        CROSS JOIN LATERAL (
          SELECT id FROM alerts
          WHERE organization_id = ${organizationId} AND severity = severities.severity
            AND resolved_at IS NULL AND acknowledged_at IS NULL
          ORDER BY created_at, id LIMIT ${limit}
        ) AS first
      )`.as('top'),
      'top.top_id',
      'a.id',
    )
    .orderBy('top.severity_rank')
    .orderBy('a.created_at')
    .orderBy('a.id')
    .limit(limit)
    .execute();
  return rows.map(toAlert);
}
