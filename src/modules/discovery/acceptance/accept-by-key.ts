import { sql } from 'kysely';
import { extractorOfKey } from '../../../domain/discovery/item-key.ts';
import { matchItems } from '../../../domain/discovery/match-items.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { ApiError, invalidField } from '../../../platform/errors.ts';
import type { EditContext } from '../../../platform/http/index.ts';
import { TimeSlices } from '../../../platform/time-slices.ts';
import { publishChanges } from '../../audit/index.ts';
import { recordVersionsAcrossOrganizations, scrapeJobEdits } from '../../deployed/index.ts';
import { lockJob } from '../../runs/index.ts';
import { discoveryJobs, listDiscoveryJobsById } from '../model/discovery-job-queries.ts';
import { comparedVersionMethodSql, comparedVersionSql } from '../model/item-version-sql.ts';

/** Maximum sizes that the table can store. */
const maxKeyBytes = 1_500;
const maxDiscriminatorBytes = 600;

/**
 * Scrape job that a configuration identifies by its discovered item. A scan may not have found the item yet.
 */
export interface FollowedItem {
  discoveryJobId: number;
  key: string;
  discriminator: string;
  name: string;
  labels: Record<string, string>;
  history_limit: number;
  is_active: boolean;
}

interface OpenItem {
  id: number;
  discovery_job_id: number;
  key: string;
  discriminator: string;
  path: string;
  is_missing: boolean;
  version: string | null;
  match: 'digest' | null;
}

/** Throws 400 if the key or discriminator is too long to be stored. */
export function checkItemName({ key, discriminator }: Pick<FollowedItem, 'key' | 'discriminator'>): void {
  if (Buffer.byteLength(key) > maxKeyBytes)
    throw invalidField('fed_by.key', `can have at most ${maxKeyBytes} bytes`);
  if (Buffer.byteLength(discriminator) > maxDiscriminatorBytes)
    throw invalidField('fed_by.discriminator', `can have at most ${maxDiscriminatorBytes} bytes`);
}

/**
 * Creates scrape jobs for items that a configuration identifies by their key. An item that no scan has found
 * yet is created without a version. The next complete scan either adds the version or reports the item as
 * missing.
 *
 * @param wanted at most 1,000, each item once
 * @returns The scrape jobs, in the same order.
 */
export async function acceptByKey(
  tx: Tx,
  context: EditContext,
  wanted: readonly FollowedItem[],
): Promise<{ id: number }[]> {
  const { organizationId } = context.caller;
  const jobs = await lockJobs(tx, organizationId, [...new Set(wanted.map((item) => item.discoveryJobId))]);
  const open = await listOpenItems(tx, organizationId, wanted);
  const found = await findItems(wanted, open);
  const scrapeJobs = await scrapeJobEdits.createFed(
    tx,
    context,
    wanted.map((item, index) => {
      const { name, labels, history_limit, is_active, discoveryJobId } = item;
      const { repository_url, ref } = jobs.get(discoveryJobId)!;
      return {
        name,
        labels,
        history_limit,
        is_active,
        discovery_job_id: discoveryJobId,
        repository_url,
        ref,
        target_file: found[index]?.path ?? pathOf(item),
      };
    }),
  );
  const items = wanted.map((item, index) => ({
    id: found[index]?.id ?? null,
    scrape_job_id: scrapeJobs[index]!.id,
    discovery_job_id: item.discoveryJobId,
    key: item.key,
    discriminator: item.discriminator,
    path: pathOf(item),
    extractor: extractorOfKey(item.key)!,
    name: item.name,
  }));
  await linkItems(tx, organizationId, items);
  await recordVersionsAcrossOrganizations(
    tx,
    'agent',
    found.flatMap((item, index) =>
      item === null || item.is_missing || item.version === null
        ? []
        : [
            {
              organizationId,
              scrapeJobId: scrapeJobs[index]!.id,
              rawVersion: item.version,
              commitSha: null,
              match: item.match,
            },
          ],
    ),
  );
  publishChanges(tx, organizationId, 'discovery_job', [...jobs.keys()], 'updated');
  return scrapeJobs;
}

async function lockJobs(tx: Tx, organizationId: number, ids: readonly number[]) {
  for (const id of ids.toSorted((a, b) => a - b))
    await lockJob(tx, discoveryJobs, organizationId, id, { holdsReferences: true });
  const rows = await listDiscoveryJobsById(tx, organizationId, ids);
  if (rows.length < ids.length)
    throw new ApiError('precondition_failed', 'The discovery job was deleted. Plan the configuration again.');
  return new Map(rows.map((row) => [row.id, row]));
}

/** Lists the items with these keys that don't feed a scrape job. Missing items come last. */
async function listOpenItems(
  tx: Tx,
  organizationId: number,
  wanted: readonly FollowedItem[],
): Promise<OpenItem[]> {
  const { rows } = await sql<OpenItem>`
    SELECT id, discovery_job_id, key, discriminator, path, missing_since IS NOT NULL AS is_missing,
      ${comparedVersionSql('item')} AS version, ${comparedVersionMethodSql('item')} AS match
    FROM discovered_items AS item
    WHERE organization_id = ${organizationId} AND scrape_job_id IS NULL AND (discovery_job_id, key) IN (
      SELECT * FROM unnest(
        ${wanted.map((item) => item.discoveryJobId)}::bigint[], ${wanted.map(({ key }) => key)}::text[]))
    ORDER BY missing_since IS NOT NULL, id FOR NO KEY UPDATE`.execute(tx);
  return rows;
}

/**
 * Finds the stored item for each wanted item. In order of precedence, that's the item with the same
 * discriminator, the one at the path in the discriminator, or the only one whose path ends in the same way.
 * The paths are needed for a configuration from another organization, where the discriminators may have been
 * assigned in a different order.
 */
async function findItems(
  wanted: readonly FollowedItem[],
  open: readonly OpenItem[],
): Promise<(OpenItem | null)[]> {
  const nameOf = (jobId: number, key: string, discriminator: string) =>
    JSON.stringify([jobId, key, discriminator]);
  const byName = new Map(
    open.map((item) => [nameOf(item.discovery_job_id, item.key, item.discriminator), item]),
  );
  const result = wanted.map(({ discoveryJobId, key, discriminator }) =>
    discriminator === '' ? null : (byName.get(nameOf(discoveryJobId, key, discriminator)) ?? null),
  );
  const taken = new Set(result);
  const left = open.filter((item) => !taken.has(item));
  const rest = wanted.flatMap((item, index) => (result[index] ? [] : [{ item, index }]));
  const matching = matchItems(
    left.map((item) => ({
      id: item,
      key: JSON.stringify([item.discovery_job_id, item.key]),
      path: item.path,
      ...unknownContent,
      isEnded: false,
      isUnread: false,
      isIgnored: false,
    })),
    rest.map(({ item }) => ({
      key: JSON.stringify([item.discoveryJobId, item.key]),
      path: pathOf(item),
      ...unknownContent,
    })),
  );
  const { ids } = await new TimeSlices().run(matching);
  for (const [at, { index }] of rest.entries()) result[index] = ids[at] ?? null;
  return result;
}

/**
 * Values of an item that so far only a configuration contains. A configuration has neither the artifact nor
 * the content of an item.
 */
const unknownContent = { artifact: '', name: '', blob: null, version: null };

/** Returns the path where an item was first found, which is its discriminator without the ordinal. */
function pathOf({ discriminator }: Pick<FollowedItem, 'discriminator'>): string {
  return discriminator.replace(/#\d+$/, '');
}

async function linkItems(
  tx: Tx,
  organizationId: number,
  items: readonly {
    id: number | null;
    scrape_job_id: number;
    discovery_job_id: number;
    key: string;
    discriminator: string;
    path: string;
    extractor: string;
    name: string;
  }[],
): Promise<void> {
  const known = items.filter(({ id }) => id !== null);
  // Discriminators must be unique at any time, so temporary ones allow two items to swap theirs.
  await sql`
    UPDATE discovered_items SET discriminator = '#' || id
    WHERE organization_id = ${organizationId} AND id = ANY(${known.map(({ id }) => id)}::bigint[])`.execute(
    tx,
  );
  await sql`
    UPDATE discovered_items AS item
    SET discriminator = linked.discriminator, scrape_job_id = linked.scrape_job_id, status = 'accepted',
        ignore_reason = NULL, duplicate_of_id = NULL, updated_at = pacekeeper_now()
    FROM jsonb_to_recordset(${JSON.stringify(known)}::jsonb)
      AS linked (id bigint, discriminator text, scrape_job_id bigint)
    WHERE item.organization_id = ${organizationId} AND item.id = linked.id`.execute(tx);
  await sql`
    INSERT INTO discovered_items (organization_id, discovery_job_id, extractor, key, discriminator, path, name,
      artifact_kind, artifact_name, version_state, reason, status, scrape_job_id)
    SELECT ${organizationId}, discovery_job_id, extractor, key, discriminator, path, name, 'unknown', name, 'templated',
      'not_scanned', 'accepted', scrape_job_id
    FROM jsonb_to_recordset(${JSON.stringify(items.filter(({ id }) => id === null))}::jsonb)
      AS linked (discovery_job_id bigint, extractor text, key text, discriminator text, path text, name text,
        scrape_job_id bigint)`.execute(tx);
}
