import { sql } from 'kysely';
import type { ListDoubt } from '../../../domain/alerts/config-evaluation.ts';
import { compileCheapPattern } from '../../../domain/patterns/compile-pattern.ts';
import { sourceTypes } from '../../../domain/source-types/source-types.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { Database } from '../../../platform/database/index.ts';
import { invalidField } from '../../../platform/errors.ts';
import { type Sandbox, throwSandboxFailure } from '../../../platform/sandbox/index.ts';
import { readPlatformWords } from '../releases/platform-word-queries.ts';
import { findGatherJob, type GatherJobRow } from './gather-job-queries.ts';
import type { summarizeTags, TagsToSummarize } from './summarize-tags.ts';

const jobModule = new URL('./summarize-tags.ts', import.meta.url);

/** Maximum number of stored releases in a preview, highest first. This many can be read quickly. */
const maxReleases = 10_000;

/** Deadline of a preview. The most expensive pattern takes three seconds for `maxReleases` tags. */
const deadlineMs = 10_000;

/**
 * Parses the stored releases of a job, or the given tags, as a job with the values of the request would. Runs in the
 * sandbox.
 */
export async function previewGatherJob(
  { db, sandbox }: { db: Database; sandbox: Pick<Sandbox, 'run'> },
  organizationId: number,
  body: Schemas['PreviewGatherJobRequest'],
): Promise<Schemas['PreviewGatherJobResponse']> {
  if ((body.gather_job_id === undefined) === (body.tags === undefined))
    throw invalidField('tags', 'specify either gather_job_id or tags');
  if (body.version_pattern != null) {
    const pattern = compileCheapPattern(body.version_pattern);
    if (!pattern.ok) throw invalidField('version_pattern', pattern.message);
  }
  const job =
    body.gather_job_id === undefined ? null : await findGatherJob(db, organizationId, body.gather_job_id);
  if (job === undefined) throw invalidField('gather_job_id', 'gather job not found');
  const { rows, nowMs } = await readRows(db, job, body.tags ?? []);
  const sourceType = body.source_type ?? job?.source_type ?? 'github_releases';
  const input: TagsToSummarize = {
    rows: rows.slice(0, maxReleases),
    scheme: body.version_scheme ?? job?.version_scheme ?? sourceTypes[sourceType].defaultVersionScheme,
    isImage: sourceTypes[sourceType].isImage,
    platformWords: job === null ? await readPlatformWords(db, organizationId) : job.platform_words,
    ignoredVersions: job?.ignored_versions ?? [],
    countedVersions: job?.counted_versions ?? [],
    pattern: body.version_pattern === undefined && job === null ? null : body.version_pattern,
    includePrereleases: body.include_prereleases ?? job?.include_prereleases ?? true,
    deployedVersion: body.deployed_version ?? null,
    nowMs,
  };
  try {
    const summary = await sandbox.run<TagsToSummarize, ReturnType<typeof summarizeTags>>(
      jobModule,
      'summarizeTags',
      input,
      { deadlineMs, fairKey: String(organizationId) },
    );
    return {
      ...summary,
      is_complete: rows.length <= maxReleases,
      list_doubt: job && listDoubtOf(job),
    } as Schemas['PreviewGatherJobResponse'];
  } catch (error) {
    throwSandboxFailure(error, { busy: 'Too many concurrent previews. Try again shortly.' });
  }
}

/** Returns the reason why newer releases might be missing from the list of a job. */
function listDoubtOf({ mirror_of, list_completeness }: GatherJobRow): ListDoubt['reason'] | null {
  if (mirror_of !== null) return 'mirror_only';
  return list_completeness === 'incomplete' ? 'list_incomplete' : null;
}

interface StoredRow {
  tag: string;
  version: string;
  released_at: Date | null;
  discovered_at: Date;
  is_prerelease: boolean;
  is_yanked: boolean;
  is_withdrawn: boolean;
}

/** Reads one release more than the preview uses, to detect that the job has more. */
async function readRows(
  db: Database,
  job: GatherJobRow | null,
  tags: readonly string[],
): Promise<{ rows: TagsToSummarize['rows']; nowMs: number }> {
  const { rows: times } = await sql<{ now: Date }>`SELECT pacekeeper_now() AS now`.execute(db);
  const nowMs = times[0]!.now.getTime();
  if (job === null) {
    const unknown = { releasedAtMs: null, discoveredAtMs: nowMs };
    const flags = { isPrerelease: false, isYanked: false, isWithdrawn: false };
    return { rows: tags.map((tag) => ({ tag, version: tag, ...unknown, ...flags })), nowMs };
  }
  const { rows } = await sql<StoredRow>`
    SELECT tag, version, released_at, discovered_at, is_prerelease, is_yanked, is_withdrawn
    FROM releases
    WHERE organization_id = ${job.organization_id} AND gather_job_id = ${job.id}
    ORDER BY sort_key DESC NULLS LAST LIMIT ${maxReleases + 1}`.execute(db);
  return {
    rows: rows.map((row) => ({
      tag: row.tag,
      version: row.version,
      releasedAtMs: row.released_at?.getTime() ?? null,
      discoveredAtMs: row.discovered_at.getTime(),
      isPrerelease: row.is_prerelease,
      isYanked: row.is_yanked,
      isWithdrawn: row.is_withdrawn,
    })),
    nowMs,
  };
}
