import { type RawBuilder, sql } from 'kysely';

export interface DerivedProduct {
  name: string;
  source: 'catalog' | 'purl';
}

/** The product whose lifecycle a gather job has unless it says otherwise: of the catalog before that of its package URLs. */
export function derivedProductOf(job: string): RawBuilder<DerivedProduct | null> {
  return sql<DerivedProduct | null>`(
    SELECT jsonb_build_object(
      'name', p.name, 'source', CASE WHEN p.catalog_keys && ${keysOf(job)} THEN 'catalog' ELSE 'purl' END)
    FROM lifecycle_products p WHERE ${isOf(job)} LIMIT 1)`;
}

/** The name of the product whose lifecycle a gather job has, null if none is known. */
export function lifecycleProductOf(job: string): RawBuilder<string | null> {
  return sql<string | null>`coalesce(${sql.ref(`${job}.lifecycle_product`)}, (
    SELECT p.name FROM lifecycle_products p WHERE ${isOf(job)} LIMIT 1))`;
}

function isOf(job: string): RawBuilder<unknown> {
  return sql`p.organization_id = 1 AND (p.purls || p.catalog_keys) && ${keysOf(job)}
    ORDER BY p.catalog_keys && ${keysOf(job)} DESC, p.name`;
}

/** As `lifecycle_products` has them. Jobs without package URLs are found by what they read. */
function keysOf(job: string): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${job}.${name}`);
  return sql`array_append(${column('purls')}, ${column('source_type')} || ' ' || ${column('artifact_name')})`;
}
