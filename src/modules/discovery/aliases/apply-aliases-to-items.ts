import { type RawBuilder, sql } from 'kysely';
import { knownSources } from '../../../domain/catalog/catalog.ts';
import {
  createAliasResolver,
  type Identified,
  type MirroredArtifact,
  type Proposal,
} from '../../../domain/discovery/propose-source.ts';
import type { ArtifactAlias } from '../../../domain/identity/artifact-aliases.ts';
import { isSameJson } from '../../../domain/json/json-item.ts';
import type { Tx } from '../../../platform/database/index.ts';
import type { EditContext } from '../../../platform/http/index.ts';
import { TimeSlices } from '../../../platform/time-slices.ts';
import { publishChanges } from '../../audit/index.ts';
import { readAliases } from '../../settings/index.ts';
import { reconcileItems } from '../acceptance/reconcile-items.ts';
import { matchDigests } from '../digests/match-digests.ts';
import { recordItemVersions } from '../live/live-versions.ts';
import { type FoundItemRow, maxArtifactBytes } from '../model/item-changes.ts';
import type { FoundIdentity } from '../model/pair-items.ts';

type Follow = (identified: Identified, version: string | null) => MirroredArtifact | null;

/**
 * Returns a function that finds the original of an artifact according to the aliases. The function returns
 * `null` if the package URL of the original is too long to store.
 */
function createFollower(aliases: readonly ArtifactAlias[]): Follow {
  const follow = createAliasResolver(knownSources, aliases);
  return (identified, version) => {
    const followed = follow(identified, version);
    const purl = followed?.purl ?? null;
    return purl !== null && Buffer.byteLength(purl) <= maxArtifactBytes ? followed : null;
  };
}

/**
 * Returns the artifacts of a scan. If an alias identifies an artifact as a copy, the original replaces it.
 */
export async function applyAliasesToScan(
  found: readonly FoundItemRow[],
  aliases: readonly ArtifactAlias[],
): Promise<FoundIdentity[]> {
  const follow = createFollower(aliases);
  const slices = new TimeSlices();
  const identities: FoundIdentity[] = [];
  for (const row of found) {
    const { proposal, is_too_long: _, ...item } = row;
    const followed = proposal && follow({ purl: item.artifact_purl, proposal }, item.version);
    identities.push({ ...item, artifact_purl: followed?.purl ?? item.artifact_purl, followed });
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
  return identities;
}

interface StoredArtifact {
  /** The artifact according to the files. */
  written: { purl: string | null; proposal: Proposal };
  version: string | null;
  is_followed: boolean;
  /** True if a second gather job reads the mirror. */
  is_read: boolean;
  purl: string | null;
  proposal: Omit<Proposal, 'confidence'>;
  ids: number[];
}

/**
 * SQL condition: true if the address of an item starts with one of the prefixes. Each prefix ends with a
 * slash, and the next character after the slash is `0`. The range of a prefix ends before the same text with
 * `0` instead of the slash.
 */
function isBelow(prefixes: readonly string[]): RawBuilder<boolean> {
  const ranges = prefixes.map((prefix) => {
    const lower = prefix.toLowerCase();
    return sql`(address >= ${lower} AND address < ${`${lower.slice(0, -1)}0`})`;
  });
  return sql<boolean>`(${sql.join(ranges, sql` OR `)})`;
}

/** Returns the number of items below prefixes whose IDs are higher than `after`. */
export async function countItemsUnderPrefixes(
  tx: Tx,
  organizationId: number,
  prefixes: readonly string[],
  after: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM discovered_items
    WHERE organization_id = ${organizationId} AND ${isBelow(prefixes)} AND id > ${after}`.execute(tx);
  return rows[0]!.count;
}

/**
 * Derives the artifacts of the next items below prefixes again. The items keep their history and the
 * decisions that people made about them. The resources of accepted items are derived again too.
 *
 * The caller must have locked all discovery jobs of the organization, the organization, and its aliases, in this order.
 *
 * @param after ID of the last item that was processed before.
 * @param limit At most `maxAcceptedItems`, the number of items whose resources are derived at a time.
 * @returns The number of items, and the ID of the last one if more items can remain.
 */
export async function applyAliasesToItems(
  tx: Tx,
  context: EditContext,
  prefixes: readonly string[],
  { after, limit }: { after: number; limit: number },
): Promise<{ read: number; next: number | null }> {
  const { organizationId } = context.caller;
  const follow = createFollower(await readAliases(tx, organizationId));
  const { rows } = await sql<StoredArtifact>`
    SELECT written, version, is_followed, is_read, purl, proposal, array_agg(id) AS ids
    FROM (
      SELECT id, version, mirror IS NOT NULL AS is_followed, coalesce(mirror -> 'is_read' = 'true', false) AS is_read,
        artifact_purl AS purl, proposal, coalesce(mirror - 'is_read', jsonb_build_object('purl', artifact_purl,
          'proposal', proposal || jsonb_build_object('confidence', proposal_confidence))) AS written
      FROM discovered_items AS items
      WHERE organization_id = ${organizationId} AND ${isBelow(prefixes)} AND id > ${after}
      ORDER BY id LIMIT ${sql.lit(limit)} FOR NO KEY UPDATE
    ) AS items
    GROUP BY written, version, is_followed, is_read, purl, proposal`.execute(tx);
  const ids = rows.flatMap((row) => row.ids);
  const next = ids.length < limit ? null : ids.reduce((last, id) => Math.max(last, id), 0);
  await updateItems(tx, context, changedOf(rows, follow));
  return { read: ids.length, next };
}

function changedOf(rows: readonly StoredArtifact[], follow: Follow) {
  return rows.flatMap(({ written, version, ids, ...stored }) => {
    const followed = follow(written, version);
    const { confidence, ...proposal } = (followed ?? written).proposal!;
    const is_read = followed?.readsMirror ?? false;
    const now = { purl: (followed ?? written).purl, proposal, is_followed: followed !== null, is_read };
    return isSameJson(stored, now)
      ? []
      : [{ ...now, mirror: followed && { ...written, is_read }, confidence, ids }];
  });
}

async function updateItems(
  tx: Tx,
  context: EditContext,
  changed: ReturnType<typeof changedOf>,
): Promise<void> {
  if (changed.length === 0) return;
  const { organizationId } = context.caller;
  const choice = sql`FROM artifact_corrections AS choice
    WHERE choice.organization_id = item.organization_id AND choice.artifact_key = item.artifact_key`;
  const { rows: items } = await sql<{ id: number; discovery_job_id: number; status: string }>`
    UPDATE discovered_items AS item
    SET artifact_purl = changed.purl, proposal = changed.proposal, proposal_confidence = changed.confidence,
        mirror = nullif(changed.mirror, 'null'::jsonb),
        -- The artifact gets another key, so a choice for the former artifact becomes a choice for each item.
        set_source = coalesce(item.set_source, (
          SELECT jsonb_build_object('source_type', choice.source_type, 'artifact_name', choice.artifact_name,
            'source_options', choice.source_options) ${choice})),
        confidence = CASE WHEN item.set_source IS NOT NULL OR EXISTS (SELECT ${choice})
            OR EXISTS (
              SELECT FROM artifact_corrections AS next
              WHERE next.organization_id = item.organization_id AND next.artifact_key = changed.purl)
          THEN 'certain' ELSE changed.confidence END,
        updated_at = pacekeeper_now()
    FROM jsonb_to_recordset(${JSON.stringify(changed)}::jsonb)
        AS changed (ids jsonb, purl text, proposal jsonb, mirror jsonb, confidence text),
      LATERAL jsonb_array_elements(changed.ids) AS one (id)
    WHERE item.organization_id = ${organizationId} AND item.id = one.id::bigint
    RETURNING item.id, item.discovery_job_id, item.status`.execute(tx);
  const itemIds = items.map(({ id }) => id);
  const matched = await matchDigests(tx, organizationId, { itemIds });
  if (matched.length > 0)
    await recordItemVersions(tx, organizationId, { itemIds: matched.map(({ id }) => id) }, null);
  const accepted = items.filter(({ status }) => status === 'accepted').map(({ id }) => id);
  if (accepted.length > 0) await reconcileItems(tx, context, { itemIds: accepted });
  const jobIds = [...new Set(items.map((item) => item.discovery_job_id))].toSorted((a, b) => a - b);
  publishChanges(tx, organizationId, 'discovery_job', jobIds, 'updated');
}
