import { sql } from 'kysely';
import type { Schemas } from '../../../generated/client-api.ts';
import {
  containsWords,
  type Database,
  defineTable,
  type Page,
  type PageRequest,
  readPage,
  sortOrder,
  type Tx,
} from '../../../platform/database/index.ts';
import type { ChosenSource } from './item-queries.ts';

type Actor = Schemas['Actor'];

export interface CorrectionRow extends ChosenSource {
  id: number;
  artifact: string;
  actor_type: Actor['type'];
  actor_id: number | null;
  actor_name: string;
  created_at: Date;
  updated_at: Date;
  revision: number;
}

/** Writable fields of a correction. */
export type CorrectionValues = Pick<CorrectionRow, 'artifact' | keyof ChosenSource>;

const sorts = { created_at: 'created_at', artifact: 'artifact_key' };

export interface CorrectionFilters {
  q?: string | undefined;
  sort?: string | undefined;
}

function selectCorrections(db: Database | Tx) {
  return db
    .selectFrom('artifact_corrections')
    .select(['id', 'artifact_key as artifact', 'artifact_name', 'actor_id', 'actor_name'])
    .select([
      sql<CorrectionRow['source_type']>`source_type`.as('source_type'),
      sql<CorrectionRow['source_options']>`source_options`.as('source_options'),
      sql<Actor['type']>`actor_type`.as('actor_type'),
    ])
    .select(['created_at', 'updated_at', 'revision']);
}

export const { find: findCorrection, delete: deleteCorrection } = defineTable(
  'artifact_corrections',
  selectCorrections,
);

export async function listCorrections(
  db: Database,
  organizationId: number,
  { q, sort = '-created_at' }: CorrectionFilters,
  page: PageRequest,
): Promise<Page<CorrectionRow>> {
  const query = selectCorrections(db)
    .where('organization_id', '=', organizationId)
    .$if(q !== undefined, (query) =>
      query.where(containsWords(['artifact_key', `coalesce(artifact_name, '')`], q!)),
    );
  return readPage(db, query, page, sortOrder(sort, sorts, 'id'));
}

/** Returns the corrections of some artifacts, by ascending ID. */
export async function findCorrectionsOf(
  tx: Tx,
  organizationId: number,
  artifacts: readonly string[],
): Promise<CorrectionRow[]> {
  return selectCorrections(tx)
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`artifact_key = ANY(${[...artifacts]}::text[])`)
    .orderBy('id')
    .execute();
}

/** Stores corrections. Each one replaces an existing correction of the same artifact. */
export async function storeCorrections(
  tx: Tx,
  organizationId: number,
  corrections: readonly CorrectionValues[],
  actor: Actor,
): Promise<void> {
  await sql`
    INSERT INTO artifact_corrections (organization_id, artifact_key, source_type, artifact_name, source_options, actor_type,
      actor_id, actor_name)
    SELECT ${organizationId}, given.artifact, given.source_type, given.artifact_name, given.source_options, ${actor.type},
      ${actor.id}::bigint, ${actor.name}
    FROM ROWS FROM (
      jsonb_to_recordset(${JSON.stringify(corrections)}::jsonb)
        AS (artifact text, source_type text, artifact_name text, source_options jsonb)
    ) WITH ORDINALITY AS given (artifact, source_type, artifact_name, source_options, position)
    ORDER BY position
    ON CONFLICT (organization_id, artifact_key) DO UPDATE
    SET source_type = EXCLUDED.source_type, artifact_name = EXCLUDED.artifact_name,
        source_options = EXCLUDED.source_options, actor_type = EXCLUDED.actor_type, actor_id = EXCLUDED.actor_id,
        actor_name = EXCLUDED.actor_name, updated_at = pacekeeper_now()
    WHERE (artifact_corrections.source_type, artifact_corrections.artifact_name, artifact_corrections.source_options)
      IS DISTINCT FROM (EXCLUDED.source_type, EXCLUDED.artifact_name, EXCLUDED.source_options)`.execute(tx);
}

/**
 * Locks the items of artifacts, and derives the confidence of their upstreams again. A person's choice is
 * certain. Without a choice, the confidence is that of the proposal. Without a proposal, it's that of the
 * suggestion.
 */
export async function updateConfidence(
  tx: Tx,
  organizationId: number,
  artifacts: readonly string[],
): Promise<{ id: number; discovery_job_id: number }[]> {
  const { rows } = await sql<{ id: number; discovery_job_id: number }>`
    SELECT id, discovery_job_id FROM discovered_items
    WHERE organization_id = ${organizationId} AND artifact_key = ANY(${[...artifacts]}::text[])
    ORDER BY id FOR NO KEY UPDATE`.execute(tx);
  if (rows.length === 0) return [];
  await sql`
    UPDATE discovered_items AS items SET confidence = derived.confidence
    FROM (
      SELECT id, CASE WHEN set_source IS NOT NULL OR EXISTS (
          SELECT FROM artifact_corrections AS choice
          WHERE choice.organization_id = ${organizationId} AND choice.artifact_key = found.artifact_key) THEN 'certain'
        WHEN proposal IS NOT NULL THEN proposal_confidence
        ELSE coalesce(suggestion ->> 'confidence', 'none') END AS confidence
      FROM discovered_items AS found
      WHERE organization_id = ${organizationId} AND id = ANY(${rows.map(({ id }) => id)}::bigint[])
    ) AS derived
    WHERE items.organization_id = ${organizationId} AND items.id = derived.id
      AND items.confidence <> derived.confidence`.execute(tx);
  return rows;
}
