import { sql } from 'kysely';
import type { Database } from '../../../../platform/database/index.ts';

/**
 * Returns the host in the keys of incidents in other systems, and stores that of the base URL with the first incident.
 * Later changes of the base URL don't change it, so that events find their incidents again.
 *
 * @returns `null` if the database has no installation.
 */
export async function readIncidentHost(db: Database, baseUrl: string): Promise<string | null> {
  const { rows: stored } = await sql<{ incident_host: string | null }>`
    SELECT incident_host FROM installation`.execute(db);
  if (stored[0] === undefined || stored[0].incident_host !== null) return stored[0]?.incident_host ?? null;
  const { rows } = await sql<{ incident_host: string }>`
    UPDATE installation SET incident_host = coalesce(incident_host, ${new URL(baseUrl).host})
    RETURNING incident_host`.execute(db);
  return rows[0]?.incident_host ?? null;
}
