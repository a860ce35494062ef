import { sql } from 'kysely';
import { parsePurl } from '../../../domain/artifacts/purl.ts';
import { knownSources } from '../../../domain/catalog/catalog.ts';
import { knownSoftware } from '../../../domain/catalog/software.ts';
import { type AliasSuggestion, suggestAliases } from '../../../domain/discovery/suggest-aliases.ts';
import { type SourceAddress, upstreamOf } from '../../../domain/identity/artifact-aliases.ts';
import type { Database } from '../../../platform/database/index.ts';
import { systemOrganizationId } from '../../accounts/index.ts';
import { readAliases } from '../../settings/index.ts';

/** Maximum number of addresses that are compared to find suggestions. */
const maxAddresses = 10_000;

/** Suggests aliases for the addresses of items and gather jobs that no alias covers. */
export async function listSuggestions(
  db: Database,
  organizationId: number,
): Promise<{ items: AliasSuggestion[]; is_complete: boolean }> {
  const aliases = await readAliases(db, organizationId);
  const items = await listItemAddresses(db, organizationId);
  const jobs = await listJobs(db, organizationId);
  const all = new Map(
    [...items, ...jobs.filter(({ is_own }) => is_own)].map(({ source_type, artifact_name }) => [
      `${source_type} ${artifact_name}`,
      { source_type, artifact_name },
    ]),
  );
  const uncovered = [...all.values()].filter((source) => upstreamOf(source, aliases) === null);
  const read = jobs.filter(({ is_read }) => is_read);
  return {
    items: suggestAliases(uncovered, [...catalogAddresses, ...read]),
    is_complete: items.length < maxAddresses && jobs.length < maxAddresses,
  };
}

/**
 * Lists the distinct addresses of items, as written in their files. Many items have the same address, so each
 * step of the recursive query skips to the next distinct address in the index.
 */
async function listItemAddresses(db: Database, organizationId: number): Promise<SourceAddress[]> {
  const next = sql`SELECT items.address FROM discovered_items AS items
    WHERE items.organization_id = ${organizationId} AND items.address IS NOT NULL`;
  const { rows } = await sql<SourceAddress>`
    WITH RECURSIVE found AS (
      (${next} ORDER BY items.address LIMIT 1)
      UNION ALL
      SELECT following.address FROM found CROSS JOIN LATERAL (
        ${next} AND items.address > found.address ORDER BY items.address LIMIT 1
      ) AS following
    )
    SELECT written ->> 'source_type' AS source_type, written ->> 'artifact_name' AS artifact_name
    FROM (SELECT address FROM found LIMIT ${sql.lit(maxAddresses)}) AS found
    CROSS JOIN LATERAL (
      SELECT coalesce(items.mirror -> 'proposal', items.proposal) AS written FROM discovered_items AS items
      WHERE items.organization_id = ${organizationId} AND items.address = found.address
      LIMIT 1
    ) AS item`.execute(db);
  return rows;
}

interface JobAddress extends SourceAddress {
  is_own: boolean;
  /** True if a run has read the source, so it exists. */
  is_read: boolean;
}

async function listJobs(db: Database, organizationId: number): Promise<JobAddress[]> {
  const { rows } = await sql<JobAddress>`
    SELECT source_type, artifact_name, bool_or(organization_id = ${organizationId}) AS is_own,
      bool_or(last_success_at IS NOT NULL) AS is_read
    FROM gather_jobs
    WHERE organization_id = ANY(${[organizationId, systemOrganizationId]}::bigint[])
      AND source_type IN ('oci_registry', 'helm_repository', 'git_tags', 'github_releases', 'gitlab_releases', 'gitea_releases')
    GROUP BY source_type, artifact_name
    LIMIT ${sql.lit(maxAddresses)}`.execute(db);
  return rows;
}

/** Addresses of the catalog, and of known images and charts. */
const catalogAddresses: readonly SourceAddress[] = [
  ...knownSources.filter(({ source_type }) => source_type !== 'http_json' && source_type !== 'http_text'),
  ...knownSoftware.flatMap(({ purls }) => purls.flatMap(addressOfPurl)),
];

function addressOfPurl(text: string): SourceAddress[] {
  const purl = parsePurl(text);
  const repository = purl?.qualifiers.find(([key]) => key === 'repository_url')?.[1];
  if (purl?.type === 'github')
    return [
      {
        source_type: 'github_releases',
        artifact_name: `github.com/${[...purl.namespace, purl.name].join('/')}`,
      },
    ];
  if (repository === undefined) return [];
  return purl?.type === 'helm'
    ? [{ source_type: 'helm_repository', artifact_name: `${repository}/${purl.name}` }]
    : [{ source_type: 'oci_registry', artifact_name: repository }];
}
