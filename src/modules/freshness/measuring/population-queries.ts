import { sql } from 'kysely';
import type { GroupedTarget, Labels } from '../../../domain/freshness/freshness-groups.ts';
import { ownValue } from '../../../domain/json/own-value.ts';
import { dayMs } from '../../../domain/rules/stored-lag.ts';
import { parserVersion } from '../../../domain/versions/versions.ts';
import { type Database, readInBatches } from '../../../platform/database/index.ts';
import { isStillDeployed } from '../../monitoring/index.ts';
import { readSettings } from '../../settings/index.ts';

/** Inputs of a measurement apart from the pairs. */
export interface MeasurementContext {
  readonly nowMs: number;
  /** Number of days since 1970, UTC. */
  readonly today: number;
  readonly labelKeys: readonly string[];
  readonly targets: readonly GroupedTarget[];
  /** Keys of all labels that determine the groups of pairs. */
  readonly groupingKeys: readonly string[];
  /** Identifies the labels and targets that days are computed with. */
  readonly basis: string;
}

/** Stored state of an organization. */
export interface FreshnessState {
  readonly basis: string | null;
  readonly throughDay: number | null;
  /** True if all days have been computed since the last alert configuration was created. */
  readonly isFilledForAll: boolean;
  readonly measuredAtMs: number | null;
  /** True if a target was created or changed since the last measurement. */
  readonly hasNewTargets: boolean;
}

export async function readContext(
  db: Database,
  organizationId: number,
): Promise<{ context: MeasurementContext; state: FreshnessState }> {
  const settings = await readSettings(db, organizationId);
  const labelKeys = settings['freshness.labels'];
  const { rows: targets } = await sql<GroupedTarget>`
    SELECT id, label_matchers AS "labelMatchers", metric, max_value AS "limit", goal_percent AS "goalPercent"
    FROM freshness_targets WHERE organization_id = ${organizationId} AND is_active ORDER BY id`.execute(db);
  const { rows } = await sql<{
    now_ms: number;
    basis: string | null;
    through_day: number | null;
    is_filled_for_all: boolean | null;
    measured_at_ms: number | null;
    has_new_targets: boolean;
  }>`
    SELECT (extract(epoch FROM pacekeeper_now()) * 1000)::bigint AS now_ms, f.basis,
      f.through_day - date '1970-01-01' AS through_day,
      (extract(epoch FROM f.measured_at) * 1000)::bigint AS measured_at_ms,
      NOT EXISTS (SELECT FROM alert_configs c
        WHERE c.organization_id = f.organization_id AND c.created_at > f.filled_at) AND f.filled_at IS NOT NULL
        AS is_filled_for_all,
      EXISTS (SELECT FROM freshness_targets t
        WHERE t.organization_id = o.organization_id AND t.is_active AND t.known IS NULL) AS has_new_targets
    FROM (SELECT ${organizationId}::bigint AS organization_id) AS o
    LEFT JOIN freshness_states f USING (organization_id)`.execute(db);
  const row = rows[0]!;
  const limits = targets.map(({ id, metric, limit, labelMatchers }) => [id, metric, limit, labelMatchers]);
  return {
    context: {
      nowMs: row.now_ms,
      today: Math.floor(row.now_ms / dayMs),
      labelKeys,
      targets,
      groupingKeys: [
        ...new Set([
          ...labelKeys,
          ...targets.flatMap((target) => target.labelMatchers.map(({ label }) => label)),
        ]),
      ],
      basis: JSON.stringify([labelKeys, limits]),
    },
    state: {
      basis: row.basis,
      throughDay: row.through_day,
      isFilledForAll: row.is_filled_for_all ?? false,
      measuredAtMs: row.measured_at_ms,
      hasNewTargets: row.has_new_targets,
    },
  };
}

/** Batch size for reading pairs, because an organization can have 100,000 of them. */
const pairsAtOnce = 2_000;

/**
 * Pairs of a scrape job and a gather job, as parallel arrays: the entries at the same index belong to the
 * same pair. Each pair has the ID of its oldest active alert configuration.
 */
export interface Pairs {
  readonly ids: readonly number[];
  /** Times at which discovery first missed the software. `null` for software that is deployed. */
  readonly endsMs: readonly (number | null)[];
  /** Labels that determine the groups of pairs. Equal labels share one object. */
  readonly labels: readonly Labels[];
}

/**
 * Extracts the labels with the given keys. Returns the same object for equal labels, to save memory: an organization
 * has few distinct combinations.
 */
export class LabelInterner {
  readonly #keys: readonly string[];
  readonly #known = new Map<string, Labels>();

  constructor(keys: readonly string[]) {
    this.#keys = keys;
  }

  share(labels: Labels): Labels {
    const values = this.#keys.map((key) => ownValue(labels, key) ?? null);
    const name = JSON.stringify(values);
    let shared = this.#known.get(name);
    if (shared === undefined) {
      shared = Object.fromEntries(
        this.#keys.flatMap((key, place) => (values[place] == null ? [] : [[key, values[place]]])),
      );
      this.#known.set(name, shared);
    }
    return shared;
  }
}

/**
 * Selects the pairs, each with a fingerprint of all inputs of its measurement. Excludes comparisons with another scrape
 * job, because its versions aren't upstream releases.
 */
const pairsOf = (organizationId: number) => sql`
  SELECT DISTINCT ON (c.gather_organization_id, c.gather_job_id, c.scrape_job_id) c.id,
    c.effective_labels AS labels,
    c.gather_organization_id, c.gather_job_id,
    md5(jsonb_build_array(${sql.lit(parserVersion)}, s.id, s.latest_version, g.organization_id, g.id, g.releases_revision,
      g.version_scheme, g.platform_words, g.ignored_versions, g.counted_versions, g.mirror_of IS NOT NULL,
      g.list_incomplete_since, c.candidate_pattern, c.ignored_versions, c.counted_versions)::text) AS fingerprint
  FROM alert_configs c
  JOIN scrape_jobs s ON s.organization_id = c.organization_id AND s.id = c.scrape_job_id
  JOIN gather_jobs g ON g.organization_id = c.gather_organization_id AND g.id = c.gather_job_id
  WHERE c.organization_id = ${organizationId} AND c.is_active AND ${isStillDeployed('s')}
    AND s.latest_version IS NOT NULL
    AND g.scrape_job_id IS NULL
  ORDER BY c.gather_organization_id, c.gather_job_id, c.scrape_job_id, c.id`;

/**
 * Selects pairs whose software is no longer deployed, with the time when it was first missed. Excludes pairs whose
 * scrape job a person disabled, because it isn't known when their deployment ended.
 */
const gonePairsOf = (organizationId: number) => sql`
  SELECT DISTINCT ON (c.gather_organization_id, c.gather_job_id, c.scrape_job_id) c.id,
    c.effective_labels AS labels, c.gather_organization_id, c.gather_job_id,
    extract(epoch FROM i.missing_since) * 1000 AS end_ms
  FROM discovered_items i
  JOIN scrape_jobs s ON s.organization_id = i.organization_id AND s.id = i.scrape_job_id
  JOIN alert_configs c ON c.organization_id = s.organization_id AND c.scrape_job_id = s.id
  JOIN gather_jobs g ON g.organization_id = c.gather_organization_id AND g.id = c.gather_job_id
  WHERE i.organization_id = ${organizationId} AND i.status = 'gone' AND i.missing_since IS NOT NULL
    AND c.is_active AND NOT ${isStillDeployed('s')} AND s.latest_version IS NOT NULL
    AND g.scrape_job_id IS NULL
  ORDER BY c.gather_organization_id, c.gather_job_id, c.scrape_job_id, c.id`;

/**
 * Lists all pairs with a version. Includes pairs whose software is no longer deployed, because they are part of past
 * days. The pairs of a gather job are adjacent.
 */
export async function listPairs(
  db: Database,
  organizationId: number,
  groupingKeys: readonly string[],
): Promise<Pairs> {
  const ids: number[] = [];
  const endsMs: (number | null)[] = [];
  const labels: Labels[] = [];
  const shared = new LabelInterner(groupingKeys);
  const query = sql<{ id: number; labels: Labels; end_ms: number | null }>`
    SELECT id, labels, end_ms FROM (
      SELECT id, labels, gather_organization_id, gather_job_id, NULL::float8 AS end_ms
      FROM (${pairsOf(organizationId)}) AS current
      UNION ALL
      SELECT id, labels, gather_organization_id, gather_job_id, end_ms::float8
      FROM (${gonePairsOf(organizationId)}) AS gone) AS pair
    ORDER BY gather_organization_id, gather_job_id, id`;
  await readInBatches(db, query, pairsAtOnce, (rows) => {
    for (const row of rows) {
      ids.push(row.id);
      endsMs.push(row.end_ms);
      labels.push(shared.share(row.labels));
    }
  });
  return { ids, endsMs, labels };
}

/** Changed pairs, as parallel arrays: the entries at the same index belong to the same pair. */
export interface ChangedPairs {
  readonly ids: readonly number[];
  readonly fingerprints: readonly string[];
}

/**
 * Lists pairs that have changed since their measurement. Deletes the measurements of pairs that no longer
 * exist, and returns their number.
 */
export async function listChangedPairs(
  db: Database,
  organizationId: number,
): Promise<{ changed: ChangedPairs; deletedCount: number }> {
  const ids: number[] = [];
  const fingerprints: string[] = [];
  const query = sql<{ id: number; fingerprint: string }>`
    SELECT pair.id, pair.fingerprint FROM (${pairsOf(organizationId)}) AS pair
    LEFT JOIN freshness_things t ON t.organization_id = ${organizationId} AND t.alert_config_id = pair.id
    WHERE t.fingerprint IS DISTINCT FROM pair.fingerprint
    ORDER BY gather_organization_id, gather_job_id, pair.id`;
  await readInBatches(db, query, pairsAtOnce, (rows) => {
    for (const { id, fingerprint } of rows) {
      ids.push(id);
      fingerprints.push(fingerprint);
    }
  });
  const { numAffectedRows } = await sql`
    DELETE FROM freshness_things t WHERE t.organization_id = ${organizationId}
      AND NOT EXISTS (SELECT FROM (${pairsOf(organizationId)}) AS pair WHERE pair.id = t.alert_config_id)`.execute(
    db,
  );
  return { changed: { ids, fingerprints }, deletedCount: Number(numAffectedRows ?? 0) };
}

/**
 * True if the labels of any pair differ from those that the stored days were computed with. Considers only labels that
 * determine groups.
 */
export async function haveGroupLabelsChanged(
  db: Database,
  organizationId: number,
  groupingKeys: readonly string[],
): Promise<boolean> {
  const { rows } = await sql<{ has_other: boolean }>`
    SELECT EXISTS (
      SELECT FROM (${pairsOf(organizationId)}) AS pair
      JOIN freshness_things t ON t.organization_id = ${organizationId} AND t.alert_config_id = pair.id
      WHERE t.filled_labels <> (
        SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(pair.labels)
        WHERE key = ANY(${[...groupingKeys]}::text[]))
    ) AS has_other`.execute(db);
  return rows[0]!.has_other;
}
