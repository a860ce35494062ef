import { type RawBuilder, sql } from 'kysely';
import { referenceValidUntilMs } from '../../../domain/rules/reference-age.ts';
import type { SupportFacts } from '../../../domain/rules/support-facts.ts';
import type { LifecycleLine } from '../../../domain/support/read-lifecycles.ts';
import { SupportLines } from '../../../domain/support/support-lines.ts';
import type { PhaseEnd } from '../../../domain/support/support-phases.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { lifecycleProductSql } from './lifecycle-product-of.ts';

/** Lifecycle of a gather job's product, as read with a configuration. */
export interface LifecycleRow {
  product: string;
  label: string;
  /** Fingerprint of the product and its lines. */
  fingerprint: string;
  /** Time at which the data was current. */
  as_of_ms: number;
  /** True if the releases are chart versions, which contain the version of the application. */
  is_chart: boolean;
}

/** End of paid support, which replaces the known end of support if it is later. */
export interface LifecycleOverride {
  ends_on: string;
  note?: string;
}

/**
 * Returns the `LifecycleRow` of the gather job `g`, or null if the product isn't known or isn't in the data.
 */
export function lifecycleRowSql(): RawBuilder<LifecycleRow | null> {
  return sql<LifecycleRow | null>`(
    SELECT jsonb_build_object('product', product.name, 'label', product.label, 'fingerprint', product.fingerprint,
      'as_of_ms', (extract(epoch FROM source.as_of) * 1000)::bigint,
      'is_chart', g.source_type = 'helm_repository' AND g.source_options ->> 'version_field' IS DISTINCT FROM 'app_version')
    FROM lifecycle_products product
    JOIN reference_sources source ON source.organization_id = 1 AND source.name = 'end_of_life'
    WHERE product.organization_id = 1 AND product.name = ${lifecycleProductSql('g')})`;
}

/** Support data that is shared by configurations with the same product and gather job. */
export type SharedSupport = Omit<SupportFacts, 'paidUntil' | 'validUntilMs'>;

/** @param isForecast true to use the data regardless of its age */
export function supportFacts(
  shared: SharedSupport | null,
  row: LifecycleRow | null,
  override: LifecycleOverride | null,
  isForecast = false,
): SupportFacts | null {
  if (shared === null || row === null) return null;
  const validUntilMs = isForecast ? null : referenceValidUntilMs(row.as_of_ms);
  return { ...shared, paidUntil: override?.ends_on ?? null, validUntilMs };
}

/** Reads the release lines of these products with one statement. */
export async function readSupportLines(
  db: Database | Tx,
  products: readonly string[],
): Promise<Map<string, SupportLines<LifecycleLine>>> {
  const { rows } = await sql<LineRow>`
    SELECT product_name, name, is_lts, released_on, latest_version, active_support, end_of_life, extended_support
    FROM lifecycle_releases WHERE organization_id = 1 AND product_name = ANY(${products}::text[])
    ORDER BY product_name, position`.execute(db);
  const lines = new Map<string, LifecycleLine[]>(products.map((product) => [product, []]));
  for (const row of rows) lines.get(row.product_name)!.push(toLine(row));
  return new Map([...lines].map(([product, ofProduct]) => [product, new SupportLines(ofProduct)]));
}

interface LineRow {
  product_name: string;
  name: string;
  is_lts: boolean;
  released_on: string | null;
  latest_version: string | null;
  active_support: string | null;
  end_of_life: string | null;
  extended_support: string | null;
}

function toLine(row: LineRow): LifecycleLine {
  return {
    name: row.name,
    isLts: row.is_lts,
    releasedOn: row.released_on,
    latest: row.latest_version,
    ends: {
      active_support: toPhaseEnd(row.active_support),
      end_of_life: toPhaseEnd(row.end_of_life),
      extended_support: toPhaseEnd(row.extended_support),
    },
  };
}

function toPhaseEnd(text: string | null): PhaseEnd {
  return text === 'true' || text === 'false' ? text === 'true' : text;
}

/** Reads the application versions in the releases of a chart. */
export async function readApplicationVersions(
  db: Database | Tx,
  job: { organizationId: number; id: number },
): Promise<Map<string, string>> {
  const { rows } = await sql<{ version: string; app_version: string }>`
    SELECT version, app_version FROM releases
    WHERE organization_id = ${job.organizationId} AND gather_job_id = ${job.id} AND app_version <> ''`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.version, row.app_version]));
}
