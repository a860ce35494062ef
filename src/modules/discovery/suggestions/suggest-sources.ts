import { sql } from 'kysely';
import { type ChartSuggestion, suggestChartSource } from '../../../domain/discovery/suggest-chart-source.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { withHashJoins } from '../model/item-changes.ts';
import type { StoredSuggestion } from '../model/item-queries.ts';
import { findChartEvidence } from './chart-evidence.ts';

/** An item of a Helm release. */
export interface ReleaseItem {
  id: number;
  artifact_name: string;
  version: string | null;
  project_url: string | null;
}

/** @returns The suggestions by item ID. */
export async function suggestSourcesForItems(
  db: Database | Tx,
  organizationId: number,
  items: readonly ReleaseItem[],
): Promise<Map<number, ChartSuggestion>> {
  const evidence = await findChartEvidence(
    db,
    organizationId,
    items.map(({ artifact_name, version }) => ({ chart: artifact_name, version })),
  );
  return new Map(
    items.map(({ id, artifact_name, version, project_url }) => [
      id,
      suggestChartSource({ version, projectUrl: project_url }, evidence.get(artifact_name) ?? []),
    ]),
  );
}

/**
 * Suggests sources for the charts of a cluster's new Helm releases, unless a user has chosen one. Also runs
 * after unchanged scans, because other jobs and items can have changed.
 */
export async function suggestSources(tx: Tx, organizationId: number, discoveryJobId: number): Promise<void> {
  const { rows } = await sql<ReleaseItem & { suggestion: StoredSuggestion | null }>`
    SELECT id, artifact_name, version, project_url, suggestion FROM discovered_items AS items
    WHERE organization_id = ${organizationId} AND discovery_job_id = ${discoveryJobId} AND extractor = 'helm_release'
      AND status = 'new' AND proposal IS NULL AND set_source IS NULL AND NOT EXISTS (
        SELECT FROM artifact_corrections AS choice
        WHERE choice.organization_id = items.organization_id AND choice.artifact_key = items.artifact_key)`.execute(
    tx,
  );
  const suggested = await withHashJoins(tx, () => suggestSourcesForItems(tx, organizationId, rows));
  await storeSuggestions(
    tx,
    organizationId,
    rows.map(({ id, suggestion }) => ({ id, before: suggestion, now: suggested.get(id)!.suggestion })),
  );
}

/** Stores only the suggestions that have changed. */
export async function storeSuggestions(
  tx: Tx,
  organizationId: number,
  items: readonly {
    id: number;
    before: StoredSuggestion | null;
    now: ChartSuggestion['suggestion'];
  }[],
): Promise<void> {
  const changed = items.filter(({ before, now }) => !isSame(before, now));
  if (changed.length === 0) return;
  await sql`
    UPDATE discovered_items AS item
    SET suggestion = nullif(changed.suggestion, 'null'::jsonb),
        confidence = coalesce(changed.suggestion ->> 'confidence', 'none'), updated_at = pacekeeper_now()
    FROM jsonb_to_recordset(${JSON.stringify(changed.map(({ id, now }) => ({ id, suggestion: now && toStoredSuggestion(now) })))}::jsonb)
      AS changed (id bigint, suggestion jsonb)
    WHERE item.organization_id = ${organizationId} AND item.id = changed.id`.execute(tx);
}

export function toStoredSuggestion(suggestion: NonNullable<ChartSuggestion['suggestion']>): StoredSuggestion {
  return { ...suggestion, version_pattern: null, version_scheme: null };
}

function isSame(before: StoredSuggestion | null, now: ChartSuggestion['suggestion']): boolean {
  return (
    before?.source_type === now?.source_type &&
    before?.artifact_name === now?.artifact_name &&
    before?.confidence === now?.confidence &&
    before?.why === now?.why
  );
}
