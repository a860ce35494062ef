import { type RawBuilder, sql } from 'kysely';
import type { LabelSource } from '../../../domain/discovery/label-sources.ts';
import type { ChartSuggestion } from '../../../domain/discovery/suggest-chart-source.ts';
import { ownValue } from '../../../domain/json/own-value.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import {
  containsWords,
  type Database,
  type ListOrder,
  listOrder,
  maxExactTotal,
  type Page,
  type PageRequest,
  readPage,
  type Tx,
} from '../../../platform/database/index.ts';
import {
  comparedVersionSql,
  effectiveRegistrySql,
  gatherJobsOfItemSql,
  hasDecisiveDigest,
  itemMatchSql,
  itemVersionSql,
} from './item-version-sql.ts';

/** The format of `discovered_items.suggestion`. */
export type StoredSuggestion = NonNullable<ChartSuggestion['suggestion']> & {
  version_pattern: null;
  version_scheme: null;
};

type Item = Schemas['DiscoveredItem'];

/** An upstream that a user chose. A null type means no upstream. */
export interface ChosenSource {
  source_type: Item['proposal']['source_type'];
  artifact_name: string | null;
  source_options: Item['proposal']['source_options'];
}

export interface ItemRow {
  id: number;
  discovery_job_id: number;
  discovery_job_name: string;
  extractor: Item['extractor'];
  key: string;
  discriminator: string;
  path: string;
  line: number;
  document: number;
  kind: string | null;
  namespace: string | null;
  place_name: string | null;
  field: string;
  artifact_kind: Item['artifact']['kind'];
  artifact_name: string;
  artifact_purl: string | null;
  artifact_key: string;
  version: string | null;
  version_state: Item['version_state'];
  digest: string | null;
  matched_version: string | null;
  match: Item['match'];
  newer_since: Date | null;
  note: string | null;
  live_version: string | null;
  live_match: Item['live_match'];
  live_since: Date | null;
  labels: Record<string, string>;
  label_sources: Record<string, LabelSource>;
  set_labels: Record<string, string>;
  set_name: string | null;
  proposal: (ChosenSource & { why?: string }) | null;
  /** The suggested source of a chart without a proposal, as of the last scan. */
  suggestion: StoredSuggestion | null;
  project_url: string | null;
  set_source: ChosenSource | null;
  /** Upstream that a user chose for the artifact. */
  choice: ChosenSource | null;
  confidence: Item['proposal']['confidence'];
  status: Item['status'];
  reason: Item['reason'];
  ignore_reason: string | null;
  renovate_ignore: string | null;
  ignored_by_rule: boolean;
  restored_at: Date | null;
  duplicate_of_id: number | null;
  scrape_job_id: number | null;
  alert_config_id: number | null;
  missing_since: Date | null;
  replaces_id: number | null;
  replaced_by_id: number | null;
  unread_since: Date | null;
  unread_reason: Item['unread_reason'];
  unread_message: string | null;
  version_unknown_since: Date | null;
  not_monitored: boolean;
  derive_problem: string | null;
  rule_id: number | null;
  first_seen_at: Date;
  last_seen_at: Date;
  updated_at: Date;
  revision: number;
}

/** The upstream that a user chose for the artifact of a row of `items`. */
const choiceOf = sql<ChosenSource | null>`(
  SELECT jsonb_build_object('source_type', c.source_type, 'artifact_name', c.artifact_name, 'source_options', c.source_options)
  FROM artifact_corrections AS c
  WHERE c.organization_id = items.organization_id AND c.artifact_key = items.artifact_key)`;

/**
 * Number of highest releases that `newer_since` considers, because registries can have hundreds of thousands
 * of tags.
 */
const highestReleases = 50;

/**
 * Returns the date of the first newer release for an item whose digest matches no release. A release is
 * considered newer if it's higher than all releases that were known when the digest was first seen. The image
 * was published before such a release, so it's older even though its version isn't known.
 */
function newerSince(organizationId: number): RawBuilder<Date | null> {
  const registry = sql`(
    SELECT ${effectiveRegistrySql('items', 'choice')} FROM (SELECT) AS one LEFT JOIN artifact_corrections AS choice
      ON choice.organization_id = items.organization_id AND choice.artifact_key = items.artifact_key)`;
  return sql<Date | null>`CASE WHEN ${hasDecisiveDigest('items')} AND ${comparedVersionSql('items')} IS NULL THEN (
    SELECT min(dated.released_at)
    FROM (
      SELECT * FROM (${gatherJobsOfItemSql(organizationId, { scrapeJobId: sql`items.scrape_job_id`, registry })}) AS compared
      ORDER BY place, id LIMIT 1
    ) AS job
    CROSS JOIN LATERAL (
      SELECT sort_key, released_at, max(sort_key) FILTER (
        WHERE coalesce(highest.released_at, highest.discovered_at) <= items.digest_since) OVER () AS known
      FROM (
        SELECT sort_key, released_at, discovered_at FROM releases
        WHERE organization_id = job.organization_id AND gather_job_id = job.id AND variant = '' AND NOT is_prerelease
          AND NOT is_yanked AND NOT is_withdrawn AND sort_key IS NOT NULL
        ORDER BY sort_key DESC LIMIT ${sql.lit(highestReleases)}
      ) AS highest
    ) AS dated
    WHERE dated.released_at > items.digest_since AND dated.sort_key > coalesce(dated.known, '')
  ) END`;
}

function selectItems(db: Database | Tx, organizationId: number) {
  return db
    .selectFrom('discovered_items as items')
    .select([
      'items.id',
      'items.discovery_job_id',
      'items.key',
      'items.discriminator',
      'items.path',
      'items.line',
      'items.document',
    ])
    .select(['items.kind', 'items.namespace', 'items.name as place_name', 'items.field'])
    .select(['items.artifact_name', 'items.artifact_purl', 'items.artifact_key', 'items.project_url'])
    .select([
      'items.version',
      'items.digest',
      'items.matched_version',
      'items.note',
      'items.live_version',
      'items.live_since',
    ])
    .select(['items.set_name', 'items.ignore_reason', 'items.ignored_by_rule', 'items.restored_at'])
    .select(['items.renovate_ignore', 'items.duplicate_of_id', 'items.scrape_job_id'])
    .select([
      'items.replaces_id',
      'items.replaced_by_id',
      'items.unread_since',
      'items.unread_message',
      'items.version_unknown_since',
      'items.not_monitored',
      'items.derive_problem',
      'items.rule_id',
      sql<ItemRow['unread_reason']>`items.unread_reason`.as('unread_reason'),
    ])
    .select(['items.missing_since', 'items.first_seen_at', 'items.updated_at', 'items.revision'])
    .select([
      sql<ItemRow['extractor']>`items.extractor`.as('extractor'),
      sql<ItemRow['artifact_kind']>`items.artifact_kind`.as('artifact_kind'),
      sql<ItemRow['version_state']>`items.version_state`.as('version_state'),
      sql<ItemRow['labels']>`items.labels`.as('labels'),
      sql<ItemRow['label_sources']>`items.label_sources`.as('label_sources'),
      sql<ItemRow['set_labels']>`items.set_labels`.as('set_labels'),
      sql<ItemRow['proposal']>`items.proposal`.as('proposal'),
      sql<ItemRow['suggestion']>`items.suggestion`.as('suggestion'),
      sql<ItemRow['set_source']>`items.set_source`.as('set_source'),
      choiceOf.as('choice'),
      itemMatchSql('items').as('match'),
      newerSince(organizationId).as('newer_since'),
      sql<ItemRow['live_match']>`items.live_match`.as('live_match'),
      sql<ItemRow['confidence']>`items.confidence`.as('confidence'),
      sql<ItemRow['status']>`items.status`.as('status'),
      sql<ItemRow['reason']>`items.reason`.as('reason'),
      sql<number | null>`(
        SELECT min(configs.id) FROM alert_configs AS configs
        WHERE configs.organization_id = items.organization_id AND configs.scrape_job_id = items.scrape_job_id
      )`.as('alert_config_id'),
      sql<string>`(
        SELECT name FROM discovery_jobs AS jobs
        WHERE jobs.organization_id = items.organization_id AND jobs.id = items.discovery_job_id
      )`.as('discovery_job_name'),
      // Scans don't write to unchanged items, so the last success of the job is used if it's later.
      sql<Date>`CASE WHEN items.missing_since IS NOT NULL OR items.unread_since IS NOT NULL OR items.status = 'gone'
          THEN items.last_seen_at
        ELSE greatest(items.last_seen_at, (
          SELECT last_success_at FROM discovery_jobs AS jobs
          WHERE jobs.organization_id = items.organization_id AND jobs.id = items.discovery_job_id)) END`.as(
        'last_seen_at',
      ),
    ])
    .where('items.organization_id', '=', organizationId);
}

export interface ItemFilters {
  q?: string | undefined;
  discovery_job_id?: number | undefined;
  group_job_id?: number | undefined;
  status?: string | undefined;
  extractor?: string | undefined;
  artifact?: string | undefined;
  environment?: string | undefined;
}

const shortNameText = String.raw`regexp_replace(split_part(rtrim(left(items.artifact_name, 1000), '/'), '/', -1), '\.git$', '')`;
const serviceText = `coalesce(items.set_labels ->> 'service', items.labels ->> 'service')`;

/** Display name, built in the same way as in `derivedName`. */
const nameText = `coalesce(items.set_name,
  coalesce(nullif(${serviceText}, ${shortNameText}) || ': ', '') || ${shortNameText}
    || coalesce(' (' || items.environment || ')', ''))`;

const searchedText = `items.path || ' ' || items.artifact_name || ' ' || coalesce(items.name, '') || ' ' || ${nameText}`;

/** Returns the SQL condition on `items` for the filters of lists and of acceptance. */
export function matches({
  q,
  discovery_job_id,
  group_job_id,
  status,
  extractor,
  artifact,
  environment,
}: ItemFilters): RawBuilder<boolean> {
  const conditions = [sql`true`];
  if (discovery_job_id !== undefined) conditions.push(sql`items.discovery_job_id = ${discovery_job_id}`);
  if (group_job_id !== undefined)
    conditions.push(sql`items.discovery_job_id IN (
      SELECT jobs.id FROM discovery_jobs AS jobs
      WHERE jobs.organization_id = items.organization_id AND jobs.group_job_id = ${group_job_id})`);
  if (status !== undefined) conditions.push(sql`items.status = ${status}`);
  // Use a literal instead of a parameter, so that the planner distinguishes rare kinds of files from common
  // ones.
  if (extractor !== undefined) conditions.push(sql`items.extractor = ${sql.lit(extractor)}`);
  if (artifact !== undefined) conditions.push(sql`items.artifact_key = ${artifact}`);
  if (environment !== undefined) conditions.push(sql`items.environment = ${environment}`);
  if (q !== undefined) conditions.push(containsWords([searchedText], q));
  return sql<boolean>`${sql.join(conditions, sql` AND `)}`;
}

/** Displayed version of an item: the version found by digest, otherwise the declared one. */
const shownVersion = sql`coalesce(${itemVersionSql('items')}, items.version)`;

/**
 * Index columns for each sort order. `first_seen_at` uses the ID, because IDs increase in the order of
 * discovery.
 */
const orders: Readonly<Record<string, readonly string[]>> = {
  place: ['items.discovery_job_id', 'items.path', 'items.id'],
  artifact: ['items.artifact_key', 'items.discovery_job_id', 'items.id'],
  first_seen_at: ['items.id'],
};

function orderOf(sort: string): ListOrder {
  const isDescending = sort.startsWith('-');
  const columns = ownValue(orders, isDescending ? sort.slice(1) : sort)!;
  return listOrder(columns.map((column) => ({ column, isDescending })));
}

export async function listItems(
  db: Database,
  organizationId: number,
  { sort = 'place', ...filters }: ItemFilters & { sort?: string | undefined },
  page: PageRequest,
): Promise<Page<ItemRow>> {
  const condition = matches(filters);
  const ids = db
    .selectFrom('discovered_items as items')
    .select('items.id')
    .where('items.organization_id', '=', organizationId)
    .where(condition);
  // Read details only for the IDs of the page. Otherwise, they would also be read for all items before the
  // page.
  const { items: found, ...rest } = await readPage(db, ids, page, orderOf(sort));
  const rows = await findItems(
    db,
    organizationId,
    found.map(({ id }) => id),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  // Skip an item that was just deleted.
  return { ...rest, items: found.flatMap(({ id }) => byId.get(id) ?? []) };
}

async function findItems(db: Database, organizationId: number, ids: readonly number[]): Promise<ItemRow[]> {
  if (ids.length === 0) return [];
  return selectItems(db, organizationId)
    .where(sql<boolean>`items.id = ANY(${[...ids]}::bigint[])`)
    .execute();
}

export interface GroupRow {
  artifact_key: string;
  first_id: number;
  place_count: number;
  version_count: number;
  versions: string[];
  status_counts: Partial<Record<Item['status'], number>>;
  unresolved_count: number;
}

/**
 * Lists items grouped by artifact, with the first item of each group. Details are read only for the groups of
 * the page.
 */
export async function listGroups(
  db: Database,
  organizationId: number,
  filters: ItemFilters,
  page: PageRequest,
): Promise<Page<GroupRow & { first: ItemRow }>> {
  const condition = matches(filters);
  const from = sql`FROM discovered_items AS items WHERE items.organization_id = ${organizationId} AND ${condition}`;
  // Limit the artifacts only without a cursor. The page after a cursor can be beyond the limit for counting.
  const isCounted = page.cursor?.after == null;
  const artifacts = sql<{ artifact_key: string }>`(
    SELECT DISTINCT artifact_key ${from} ORDER BY artifact_key
    ${isCounted ? sql`LIMIT ${Math.max(maxExactTotal + 1, page.offset + page.limit)}` : sql``})`;
  // Read the artifacts once for the page and the count, because each query would read all items.
  const keys = db
    .with(
      (cte) => cte('artifacts').materialized(),
      () => artifacts,
    )
    .selectFrom('artifacts')
    .select('artifacts.artifact_key');
  const order = listOrder([{ column: 'artifacts.artifact_key', isDescending: false }]);
  const { items, ...rest } = await readPage(db, keys, page, order, [sql.table('artifacts')], [artifacts]);
  if (items.length === 0) return { ...rest, items: [] };
  const { rows } = await sql<GroupRow>`
    SELECT artifact_key, min(first_id) AS first_id, sum(count)::integer AS place_count,
      count(DISTINCT version)::integer AS version_count,
      (array_agg(DISTINCT version) FILTER (WHERE version IS NOT NULL AND place <= 10)) AS versions,
      jsonb_build_object('new', sum(new), 'accepted', sum(accepted), 'ignored', sum(ignored), 'gone', sum(gone)) AS status_counts,
      sum(unresolved)::integer AS unresolved_count
    FROM (
      SELECT artifact_key, ${shownVersion} AS version, min(id) AS first_id, count(*) AS count,
        row_number() OVER (
          PARTITION BY artifact_key ORDER BY ${shownVersion} IS NULL, count(*) DESC, ${shownVersion}) AS place,
        count(*) FILTER (WHERE status = 'new') AS new, count(*) FILTER (WHERE status = 'accepted') AS accepted,
        count(*) FILTER (WHERE status = 'ignored') AS ignored, count(*) FILTER (WHERE status = 'gone') AS gone,
        count(*) FILTER (WHERE status = 'new' AND confidence = 'none') AS unresolved
      ${from} AND items.artifact_key = ANY(${items.map((each) => each.artifact_key)}::text[])
      GROUP BY artifact_key, ${shownVersion}
    ) AS versions
    GROUP BY artifact_key`.execute(db);
  const firsts = await findItems(
    db,
    organizationId,
    rows.map((row) => row.first_id),
  );
  const firstById = new Map(firsts.map((item) => [item.id, item]));
  const groupByKey = new Map(rows.map((row) => [row.artifact_key, row]));
  return {
    ...rest,
    // Skip a group that has just lost its last item.
    items: items.flatMap(({ artifact_key }) => {
      const group = groupByKey.get(artifact_key);
      const first = group && firstById.get(group.first_id);
      return first ? [{ ...group, versions: group.versions ?? [], first }] : [];
    }),
  };
}

export async function findItem(
  db: Database | Tx,
  organizationId: number,
  id: number,
): Promise<ItemRow | undefined> {
  return selectItems(db, organizationId).where('items.id', '=', id).executeTakeFirst();
}

type LockedItem = Pick<
  ItemRow,
  'id' | 'discovery_job_id' | 'status' | 'scrape_job_id' | 'duplicate_of_id' | 'ignored_by_rule'
>;

/**
 * Locks items in the order of their IDs.
 * @returns The items that exist.
 */
export async function lockItems(
  tx: Tx,
  organizationId: number,
  ids: readonly number[],
): Promise<LockedItem[]> {
  const { rows } = await sql<LockedItem>`
    SELECT id, discovery_job_id, status, scrape_job_id, duplicate_of_id, ignored_by_rule FROM discovered_items
    WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::bigint[])
    ORDER BY id FOR NO KEY UPDATE`.execute(tx);
  return rows;
}

/**
 * Locks the discovery job of an item, then the organization. Call it before locking the item: deriving the
 * item's resources requires both locks, and every transaction must take them before it locks items.
 */
export async function lockJobOfItem(tx: Tx, organizationId: number, id: number): Promise<void> {
  await sql`
    SELECT FROM discovery_jobs WHERE organization_id = ${organizationId} AND id = (
      SELECT discovery_job_id FROM discovered_items WHERE organization_id = ${organizationId} AND id = ${id})
    FOR NO KEY UPDATE`.execute(tx);
  await sql`SELECT FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`.execute(tx);
}

/**
 * Locks all items with the same artifact as the given item. The order is the same as in `lockItems`, to avoid
 * deadlocks.
 */
export async function lockItemsOfArtifact(tx: Tx, organizationId: number, id: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM discovered_items
    WHERE organization_id = ${organizationId} AND artifact_key = (
      SELECT artifact_key FROM discovered_items WHERE organization_id = ${organizationId} AND id = ${id})
    ORDER BY id FOR NO KEY UPDATE`.execute(tx);
  return rows.map((row) => row.id);
}

/** @param options.isByRule True if a rule of the discovery job ignores the items, instead of a person. */
export async function ignoreItems(
  tx: Tx,
  organizationId: number,
  ids: readonly number[],
  reason: string | null,
  { isByRule = false } = {},
): Promise<void> {
  await sql`
    UPDATE discovered_items
    SET status = 'ignored', ignore_reason = ${reason}, ignored_by_rule = ${isByRule}, duplicate_of_id = NULL,
        restored_at = NULL, updated_at = pacekeeper_now()
    WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::bigint[])`.execute(tx);
}

/**
 * @param options.isByPerson True if a person restores the items, so that no rule and no duplicate can ignore
 * them again.
 */
export async function restoreItems(
  tx: Tx,
  organizationId: number,
  ids: readonly number[],
  { isByPerson }: { isByPerson: boolean },
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    UPDATE discovered_items
    SET status = 'new', ignore_reason = NULL, ignored_by_rule = false, duplicate_of_id = NULL,
        restored_at = ${isByPerson ? sql`pacekeeper_now()` : sql`restored_at`}, updated_at = pacekeeper_now()
    WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::bigint[])`.execute(tx);
}

/**
 * Assignments that make an item independent of its original, for a statement that updates `alias`. An ignored
 * duplicate becomes new.
 */
export function endDuplicationSql(alias: string): RawBuilder<unknown> {
  return sql`
    status = CASE ${sql.ref(`${alias}.status`)} WHEN 'ignored' THEN 'new' ELSE ${sql.ref(`${alias}.status`)} END,
    duplicate_of_id = NULL, updated_at = pacekeeper_now()`;
}

/**
 * Keeps duplicates as new items, or ignores them again. They stay marked as duplicates, so that changes to
 * the rules apply to them again.
 */
export async function setDuplicateStatus(
  tx: Tx,
  organizationId: number,
  ids: readonly number[],
  status: 'new' | 'ignored',
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    UPDATE discovered_items SET status = ${status}, updated_at = pacekeeper_now()
    WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::bigint[])`.execute(tx);
}

/**
 * Stores the values that a user set for an item. The source of the item takes precedence over the source of
 * its artifact.
 */
export async function correctItem(
  tx: Tx,
  organizationId: number,
  id: number,
  values: { set_name: string | null; set_labels: Record<string, string>; set_source: ChosenSource | null },
): Promise<void> {
  await sql`
    UPDATE discovered_items
    SET set_name = ${values.set_name}, set_labels = ${JSON.stringify(values.set_labels)}::jsonb,
        set_source = ${values.set_source && JSON.stringify(values.set_source)}::jsonb,
        confidence = CASE WHEN ${values.set_source !== null} THEN 'certain' ELSE confidence END
    WHERE organization_id = ${organizationId} AND id = ${id}`.execute(tx);
}

/** Increments the revision of an item whose representation changed with the correction of its artifact. */
export async function incrementItemRevision(tx: Tx, organizationId: number, id: number): Promise<void> {
  await sql`
    UPDATE discovered_items SET revision = revision + 1, updated_at = pacekeeper_now()
    WHERE organization_id = ${organizationId} AND id = ${id}`.execute(tx);
}
