import { sql } from 'kysely';
import { isReferenceDataExpired } from '../../domain/rules/reference-age.ts';
import { vulnerabilityRuleTypeIds } from '../../domain/rules/rule-types.ts';
import { readVulnerability } from '../../domain/vulnerabilities/read-vulnerability.ts';
import { type Database, type Tx, transaction } from '../../platform/database/index.ts';
import { triggerEvaluationsAcrossOrganizations, vulnerabilityPackagesSql } from '../monitoring/index.ts';
import { findLargeFindingChanges } from './count-changed-findings.ts';
import type { ChangedVerdicts } from './count-changed-verdicts.ts';
import { type FollowedPackage, readFollowedPackages } from './followed-packages.ts';
import {
  type ConfigKey,
  configKey,
  distinctConfigs,
  futureToleranceMs,
  UnconfirmedLoadError,
} from './load-lifecycles.ts';
import {
  addStoredRecords,
  isInEcosystem,
  markCompletePackages,
  stageVulnerabilities,
  type VulnerabilityBatch,
} from './stage-vulnerabilities.ts';
import { deleteWaitingLoad } from './waiting-loads.ts';

interface FileLoad {
  /**
   * Returns parsed OSV records, in batches. Called again if the transaction is retried. Values that aren't
   * records are skipped.
   */
  readonly records: () => AsyncIterable<readonly unknown[]>;
  /**
   * Time at which the records were known to be current, in milliseconds since 1970. `null` to use the time of
   * the newest change in the records.
   */
  readonly asOfMs: number | null;
  /** True if an operator has confirmed a load that changes many results. */
  readonly isConfirmed?: boolean;
}

export interface VulnerabilityLoad extends Omit<FileLoad, 'records'> {
  readonly batches: () => AsyncIterable<VulnerabilityBatch>;
  /**
   * True if the batches list all records of certain packages. Otherwise, the batches contain all records of
   * one ecosystem, as do the files that OSV publishes.
   */
  readonly isListed: boolean;
}

export type VulnerabilityLoadOutcome =
  | {
      readonly outcome: 'loaded';
      readonly asOfMs: number;
      /**
       * Number of records read. `kept` is the number of records that affect followed packages; a record can
       * affect several packages.
       */
      readonly records: number;
      readonly kept: number;
      readonly packages: number;
      /** Number of packages whose records are new, have changed, or no longer exist. */
      readonly changed: number;
    }
  /** The stored data is newer. */
  | { readonly outcome: 'older'; readonly asOfMs: number; readonly storedAsOfMs: number }
  /** The load would change many results of these organizations, so nothing was loaded. */
  | { readonly outcome: 'unconfirmed'; readonly changes: readonly ChangedVerdicts[] }
  /** The time of the data is in the future. Newer data could then be treated as older than this data. */
  | { readonly outcome: 'in_future'; readonly asOfMs: number }
  /** The load contains no records, or no record has a modification time. */
  | { readonly outcome: 'no_records' }
  /** The records have no ecosystem in common, so it isn't clear for which ecosystem they are complete. */
  | { readonly outcome: 'no_common_ecosystem' };

/**
 * Replaces the vulnerabilities of an ecosystem atomically, with low memory use for any number of records.
 * Records of packages that aren't followed are dropped, and unchanged records aren't written.
 */
export async function loadVulnerabilities(
  db: Database,
  { records, ...load }: FileLoad,
): Promise<VulnerabilityLoadOutcome> {
  const batches = () => readBatches(records());
  const { outcome, afterwards } = await transaction(db, (tx) =>
    applyVulnerabilities(tx, { ...load, batches, isListed: false }),
  );
  if (afterwards !== undefined) await transaction(db, afterwards);
  return outcome;
}

async function* readBatches(
  records: AsyncIterable<readonly unknown[]>,
): AsyncGenerator<VulnerabilityBatch, void, undefined> {
  for await (const values of records)
    yield { records: values.map(readVulnerability).filter((record) => record !== null) };
}

export interface AppliedVulnerabilities {
  readonly outcome: VulnerabilityLoadOutcome;
  /** Work to do in a transaction after the commit. */
  readonly afterwards?: (tx: Tx) => Promise<void>;
}

/** Replaces vulnerabilities in an existing transaction. The transaction can continue after any outcome. */
export async function applyVulnerabilities(tx: Tx, load: VulnerabilityLoad): Promise<AppliedVulnerabilities> {
  await sql`SAVEPOINT vulnerabilities`.execute(tx);
  try {
    const { outcome, about } = await replaceVulnerabilities(tx, load);
    if (about === undefined) {
      await sql`ROLLBACK TO SAVEPOINT vulnerabilities`.execute(tx);
      return { outcome };
    }
    return { outcome, afterwards: (later) => triggerRemaining(later, about) };
  } catch (error) {
    if (!(error instanceof UnconfirmedLoadError)) throw error;
    await sql`ROLLBACK TO SAVEPOINT vulnerabilities`.execute(tx);
    return { outcome: { outcome: 'unconfirmed', changes: error.changes } };
  }
}

/** Packages and alert configurations that a load affects. */
interface ChangedPackages {
  /** Keys of the packages, or `null` for all packages. */
  readonly keys: readonly string[] | null;
  readonly triggered: readonly ConfigKey[];
}

async function replaceVulnerabilities(
  tx: Tx,
  load: VulnerabilityLoad,
): Promise<{ outcome: VulnerabilityLoadOutcome; about?: ChangedPackages }> {
  const stored = await lockSource(tx);
  const followed = await readFollowedPackages(tx);
  const seen = await stageVulnerabilities(tx, load.batches(), followed);
  const asOfMs = load.asOfMs ?? seen.newestMs;
  if (asOfMs === null || (load.isListed ? seen.keys.size === 0 : seen.count === 0))
    return { outcome: { outcome: 'no_records' } };
  if (asOfMs > stored.nowMs + futureToleranceMs) return { outcome: { outcome: 'in_future', asOfMs } };
  if (!load.isListed && seen.ecosystems?.size === 0) return { outcome: { outcome: 'no_common_ecosystem' } };
  const isComplete = load.isListed ? await addStoredRecords(tx, seen) : isInEcosystem(seen);
  await markCompletePackages(tx, [...followed.keys()].filter(isComplete), followed);
  const storedAsOfMs = await newestCovered(tx);
  if (storedAsOfMs !== null && asOfMs < storedAsOfMs)
    return { outcome: { outcome: 'older', asOfMs, storedAsOfMs } };

  const { changed, changedCount } = await findChangedPackages(tx);
  const added = await findNewPackages(tx);
  const wasOld = stored.asOfMs !== null && isReferenceDataExpired(stored.asOfMs, stored.nowMs);
  // Read the configurations before and after the write, because the load can remove packages from some
  // configurations and add packages to others.
  const before = await listConfigsAboutPackages(tx, changed);
  const counts = await write(tx, followed, asOfMs);
  // If the stored data was too old, results didn't change with time, so the new data can change the results of all
  // packages.
  const about = wasOld || stored.asOfMs === null ? null : changed;
  const affected = distinctConfigs([...before, ...(await listConfigsAboutPackages(tx, about))]);
  // The first load can't change known results, so it needs no confirmation.
  if (load.isConfirmed !== true && stored.asOfMs !== null) {
    const large = await findLargeFindingChanges(tx, affected, added, stored.nowMs);
    if (large.length > 0) throw new UnconfirmedLoadError(large);
  }
  // A file contains the records of only one ecosystem, so it doesn't replace a waiting load.
  if (load.isListed) await deleteWaitingLoad(tx, 'vulnerabilities', asOfMs);
  await triggerEvaluationsAcrossOrganizations(tx, affected);
  return {
    outcome: { outcome: 'loaded', asOfMs, records: seen.count, ...counts, changed: changedCount },
    about: { keys: about, triggered: affected },
  };
}

/**
 * Evaluates the configurations that were created or moved to a changed package during the load, because their last
 * evaluation can have used the previous data.
 */
async function triggerRemaining(tx: Tx, { keys, triggered }: ChangedPackages): Promise<void> {
  const known = new Set(triggered.map(configKey));
  const configs = await listConfigsAboutPackages(tx, keys);
  await triggerEvaluationsAcrossOrganizations(
    tx,
    configs.filter((each) => !known.has(configKey(each))),
  );
}

/**
 * Lists the alert configurations with a vulnerability rule for one of these packages.
 * @param keys Keys of the packages, or null for any package.
 */
async function listConfigsAboutPackages(tx: Tx, keys: readonly string[] | null): Promise<ConfigKey[]> {
  if (keys?.length === 0) return [];
  const isWanted = keys === null ? sql`true` : sql`${vulnerabilityPackagesSql('g')} && ${keys}::text[]`;
  const { rows } = await sql<{ organization_id: number; id: number }>`
    SELECT c.organization_id, c.id FROM rules r
    JOIN alert_configs c ON c.organization_id = r.organization_id AND c.rule_id = r.id
    JOIN gather_jobs g ON g.organization_id = c.gather_organization_id AND g.id = c.gather_job_id
    WHERE r.rule_type = ANY(${vulnerabilityRuleTypeIds}) AND ${isWanted}`.execute(tx);
  return rows.map((row) => ({ organizationId: row.organization_id, id: row.id }));
}

/** Locks the source, so that only one load runs at a time. */
async function lockSource(tx: Tx): Promise<{ asOfMs: number | null; nowMs: number }> {
  const { rows } = await sql<{ as_of: Date | null; now: Date }>`
    SELECT as_of, pacekeeper_now() AS now FROM reference_sources
    WHERE organization_id = 1 AND name = 'vulnerabilities' FOR UPDATE`.execute(tx);
  return { asOfMs: rows[0]!.as_of?.getTime() ?? null, nowMs: rows[0]!.now.getTime() };
}

async function newestCovered(tx: Tx): Promise<number | null> {
  const { rows } = await sql<{ as_of: Date | null }>`
    SELECT max(as_of) AS as_of FROM vulnerability_packages JOIN covered_packages USING (key)
    WHERE organization_id = 1`.execute(tx);
  return rows[0]!.as_of?.getTime() ?? null;
}

/**
 * Returns the keys of new packages, of packages whose records, package URLs, or catalog keys have changed,
 * and of covered packages that no longer have records.
 */
async function findChangedPackages(tx: Tx): Promise<{ changed: string[]; changedCount: number }> {
  const { rows } = await sql<{ key: string; has_records: boolean }>`
    SELECT coalesce(given.key, stored.key) AS key,
      coalesce(given.count, 0) > 0 OR coalesce(stored.record_count, 0) > 0 AS has_records
    FROM incoming_packages given
    FULL JOIN (
      SELECT vulnerability_packages.*, EXISTS (SELECT FROM covered_packages WHERE covered_packages.key = vulnerability_packages.key)
        AS is_covered
      FROM vulnerability_packages WHERE organization_id = 1
    ) AS stored USING (key)
    WHERE (given.fingerprint, given.purls, given.catalog_keys)
        IS DISTINCT FROM (stored.fingerprint, stored.purls, stored.catalog_keys)
      AND (given.key IS NOT NULL OR stored.is_covered)`.execute(tx);
  return {
    changed: rows.map(({ key }) => key),
    changedCount: rows.filter((row) => row.has_records).length,
  };
}

/** Returns the keys of packages that had no records before. */
async function findNewPackages(tx: Tx): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM incoming_packages given WHERE NOT EXISTS (
      SELECT FROM vulnerability_packages stored WHERE stored.organization_id = 1 AND stored.key = given.key
        AND stored.record_count > 0)`.execute(tx);
  return new Set(rows.map(({ key }) => key));
}

async function write(
  tx: Tx,
  followed: ReadonlyMap<string, FollowedPackage>,
  asOfMs: number,
): Promise<{ kept: number; packages: number }> {
  const asOf = sql`to_timestamp(${asOfMs}::float8 / 1000)`;
  // Packages outside this load are deleted only if they are no longer followed.
  await sql`
    DELETE FROM vulnerability_packages stored
    WHERE organization_id = 1 AND NOT EXISTS (SELECT FROM incoming_packages WHERE incoming_packages.key = stored.key)
      AND (EXISTS (SELECT FROM covered_packages WHERE covered_packages.key = stored.key)
        OR NOT stored.key = ANY(${[...followed.keys()]}::text[]))`.execute(tx);
  await sql`
    INSERT INTO vulnerability_packages (key, purls, catalog_keys, fingerprint, record_count, as_of)
    SELECT key, purls, catalog_keys, fingerprint, count, ${asOf} FROM incoming_packages
    ON CONFLICT (organization_id, key) DO UPDATE SET purls = EXCLUDED.purls, catalog_keys = EXCLUDED.catalog_keys,
      fingerprint = EXCLUDED.fingerprint, record_count = EXCLUDED.record_count, as_of = EXCLUDED.as_of`.execute(
    tx,
  );
  await sql`
    DELETE FROM vulnerabilities stored USING covered_packages
    WHERE stored.organization_id = 1 AND stored.package_key = covered_packages.key AND NOT EXISTS (
      SELECT FROM incoming_vulnerabilities given WHERE given.package_key = stored.package_key AND given.id = stored.id)`.execute(
    tx,
  );
  await sql`
    INSERT INTO vulnerabilities (
      package_key, id, aliases, is_withdrawn, severity, summary, affected, fingerprint, modified_at, published_at)
    SELECT * FROM incoming_vulnerabilities
    ON CONFLICT (organization_id, package_key, id) DO UPDATE SET aliases = EXCLUDED.aliases,
      is_withdrawn = EXCLUDED.is_withdrawn, severity = EXCLUDED.severity, summary = EXCLUDED.summary,
      affected = EXCLUDED.affected, fingerprint = EXCLUDED.fingerprint, modified_at = EXCLUDED.modified_at,
      published_at = EXCLUDED.published_at
    WHERE (vulnerabilities.fingerprint, vulnerabilities.modified_at)
      IS DISTINCT FROM (EXCLUDED.fingerprint, EXCLUDED.modified_at)`.execute(tx);
  await sql`
    UPDATE reference_sources SET loaded_at = pacekeeper_now(),
      as_of = coalesce((SELECT min(as_of) FROM vulnerability_packages WHERE organization_id = 1), ${asOf})
    WHERE organization_id = 1 AND name = 'vulnerabilities'`.execute(tx);
  const { rows } = await sql<{ kept: number; packages: number }>`
    SELECT (SELECT count(DISTINCT id) FROM incoming_vulnerabilities)::integer AS kept,
      (SELECT count(*) FROM incoming_packages WHERE count > 0)::integer AS packages`.execute(tx);
  return rows[0]!;
}
