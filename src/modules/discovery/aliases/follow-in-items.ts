import { sql } from 'kysely';
import { knownSources } from '../../../domain/catalog/catalog.ts';
import type { ArtifactAlias } from '../../../domain/discovery/artifact-aliases.ts';
import {
  createAliasFollower,
  type FollowedArtifact,
  type Identified,
  type Proposal,
} from '../../../domain/discovery/propose-source.ts';
import { isSameJson } from '../../../domain/json/json-item.ts';
import {
  hasSqlState,
  isDatabaseUnavailable,
  type Tx,
  type WakeUps,
} from '../../../platform/database/index.ts';
import type { EditContext } from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log.ts';
import { TimeSlices } from '../../../platform/time-slices.ts';
import { publishChanges } from '../../audit/index.ts';
import { lockAliases, readAliases } from '../../settings/index.ts';
import { isBelow } from '../../upstream/index.ts';
import { systemContext } from '../acceptance/accept-automatically.ts';
import { maxAcceptedItems } from '../acceptance/acceptance-queries.ts';
import { reconcileItems } from '../acceptance/reconcile-items.ts';
import { matchDigests } from '../digests/match-digests.ts';
import { lockAllJobs } from '../discovery-jobs/discovery-job-queries.ts';
import { type FoundItemRow, maxArtifactBytes } from '../intake/item-changes.ts';
import type { FoundIdentity } from '../intake/pair-items.ts';
import { recordVersions } from '../live/record-live-versions.ts';

type Follow = (identified: Identified, version: string | null) => FollowedArtifact | null;

/**
 * Returns a function that finds the original of an artifact according to the aliases. The function returns
 * `null` if the package URL of the original is too long to store.
 */
function createFollower(aliases: readonly ArtifactAlias[]): Follow {
  const follow = createAliasFollower(knownSources, aliases);
  return (identified, version) => {
    const followed = follow(identified, version);
    const purl = followed?.purl ?? null;
    return purl !== null && Buffer.byteLength(purl) <= maxArtifactBytes ? followed : null;
  };
}

/** Replaces each artifact of a scan that an alias identifies as a copy with the original. */
export async function followAliasesInScan(
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
 * Maximum number of items that are changed within a request, because deriving the resources of one item takes
 * several milliseconds.
 */
const itemsInRequest = 100;

/**
 * Maximum number of items in a later batch, which equals the number of items whose resources are derived at a
 * time.
 */
const itemsAtOnce = maxAcceptedItems;

/**
 * Derives the artifacts of the items below changed prefixes again. The items keep their place, their history,
 * and the decisions that people made about them. The resources of accepted items are derived again too. If
 * there are more items than fit into one batch, later batches process the others.
 *
 * The caller must have locked all discovery jobs of the organization, the organization, and its aliases, in
 * this order.
 */
export async function followAliasesInItems(
  tx: Tx,
  wakeUps: WakeUps,
  context: EditContext,
  prefixes: readonly string[],
): Promise<void> {
  const { organizationId } = context.caller;
  // If an earlier change isn't finished, start again with its first item.
  const { rows } = await sql<{ prefixes: string[] }>`
    DELETE FROM alias_changes WHERE organization_id = ${organizationId} RETURNING prefixes`.execute(tx);
  const all = [...new Set([...prefixes, ...rows.flatMap((row) => row.prefixes)])];
  const { read, next } = await followBatch(tx, wakeUps, context, all, { after: 0, limit: itemsInRequest });
  if (next === null) return;
  await sql`
    INSERT INTO alias_changes (organization_id, prefixes, cursor_item_id, done, total)
    SELECT ${organizationId}, ${all}::text[], ${next}, ${read}, ${read} + count(*) FROM discovered_items
    WHERE organization_id = ${organizationId} AND ${isBelow(sql`address`, all)} AND id > ${next}`.execute(tx);
}

/**
 * Continues with the next batch of the organization that has waited longest. If the batch fails, the organization is
 * behind all others, and its next batch waits longer after each failure.
 *
 * @returns True if more items remain, possibly in other organizations.
 */
export async function followAliasesAcrossOrganizations(tx: Tx, wakeUps: WakeUps, log: Log): Promise<boolean> {
  // A time in the future means that the clock was set back.
  const { rows } = await sql<{ organization_id: number; attempts: number }>`
    SELECT organization_id, attempts FROM alias_changes
    WHERE attempts = 0 OR updated_at > pacekeeper_now()
      OR updated_at <= pacekeeper_now() - least(300, 2 ^ least(attempts, 9)) * interval '1 second'
    ORDER BY attempts, updated_at LIMIT 1`.execute(tx);
  const [waiting] = rows;
  if (!waiting) return false;
  const { organization_id: organizationId, attempts } = waiting;
  await sql`SAVEPOINT alias_change`.execute(tx);
  try {
    await followNextBatch(tx, wakeUps, organizationId);
  } catch (error) {
    if (isDatabaseUnavailable(error) || hasSqlState(error, '40001', '40P01')) throw error;
    await sql`ROLLBACK TO SAVEPOINT alias_change`.execute(tx);
    await sql`
      UPDATE alias_changes SET attempts = attempts + 1, updated_at = pacekeeper_now()
      WHERE organization_id = ${organizationId}`.execute(tx);
    log.error(
      { err: error, organization_id: organizationId, attempts },
      'following aliases failed; will retry',
    );
  }
  return true;
}

async function followNextBatch(tx: Tx, wakeUps: WakeUps, organizationId: number): Promise<void> {
  await lockAllJobs(tx, organizationId);
  await lockAliases(tx, organizationId, { isShared: true });
  const { rows: changes } = await sql<{ prefixes: string[]; cursor_item_id: number }>`
    SELECT prefixes, cursor_item_id FROM alias_changes WHERE organization_id = ${organizationId} FOR UPDATE`.execute(
    tx,
  );
  const [change] = changes;
  if (!change) return;
  const { prefixes, cursor_item_id: after } = change;
  const { read, next } = await followBatch(tx, wakeUps, systemContext(organizationId), prefixes, {
    after,
    limit: itemsAtOnce,
  });
  await (next === null
    ? sql`DELETE FROM alias_changes WHERE organization_id = ${organizationId}`
    : sql`
      UPDATE alias_changes SET cursor_item_id = ${next}, done = done + ${read}, total = greatest(total, done + ${read}),
        attempts = 0, updated_at = pacekeeper_now()
      WHERE organization_id = ${organizationId}`
  ).execute(tx);
  const aliases = await readAliases(tx, organizationId);
  const changed = aliases.filter(({ prefix }) => prefixes.includes(prefix)).map(({ id }) => id);
  publishChanges(tx, wakeUps, organizationId, 'artifact_alias', changed, 'updated');
}

/**
 * Derives the artifacts of one batch of items again.
 *
 * @param after Items up to this ID are already processed.
 * @returns The number of items in the batch, and the ID of the last one if more remain.
 */
async function followBatch(
  tx: Tx,
  wakeUps: WakeUps,
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
      WHERE organization_id = ${organizationId} AND ${isBelow(sql`address`, prefixes)} AND id > ${after}
      ORDER BY id LIMIT ${sql.lit(limit)} FOR NO KEY UPDATE
    ) AS items
    GROUP BY written, version, is_followed, is_read, purl, proposal`.execute(tx);
  const ids = rows.flatMap((row) => row.ids);
  const next = ids.length < limit ? null : ids.reduce((last, id) => Math.max(last, id), 0);
  await updateItems(tx, wakeUps, context, changedOf(rows, follow));
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
  wakeUps: WakeUps,
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
        -- The artifact gets another key, so a choice for the former one becomes a choice for each of its places.
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
    await recordVersions(tx, wakeUps, organizationId, { itemIds: matched.map(({ id }) => id) }, null);
  const accepted = items.filter(({ status }) => status === 'accepted').map(({ id }) => id);
  if (accepted.length > 0) await reconcileItems(tx, wakeUps, context, { itemIds: accepted });
  const jobIds = [...new Set(items.map((item) => item.discovery_job_id))].toSorted((a, b) => a - b);
  publishChanges(tx, wakeUps, organizationId, 'discovery_job', jobIds, 'updated');
}
