import { keyRangeOfRank } from '../../domain/notes/version-range.ts';
import { upstreamRank } from '../../domain/versions/auto-scheme.ts';
import { lineAndVariantOf } from '../../domain/versions/match-release.ts';
import { versionScheme } from '../../domain/versions/versions.ts';
import type { Database } from '../../platform/database/index.ts';
import type { NotesJob } from './notes-job.ts';
import { type ProjectRow, type RangeRow, readProjectReleases } from './range-queries.ts';

/** Maps releases of packaged software to the releases of its project. */
export interface ProjectReleases {
  /** Returns the tag of the project's release with the same version. */
  tagOf(row: RangeRow): string | null;
  /**
   * Returns the project's release that provides the notes. If several releases package the same version, only the
   * lowest of them gets the notes.
   */
  notesOf(row: RangeRow): ProjectRow | null;
}

const none: ProjectReleases = { tagOf: () => null, notesOf: () => null };

/**
 * Finds project releases by equal version. The match ignores prefixes (`v`, `release-`), image variants, and
 * package revisions (`1.2.3-r4`, `1.2.3-debian-12-r3`). The release of a chart is matched by the version of
 * its application.
 *
 * @param rows Releases, highest first.
 */
export async function readProjectNotes(
  db: Database,
  { job, project }: { job: NotesJob; project: NotesJob | null },
  rows: readonly RangeRow[],
): Promise<ProjectReleases> {
  if (project === null || rows.length === 0) return none;
  const scheme = versionScheme(project.scheme, project.platformWords);
  const ranksOfRow = new Map<number, readonly string[]>();
  for (const row of rows) {
    const text = (job.hasAppVersions ? row.app_version : row.version) ?? '';
    const version = scheme.parse(text);
    if (version === null) continue;
    const upstream = project.scheme === 'semver' ? null : upstreamRank(text);
    ranksOfRow.set(
      row.id,
      upstream === null || upstream === version.rank ? [version.rank] : [version.rank, upstream],
    );
  }
  const ranks = [...new Set([...ranksOfRow.values()].flat())];
  const common = scheme.parse(project.latestStableVersion ?? project.latestVersion ?? '');
  const commonLine = common === null ? '' : lineAndVariantOf(common);
  const found = Map.groupBy(
    await readProjectReleases(db, project, ranks.map(keyRangeOfRank)),
    ({ place }) => place,
  );
  const byRank = new Map(
    ranks.map((rank, place) => [rank, chooseRelease(found.get(place) ?? [], commonLine)]),
  );
  // Prefer the exact rank. If the project numbers package revisions itself, it has a release with the same revision.
  const rankOf = (row: RangeRow) =>
    ranksOfRow.get(row.id)?.find((rank) => (byRank.get(rank) ?? null) !== null) ?? '';
  // Start with the lowest release, because later releases that package the same version contain no new notes
  // of the project.
  const firstOfRank = new Map<string, number>();
  for (const row of rows.toReversed()) {
    const rank = rankOf(row);
    if (rank !== '' && !firstOfRank.has(rank)) firstOfRank.set(rank, row.id);
  }
  const releaseOf = (row: RangeRow) => byRank.get(rankOf(row)) ?? null;
  return {
    tagOf: (row) => releaseOf(row)?.tag ?? null,
    notesOf: (row) => (firstOfRank.get(rankOf(row)) === row.id ? releaseOf(row) : null),
  };
}

/**
 * Chooses one release of a rank. If a repository contains several products, each of them can have a release with the
 * same number.
 */
function chooseRelease(releases: readonly ProjectRow[], commonLine: string): ProjectRow | null {
  const ofLine = (line: string) => releases.find(({ line_and_variant }) => line_and_variant === line);
  const only = releases.length === 1 ? releases[0] : undefined;
  return ofLine(commonLine) ?? ofLine('') ?? only ?? null;
}
