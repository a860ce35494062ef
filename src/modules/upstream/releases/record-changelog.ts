import { sql } from 'kysely';
import { keyRangeOfRank } from '../../../domain/notes/version-range.ts';
import { lineAndVariantOf } from '../../../domain/versions/match-release.ts';
import { versionScheme } from '../../../domain/versions/versions.ts';
import type { Schemas } from '../../../generated/agent-api.ts';
import type { Tx } from '../../../platform/database/index.ts';
import type { JobReadOptions } from './incoming-releases.ts';

type GatherResultItem = Schemas['GatherResultItem'];
type ChangelogResultItem = Schemas['ChangelogResultItem'];

/** Limits for the changelog of one run, twice those of agents. */
const maxSections = 2_000;
const maxNotesLength = 2 * 1024 * 1024;

/** Yields the releases, and adds the changelog sections to `sections`. */
export async function* separateChangelogSections(
  parts: AsyncIterable<readonly (GatherResultItem | ChangelogResultItem)[]>,
  sections: ChangelogResultItem[],
): AsyncGenerator<GatherResultItem[]> {
  let length = 0;
  for await (const items of parts) {
    const releases: GatherResultItem[] = [];
    for (const item of items) {
      if (!('section_version' in item)) {
        releases.push(item);
        continue;
      }
      length += item.notes.length;
      if (sections.length < maxSections && length <= maxNotesLength) sections.push(item);
    }
    yield releases;
  }
}

/**
 * Stores the sections of a changelog with the releases of the same version that have no notes of their own. The caller
 * must have locked the job.
 */
export async function recordChangelog(
  tx: Tx,
  organizationId: number,
  { jobId, scheme: schemeId, platformWords }: JobReadOptions,
  sections: readonly ChangelogResultItem[],
): Promise<void> {
  const scheme = versionScheme(schemeId, platformWords);
  // If a version has several sections, use the first one.
  const byKey = new Map<string, { lowestKey: string; endKey: string; variant: string; notes: string }>();
  for (const { section_version, notes } of sections) {
    const version = scheme.parse(section_version);
    if (version === null) continue;
    const variant = lineAndVariantOf(version);
    const key = `${version.rank} ${variant}`;
    if (!byKey.has(key)) byKey.set(key, { ...keyRangeOfRank(version.rank), variant, notes });
  }
  const wanted = [...byKey.values()];
  if (wanted.length === 0) return;
  await sql`
    UPDATE releases SET changelog_notes = section.notes, updated_at = pacekeeper_now()
    FROM unnest(
      ${wanted.map(({ lowestKey }) => lowestKey)}::text[], ${wanted.map(({ endKey }) => endKey)}::text[],
      ${wanted.map(({ variant }) => variant)}::text[], ${wanted.map(({ notes }) => notes)}::text[]
    ) AS section (lowest_key, end_key, variant, notes)
    WHERE releases.organization_id = ${organizationId} AND releases.gather_job_id = ${jobId}
      AND releases.sort_key >= section.lowest_key COLLATE "C" AND releases.sort_key < section.end_key COLLATE "C"
      AND releases.variant = section.variant
      AND releases.notes IS NULL AND releases.changelog_notes IS DISTINCT FROM section.notes`.execute(tx);
}

/** Clears the changelog notes of a job that now has a different changelog or none. */
export async function clearChangelogNotes(tx: Tx, organizationId: number, jobId: number): Promise<void> {
  await sql`
    UPDATE releases SET changelog_notes = NULL, updated_at = pacekeeper_now()
    WHERE organization_id = ${organizationId} AND gather_job_id = ${jobId} AND changelog_notes IS NOT NULL`.execute(
    tx,
  );
}
