import { sql } from 'kysely';
import { type Database, dueTopic, transaction, wake } from '../../platform/database/index.ts';
import { cancelRuns } from '../runs/index.ts';
import { referenceSources } from './start-reference-loop.ts';
import type { ReferenceSourceName } from './waiting-loads.ts';

/** URLs from which agents fetch the data of each source. Null if a source isn't fetched. */
export type ReferenceUrls = Readonly<Record<ReferenceSourceName, string | null>>;

/**
 * Applies the operator's configuration. Data is fetched immediately if its URL has changed or the last attempt failed,
 * because the operator can have restarted the server to fix the failure.
 */
export async function configureReferenceSources(db: Database, urls: ReferenceUrls): Promise<void> {
  await transaction(db, async (tx) => {
    const names = Object.keys(urls);
    const { rows } = await sql<{ id: number; was_changed: boolean }>`
      WITH configured AS (
        SELECT * FROM unnest(${names}::text[], ${Object.values(urls)}::text[]) AS configured (name, url)
      ), chosen AS (
        SELECT source.organization_id, source.id, configured.url, source.url IS DISTINCT FROM configured.url AS was_changed
        FROM reference_sources source JOIN configured USING (name)
        WHERE source.organization_id = 1 AND (source.url IS DISTINCT FROM configured.url OR configured.url IS NOT NULL AND (
          SELECT status = 'failed' FROM runs
          WHERE runs.organization_id = 1 AND runs.reference_source_id = source.id ORDER BY runs.id DESC LIMIT 1))
        ORDER BY source.id FOR UPDATE OF source
      )
      UPDATE reference_sources SET url = chosen.url, requested_seq = requested_seq + 1, lease_token = NULL, lease_until = NULL,
        due_at = CASE WHEN chosen.url IS NULL THEN 'infinity' ELSE pacekeeper_now() END
      FROM chosen
      WHERE reference_sources.organization_id = chosen.organization_id AND reference_sources.id = chosen.id
      RETURNING reference_sources.id, chosen.was_changed`.execute(tx);
    // Cancel runs in progress, because they fetch from the previous URL.
    for (const { id, was_changed } of rows) if (was_changed) await cancelRuns(tx, referenceSources, 1, id);
    if (rows.length > 0) wake(tx, dueTopic(referenceSources.table));
  });
}
