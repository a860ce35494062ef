import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../../../platform/database/index.ts';
import { basePathOf } from '../../../../platform/http/index.ts';

/**
 * Returns the host and base path that identify this installation in the keys of incidents in other systems.
 * The base path lets installations under different paths of a host share an integration.
 *
 * The first call stores the values of the base URL. Later changes to the base URL don't change them, so that
 * events still find their incidents.
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

/**
 * Maximum length of host and path in the key of an incident. The complete key must fit into the limits of the
 * incident platform.
 */
const maxLength = 150;

function incidentHostOf(baseUrl: string): string {
  const { host } = new URL(baseUrl);
  const path = basePathOf(baseUrl);
  if (path === '' || host.length + path.length <= maxLength) return host + path;
  return createHash('sha256')
    .update(host + path)
    .digest('hex');
}
