import { sql } from 'kysely';
import type { VersionRange } from '../../domain/notes/version-range.ts';
import type { Database } from '../../platform/database/index.ts';
import type { NotesJob } from './notes-job.ts';

/** Maximum bytes of stored notes that one request reads. */
export const maxReadBytes = 524_288;
/** Maximum number of releases that a request counts, including different spellings. */
export const maxReadReleases = 1_000;

export interface RangeRow {
  id: number;
  version: string;
  tag: string;
  app_version: string | null;
  released_at: Date | null;
  is_prerelease: boolean;
  url: string | null;
  updated_at: Date;
  /**
   * `null` if the release has no notes, or if the notes up to and including this release exceed
   * `maxReadBytes`.
   */
  notes: string | null;
  notes_bytes: number | null;
  /** True if the notes come from the changelog, because the release has none. */
  is_of_changelog: boolean;
}

/**
 * Reads the releases in a range, highest first. Includes the releases of the version after which the range
 * starts, even if they are withdrawn, yanked, or excluded pre-releases. Other such releases are skipped.
 */
export async function readRange(
  db: Database,
  { organizationId, id }: NotesJob,
  { from, lineAndVariant, lowestKey, endKey }: VersionRange,
  { includePrereleases }: { includePrereleases: boolean },
): Promise<RangeRow[]> {
  const isStart = from === null ? sql`false` : sql`starts_with(sort_key, ${from.rank})`;
  const { rows } = await sql<RangeRow>`
    SELECT id, version, tag, app_version, released_at, is_prerelease, url, updated_at, notes_bytes,
      notes IS NULL AND changelog_notes IS NOT NULL AS is_of_changelog,
      CASE WHEN bytes_so_far <= ${maxReadBytes} THEN coalesce(notes, changelog_notes) END AS notes
    FROM (
      SELECT *, octet_length(coalesce(notes, changelog_notes)) AS notes_bytes, sum(octet_length(coalesce(notes, changelog_notes))) OVER (
        ORDER BY sort_key DESC NULLS LAST ROWS UNBOUNDED PRECEDING) AS bytes_so_far
      FROM releases
      WHERE organization_id = ${organizationId} AND gather_job_id = ${id}
        AND sort_key >= ${lowestKey} AND sort_key < ${endKey} AND variant = ${lineAndVariant}
        AND (${isStart} OR NOT is_withdrawn AND NOT is_yanked ${includePrereleases ? sql`` : sql`AND NOT is_prerelease`})
      ORDER BY sort_key DESC NULLS LAST
      LIMIT ${maxReadReleases + 1}
    ) AS range`.execute(db);
  return rows;
}

export interface ProjectRow {
  /** Index of the matching entry in `keys`. */
  place: number;
  id: number;
  tag: string;
  line_and_variant: string;
  url: string | null;
  updated_at: Date;
  notes: string | null;
  notes_bytes: number | null;
}

/** Reads the releases of a project within the given key ranges, at most four per range. */
export async function readProjectReleases(
  db: Database,
  { organizationId, id }: NotesJob,
  keys: readonly { lowestKey: string; endKey: string }[],
): Promise<ProjectRow[]> {
  const { rows } = await sql<ProjectRow>`
    SELECT place, id, tag, line_and_variant, url, updated_at, notes_bytes,
      CASE WHEN bytes_so_far <= ${maxReadBytes} THEN notes END AS notes
    FROM (
      SELECT found.*, (wanted.place - 1)::integer AS place, octet_length(found.notes) AS notes_bytes,
        sum(octet_length(found.notes)) OVER (ORDER BY wanted.place ROWS UNBOUNDED PRECEDING) AS bytes_so_far
      FROM unnest(
        ${keys.map(({ lowestKey }) => lowestKey)}::text[], ${keys.map(({ endKey }) => endKey)}::text[]
      ) WITH ORDINALITY AS wanted (lowest_key, end_key, place)
      CROSS JOIN LATERAL (
        SELECT id, tag, variant AS line_and_variant, url, updated_at,
          coalesce(notes, changelog_notes) AS notes
        FROM releases
        WHERE organization_id = ${organizationId} AND gather_job_id = ${id}
          AND sort_key >= wanted.lowest_key COLLATE "C" AND sort_key < wanted.end_key COLLATE "C" AND NOT is_withdrawn
        ORDER BY sort_key DESC NULLS LAST
        LIMIT 4
      ) AS found
    ) AS releases_of_project
    ORDER BY place`.execute(db);
  return rows;
}
