import { sql } from 'kysely';
import { createLineMatcher, findMostSpecificVersion } from '../../../domain/versions/most-specific.ts';
import type { VersionSchemeId } from '../../../domain/versions/version-scheme.ts';
import { versionScheme } from '../../../domain/versions/versions.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { effectiveRegistrySql, gatherJobsOfItemSql, hasDecisiveDigest } from '../model/item-version-sql.ts';

/** Maximum number of items per statement. */
const matchBatchSize = 1_000;

export interface MatchedItem {
  id: number;
  discovery_job_id: number;
}

interface ItemTags extends MatchedItem {
  digest: string;
  /** Tags of the first gather job whose releases have the digest. */
  versions: string[] | null;
  matched_version: string | null;
  /** Declared version, if it's the tag of a line. */
  line_tag: string | null;
  version_scheme: VersionSchemeId | null;
  platform_words: string | null;
}

/**
 * Finds the versions of items whose digests match releases. A version that was found earlier stays even if no
 * release has the digest anymore, because tags move and digests don't.
 *
 * @param of the items of a discovery job that have no version yet, or specific items. The caller must have
 * locked their jobs.
 * @returns The items that now have a version or a more specific one.
 */
export async function matchDigests(
  tx: Tx,
  organizationId: number,
  of: { jobId: number } | { itemIds: readonly number[] },
): Promise<MatchedItem[]> {
  const matched: MatchedItem[] = [];
  for (let after = 0; ; ) {
    const items = await listTags(tx, organizationId, of, after);
    const found = items.flatMap((item) => {
      const version = versionOf(item);
      return version === null || version === item.matched_version ? [] : [{ id: item.id, version }];
    });
    matched.push(...(await storeMatches(tx, organizationId, found)));
    if (items.length < matchBatchSize) return matched;
    after = items.at(-1)!.id;
  }
}

function versionOf(item: ItemTags): string | null {
  const { versions, matched_version, line_tag, version_scheme, platform_words } = item;
  if (versions === null || version_scheme === null) return null;
  const scheme = versionScheme(version_scheme, platform_words ?? '');
  const known = matched_version === null ? versions : [...versions, matched_version];
  return findMostSpecificVersion(
    scheme,
    line_tag === null ? known : known.filter(createLineMatcher(scheme, line_tag)),
  );
}

async function listTags(
  tx: Tx,
  organizationId: number,
  of: { jobId: number } | { itemIds: readonly number[] },
  after: number,
): Promise<ItemTags[]> {
  const selected =
    'jobId' in of
      ? sql`items.discovery_job_id = ${of.jobId} AND items.matched_version IS NULL`
      : sql`items.id = ANY(${[...of.itemIds]}::bigint[])`;
  const { rows } = await sql<ItemTags>`
    WITH item AS MATERIALIZED (
      SELECT items.id, items.discovery_job_id, items.digest, items.matched_version, items.scrape_job_id,
        CASE WHEN items.version_state = 'exact' THEN items.version END AS line_tag,
        ${effectiveRegistrySql('items', 'choice')} AS registry
      FROM discovered_items AS items
      LEFT JOIN artifact_corrections AS choice
        ON choice.organization_id = items.organization_id AND choice.artifact_key = items.artifact_key
      WHERE items.organization_id = ${organizationId} AND ${selected} AND ${hasDecisiveDigest('items')} AND items.id > ${after}
      ORDER BY items.id LIMIT ${sql.lit(matchBatchSize)}
    )
    SELECT item.id, item.discovery_job_id, item.digest, item.matched_version, item.line_tag, known.versions, known.version_scheme,
      known.platform_words
    FROM item LEFT JOIN LATERAL (
      SELECT array_agg(DISTINCT releases.version) AS versions, jobs.version_scheme, jobs.platform_words
      FROM (${gatherJobsOfItemSql(organizationId, { scrapeJobId: sql`item.scrape_job_id`, registry: sql`item.registry` })}) AS compared
      JOIN gather_jobs AS jobs ON jobs.organization_id = compared.organization_id AND jobs.id = compared.id
      JOIN releases ON releases.organization_id = jobs.organization_id AND releases.gather_job_id = jobs.id
        AND releases.digest = item.digest AND releases.sort_key IS NOT NULL
      GROUP BY compared.place, jobs.organization_id, jobs.id
      ORDER BY compared.place, jobs.id LIMIT 1
    ) AS known ON true
    ORDER BY item.id`.execute(tx);
  return rows;
}

async function storeMatches(
  tx: Tx,
  organizationId: number,
  found: readonly { id: number; version: string }[],
): Promise<MatchedItem[]> {
  if (found.length === 0) return [];
  const { rows } = await sql<MatchedItem>`
    UPDATE discovered_items AS item SET matched_version = found.version, updated_at = pacekeeper_now()
    FROM unnest(${found.map(({ id }) => id)}::bigint[], ${found.map(({ version }) => version)}::text[])
      AS found (id, version)
    WHERE item.organization_id = ${organizationId} AND item.id = found.id
    RETURNING item.id, item.discovery_job_id`.execute(tx);
  return rows;
}
