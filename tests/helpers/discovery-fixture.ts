import { sql } from 'kysely';
import type { Database } from '../../src/platform/database/index.ts';

export interface ItemSeed {
  key?: string;
  path?: string;
  line?: number;
  extractor?: string;
  name?: string | null;
  artifact_kind?: string;
  artifact_name?: string;
  artifact_purl?: string | null;
  version?: string | null;
  version_state?: string;
  digest?: string | null;
  matched_version?: string | null;
  reason?: string | null;
  renovate_ignore?: string | null;
  labels?: Record<string, string>;
  proposal?: object | null;
  confidence?: 'certain' | 'likely' | 'none';
  status?: 'new' | 'accepted' | 'ignored' | 'gone';
  duplicate_of_id?: number | null;
  scrape_job_id?: number | null;
  missing_since?: string | null;
}

/**
 * Stores items as a scan does.
 * @returns The IDs of the items, in the same order.
 */
export async function insertItems(
  db: Database,
  organizationId: number,
  discoveryJobId: number,
  items: readonly ItemSeed[],
): Promise<number[]> {
  const seeds = items.map((item, index) => ({
    key: `kubernetes:Deployment::web-${index}:image`,
    path: `clusters/prod/web-${index}.yaml`,
    line: 1,
    extractor: 'kubernetes',
    kind: 'Deployment',
    namespace: null,
    name: `web-${index}`,
    field: 'image',
    artifact_kind: 'image',
    artifact_name: 'ghcr.io/acme/web',
    artifact_purl: 'pkg:oci/web?repository_url=ghcr.io%2Facme%2Fweb',
    version: '1.2.3',
    version_state: 'exact',
    reason: null,
    renovate_ignore: null,
    labels: {},
    status: 'new',
    duplicate_of_id: null,
    digest: null,
    matched_version: null,
    scrape_job_id: null,
    missing_since: null,
    blob_id: 'a'.repeat(40),
    proposal: { ...proposal },
    confidence: 'certain',
    ...item,
  }));
  const { rows } = await sql<{ id: number }>`
    INSERT INTO discovered_items (organization_id, discovery_job_id, key, path, line, extractor, kind, namespace, name, field,
      artifact_kind, artifact_name, artifact_purl, version, version_state, reason, renovate_ignore, labels, status,
      duplicate_of_id, scrape_job_id, missing_since, blob_id, proposal, confidence, proposal_confidence, digest,
      matched_version)
    SELECT ${organizationId}, ${discoveryJobId}, key, path, line, extractor, kind, namespace, name, field, artifact_kind,
      artifact_name, artifact_purl, version, version_state, reason, renovate_ignore, labels, status, duplicate_of_id,
      scrape_job_id, missing_since, blob_id, nullif(proposal, 'null'), confidence, confidence, digest, matched_version
    FROM jsonb_to_recordset(${JSON.stringify(seeds)}::jsonb) AS seed (
      key text, path text, line integer, extractor text, kind text, namespace text, name text, field text,
      artifact_kind text, artifact_name text, artifact_purl text, version text, version_state text, reason text, renovate_ignore text,
      labels jsonb, status text, duplicate_of_id bigint, scrape_job_id bigint, missing_since timestamptz, blob_id text,
      proposal jsonb, confidence text, digest text, matched_version text)
    RETURNING id`.execute(db);
  return rows.map(({ id }) => id);
}

const proposal = {
  source_type: 'oci_registry',
  artifact_name: 'ghcr.io/acme/web',
  source_options: {},
  version_pattern: null,
  version_scheme: null,
  why: 'the registry of the image',
};

/** Inserts a scrape job that a discovery job feeds. */
export async function insertManagedScrapeJob(
  db: Database,
  organizationId: number,
  discoveryJobId: number,
  version = '1.2.3',
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO scrape_jobs (organization_id, name, parser_type, discovery_job_id, repository_url, ref, target_file,
      latest_version, latest_version_at)
    VALUES (${organizationId}, 'web', 'discovered', ${discoveryJobId}, 'https://git.example.org/acme/deploy', 'HEAD',
      'clusters/prod/web.yaml', ${version}, pacekeeper_now())
    RETURNING id`.execute(db);
  return rows[0]!.id;
}
