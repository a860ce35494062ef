import { type RawBuilder, sql } from 'kysely';
import type { Proposal } from '../../../domain/discovery/propose-source.ts';
import { maxItems } from '../../../domain/discovery/scan-limits.ts';
import type { Schemas } from '../../../generated/agent-api.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { type HeldRun, stagedItems } from '../../runs/index.ts';
import { endDuplicationSql } from './item-queries.ts';
import { hasDecisiveDigest } from './item-version-sql.ts';
import type { FoundIdentity, PairedItem, StoredIdentity } from './pair-items.ts';

/** Size limits of the table. Longer values can't be stored. */
const maxKeyBytes = 1_500;
const maxPathBytes = 1_024;
export const maxArtifactBytes = 1_200;

export type UnreadReason = Schemas['UnreadReason'];

/** Key of an artifact, derived in the same way as in the table. */
const artifactKey = sql`coalesce(item #>> '{artifact,purl}', (item #>> '{artifact,kind}') || ':' || (item #>> '{artifact,name}'))`;

export interface FoundItemRow extends Omit<FoundIdentity, 'followed'> {
  proposal: Proposal | null;
  is_too_long: boolean;
}

/**
 * Lists the identifying fields of a run's items, in the order of its parts. Returns at most one item more
 * than a scan can have.
 *
 * @param withProposals False if no alias needs the proposals.
 */
export async function listFoundItems(
  tx: Tx,
  run: HeldRun,
  leaseToken: string,
  { withProposals }: { withProposals: boolean },
): Promise<FoundItemRow[]> {
  const { rows } = await sql<FoundItemRow>`
    SELECT sequence, number, item ->> 'key' AS key, item #>> '{place,file}' AS path, item ->> 'blob_id' AS blob,
      item #>> '{artifact,kind}' AS artifact_kind, item #>> '{artifact,name}' AS artifact_name,
      item #>> '{artifact,purl}' AS artifact_purl, item ->> 'version' AS version,
      ${withProposals ? sql`nullif(item -> 'proposal', 'null'::jsonb)` : sql`NULL::jsonb`} AS proposal,
      item ->> 'version_state' AS version_state, item ->> 'reason' AS reason,
      coalesce(octet_length(item ->> 'key') > ${maxKeyBytes} OR octet_length(item #>> '{place,file}') > ${maxPathBytes}
        OR octet_length(${artifactKey}) > ${maxArtifactBytes}, true) AS is_too_long
    FROM ${stagedItems(run, leaseToken)} AS staged
    ORDER BY sequence, number LIMIT ${sql.lit(maxItems + 1)}`.execute(tx);
  return rows;
}

export interface StoredItemRow extends StoredIdentity {
  kind: string | null;
  is_unread: boolean;
}

/** Lists present items before missing ones, so that a missing item can't take the match of a present one. */
export async function listStoredItems(
  tx: Tx,
  organizationId: number,
  discoveryJobId: number,
): Promise<StoredItemRow[]> {
  const { rows } = await sql<StoredItemRow>`
    SELECT id, key, discriminator, path, blob_id AS blob, kind, artifact_kind, artifact_name, artifact_purl, version,
      version_state, reason, status, missing_since IS NOT NULL AS is_missing, unread_since IS NOT NULL AS is_unread
    FROM discovered_items
    WHERE organization_id = ${organizationId} AND discovery_job_id = ${discoveryJobId}
    ORDER BY missing_since IS NOT NULL, path, line, document, id`.execute(tx);
  return rows;
}

/** Columns that a scan writes, each extracted from an item in the format that agents send. */
const columns = {
  extractor: sql`item ->> 'extractor'`,
  path: sql`item #>> '{place,file}'`,
  line: sql`(item #>> '{place,line}')::integer`,
  document: sql`(item #>> '{place,document}')::integer`,
  kind: sql`item #>> '{place,kind}'`,
  namespace: sql`item #>> '{place,namespace}'`,
  name: sql`item #>> '{place,name}'`,
  field: sql`item #>> '{place,field}'`,
  blob_id: sql`item ->> 'blob_id'`,
  artifact_kind: sql`item #>> '{artifact,kind}'`,
  artifact_name: sql`item #>> '{artifact,name}'`,
  artifact_purl: sql`coalesce(pair.followed ->> 'purl', item #>> '{artifact,purl}')`,
  version: sql`item ->> 'version'`,
  version_state: sql`item ->> 'version_state'`,
  digest: sql`item ->> 'digest'`,
  note: sql`item ->> 'note'`,
  reason: sql`item ->> 'reason'`,
  labels: sql`item -> 'labels'`,
  label_sources: sql`coalesce(item -> 'label_sources', '{}')`,
  proposal: sql`coalesce(pair.followed -> 'proposal', nullif(item -> 'proposal', 'null'::jsonb)) - 'confidence'`,
  proposal_confidence: sql`coalesce(pair.followed #>> '{proposal,confidence}', item #>> '{proposal,confidence}', 'none')`,
  mirror: sql`CASE WHEN pair.followed IS NOT NULL THEN jsonb_build_object(
    'purl', item #> '{artifact,purl}', 'proposal', item -> 'proposal', 'is_read', pair.followed -> 'readsMirror') END`,
  project_url: sql`item ->> 'project_url'`,
  renovate_ignore: sql`item ->> 'renovate_ignore'`,
} as const satisfies Record<string, RawBuilder<unknown>>;
const names = Object.keys(columns) as (keyof typeof columns)[];
/** Columns that an item keeps while its file doesn't identify its artifact. */
const ofArtifact: ReadonlySet<string> = new Set<keyof typeof columns>([
  'artifact_kind',
  'artifact_name',
  'artifact_purl',
  'proposal',
  'proposal_confidence',
  'mirror',
  'project_url',
]);

/** Values of the found item `item`, the upstream that a person chose in `choice`, and its original in `pair.followed`. */
const foundValues = sql`
  ${sql.join(names.map((name) => sql`${columns[name]} AS ${sql.ref(name)}`))},
  CASE WHEN choice.artifact_key IS NULL
    THEN ${columns.proposal_confidence}
    ELSE 'certain' END AS confidence,
  choice.artifact_key IS NOT NULL AS is_chosen`;

/** Joins the upstreams that people chose for the artifacts of found items. */
function joinChoices(organizationId: number): RawBuilder<unknown> {
  return sql`LEFT JOIN artifact_corrections AS choice
    ON choice.organization_id = ${organizationId} AND choice.artifact_key = coalesce(pair.followed ->> 'purl', ${artifactKey})`;
}

/** Returns the items of the run with their paired rows and the confidence of their upstreams. */
function pairedItems(run: HeldRun, leaseToken: string, paired: readonly PairedItem[]): RawBuilder<unknown> {
  return sql`
    SELECT pair.id, pair.key, pair.discriminator, sequence, number, ${foundValues}, pair.keeps_artifact
    FROM (
      SELECT sequence, number, id, key, discriminator, keeps_artifact, followed::jsonb AS followed FROM unnest(
        ${paired.map(({ sequence }) => sequence)}::integer[], ${paired.map(({ number }) => number)}::bigint[],
        ${paired.map(({ id }) => id)}::bigint[], ${paired.map(({ key }) => key)}::text[],
        ${paired.map(({ discriminator }) => discriminator)}::text[],
        ${paired.map(({ keepsArtifact }) => keepsArtifact)}::boolean[],
        ${paired.map(({ followed }) => followed && JSON.stringify(followed))}::text[]
      ) AS given (sequence, number, id, key, discriminator, keeps_artifact, followed)
    ) AS pair
    JOIN ${stagedItems(run, leaseToken)} AS staged USING (sequence, number)
    ${joinChoices(run.organization_id)}`;
}

/** @returns The IDs of the new rows, in the order of the items. */
export async function insertFoundItems(
  tx: Tx,
  run: HeldRun,
  leaseToken: string,
  added: readonly PairedItem[],
): Promise<number[]> {
  if (added.length === 0) return [];
  const all = sql.join(['key', 'discriminator', 'confidence', ...names].map((name) => sql.ref(name)));
  const { rows } = await sql<{ id: number; key: string; discriminator: string }>`
    INSERT INTO discovered_items (organization_id, discovery_job_id, ${all})
    SELECT ${run.organization_id}, ${run.job_id}, ${all} FROM (${pairedItems(run, leaseToken, added)}) AS found
    ORDER BY sequence, number
    RETURNING id, key, discriminator`.execute(tx);
  const nameOf = (item: { key: string; discriminator: string }) =>
    JSON.stringify([item.key, item.discriminator]);
  const idOf = new Map(rows.map((row) => [nameOf(row), row.id]));
  return added.map((item) => idOf.get(nameOf(item))!);
}

export interface ChangedItem {
  id: number;
  scrape_job_id: number | null;
  /** True if the item reappeared after its absence had disabled its scrape job. */
  is_back: boolean;
}

/**
 * Current confidence of an item's source. The confidence of the suggestion applies if the file has no source
 * and no user chose one.
 */
const confidenceNow = sql`CASE WHEN former.set_source IS NOT NULL THEN 'certain'
  WHEN found.proposal IS NULL AND NOT found.is_chosen AND found.artifact_name = former.artifact_name
    THEN coalesce(former.suggestion ->> 'confidence', found.confidence)
  ELSE found.confidence END`;

/** Compares all columns that a scan writes, and the given ones, of two tables. True if any of them differ. */
function isDifferent(one: string, other: string, more: readonly string[]): RawBuilder<boolean> {
  const compared = (table: string) =>
    sql`(${sql.join([...more, ...names].map((name) => sql.ref(`${table}.${name}`)))})`;
  return sql<boolean>`${compared(one)} IS DISTINCT FROM ${compared(other)}`;
}

/**
 * True if a run found exactly the present items of its job, and each of them is stored as it was found. In this case,
 * matching the items changes nothing: each item matches itself, and no other. Items with the same key in the same file
 * count as changed, because only matching decides between them.
 *
 * Call it only if the organization has no aliases, which this comparison doesn't apply.
 */
export async function isSameAsStored(tx: Tx, run: HeldRun, leaseToken: string): Promise<boolean> {
  const { organization_id: organizationId, job_id: jobId } = run;
  const presentItems = sql`FROM discovered_items
    WHERE organization_id = ${organizationId} AND discovery_job_id = ${jobId} AND status NOT IN ('gone', 'replaced')`;
  const { rows } = await sql<{ is_same: boolean }>`
    WITH present AS MATERIALIZED (
      SELECT count(*) AS count,
        count(*) = count(DISTINCT (key, path)) AND bool_and(missing_since IS NULL AND unread_since IS NULL) AS is_clear
      ${presentItems}
    ), staged AS MATERIALIZED (
      SELECT sum(jsonb_array_length(items)) AS count FROM run_parts
      WHERE organization_id = ${organizationId} AND run_id = ${run.id} AND lease_token = ${leaseToken}
    )
    SELECT CASE WHEN present.is_clear AND present.count = staged.count THEN NOT EXISTS (
      SELECT FROM (
        SELECT item ->> 'key' AS key, ${foundValues}
        FROM ${stagedItems(run, leaseToken)} AS staged CROSS JOIN (SELECT NULL::jsonb AS followed) AS pair
        ${joinChoices(organizationId)}
      ) AS found
      FULL JOIN (SELECT * ${presentItems}) AS former
        ON former.key = found.key AND former.path = found.path
      WHERE found.key IS NULL OR former.key IS NULL OR ${isDifferent('found', 'former', ['key'])}
        OR former.confidence <> ${confidenceNow}
    ) ELSE false END AS is_same
    FROM present CROSS JOIN staged`.execute(tx);
  return rows[0]!.is_same;
}

/**
 * Updates found items that have changed. An item that reappears gets its previous status. The scrape job that
 * an item feeds gets the item's labels and file, except for labels that users have changed.
 */
export async function updateFoundItems(
  tx: Tx,
  run: HeldRun,
  leaseToken: string,
  known: readonly PairedItem[],
): Promise<ChangedItem[]> {
  if (known.length === 0) return [];
  const columnOf = (name: (typeof names)[number]) =>
    ofArtifact.has(name)
      ? sql`CASE WHEN named.keeps_artifact THEN stored.${sql.ref(name)} ELSE named.${sql.ref(name)} END AS ${sql.ref(name)}`
      : sql`named.${sql.ref(name)}`;
  const { rows } = await sql<ChangedItem>`
    WITH named AS MATERIALIZED (${pairedItems(run, leaseToken, known)}), found AS MATERIALIZED (
      SELECT named.id, named.key, named.discriminator, named.is_chosen,
        CASE WHEN named.keeps_artifact THEN stored.confidence ELSE named.confidence END AS confidence,
        ${sql.join(names.map(columnOf))}
      FROM named
      JOIN discovered_items AS stored ON stored.organization_id = ${run.organization_id} AND stored.id = named.id
    ), changed AS MATERIALIZED (
      SELECT found.*, former.labels AS former_labels, former.scrape_job_id, former.set_labels,
        former.status IN ('gone', 'replaced') AND former.pauses_job AS is_back,
        ${confidenceNow} AS new_confidence
      FROM found
      JOIN discovered_items AS former ON former.organization_id = ${run.organization_id} AND former.id = found.id
      WHERE ${isDifferent('found', 'former', ['key', 'discriminator'])} OR former.missing_since IS NOT NULL
        OR former.status IN ('gone', 'replaced') OR former.unread_since IS NOT NULL
        OR former.confidence <> ${confidenceNow}
    ), relabeled AS (
      UPDATE scrape_jobs AS fed
      SET labels = CASE WHEN changed.labels = changed.former_labels THEN fed.labels
            ELSE changed.labels || changed.set_labels || own.labels END,
          target_file = changed.path, updated_at = pacekeeper_now()
      FROM changed CROSS JOIN LATERAL (
        SELECT coalesce(jsonb_object_agg(label.key, label.value), '{}') AS labels
        FROM scrape_jobs AS current, jsonb_each(current.labels) AS label
        WHERE current.organization_id = ${run.organization_id} AND current.id = changed.scrape_job_id
          AND changed.former_labels -> label.key IS DISTINCT FROM label.value
      ) AS own
      WHERE fed.organization_id = ${run.organization_id} AND fed.id = changed.scrape_job_id
        AND (changed.labels <> changed.former_labels OR changed.path IS DISTINCT FROM fed.target_file)
    )
    UPDATE discovered_items AS item
    SET ${sql.join(['key', 'discriminator', ...names].map((name) => sql`${sql.ref(name)} = ${sql.ref(`changed.${name}`)}`))},
      confidence = changed.new_confidence,
      -- Cleared for another image, so that the version is looked up again. For another digest, a trigger
      -- clears it.
      matched_version = CASE WHEN (item.artifact_kind, item.artifact_name) = (changed.artifact_kind, changed.artifact_name)
          AND ${hasDecisiveDigest('changed')} THEN item.matched_version END,
      suggestion = CASE WHEN item.artifact_name = changed.artifact_name THEN item.suggestion END,
      status = CASE WHEN item.status NOT IN ('gone', 'replaced') THEN item.status
        WHEN item.scrape_job_id IS NULL THEN 'new' ELSE 'accepted' END,
      missing_since = NULL, unread_since = NULL, unread_reason = NULL, unread_message = NULL, replaced_by_id = NULL,
      pauses_job = false, updated_at = pacekeeper_now()
    FROM changed
    WHERE item.organization_id = ${run.organization_id} AND item.id = changed.id
    RETURNING item.id, item.scrape_job_id, changed.is_back`.execute(tx);
  return rows;
}

/** Marks items as missing after the first scan that doesn't find them. */
export async function markMissing(
  tx: Tx,
  organizationId: number,
  ids: readonly number[],
  lastSuccessAt: Date | null,
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    UPDATE discovered_items
    SET missing_since = pacekeeper_now(), unread_since = NULL, unread_reason = NULL, unread_message = NULL,
        updated_at = pacekeeper_now(),
        last_seen_at = coalesce(${lastSuccessAt?.toISOString() ?? null}::timestamptz, last_seen_at)
    WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::bigint[]) AND missing_since IS NULL`.execute(
    tx,
  );
}

export interface UnreadItem {
  id: number;
  reason: UnreadReason;
  message: string;
}

/**
 * Stores why the scan couldn't read items. The items keep their version, and the time and reason of the first
 * such scan.
 */
export async function markUnread(
  tx: Tx,
  organizationId: number,
  items: readonly UnreadItem[],
  lastSuccessAt: Date | null,
): Promise<void> {
  if (items.length === 0) return;
  await sql`
    UPDATE discovered_items AS item
    SET unread_since = coalesce(unread_since, pacekeeper_now()), unread_reason = unread.reason,
        unread_message = unread.message, updated_at = pacekeeper_now(),
        last_seen_at = CASE WHEN unread_since IS NULL AND missing_since IS NULL
          THEN coalesce(${lastSuccessAt?.toISOString() ?? null}::timestamptz, last_seen_at) ELSE last_seen_at END
    FROM unnest(
      ${items.map(({ id }) => id)}::bigint[], ${items.map(({ reason }) => reason)}::text[],
      ${items.map(({ message }) => message)}::text[]
    ) AS unread (id, reason, message)
    WHERE item.organization_id = ${organizationId} AND item.id = unread.id
      AND (item.unread_since IS NULL OR (item.unread_reason, item.unread_message)
        IS DISTINCT FROM (unread.reason, unread.message))`.execute(tx);
}

/** Stores that a scan could read the files of missing items again, but didn't find the items. */
export async function clearUnread(tx: Tx, organizationId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    UPDATE discovered_items
    SET unread_since = NULL, unread_reason = NULL, unread_message = NULL, updated_at = pacekeeper_now()
    WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::bigint[])`.execute(tx);
}

/**
 * Marks items as replaced if another artifact was found in their position, and links each one to its
 * replacement. Ignored items stay ignored. The labels and the rule that a person chose apply to the new item.
 *
 * @returns The replaced items and the scrape jobs that they fed.
 */
export async function markReplaced(
  tx: Tx,
  organizationId: number,
  pairs: readonly { formerId: number; id: number }[],
): Promise<{ id: number; scrapeJobId: number | null }[]> {
  if (pairs.length === 0) return [];
  const { rows } = await sql<{ id: number; scrapeJobId: number | null }>`
    WITH pair AS (
      SELECT * FROM unnest(
        ${pairs.map(({ formerId }) => formerId)}::bigint[], ${pairs.map(({ id }) => id)}::bigint[]
      ) AS pair (former_id, id)
    ), former AS (
      UPDATE discovered_items AS item
      SET status = 'replaced', replaced_by_id = pair.id, missing_since = coalesce(missing_since, pacekeeper_now()),
          unread_since = NULL, unread_reason = NULL, unread_message = NULL, updated_at = pacekeeper_now()
      FROM pair
      WHERE item.organization_id = ${organizationId} AND item.id = pair.former_id
        AND item.status IN ('new', 'accepted')
      RETURNING item.id, item.scrape_job_id, item.set_labels, item.rule_id, item.not_monitored,
        pair.id AS replaced_by_id
    ), latter AS (
      UPDATE discovered_items AS item
      SET replaces_id = former.id, set_labels = former.set_labels || item.set_labels,
          rule_id = coalesce(item.rule_id, former.rule_id), not_monitored = item.not_monitored OR former.not_monitored,
          updated_at = pacekeeper_now()
      FROM former
      WHERE item.organization_id = ${organizationId} AND item.id = former.replaced_by_id
    ), uncovered AS (
      ${detachDuplicates(organizationId, sql`former`)}
    )
    SELECT id, scrape_job_id AS "scrapeJobId" FROM former`.execute(tx);
  return rows;
}

/**
 * Links new items to the items of their bases, whose version they replace. A base keeps its status, because it's
 * deployed again if the overlay is removed. As with replaced items, the rule and the labels that someone chose
 * apply to the new item as well, but not the environment of the base.
 */
export async function linkTakenOver(
  tx: Tx,
  organizationId: number,
  pairs: readonly { baseId: number; id: number }[],
): Promise<void> {
  if (pairs.length === 0) return;
  await sql`
    UPDATE discovered_items AS item
    SET replaces_id = base.id, set_labels = (base.set_labels - 'environment') || item.set_labels,
        rule_id = coalesce(item.rule_id, base.rule_id), not_monitored = item.not_monitored OR base.not_monitored,
        updated_at = pacekeeper_now()
    FROM unnest(${pairs.map(({ baseId }) => baseId)}::bigint[], ${pairs.map(({ id }) => id)}::bigint[])
        AS pair (base_id, id)
    JOIN discovered_items AS base ON base.organization_id = ${organizationId} AND base.id = pair.base_id
    WHERE item.organization_id = ${organizationId} AND item.id = pair.id`.execute(tx);
}

/**
 * Makes duplicates of ended items independent of them. Ignored duplicates become new. `ended` is a CTE with
 * the IDs.
 */
function detachDuplicates(organizationId: number, ended: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    UPDATE discovered_items AS other SET ${endDuplicationSql('other')}
    FROM ${ended} AS ended
    WHERE other.organization_id = ${organizationId} AND other.duplicate_of_id = ended.id`;
}

/** Counts the accepted items of the last confirmed state, and how many of them are missing. */
export async function countLostItems(
  tx: Tx,
  organizationId: number,
  discoveryJobId: number,
  missedIds: readonly number[],
): Promise<{ confirmed: number; missing: number }> {
  const { rows } = await sql<{ confirmed: number; missing: number }>`
    SELECT count(*)::integer AS confirmed,
      count(*) FILTER (WHERE item.missing_since IS NOT NULL OR item.id = ANY(${[...missedIds]}::bigint[]))::integer
        AS missing
    FROM discovered_items AS item
    JOIN discovery_jobs AS job ON job.organization_id = item.organization_id AND job.id = item.discovery_job_id
    WHERE item.organization_id = ${organizationId} AND item.discovery_job_id = ${discoveryJobId}
      AND item.scrape_job_id IS NOT NULL AND item.status IN ('accepted', 'gone')
      AND (job.confirmed_at IS NULL OR item.first_seen_at <= job.confirmed_at)
      AND (item.missing_since IS NULL OR job.confirmed_at IS NULL OR item.missing_since > job.confirmed_at)`.execute(
    tx,
  );
  return rows[0]!;
}

/**
 * Minimum time between the first scan that misses an item and the scan that marks it as removed. An item that is moved
 * must be found again within this time.
 */
const goneAfter = sql`interval '1 hour'`;

/**
 * Marks items that have been missing long enough as removed. Their duplicates in other jobs become new.
 *
 * @returns The scrape jobs that the items fed, and the number of items.
 */
export async function markMissingItemsGone(
  tx: Tx,
  organizationId: number,
  discoveryJobId: number,
): Promise<{ scrapeJobIds: number[]; count: number }> {
  const { rows } = await sql<{ scrape_job_id: number | null }>`
    WITH gone AS (
      UPDATE discovered_items SET status = 'gone', updated_at = pacekeeper_now()
      WHERE organization_id = ${organizationId} AND discovery_job_id = ${discoveryJobId}
        AND missing_since IS NOT NULL AND missing_since <= pacekeeper_now() - ${goneAfter} AND unread_since IS NULL
        AND status IN ('new', 'accepted')
      RETURNING id, scrape_job_id
    ), uncovered AS (
      ${detachDuplicates(organizationId, sql`gone`)}
    )
    SELECT scrape_job_id FROM gone`.execute(tx);
  return { scrapeJobIds: rows.flatMap(({ scrape_job_id: id }) => id ?? []), count: rows.length };
}

/**
 * Marks as removed all items of jobs whose repository was removed. Their duplicates in other jobs become new.
 *
 * @returns The scrape jobs that the items fed.
 */
export async function markAllItemsGone(
  tx: Tx,
  organizationId: number,
  discoveryJobIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ scrape_job_id: number | null }>`
    WITH gone AS (
      UPDATE discovered_items
      SET status = 'gone', missing_since = coalesce(missing_since, pacekeeper_now()), unread_since = NULL,
          unread_reason = NULL, unread_message = NULL, updated_at = pacekeeper_now()
      WHERE organization_id = ${organizationId} AND discovery_job_id = ANY(${[...discoveryJobIds]}::bigint[])
        AND status IN ('new', 'accepted')
      RETURNING id, scrape_job_id
    ), uncovered AS (
      ${detachDuplicates(organizationId, sql`gone`)}
    )
    SELECT scrape_job_id FROM gone`.execute(tx);
  return rows.flatMap(({ scrape_job_id: id }) => id ?? []);
}

/** Marks the items of disabled scrape jobs, so that the jobs are enabled when the items reappear. */
export async function markItemsOfPausedJobs(
  tx: Tx,
  organizationId: number,
  scrapeJobIds: readonly number[],
): Promise<void> {
  if (scrapeJobIds.length === 0) return;
  await sql`
    UPDATE discovered_items SET pauses_job = true
    WHERE organization_id = ${organizationId} AND scrape_job_id = ANY(${[...scrapeJobIds]}::bigint[])`.execute(
    tx,
  );
}

/**
 * Deletes up to `count` items that a scan missed and that feed no scrape job. Ignored items are deleted last;
 * among the others, the longest-missing are deleted first. Their duplicates in other jobs become new.
 *
 * @returns The number of deleted items.
 */
export async function deleteMissedItems(
  tx: Tx,
  organizationId: number,
  missedIds: readonly number[],
  count: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    WITH forgotten AS (
      DELETE FROM discovered_items WHERE organization_id = ${organizationId} AND id IN (
        SELECT id FROM discovered_items
        WHERE organization_id = ${organizationId} AND id = ANY(${[...missedIds]}::bigint[]) AND scrape_job_id IS NULL
        ORDER BY status = 'ignored', missing_since, id LIMIT ${count})
      RETURNING id
    ), uncovered AS (
      ${detachDuplicates(organizationId, sql`forgotten`)}
    )
    SELECT count(*)::integer AS count FROM forgotten`.execute(tx);
  return rows[0]!.count;
}

/** Deletes removed items that were never accepted, 30 days after a scan first missed them. */
export async function deleteExpiredItems(
  tx: Tx,
  organizationId: number,
  discoveryJobId: number,
): Promise<void> {
  await sql`
    DELETE FROM discovered_items
    WHERE organization_id = ${organizationId} AND discovery_job_id = ${discoveryJobId}
      AND missing_since < pacekeeper_now() - interval '30 days' AND status IN ('gone', 'replaced')
      AND scrape_job_id IS NULL`.execute(tx);
}

/**
 * Ignores new items that another job has also found. Two items are the same if they are in the same file of
 * the same repository and ref. They are also the same if they are the same object of a cluster or host, which
 * both jobs identify with the `cluster` or `host` label.
 *
 * @param others all other jobs of the organization, and those among them that read the same ref of the same
 * repository
 */
export async function ignoreDuplicates(
  tx: Tx,
  organizationId: number,
  ids: readonly number[],
  others: { all: readonly number[]; sameSource: readonly number[] },
): Promise<void> {
  if (ids.length === 0 || others.all.length === 0) return;
  // Compare with only one of several identical items, because a file can repeat a key thousands of times in
  // one line.
  const isOther = sql`organization_id = ${organizationId} AND duplicate_of_id IS NULL
    AND status NOT IN ('gone', 'replaced') AND missing_since IS NULL AND key IN (SELECT key FROM item)`;
  const placeOf = (labels: RawBuilder<unknown>) =>
    sql`CASE WHEN extractor IN ('compose', 'docker') THEN coalesce((${labels}) -> 'host', (${labels}) -> 'cluster')
      ELSE (${labels}) -> 'cluster' END`;
  await sql`
    WITH item AS MATERIALIZED (
      SELECT id, key, path, line, artifact_key, ${placeOf(sql`labels`)} AS place
      FROM unnest(${[...ids]}::bigint[]) AS added (id)
      JOIN discovered_items USING (id) WHERE organization_id = ${organizationId}
    ), same AS MATERIALIZED (
      SELECT id, min(other_id) AS other_id FROM (
        SELECT item.id, other.id AS other_id
        FROM item JOIN (
          SELECT min(id) AS id, key, path, line FROM discovered_items AS other
          WHERE ${isOther} AND discovery_job_id = ANY(${[...others.sameSource]}::bigint[])
          GROUP BY key, path, line
        ) AS other USING (key, path, line)
        UNION ALL
        SELECT item.id, other.id
        FROM item JOIN (
          SELECT min(id) AS id, key, artifact_key, place FROM (
            SELECT id, key, artifact_key, ${placeOf(sql`labels || set_labels`)} AS place
            FROM discovered_items AS other
            WHERE ${isOther} AND discovery_job_id = ANY(${[...others.all]}::bigint[])
          ) AS named WHERE place IS NOT NULL GROUP BY key, artifact_key, place
        ) AS other USING (key, artifact_key, place)
      ) AS pair GROUP BY id
    )
    UPDATE discovered_items AS item
    SET status = 'ignored', duplicate_of_id = same.other_id, updated_at = pacekeeper_now()
    FROM same
    WHERE item.organization_id = ${organizationId} AND item.id = same.id`.execute(tx);
}

/**
 * Runs statements without nested loops. During a first scan, table statistics are out of date, so the planner would
 * otherwise compare each of 50,000 rows with each of 50,000 others.
 */
export async function withHashJoins<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await sql`SET LOCAL enable_nestloop = off`.execute(tx);
  const result = await work();
  await sql`SET LOCAL enable_nestloop = on`.execute(tx);
  return result;
}
