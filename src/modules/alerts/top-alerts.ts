import { sql } from 'kysely';
import type { Schemas } from '../../generated/client-api.ts';
import type { Database } from '../../platform/database/index.ts';
import { toAlerts } from './alert-handlers.ts';
import { selectAlerts, worstFirst } from './alert-queries.ts';

/** Lists open alerts that aren't acknowledged, the most severe first. */
export async function listTopAlerts(
  db: Database,
  organizationId: number,
  limit: number,
): Promise<Schemas['Alert'][]> {
  const rows = await selectAlerts(db, organizationId)
    .where('a.resolved_at', 'is', null)
    .where('a.acknowledged_at', 'is', null)
    .orderBy(worstFirst.sql)
    .limit(sql.lit(limit))
    .execute();
  return toAlerts(db, organizationId, rows);
}
