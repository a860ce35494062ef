import { type RawBuilder, sql } from 'kysely';

export interface DerivedProduct {
  name: string;
  source: 'catalog' | 'purl';
}

/**
 * Returns the product whose lifecycle applies to a gather job by default. A product from the catalog takes
 * precedence over one from the package URLs.
 */
export function derivedProductSql(job: string): RawBuilder<DerivedProduct | null> {
  return sql<DerivedProduct | null>`(
    SELECT jsonb_build_object(
      'name', p.name, 'source', CASE WHEN p.catalog_keys && ${keysOf(job)} THEN 'catalog' ELSE 'purl' END)
    FROM lifecycle_products p WHERE ${isOf(job)} LIMIT 1)`;
}

/** Returns the name of the product whose lifecycle applies to a gather job, or null if none is known. */
export function lifecycleProductSql(job: string): RawBuilder<string | null> {
  return sql<string | null>`coalesce(${sql.ref(`${job}.lifecycle_product`)}, (
    SELECT p.name FROM lifecycle_products p WHERE ${isOf(job)} LIMIT 1))`;
}

function isOf(job: string): RawBuilder<unknown> {
  return sql`p.organization_id = 1 AND (p.purls || p.catalog_keys) && ${keysOf(job)}
    ORDER BY p.catalog_keys && ${keysOf(job)} DESC, p.name`;
}

/**
 * Returns the keys of a gather job in the format of `lifecycle_products`. Jobs without package URLs are
 * matched by their source.
 */
function keysOf(job: string): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${job}.${name}`);
  return sql`array_append(${column('purls')}, ${column('source_type')} || ' ' || ${column('artifact_name')})`;
}
