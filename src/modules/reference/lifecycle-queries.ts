import { type RawBuilder, sql } from 'kysely';
import type { ReferenceSourceName } from '../../domain/rules/reference-age.ts';
import { supportRuleTypeIds, vulnerabilityRuleTypeIds } from '../../domain/rules/rule-types.ts';
import type { RunErrorCode } from '../../domain/runs/run-error-codes.ts';
import {
  containsWords,
  type Database,
  listOrder,
  type Page,
  type PageRequest,
  readPage,
} from '../../platform/database/index.ts';

export interface ProductRow {
  name: string;
  label: string;
  purls: string[];
  release_line_count: number;
}

export interface LineRow {
  name: string;
  is_lts: boolean;
  released_on: string | null;
  latest_version: string | null;
  active_support: string | null;
  end_of_life: string | null;
  extended_support: string | null;
}

const columns = [
  'p.name',
  'p.label',
  sql<string[]>`ARRAY(
    SELECT DISTINCT key FROM unnest(p.purls || p.catalog_keys) AS key WHERE key LIKE 'pkg:%' ORDER BY key)`.as(
    'purls',
  ),
  sql<number>`(SELECT count(*) FROM lifecycle_releases r
    WHERE r.organization_id = p.organization_id AND r.product_name = p.name)::integer`.as(
    'release_line_count',
  ),
] as const;

/**
 * Lists products by name.
 * @param purl Normalized package URL.
 */
export async function listProducts(
  db: Database,
  { q, purl }: { q?: string | undefined; purl?: string | undefined },
  page: PageRequest,
): Promise<Page<ProductRow>> {
  const query = db
    .selectFrom('lifecycle_products as p')
    .select(columns)
    .where('p.organization_id', '=', 1)
    .$if(q !== undefined, (query) => query.where(containsWords(['p.name', 'p.label'], q!)))
    .$if(purl !== undefined, (query) =>
      query.where(sql<boolean>`(p.purls || p.catalog_keys) @> ARRAY[${purl!}]`),
    );
  return readPage(db, query, page, listOrder([{ column: 'p.name', isDescending: false }]));
}

export async function findProduct(db: Database, name: string): Promise<ProductRow | undefined> {
  return db
    .selectFrom('lifecycle_products as p')
    .select(columns)
    .where('p.organization_id', '=', 1)
    .where('p.name', '=', name)
    .executeTakeFirst();
}

/** Lists the release lines of a product, newest first. */
export async function listLines(db: Database, product: string): Promise<LineRow[]> {
  return db
    .selectFrom('lifecycle_releases')
    .select(['name', 'is_lts', 'released_on', 'latest_version'])
    .select(['active_support', 'end_of_life', 'extended_support'])
    .where('organization_id', '=', 1)
    .where('product_name', '=', product)
    .orderBy('position')
    .execute();
}

export interface SourceRow {
  name: ReferenceSourceName;
  as_of: Date | null;
  loaded_at: Date | null;
  product_count: number;
  is_fetched: boolean;
  fetched_at: Date | null;
  fetch_error: RunErrorCode | null;
  skipped_count: number;
  is_partial: boolean;
  /** Load that waits for confirmation. Its times are strings because they come from JSON. */
  waiting: { as_of: string; since: string; changed: number; total: number } | null;
  now: Date;
}

/** Condition on `rules`: they use the source with this name. */
export function usesReferenceSourceSql(name: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`CASE ${name} WHEN 'vulnerabilities' THEN rules.rule_type = ANY(${vulnerabilityRuleTypeIds}::text[])
    WHEN 'known_exploited' THEN num_nonnulls(rules.known_exploited_days, rules.min_epss) > 0
    WHEN 'epss' THEN rules.min_epss IS NOT NULL
    ELSE rules.rule_type = ANY(${supportRuleTypeIds}::text[]) END`;
}

/** @param usedOnly True to list only the sources that enabled rules of the organization use. */
export async function listSources(
  db: Database,
  organizationId: number,
  { usedOnly = false } = {},
): Promise<SourceRow[]> {
  const isUsed = usedOnly
    ? sql`EXISTS (SELECT FROM rules WHERE rules.organization_id = ${organizationId} AND rules.is_active
          AND ${usesReferenceSourceSql(sql`source.name`)})`
    : sql`true`;
  const { rows } = await sql<SourceRow>`
    SELECT name, as_of, loaded_at, pacekeeper_now() AS now,
      (CASE source.name WHEN 'vulnerabilities' THEN (
          SELECT count(*) FROM vulnerability_packages WHERE organization_id = 1 AND record_count > 0)
        WHEN 'known_exploited' THEN (SELECT count(*) FROM known_exploited_vulnerabilities WHERE organization_id = 1)
        WHEN 'epss' THEN (SELECT count(*) FROM epss_scores WHERE organization_id = 1)
        ELSE (SELECT count(*) FROM lifecycle_products WHERE organization_id = 1) END)::integer AS product_count,
      url IS NOT NULL AS is_fetched, last_success_at AS fetched_at,
      CASE WHEN url IS NOT NULL THEN (
        SELECT error_code FROM runs WHERE runs.organization_id = 1 AND runs.reference_source_id = source.id
        ORDER BY runs.id DESC LIMIT 1) END AS fetch_error,
      -- Only the number of skipped packages, because they belong to all organizations.
      coalesce((fetched.summary ->> 'skipped')::integer, 0) AS skipped_count,
      -- The response that the data is unchanged contains no list.
      coalesce(NOT (fetched.summary ->> 'is_complete_list')::boolean
        AND NOT (fetched.summary ->> 'not_modified')::boolean, false) AS is_partial,
      -- Each organization sees only the number of its own changed results.
      (SELECT jsonb_build_object('as_of', load.as_of, 'since', load.since,
          'changed', coalesce((own ->> 'changed')::integer, 0), 'total', coalesce((own ->> 'total')::integer, 0))
        FROM waiting_reference_loads load
        LEFT JOIN jsonb_array_elements(load.changes) AS own ON (own ->> 'organization_id')::bigint = ${organizationId}
        WHERE load.organization_id = 1 AND load.source_name = source.name) AS waiting
    FROM reference_sources source
    LEFT JOIN LATERAL (
      SELECT summary FROM runs
      WHERE runs.organization_id = 1 AND runs.reference_source_id = source.id AND runs.status = 'succeeded'
      ORDER BY runs.id DESC LIMIT 1
    ) AS fetched ON source.url IS NOT NULL
    WHERE source.organization_id = 1 AND ${isUsed} ORDER BY name`.execute(db);
  return rows;
}
