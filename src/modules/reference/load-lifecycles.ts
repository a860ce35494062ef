import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { packageUrlsWithOtherVersions } from '../../domain/catalog/software.ts';
import { isReferenceDataExpired } from '../../domain/rules/reference-age.ts';
import { supportRuleTypeIds } from '../../domain/rules/rule-types.ts';
import type { LifecycleLine, LifecycleProduct } from '../../domain/support/read-lifecycles.ts';
import type { PhaseEnd } from '../../domain/support/support-phases.ts';
import { type Database, type Tx, transaction } from '../../platform/database/index.ts';
import { lifecycleProductSql, triggerEvaluationsAcrossOrganizations } from '../monitoring/index.ts';
import { catalogKeys } from './catalog-keys.ts';
import { type ChangedVerdicts, findLargeLifecycleChanges } from './count-changed-verdicts.ts';
import { deleteWaitingLoad } from './waiting-loads.ts';

export interface LifecycleData {
  /** Time at which the data was known to be current, in milliseconds since 1970. */
  readonly asOfMs: number;
  readonly products: readonly LifecycleProduct[];
  /** True if an operator has confirmed a load that changes many results. */
  readonly isConfirmed?: boolean;
}

export type LoadOutcome =
  | {
      readonly outcome: 'loaded';
      readonly products: number;
      readonly lines: number;
      /** Number of products that are new, have changed, or no longer exist. */
      readonly changed: number;
    }
  /** The stored data is newer. */
  | { readonly outcome: 'older'; readonly storedAsOfMs: number }
  /** The load would change many results of these organizations, so nothing was loaded. */
  | { readonly outcome: 'unconfirmed'; readonly changes: readonly ChangedVerdicts[] }
  /**
   * The load is rejected, because the time of its data is in the future. If it were stored, newer data could be
   * mistaken for older data.
   */
  | { readonly outcome: 'in_future' };

/** Allowed time in the future, because clocks differ and sources are generated in other time zones. */
export const futureToleranceMs = 86_400_000;

/** Replaces all lifecycles atomically. Unchanged products aren't written. */
export async function loadLifecycles(db: Database, load: LifecycleData): Promise<LoadOutcome> {
  const { outcome, afterwards } = await transaction(db, (tx) => applyLifecycles(tx, load));
  if (afterwards !== undefined) await transaction(db, afterwards);
  return outcome;
}

export interface AppliedLifecycles {
  readonly outcome: LoadOutcome;
  /** Work to do in a transaction after the commit. */
  readonly afterwards?: (tx: Tx) => Promise<void>;
}

/** Replaces all lifecycles in an existing transaction. The transaction can continue after any outcome. */
export async function applyLifecycles(tx: Tx, load: LifecycleData): Promise<AppliedLifecycles> {
  await sql`SAVEPOINT lifecycles`.execute(tx);
  try {
    const { outcome, about } = await replaceLifecycles(tx, load);
    if (about === undefined) return { outcome };
    return { outcome, afterwards: (later) => triggerRemaining(later, about) };
  } catch (error) {
    if (!(error instanceof UnconfirmedLoadError)) throw error;
    await sql`ROLLBACK TO SAVEPOINT lifecycles`.execute(tx);
    return { outcome: { outcome: 'unconfirmed', changes: error.changes } };
  }
}

/** Products and alert configurations that a load affects. */
interface Changed {
  /** Names of the products, or `null` for all products. */
  readonly products: readonly string[] | null;
  readonly triggered: readonly ConfigKey[];
}

/**
 * Evaluates the configurations that were created or moved to a changed product during the load, because their last
 * evaluation can have used the previous data.
 */
async function triggerRemaining(tx: Tx, { products, triggered }: Changed): Promise<void> {
  const known = new Set(triggered.map(configKey));
  const configs = await listConfigsOfProducts(tx, products);
  await triggerEvaluationsAcrossOrganizations(
    tx,
    configs.filter((each) => !known.has(configKey(each))),
  );
}

/** Thrown to roll back the load, before any evaluation is triggered. */
export class UnconfirmedLoadError extends Error {
  readonly changes: readonly ChangedVerdicts[];

  constructor(changes: readonly ChangedVerdicts[]) {
    super('the load needs a confirmation');
    this.name = 'UnconfirmedLoadError';
    this.changes = changes;
  }
}

async function replaceLifecycles(
  tx: Tx,
  { asOfMs, products, isConfirmed = false }: LifecycleData,
): Promise<{ outcome: LoadOutcome; about?: Changed }> {
  const stored = await lockSource(tx);
  if (asOfMs > stored.nowMs + futureToleranceMs) return { outcome: { outcome: 'in_future' } };
  if (stored.asOfMs !== null && asOfMs < stored.asOfMs)
    return { outcome: { outcome: 'older', storedAsOfMs: stored.asOfMs } };
  const incoming = products.map(toStoredProduct);
  const changes = await findChanges(tx, incoming);
  const changed = [...changes.deleted, ...changes.written.map(({ name }) => name)];
  const wasOld = stored.asOfMs !== null && isReferenceDataExpired(stored.asOfMs, stored.nowMs);
  // Read the configurations before and after the write, because the load can remove products from some
  // configurations and add products to others.
  const before = await listConfigsOfProducts(tx, changed);
  await deleteProducts(tx, changes.deleted);
  await writeProducts(tx, changes.written);
  await sql`
      UPDATE reference_sources SET as_of = to_timestamp(${asOfMs}::float8 / 1000), loaded_at = pacekeeper_now()
      WHERE organization_id = 1 AND name = 'end_of_life'`.execute(tx);
  // If the stored data was too old, results didn't change with time, so the new data can change the results of all
  // products. The first load also changes the reason why products are unknown.
  const about = wasOld || stored.asOfMs === null ? null : changed;
  const after = await listConfigsOfProducts(tx, about);
  const affected = distinctConfigs([...before, ...after]);
  // The first load can't change known results, so it needs no confirmation.
  if (!isConfirmed && stored.asOfMs !== null) {
    const large = await findLargeLifecycleChanges(tx, affected, new Set(changes.added), stored.nowMs);
    if (large.length > 0) throw new UnconfirmedLoadError(large);
  }
  await deleteWaitingLoad(tx, 'end_of_life', asOfMs);
  await triggerEvaluationsAcrossOrganizations(tx, affected);
  return {
    outcome: {
      outcome: 'loaded',
      products: products.length,
      lines: products.reduce((sum, { lines }) => sum + lines.length, 0),
      changed: changes.written.length + changes.deleted.length,
    },
    about: { products: about, triggered: affected },
  };
}

export interface ConfigKey {
  organizationId: number;
  id: number;
}

/**
 * Lists the alert configurations with a support rule for one of these products.
 * @param products Names of the products, or null for any product.
 */
async function listConfigsOfProducts(tx: Tx, products: readonly string[] | null): Promise<ConfigKey[]> {
  if (products?.length === 0) return [];
  const isWanted =
    products === null ? sql`true` : sql`${lifecycleProductSql('g')} = ANY(${products}::text[])`;
  const { rows } = await sql<{ organization_id: number; id: number }>`
    SELECT c.organization_id, c.id FROM rules r
    JOIN alert_configs c ON c.organization_id = r.organization_id AND c.rule_id = r.id
    JOIN gather_jobs g ON g.organization_id = c.gather_organization_id AND g.id = c.gather_job_id
    WHERE r.rule_type = ANY(${supportRuleTypeIds}) AND ${isWanted}`.execute(tx);
  return rows.map((row) => ({ organizationId: row.organization_id, id: row.id }));
}

export function distinctConfigs(configs: readonly ConfigKey[]): ConfigKey[] {
  return [...new Map(configs.map((each) => [configKey(each), each])).values()];
}

export function configKey({ organizationId, id }: ConfigKey): string {
  return `${organizationId}/${id}`;
}

/** Locks the source, so that only one load runs at a time. */
async function lockSource(tx: Tx): Promise<{ asOfMs: number | null; nowMs: number }> {
  const { rows } = await sql<{ as_of: Date | null; now: Date }>`
    SELECT as_of, pacekeeper_now() AS now FROM reference_sources
    WHERE organization_id = 1 AND name = 'end_of_life' FOR UPDATE`.execute(tx);
  return { asOfMs: rows[0]!.as_of?.getTime() ?? null, nowMs: rows[0]!.now.getTime() };
}

interface StoredProduct extends LifecycleProduct {
  readonly catalogKeys: readonly string[];
  readonly fingerprint: string;
}

function toStoredProduct(loaded: LifecycleProduct): StoredProduct {
  const product = {
    ...loaded,
    purls: loaded.purls.filter((purl) => !packageUrlsWithOtherVersions.has(purl)),
  };
  const keys = catalogKeys(({ lifecycle_product }) => lifecycle_product === product.name);
  const hash = createHash('sha256')
    .update(JSON.stringify([product, keys]))
    .digest('base64url');
  return { ...product, catalogKeys: keys, fingerprint: hash.slice(0, 22) };
}

async function findChanges(
  tx: Tx,
  incoming: readonly StoredProduct[],
): Promise<{ written: StoredProduct[]; added: string[]; deleted: string[] }> {
  const { rows } = await sql<{ name: string; fingerprint: string }>`
    SELECT name, fingerprint FROM lifecycle_products WHERE organization_id = 1`.execute(tx);
  const stored = new Map(rows.map(({ name, fingerprint }) => [name, fingerprint]));
  const names = new Set(incoming.map(({ name }) => name));
  return {
    written: incoming.filter(({ name, fingerprint }) => stored.get(name) !== fingerprint),
    added: [...names].filter((name) => !stored.has(name)),
    deleted: rows.map(({ name }) => name).filter((name) => !names.has(name)),
  };
}

async function deleteProducts(tx: Tx, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await sql`
    DELETE FROM lifecycle_products WHERE organization_id = 1 AND name = ANY(${names}::text[])`.execute(tx);
}

async function writeProducts(tx: Tx, products: readonly StoredProduct[]): Promise<void> {
  if (products.length === 0) return;
  const rows = products.map(({ name, label, purls, catalogKeys, fingerprint }) => ({
    name,
    label,
    purls,
    catalog_keys: catalogKeys,
    fingerprint,
  }));
  await sql`
    INSERT INTO lifecycle_products (name, label, purls, catalog_keys, fingerprint)
    SELECT name, label, ARRAY(SELECT json_array_elements_text(purls)),
      ARRAY(SELECT json_array_elements_text(catalog_keys)), fingerprint
    FROM json_to_recordset(${JSON.stringify(rows)}::json)
      AS given (name text, label text, purls json, catalog_keys json, fingerprint text)
    ON CONFLICT (organization_id, name) DO UPDATE
    SET label = EXCLUDED.label, purls = EXCLUDED.purls, catalog_keys = EXCLUDED.catalog_keys,
      fingerprint = EXCLUDED.fingerprint`.execute(tx);
  await sql`
    DELETE FROM lifecycle_releases
    WHERE organization_id = 1 AND product_name = ANY(${products.map(({ name }) => name)}::text[])`.execute(
    tx,
  );
  const lines = products.flatMap(({ name, lines: ofProduct }) =>
    ofProduct.map((line, index) => toLineRow(name, index + 1, line)),
  );
  await sql`
    INSERT INTO lifecycle_releases (
      product_name, position, name, is_lts, released_on, latest_version, active_support, end_of_life, extended_support)
    SELECT product_name, position, name, is_lts, released_on, latest_version, active_support, end_of_life,
      extended_support
    FROM json_to_recordset(${JSON.stringify(lines)}::json) AS given (
      product_name text, position integer, name text, is_lts boolean, released_on text, latest_version text,
      active_support text, end_of_life text, extended_support text)`.execute(tx);
}

function toLineRow(product: string, position: number, line: LifecycleLine) {
  const { active_support, end_of_life, extended_support } = line.ends;
  return {
    product_name: product,
    position,
    name: line.name,
    is_lts: line.isLts,
    released_on: line.releasedOn,
    latest_version: line.latest,
    active_support: toColumn(active_support),
    end_of_life: toColumn(end_of_life),
    extended_support: toColumn(extended_support),
  };
}

function toColumn(end: PhaseEnd): string | null {
  return end === null ? null : String(end);
}
