import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../../../platform/database/index.ts';
import { basePathOf } from '../../../../platform/http/index.ts';

/**
 * Returns the host and base path in the keys of incidents in other systems, and stores those of the base URL with the
 * first incident. Installations under different paths of a host can share an integration.
 *
 * Later changes of the base URL don't change them, so that events find their incidents again.
 *
 * @returns `null` if the database has no installation.
 */
export async function readIncidentHost(db: Database, baseUrl: string): Promise<string | null> {
  const { rows: stored } = await sql<{ incident_host: string | null }>`
    SELECT incident_host FROM installation`.execute(db);
  if (stored[0] === undefined || stored[0].incident_host !== null) return stored[0]?.incident_host ?? null;
  const { rows } = await sql<{ incident_host: string }>`
    UPDATE installation SET incident_host = coalesce(incident_host, ${incidentHostOf(baseUrl)})
    RETURNING incident_host`.execute(db);
  return rows[0]?.incident_host ?? null;
}

/** Longest host with a path in a key. The rest of the key must fit into the limits of the other system. */
const maxLength = 150;

function incidentHostOf(baseUrl: string): string {
  const { host } = new URL(baseUrl);
  const path = basePathOf(baseUrl);
  if (path === '' || host.length + path.length <= maxLength) return host + path;
  return createHash('sha256')
    .update(host + path)
    .digest('hex');
}
