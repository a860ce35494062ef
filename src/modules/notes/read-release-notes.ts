import { isBreakingHint } from '../../domain/notes/breaking-changes.ts';
import { compareUrl, repositoryPage } from '../../domain/notes/compare-url.ts';
import { distinctReleases } from '../../domain/notes/distinct-releases.ts';
import type { Hint } from '../../domain/notes/find-hints.ts';
import { versionRange } from '../../domain/notes/version-range.ts';
import { sourceTypes } from '../../domain/source-types/source-types.ts';
import { versionScheme } from '../../domain/versions/versions.ts';
import type { Schemas } from '../../generated/client-api.ts';
import type { Database } from '../../platform/database/index.ts';
import type { HintCache } from './hint-cache.ts';
import type { JobWithProject } from './notes-job.ts';
import { type ProjectReleases, readProjectNotes } from './project-notes.ts';
import { maxReadReleases, type RangeRow, readRange } from './range-queries.ts';

type ReleaseNotes = Schemas['ReleaseNotes'];
type ReleaseWithNotes = Schemas['ReleaseWithNotes'];

/** Maximum bytes of notes in a response, for all releases together. */
const maxResponseBytes = 262_144;

export interface NotesRequest {
  /** `null` starts at the first release. */
  from: string | null;
  to: string | null;
  includePrereleases: boolean;
  /** Maximum number of releases in the response. The totals include all releases. */
  limit: number;
}

/**
 * Returns the releases between two versions. The result is empty if one of them isn't a version or if `from`
 * isn't lower than `to`.
 */
export async function readReleaseNotes(
  db: Database,
  hints: HintCache,
  jobs: JobWithProject,
  { from, to, includePrereleases, limit }: NotesRequest,
): Promise<ReleaseNotes> {
  const { job, project } = jobs;
  const page =
    repositoryPage(job.sourceType, job.artifactName) ??
    (project === null ? null : repositoryPage(project.sourceType, project.artifactName));
  const empty: ReleaseNotes = {
    from,
    to,
    releases: [],
    totals: { releases: 0, is_exact: true, with_notes: 0, read: 0, hints: 0, breaking: 0 },
    compare_url: null,
    project_url: page?.url ?? job.projectUrl,
    project_gather_job_id: project?.id ?? null,
    is_cut: false,
  };
  const scheme = versionScheme(job.scheme, job.platformWords);
  const range = to === null ? null : versionRange(scheme, from, to);
  if (range === null) return empty;
  const rows = await readRange(db, job, range, {
    includePrereleases: includePrereleases || range.to.isPrerelease,
  });
  const isMore = rows.length > maxReadReleases;
  const listed = rows.slice(0, maxReadReleases).map((row) => ({
    ...row,
    isPrerelease: row.is_prerelease,
    hasNotes: row.notes_bytes !== null,
  }));
  const { releases, start } = distinctReleases(scheme, range, listed, {
    isImage: sourceTypes[job.sourceType].isImage,
  });
  const withoutNotes = releases.filter(({ row }) => !row.hasNotes).map(({ row }) => row);
  const ends = [releases[0]?.row, start ?? undefined].filter((row) => row !== undefined);
  const projectReleases = await readProjectNotes(db, jobs, [...new Set([...withoutNotes, ...ends])]);

  const budget = { bytes: maxResponseBytes };
  const described = releases.map(({ row, version, step }, index) => {
    const stepHints = step === null ? [] : [stepHint(version.text, step)];
    return describeRelease(row, projectReleases, hints, stepHints, index < limit ? budget : null);
  });
  const firstUnread = described.findIndex(({ isUnread }) => isUnread);
  return {
    ...empty,
    releases: described.slice(0, limit).map(({ release }) => release),
    totals: {
      releases: releases.length,
      is_exact: !isMore,
      with_notes: described.filter(({ hasNotes }) => hasNotes).length,
      read: firstUnread === -1 ? releases.length : firstUnread,
      hints: described.reduce((sum, { release }) => sum + release.hints.length, 0),
      breaking: described.filter(({ release }) => release.hints.some(isBreakingHint)).length,
    },
    compare_url: findCompareUrl(jobs, projectReleases, start, releases[0]?.row ?? null),
    is_cut:
      isMore ||
      described.length > limit ||
      described.some(({ release, isUnread }) => release.is_cut || isUnread),
  };
}

interface DescribedRelease {
  release: ReleaseWithNotes;
  hasNotes: boolean;
  /** True if the notes exceeded the read limit. */
  isUnread: boolean;
}

/**
 * Describes a release with its notes and hints.
 *
 * @param budget Bytes left for notes in the response. The notes of the release are deducted. If `null`, only
 * hints are returned.
 */
function describeRelease(
  row: RangeRow,
  projectReleases: ProjectReleases,
  cache: HintCache,
  stepHints: readonly Schemas['NoteHint'][],
  budget: { bytes: number } | null,
): DescribedRelease {
  const project = row.notes_bytes === null ? projectReleases.notesOf(row) : null;
  const source = project ?? row;
  const hasNotes = source.notes_bytes !== null;
  const { notes } = source;
  const found: readonly Hint[] = notes === null ? [] : cache.read({ ...source, notes });
  const bytes = source.notes_bytes ?? 0;
  const isShown = notes !== null && budget !== null && bytes <= budget.bytes;
  if (isShown) budget.bytes -= bytes;
  return {
    hasNotes,
    isUnread: hasNotes && notes === null,
    release: {
      release_id: row.id,
      version: row.version,
      released_at: row.released_at?.toISOString() ?? null,
      url: row.url ?? project?.url ?? null,
      notes: isShown ? notes : null,
      notes_source: hasNotes ? (project === null ? ownSource(row) : 'project') : null,
      is_cut: hasNotes && (!isShown || bytes >= maxStoredBytes),
      hints: [...stepHints, ...found],
    },
  };
}

function ownSource({ is_of_changelog }: RangeRow): 'release' | 'changelog' {
  return is_of_changelog ? 'changelog' : 'release';
}

/**
 * Notes of at least this size count as cut. Sources cut longer notes at 65,536 bytes, and up to 3 bytes can
 * be missing, because a cut never splits a character.
 */
const maxStoredBytes = 65_536 - 3;

function stepHint(version: string, step: 'major' | 'minor'): Schemas['NoteHint'] {
  return { kind: step === 'major' ? 'major_version' : 'minor_version', text: version, line: null };
}

function findCompareUrl(
  { job, project }: JobWithProject,
  projectReleases: ProjectReleases,
  start: RangeRow | null,
  end: RangeRow | null,
): string | null {
  if (start === null || end === null) return null;
  const own = repositoryPage(job.sourceType, job.artifactName);
  if (own !== null) return compareUrl(own, start.tag, end.tag);
  const page = project && repositoryPage(project.sourceType, project.artifactName);
  const [startTag, endTag] = [projectReleases.tagOf(start), projectReleases.tagOf(end)];
  if (page === null || startTag === null || endTag === null || startTag === endTag) return null;
  return compareUrl(page, startTag, endTag);
}
