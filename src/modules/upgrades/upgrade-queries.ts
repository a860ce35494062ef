import { type RawBuilder, sql } from 'kysely';
import { ownValue } from '../../domain/json/own-value.ts';
import { supportRuleTypeIds } from '../../domain/rules/rule-types.ts';
import { type AlertSeverity, alertSeverities } from '../../domain/rules/severity.ts';
import type { VersionSchemeId } from '../../domain/versions/version-scheme.ts';
import type { Schemas } from '../../generated/client-api.ts';
import {
  containsWords,
  type Database,
  listOrder,
  maxExactTotal,
  type Page,
  type PageRequest,
  positionAfter,
  readPage,
  type Tx,
} from '../../platform/database/index.ts';
import { usesGatherJob } from '../alerts/index.ts';
import { hasLabel, labelCounts } from '../counts/index.ts';

type Upgrade = Schemas['Upgrade'];
export type UpgradeStatus = Schemas['UpgradeStatus'];

/** All statuses, in order of precedence. An upgrade has the first status that any of its places has. */
export const upgradeStatuses = [
  'needs_action',
  'planned',
  'snoozed',
  'unknown',
  'ok',
] as const satisfies UpgradeStatus[];

export interface UpgradeFilters {
  status?: UpgradeStatus | undefined;
  severity?: AlertSeverity | undefined;
  gather_job_id?: number | undefined;
  /** Label in the format `key=value`. */
  label?: string | undefined;
  q?: string | undefined;
  sort?: string | undefined;
}

/** An upgrade as PostgreSQL returns it within a JSON value. Timestamps are strings. */
export interface UpgradeRow {
  upgrade_id: string;
  /** Position in the list, starting at 1. */
  place: number;
  gather_job_id: number;
  gather_job_name: string;
  artifact_name: string;
  version_scheme: VersionSchemeId;
  platform_words: string;
  target: string | null;
  /** Web page of the suggested release. Null if none of the open alerts contains it. */
  release_url: string | null;
  /** Position of the status in `upgradeStatuses`, starting at 1. */
  status_rank: number;
  /** Position of the severity in `alertSeverities`, starting at 1. 0 without an open alert. */
  severity_rank: number;
  /** Null without an open alert. */
  reasons: Upgrade['reasons'] | null;
  /**
   * The most frequent deployed versions, most frequent first: those of places with an open alert or, if no alert is
   * open, those of all places.
   */
  deployed_versions: Upgrade['deployed_versions'];
  deployed_version_count: number;
  /** Deployed versions of places with an open alert. Null without an open alert. */
  alerting_versions: (string | null)[] | null;
  place_counts: Upgrade['places'];
  /** Null if none of the places has labels. */
  labels: Upgrade['labels'] | null;
  crossed_at: string | null;
  behind_since: string | null;
  behind_since_is_first_seen: boolean;
  ends_at: string | null;
  /** Time at which an alert that needs action last opened or escalated. Null if none needs action. */
  changed_at: string | null;
  /**
   * Position of the highest severity in production in `alertSeverities`, starting at 1. 0 if no alert there needs
   * action.
   */
  production_rank: number;
}

/** One page of upgrades, with numbers that cover all pages. */
export type UpgradePage = Page<UpgradeRow> & {
  counts: Schemas['UpgradeCounts'];
  is_complete: boolean;
  changes: OpenChanges;
  /** Time at which the first of the snoozes of all places ends. Null if none is snoozed until a time. */
  snooze_ends_at: string | null;
};

/** Order of upgrades, and the period of changes, for the Today page. */
export interface Highlight {
  since: Date;
  /** Key of the label whose value is the environment. */
  environmentLabel: string;
  /** The environments that count as production. */
  production: readonly string[];
}

type OpenChanges = Omit<Schemas['Today']['changes'], 'resolved'>;

/** The parts of an upgrade's ID. */
export interface UpgradeKey {
  gatherJobId: number;
  /** Hash of the suggested version. */
  hash: string;
}

const maxDeployedVersions = 20;
/** Number of places of an upgrade whose labels are listed, most urgent first. */
const maxLabeledPlaces = 20;
const maxLabelKeys = 20;
const maxLabelValues = 10;
/**
 * Number of deployed versions of an upgrade, most frequent first, among which those with an open alert are
 * compared with the suggested version.
 */
const maxComparedVersions = 100;

/** Reads an ID. Returns `null` if no upgrade can have it. */
export function readUpgradeId(id: string): UpgradeKey | null {
  const [, gatherJobId, hash] = /^([1-9]\d{0,14})-([0-9a-f]{16})$/.exec(id) ?? [];
  return gatherJobId === undefined || hash === undefined ? null : { gatherJobId: Number(gatherJobId), hash };
}

/** Selects the second part of the ID of an upgrade. The same version always has the same hash. */
const hashOf = (target: RawBuilder<unknown>) => sql`left(md5(coalesce('v' || ${target}, '')), 16)`;

const isOfSupport = sql`c.rule_type = ANY(${sql.lit(`{${supportRuleTypeIds.join(',')}}`)}::text[])`;
const isSnoozed = sql`CASE WHEN a.snoozed_until IS NULL THEN a.is_snoozed_until_version_changes
  ELSE a.snoozed_until > pacekeeper_now() END`;
const rankOf = sql`coalesce(array_position(ARRAY['moderate', 'high', 'critical'], a.severity), 0)`;

/** Position of a place's status in `upgradeStatuses`, starting at 1. */
const statusRank = sql`CASE WHEN a.id IS NULL THEN CASE c.state WHEN 'ok' THEN 5 ELSE 4 END
  WHEN ${isSnoozed} THEN 3 WHEN a.acknowledged_at IS NOT NULL THEN 2 ELSE 1 END`;
const countsByStatus = sql.join(
  upgradeStatuses.flatMap((status, index) => [
    sql.lit(status),
    sql`count(*) FILTER (WHERE status_rank = ${sql.lit(index + 1)})`,
  ]),
);

/**
 * Maximum number of alert configurations that are read in each state, most urgent first. These limits bound
 * the time of a request, which depends on the number of places and not on the number of upgrades on a page.
 */
const maxPlaces = { alerting: 6_000, stale: 2_000, no_data: 2_000, ok: 4_000 } as const;

/**
 * Selects active alert configurations of an organization, each with its open alert and with `target`, the
 * version that the place should run.
 *
 * A rule about the end of support suggests a version from the lifecycle data, which can be spelled
 * differently than in the releases. If the same scrape job is also compared with the releases, that version
 * is used instead, so that one upgrade ends both alerts. If there are several such comparisons, the oldest
 * one with an open alert determines the version. The target of an alert is null if the place already runs
 * that version.
 */
function placesOf(organizationId: number, { gather_job_id, label }: UpgradeFilters): RawBuilder<unknown> {
  const inState = (state: keyof typeof maxPlaces) => {
    const conditions = [sql`c.organization_id = ${organizationId}`, sql`c.state = ${sql.lit(state)}`];
    if (gather_job_id !== undefined) conditions.push(usesGatherJob(organizationId, gather_job_id));
    if (label !== undefined) conditions.push(hasLabel('c.effective_labels', label));
    // Each of these orders matches an index.
    const order =
      state === 'alerting'
        ? sql`coalesce(array_position(ARRAY['moderate', 'high', 'critical'], c.severity), 0) DESC, c.crossed_at, c.id`
        : sql`c.created_at, c.id`;
    return sql`(SELECT c.* FROM alert_configs c WHERE ${sql.join(conditions, sql` AND `)}
      ORDER BY ${order} LIMIT ${sql.lit(maxPlaces[state])})`;
  };
  const states = Object.keys(maxPlaces) as (keyof typeof maxPlaces)[];
  const spelled = (version: RawBuilder<unknown>) => sql`ltrim(lower(${version}), 'v')`;
  return sql`
    WITH config AS MATERIALIZED (
      SELECT c.*, r.rule_type FROM (${sql.join(states.map(inState), sql` UNION ALL `)}) AS c
      JOIN rules r ON r.organization_id = ${organizationId} AND r.id = c.rule_id
    ), alert AS MATERIALIZED (
      SELECT * FROM alerts WHERE organization_id = ${organizationId} AND resolved_at IS NULL
        AND alert_config_id = ANY(ARRAY(SELECT id FROM config))
    )
    SELECT place.*, CASE
      WHEN alert_id IS NOT NULL AND ${spelled(sql`suggested`)} = ${spelled(sql`deployed_version`)} THEN NULL
      ELSE suggested END AS target
    FROM (
      SELECT c.id, c.name, c.scrape_job_id, c.rule_id, c.gather_organization_id, c.gather_job_id, c.state,
        c.deployed_version, c.effective_labels, c.behind_since, ${statusRank} AS status_rank, ${rankOf} AS severity_rank,
        a.id AS alert_id, a.reason, a.crossed_at, a.ends_at, a.release_url, a.latest_version AS alert_version,
        a.created_at AS opened_at, a.escalated_at,
        CASE WHEN a.snoozed_until > pacekeeper_now() THEN a.snoozed_until END AS snooze_ends_at,
        CASE WHEN ${isOfSupport} THEN coalesce(
          first_value(c.latest_version) OVER (PARTITION BY c.scrape_job_id, c.gather_job_id
            ORDER BY ${isOfSupport} OR c.latest_version IS NULL, a.id IS NULL, c.id),
          c.latest_version) ELSE c.latest_version END AS suggested
      FROM config c
      -- Returns the same rows as a left join, because every alert has a configuration here. Unlike a left
      -- join, a full join is never a nested loop, even while PostgreSQL has no statistics.
      FULL JOIN alert a ON a.alert_config_id = c.id
    ) AS place`;
}

/** True if every state has fewer places than its read limit, so none can be missing. */
const isComplete = sql<boolean>`(${sql.join(
  Object.entries(maxPlaces).map(
    ([state, limit]) => sql`count(*) FILTER (WHERE state = ${sql.lit(state)}) < ${sql.lit(limit)}`,
  ),
  sql` AND `,
)})`;

const worst = sql`severity_rank DESC, crossed_at, gather_job_id, target`;
const sorts: Readonly<Record<string, RawBuilder<unknown>>> = {
  worst: sql`status_rank, ${worst}`,
  '-worst': sql`status_rank DESC, severity_rank, crossed_at DESC, gather_job_id DESC, target DESC`,
  name: sql`lower(artifact_name), gather_job_id, target`,
  '-name': sql`lower(artifact_name) DESC, gather_job_id DESC, target DESC`,
  places: sql`alerting_places, gather_job_id, target`,
  '-places': sql`alerting_places DESC, gather_job_id DESC, target DESC`,
  behind_since: sql`behind_since NULLS LAST, gather_job_id, target`,
  '-behind_since': sql`behind_since DESC NULLS LAST, gather_job_id DESC, target DESC`,
};

/**
 * Lists upgrades with the number of upgrades of each status. Reads alert configurations up to a limit,
 * because an upgrade is the sum of its places.
 *
 * @param key Returns only the upgrade with this key.
 * @param highlight Lists the upgrades that changed first, then the upgrades that production needs.
 */
export async function listUpgrades(
  db: Database | Tx,
  organizationId: number,
  filters: UpgradeFilters,
  { limit, offset, cursor }: PageRequest,
  key?: UpgradeKey,
  highlight?: Highlight,
): Promise<UpgradePage> {
  const { status, severity, q, sort = 'worst' } = filters;
  const isOfKey = key === undefined ? sql`true` : sql`${hashOf(sql`target`)} = ${key.hash}`;
  const isOfSeverity =
    severity === undefined
      ? sql`true`
      : sql`u.severity_rank = ${sql.lit(alertSeverities.indexOf(severity) + 1)}`;
  const isOfStatus =
    status === undefined ? sql`true` : sql`status_rank = ${sql.lit(upgradeStatuses.indexOf(status) + 1)}`;
  const isMatch =
    q === undefined
      ? sql`true`
      : sql`(${containsWords(['g.name', 'g.artifact_name', `coalesce(u.target, '')`], q)} OR u.has_match)`;
  const isPlaceMatch =
    q === undefined ? sql`false` : containsWords(['name', `coalesce(deployed_version, '')`], q);
  const isProduction =
    highlight === undefined ? sql`false` : isInProduction(sql.ref('effective_labels'), highlight);
  const since = highlight === undefined ? sql`'infinity'` : sql`${highlight.since}::timestamptz`;
  const order =
    highlight === undefined
      ? ownValue(sorts, sort)!
      : sql`status_rank, changed_at >= ${since} DESC, production_rank DESC, ${worst}`;
  const { rows } = await sql<{
    upgrade: UpgradeRow | null;
    counts: Schemas['UpgradeCounts'];
    is_complete: boolean;
    changes: OpenChanges;
    snooze_ends_at: Date | null;
  }>`
    WITH places AS MATERIALIZED (
      SELECT *, ${isPlaceMatch} AS is_match, ${isProduction} AS is_production,
        opened_at >= ${since} AS is_new, escalated_at >= ${since} AS is_escalated FROM (${placesOf(organizationId, filters)}) AS places WHERE ${isOfKey}
    ), jobs AS (
      SELECT gather_organization_id, gather_job_id, target, scrape_job_id, min(status_rank) AS status_rank,
        max(severity_rank) AS severity_rank, min(crossed_at) AS crossed_at, min(behind_since) AS behind_since,
        min(ends_at) AS ends_at, bool_or(is_match) AS has_match,
        max(greatest(opened_at, escalated_at)) FILTER (WHERE status_rank = 1) AS changed_at,
        coalesce(max(severity_rank) FILTER (WHERE status_rank = 1 AND is_production), 0) AS production_rank
      FROM places GROUP BY 1, 2, 3, 4
    ), upgrades AS (
      SELECT gather_organization_id, gather_job_id, target, min(status_rank) AS status_rank,
        max(severity_rank) AS severity_rank, min(crossed_at) AS crossed_at, min(behind_since) AS behind_since,
        min(ends_at) AS ends_at, bool_or(has_match) AS has_match, max(changed_at) AS changed_at,
        max(production_rank) AS production_rank,
        count(*) FILTER (WHERE status_rank <= 3) AS alerting_places,
        jsonb_build_object('total', count(*), ${countsByStatus}) AS place_counts
      FROM jobs GROUP BY 1, 2, 3
    ), matching AS MATERIALIZED (
      SELECT u.*, g.name AS gather_job_name, g.artifact_name, g.version_scheme, g.platform_words
      FROM upgrades u JOIN gather_jobs g ON g.organization_id = u.gather_organization_id AND g.id = u.gather_job_id
      WHERE ${isOfSeverity} AND ${isMatch}
    ), placed AS MATERIALIZED (
      SELECT *, gather_job_id || '-' || ${hashOf(sql`target`)} AS upgrade_id,
        row_number() OVER (ORDER BY ${order}) AS place
      FROM matching WHERE ${isOfStatus}
    ), page AS MATERIALIZED (
      SELECT * FROM placed WHERE place > ${positionAfter(cursor, 'placed', 'upgrade_id')}
      ORDER BY place LIMIT ${sql.lit(limit)} OFFSET ${sql.lit(offset)}
    ), on_page AS MATERIALIZED (
      SELECT page.place AS page_place, page.status_rank AS page_status, p.*,
        row_number() OVER (PARTITION BY page.place ORDER BY p.status_rank, p.severity_rank DESC, p.id) AS urgency
      FROM page
      JOIN places p ON p.gather_job_id = page.gather_job_id AND p.target IS NOT DISTINCT FROM page.target
    ), versions AS (
      SELECT page_place, deployed_version, count(DISTINCT scrape_job_id) AS amount, bool_or(alert_id IS NOT NULL) AS is_alerting,
        row_number() OVER (PARTITION BY page_place ORDER BY count(DISTINCT scrape_job_id) DESC, deployed_version) AS place
      FROM on_page WHERE page_status > 3 OR alert_id IS NOT NULL GROUP BY 1, 2
    ), deployed AS MATERIALIZED (
      SELECT page_place, count(deployed_version) AS deployed_version_count,
        jsonb_agg(jsonb_build_object('version', deployed_version, 'place_count', amount) ORDER BY place)
          FILTER (WHERE place <= ${sql.lit(maxDeployedVersions)}) AS deployed_versions,
        jsonb_agg(deployed_version) FILTER (WHERE is_alerting AND place <= ${sql.lit(maxComparedVersions)}) AS alerting_versions
      FROM versions GROUP BY 1
    ), label_keys AS (
      SELECT page_place, key, (array_agg(DISTINCT value ORDER BY value))[1:${sql.lit(maxLabelValues)}] AS label_values,
        row_number() OVER (PARTITION BY page_place ORDER BY key) AS place
      FROM on_page, jsonb_each_text(effective_labels) WHERE urgency <= ${sql.lit(maxLabeledPlaces)} GROUP BY 1, 2
    ), labeled AS MATERIALIZED (
      SELECT page_place, jsonb_object_agg(key, label_values) AS labels
      FROM label_keys WHERE place <= ${sql.lit(maxLabelKeys)} GROUP BY 1
    ), opened AS MATERIALIZED (
      SELECT page_place, jsonb_agg(DISTINCT reason) AS reasons, max(release_url) FILTER (WHERE alert_version = target) AS release_url
      FROM on_page WHERE alert_id IS NOT NULL GROUP BY 1
    ), earliest AS MATERIALIZED (
      SELECT DISTINCT ON (page_place) page_place, id FROM on_page WHERE behind_since IS NOT NULL
      ORDER BY page_place, behind_since, id
    ), first_seen AS MATERIALIZED (
      -- Without an explanation, nothing is known about the date.
      SELECT page_place,
        coalesce(e.explanation #>> '{date_used,source}', 'discovered_at') IN ('discovered_at', 'listed_at') AS is_first_seen
      FROM earliest LEFT JOIN alert_config_explanations e
        ON e.organization_id = ${organizationId} AND e.alert_config_id = earliest.id
    )
    SELECT (SELECT jsonb_build_object(${countsByStatus}) FROM matching) AS counts,
      (SELECT ${isComplete} FROM places) AS is_complete,
      (SELECT min(snooze_ends_at) FROM places) AS snooze_ends_at,
      (SELECT jsonb_build_object('opened', count(*) FILTER (WHERE is_new),
        'escalated', count(*) FILTER (WHERE is_escalated AND NOT is_new),
        'end_of_life', count(*) FILTER (WHERE is_new AND reason = 'end_of_life'),
        'known_vulnerabilities', count(*) FILTER (WHERE is_new AND reason = 'known_vulnerabilities')
      ) FROM places) AS changes,
      CASE WHEN page.place IS NOT NULL THEN to_jsonb(page) || jsonb_build_object(
        'labels', labels, 'reasons', reasons, 'release_url', release_url, 'deployed_versions', deployed_versions,
        'deployed_version_count', deployed_version_count, 'alerting_versions', alerting_versions,
        'behind_since_is_first_seen', coalesce(is_first_seen, false)) END AS upgrade
    FROM (SELECT) AS always LEFT JOIN page ON true LEFT JOIN deployed ON deployed.page_place = page.place
      LEFT JOIN labeled ON labeled.page_place = page.place LEFT JOIN opened ON opened.page_place = page.place
      LEFT JOIN first_seen ON first_seen.page_place = page.place
    ORDER BY page.place`.execute(db);
  const { counts, is_complete, changes, snooze_ends_at } = rows[0]!;
  const total =
    status === undefined ? Object.values(counts).reduce((sum, count) => sum + count, 0) : counts[status];
  const items = rows.flatMap(({ upgrade }) => (upgrade === null ? [] : [upgrade]));
  const last = items.at(-1);
  if (cursor) cursor.next = last && last.place < total ? [last.upgrade_id, String(last.place)] : null;
  return {
    items,
    total: Math.min(total, maxExactTotal),
    total_is_exact: total <= maxExactTotal,
    limit,
    offset,
    counts,
    is_complete,
    changes,
    snooze_ends_at: snooze_ends_at?.toISOString() ?? null,
  };
}

function isInProduction(
  labels: RawBuilder<unknown>,
  { environmentLabel, production }: Highlight,
): RawBuilder<unknown> {
  return sql`${labels} ->> ${environmentLabel}::text = ANY(${[...production]}::text[])`;
}

/**
 * Counts the places of each owner by status, owners with the most places that need action first.
 * @param ownerLabel Key of the label that names the owner.
 */
export async function countOwners(
  db: Database,
  organizationId: number,
  ownerLabel: string,
  limit: number,
): Promise<Pick<Schemas['Today'], 'owners' | 'owner_count'> & { snooze_ends_at: string | null }> {
  const { rows } = await sql<Schemas['TodayOwner'] & { owner_count: number; snooze_ends_at: Date | null }>`
    WITH jobs AS (
      SELECT effective_labels ->> ${ownerLabel}::text AS owner, scrape_job_id, min(status_rank) AS status_rank,
        min(snooze_ends_at) AS snooze_ends_at
      FROM (${placesOf(organizationId, {})}) AS places GROUP BY 1, 2
    )
    SELECT owner, jsonb_build_object('total', count(*), ${countsByStatus}) AS places,
      count(*) OVER ()::int AS owner_count, min(min(snooze_ends_at)) OVER () AS snooze_ends_at
    FROM jobs GROUP BY owner
    ORDER BY count(*) FILTER (WHERE status_rank = 1) DESC, count(*) DESC, owner LIMIT ${sql.lit(limit)}`.execute(
    db,
  );
  return {
    owners: rows.map(({ owner, places }) => ({ owner, places })),
    owner_count: rows[0]?.owner_count ?? 0,
    snooze_ends_at: rows[0]?.snooze_ends_at?.toISOString() ?? null,
  };
}

/** Counts the alerts that were resolved since a time, up to a limit. */
export async function countResolved(
  db: Database,
  organizationId: number,
  since: Date,
  label: string | undefined,
  limit: number,
): Promise<number> {
  const isOfLabel = label === undefined ? sql`true` : hasLabel('a.labels', label);
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM alerts a WHERE a.organization_id = ${organizationId} AND a.resolved_at >= ${since} AND ${isOfLabel}
      LIMIT ${sql.lit(limit)}
    ) AS resolved`.execute(db);
  return rows[0]!.count;
}

/** Returns the time of the database, and the names of all environments, which are the values of a label of places. */
export async function readTimeAndEnvironments(
  db: Database,
  organizationId: number,
  environmentLabel: string,
): Promise<{ now: Date; environments: string[] }> {
  const { rows } = await sql<{ now: Date; environments: string[] }>`
    SELECT pacekeeper_now() AS now, ARRAY(
      SELECT substr(kind, ${environmentLabel.length + 2}::int)
      FROM ${labelCounts(organizationId, 'alert_config_labels')} AS counted
      WHERE starts_with(kind, ${`${environmentLabel}=`}::text)
    ) AS environments`.execute(db);
  return rows[0]!;
}

export interface UpgradePlaceRow {
  id: number;
  name: string;
  scrape_job: Schemas['NamedReference'];
  rule: Schemas['NamedReference'];
  labels: Record<string, string>;
  deployed_version: string | null;
  status_rank: number;
  state: Schemas['AlertConfigState'];
  alert_id: number | null;
}

const worstFirst = listOrder([
  { column: 'p.severity_rank', isDescending: true },
  { column: 'p.crossed_at', isDescending: false, nulls: 'last' },
  { column: 'lower(p.name)', isDescending: false },
  { column: 'p.id', isDescending: false },
]);

/** Lists the places of an upgrade: first those with an open alert, most severe first, then the others by name. */
export async function listPlaces(
  db: Database,
  organizationId: number,
  { gatherJobId, hash }: UpgradeKey,
  label: string | undefined,
  page: PageRequest,
): Promise<Page<UpgradePlaceRow>> {
  const places = sql<UpgradePlaceRow & { severity_rank: number; crossed_at: Date | null }>`(
    SELECT p.id, p.name,
      jsonb_build_object('id', j.id, 'name', j.name) AS scrape_job, jsonb_build_object('id', r.id, 'name', r.name) AS rule,
      p.effective_labels AS labels, p.deployed_version, p.status_rank, p.state, p.alert_id, p.severity_rank, p.crossed_at
    FROM (${placesOf(organizationId, { gather_job_id: gatherJobId, label })}) AS p
    JOIN scrape_jobs j ON j.organization_id = ${organizationId} AND j.id = p.scrape_job_id
    JOIN rules r ON r.organization_id = ${organizationId} AND r.id = p.rule_id
    WHERE ${hashOf(sql`p.target`)} = ${hash})`;
  const query = db
    .selectFrom(places.as('p'))
    .select(['p.id', 'p.name', 'scrape_job', 'rule', 'labels', 'deployed_version'])
    .select(['status_rank', 'state', 'alert_id']);
  return readPage(db, query, page, worstFirst, [sql`(SELECT 1 FROM ${places} AS p)`]);
}

/**
 * Returns the open alerts of an upgrade, each with the configuration that must be locked before the alert.
 */
export async function listOpenAlerts(
  tx: Tx,
  organizationId: number,
  { gatherJobId, hash }: UpgradeKey,
  label: string | undefined,
): Promise<{ id: number; alert_config_id: number }[]> {
  const { rows } = await sql<{ id: number; alert_config_id: number }>`
    SELECT p.alert_id AS id, p.id AS alert_config_id
    FROM (${placesOf(organizationId, { gather_job_id: gatherJobId, label })}) AS p
    WHERE p.alert_id IS NOT NULL AND ${hashOf(sql`p.target`)} = ${hash}`.execute(tx);
  return rows;
}
