import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { packageKey } from '../../domain/vulnerabilities/osv-package.ts';
import type { VulnerabilityRecord } from '../../domain/vulnerabilities/read-vulnerability.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { FollowedPackage } from './followed-packages.ts';

export interface VulnerabilityBatch {
  readonly records: readonly VulnerabilityRecord[];
  /**
   * Packages by key, with the IDs of all their records. Listed records that aren't in the batches were stored
   * earlier.
   */
  readonly listed?: readonly { readonly key: string; readonly ids: readonly string[] }[];
  /** IDs of records that no longer exist or can't be read. Their stored data is kept while they are listed. */
  readonly unreadable?: readonly string[];
}

/** Summary of the data that a load has read into the temporary tables. */
export interface StagedSummary {
  count: number;
  /** Ecosystems that all records have in common. `null` before the first record. */
  ecosystems: Set<string> | null;
  newestMs: number | null;
  /** Keys of packages whose records are listed. */
  keys: Set<string>;
  /** IDs of all processed records, including unreadable ones. */
  ids: Set<string>;
}

const rowsPerStatement = 500;
/** Maximum size of a statement's rows. A record can be 2 MB, and a string must stay under 512 MB. */
const bytesPerStatement = 4 * 1024 * 1024;

/** Writes the records of followed packages to a temporary table, so that memory use is limited to one batch. */
export async function stageVulnerabilities(
  tx: Tx,
  batches: AsyncIterable<VulnerabilityBatch>,
  followed: ReadonlyMap<string, FollowedPackage>,
): Promise<StagedSummary> {
  await sql`
    CREATE TEMPORARY TABLE incoming_vulnerabilities (
      package_key text, id text, aliases text[], is_withdrawn boolean, severity text, summary text, affected jsonb,
      fingerprint text, modified_at timestamptz, published_at timestamptz, PRIMARY KEY (package_key, id))
    ON COMMIT DROP`.execute(tx);
  await sql`
    CREATE TEMPORARY TABLE listed_vulnerabilities (package_key text, id text, PRIMARY KEY (package_key, id))
    ON COMMIT DROP`.execute(tx);
  const seen: StagedSummary = { count: 0, ecosystems: null, newestMs: null, keys: new Set(), ids: new Set() };
  let rows: IncomingRow[] = [];
  let bytes = 0;
  for await (const { records, listed = [], unreadable = [] } of batches) {
    await insertListed(tx, listed, seen);
    for (const id of unreadable) seen.ids.add(id);
    for (const record of records) {
      seen.count++;
      seen.ids.add(record.id);
      if (record.changedAtMs !== null) seen.newestMs = Math.max(seen.newestMs ?? 0, record.changedAtMs);
      const ecosystems = new Set(record.affected.map(({ ecosystem }) => ecosystem));
      for (const known of seen.ecosystems ?? []) if (!ecosystems.has(known)) seen.ecosystems?.delete(known);
      seen.ecosystems ??= ecosystems;
      for (const { row, size } of toRows(record, followed)) {
        rows.push(row);
        bytes += size;
        if (rows.length < rowsPerStatement && bytes < bytesPerStatement) continue;
        await insertIncoming(tx, rows);
        rows = [];
        bytes = 0;
      }
    }
  }
  await insertIncoming(tx, rows);
  return seen;
}

async function insertListed(
  tx: Tx,
  listed: NonNullable<VulnerabilityBatch['listed']>,
  seen: StagedSummary,
): Promise<void> {
  for (const { key } of listed) seen.keys.add(key);
  const pairs = listed.flatMap(({ key, ids }) => ids.map((id) => ({ key, id })));
  if (pairs.length === 0) return;
  await sql`
    INSERT INTO listed_vulnerabilities
    SELECT * FROM unnest(${pairs.map(({ key }) => key)}::text[], ${pairs.map(({ id }) => id)}::text[])
    ON CONFLICT DO NOTHING`.execute(tx);
}

interface IncomingRow {
  package_key: string;
  id: string;
  aliases: readonly string[];
  is_withdrawn: boolean;
  severity: string | null;
  summary: string;
  affected: VulnerabilityRecord['affected'];
  fingerprint: string;
  modified_at: string | null;
  published_at: string | null;
}

/** Returns one row for each followed package that the record affects. */
function toRows(
  record: VulnerabilityRecord,
  followed: ReadonlyMap<string, FollowedPackage>,
): { row: IncomingRow; size: number }[] {
  const { id, aliases, isWithdrawn, severity, summary, modified, published } = record;
  return [...Map.groupBy(record.affected, packageKey)].flatMap(([package_key, affected]) => {
    if (!followed.has(package_key)) return [];
    const row = {
      package_key,
      id,
      aliases,
      is_withdrawn: isWithdrawn,
      severity,
      summary,
      affected,
      published_at: published,
    };
    const json = JSON.stringify(row);
    const fingerprint = hash('sha256', json, 'base64url').slice(0, 22);
    return [{ row: { ...row, fingerprint, modified_at: modified }, size: json.length }];
  });
}

/** Inserts rows into the temporary table. The last duplicate of a record replaces the previous ones. */
async function insertIncoming(tx: Tx, rows: readonly IncomingRow[]): Promise<void> {
  if (rows.length === 0) return;
  const uniqueRows = [...new Map(rows.map((row) => [`${row.package_key} ${row.id}`, row])).values()];
  await sql`
    INSERT INTO incoming_vulnerabilities
    SELECT package_key, id, ARRAY(SELECT json_array_elements_text(aliases)), is_withdrawn, severity, summary,
      affected::jsonb, fingerprint, modified_at, published_at
    FROM json_to_recordset(${JSON.stringify(uniqueRows)}::json) AS given (
      package_key text, id text, aliases json, is_withdrawn boolean, severity text, summary text, affected json,
      fingerprint text, modified_at timestamptz, published_at timestamptz)
    ON CONFLICT (package_key, id) DO UPDATE SET aliases = EXCLUDED.aliases, is_withdrawn = EXCLUDED.is_withdrawn,
      severity = EXCLUDED.severity, summary = EXCLUDED.summary, affected = EXCLUDED.affected,
      fingerprint = EXCLUDED.fingerprint, modified_at = EXCLUDED.modified_at,
      published_at = EXCLUDED.published_at`.execute(tx);
}

/** Returns true if the records of the package with this key are complete. */
type IsComplete = (key: string) => boolean;

export function isInEcosystem({ ecosystems }: StagedSummary): IsComplete {
  const prefixes = [...(ecosystems ?? [])].map((ecosystem) => `${ecosystem}/`);
  return (key) => prefixes.some((prefix) => key.startsWith(prefix));
}

/**
 * Adds records that were stored earlier. The result is false for a package with missing records. Records can
 * be missing if a file was loaded after the fetch and replaced records that the agent didn't fetch again.
 */
export async function addStoredRecords(tx: Tx, { keys, ids }: StagedSummary): Promise<IsComplete> {
  // OSV doesn't list withdrawn records. Keep the stored ones, because they explain why a package without other records
  // has no vulnerabilities.
  await sql`
    INSERT INTO incoming_vulnerabilities
    SELECT package_key, id, aliases, is_withdrawn, severity, summary, affected, fingerprint, modified_at,
      published_at
    FROM vulnerabilities stored
    WHERE organization_id = 1 AND package_key = ANY(${[...keys]}::text[]) AND (is_withdrawn OR EXISTS (
      SELECT FROM listed_vulnerabilities listed WHERE listed.package_key = stored.package_key AND listed.id = stored.id))
    ON CONFLICT DO NOTHING`.execute(tx);
  const { rows } = await sql<{ package_key: string; id: string }>`
    SELECT package_key, id FROM listed_vulnerabilities listed WHERE NOT EXISTS (
      SELECT FROM incoming_vulnerabilities given WHERE given.package_key = listed.package_key AND given.id = listed.id)`.execute(
    tx,
  );
  const incomplete = new Set(rows.filter(({ id }) => !ids.has(id)).map(({ package_key }) => package_key));
  return (key) => keys.has(key) && !incomplete.has(key);
}

/**
 * Marks the packages whose records are complete, and drops the incoming records of all other packages. Also stores
 * packages without records, to distinguish them from packages that weren't loaded.
 */
export async function markCompletePackages(
  tx: Tx,
  keys: readonly string[],
  followed: ReadonlyMap<string, FollowedPackage>,
): Promise<void> {
  await sql`CREATE TEMPORARY TABLE covered_packages (key text PRIMARY KEY) ON COMMIT DROP`.execute(tx);
  await sql`INSERT INTO covered_packages SELECT unnest(${keys}::text[])`.execute(tx);
  await sql`
    DELETE FROM incoming_vulnerabilities WHERE NOT EXISTS (
      SELECT FROM covered_packages WHERE covered_packages.key = incoming_vulnerabilities.package_key)`.execute(
    tx,
  );
  // Sort the values as in the stored rows, so that they can be compared.
  const rows = keys.map((key) => {
    const { purls, catalogKeys } = followed.get(key)!;
    return { key, purls: [...purls].toSorted(), catalog_keys: [...catalogKeys].toSorted() };
  });
  await sql`
    CREATE TEMPORARY TABLE incoming_packages ON COMMIT DROP AS
    SELECT given.key, ARRAY(SELECT json_array_elements_text(purls)) AS purls,
      ARRAY(SELECT json_array_elements_text(catalog_keys)) AS catalog_keys,
      coalesce(record.fingerprint, '') AS fingerprint, coalesce(record.count, 0) AS count
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS given (key text, purls json, catalog_keys json)
    LEFT JOIN (
      SELECT package_key, count(*)::integer AS count,
        md5(string_agg(fingerprint, ' ' ORDER BY id COLLATE "C")) AS fingerprint
      FROM incoming_vulnerabilities GROUP BY package_key
    ) AS record ON record.package_key = given.key`.execute(tx);
}
