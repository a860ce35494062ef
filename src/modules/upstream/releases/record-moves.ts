import { sql } from 'kysely';
import {
  type ExpectedMoveReason,
  findExpectedMoveReason,
} from '../../../domain/rules/expected-move-reason.ts';
import { maxReleaseMoves } from '../../../domain/rules/release-changes.ts';
import { prepareInSteps, type ReleaseSet } from '../../../domain/rules/release-set.ts';
import { dueTopic, type Tx, wake } from '../../../platform/database/index.ts';
import { TimeSlices } from '../../../platform/time-slices.ts';
import type { MovedRelease } from './apply-incoming.ts';
import type { JobToRecord } from './job-record-queries.ts';
import { dueReleaseMovesTable, type StoredMove } from './report-moved-releases.ts';

/**
 * Maximum number of releases that are read to recognize moving tags. The highest releases are sufficient,
 * because tags that still move point to one of them.
 */
const maxSiblings = 10_000;

/** Maximum number of releases in a report. The deployments of each release are looked up. */
const maxReported = 1_000;

/** Period without rebuilds after which earlier rebuilds no longer make new ones expected. */
const rebuildExpectationPeriod = sql`interval '90 days'`;

/**
 * Minimum time between two counted rebuilds. Rebuilds are counted per day, not per run, because a registry
 * can take several runs to finish one rebuild.
 */
const minRebuildInterval = sql`interval '20 hours'`;

/**
 * Stores the changed commits and digests of a job, each with the {@link ExpectedMoveReason} that explains it, if there
 * is one. Changes without such a reason are reported later. A moving tag is also reported if it now has the same
 * commit or digest as a version that changed without such a reason, because the two were changed together.
 *
 * The caller must have locked the job. The new values were stored in the same transaction, so each change is
 * noticed exactly once.
 *
 * @returns True if at least one change has no expected reason, so that it affects evaluations.
 */
export async function recordReleaseMoves(
  tx: Tx,
  organizationId: number,
  job: JobToRecord,
  moved: readonly MovedRelease[],
): Promise<boolean> {
  const releases = await readSiblings(tx, organizationId, job);
  const rebuildCount = await readRebuildCount(tx, organizationId, job.jobId);
  const source = { sourceType: job.sourceType, upstreamName: job.upstreamName, rebuildCount };
  const found = moved.map((release) => ({
    release,
    habit: findExpectedMoveReason(source, release, releases),
  }));
  const isRebuild = ({ release, habit }: (typeof found)[number]) =>
    release.kind === 'digest' && (habit === null || habit === 'observed');
  if (found.some(isRebuild)) await countRebuild(tx, organizationId, job.jobId);
  const unexplained = new Set(found.flatMap(({ release, habit }) => (habit === null ? [release.to] : [])));
  const isReported = ({ habit, release }: (typeof found)[number]) =>
    habit === null || (habit === 'moving_tag' && unexplained.has(release.to));
  const noticedAt = await storeMoves(
    tx,
    organizationId,
    found.map((move) => ({ ...move, isReported: isReported(move) })),
  );
  const reported = found.filter(isReported);
  if (reported.length === 0) return false;
  // Changes without an expected reason come first, because the first release is the subject of the report.
  const ordered = [
    ...reported.filter(({ habit }) => habit === null),
    ...reported.filter(({ habit }) => habit !== null),
  ];
  const stored: StoredMove[] = ordered
    .slice(0, maxReported)
    .map(({ release: { id, tag, version, kind, from, to } }) => ({ id, tag, version, kind, from, to }));
  await sql`
    INSERT INTO release_moves (organization_id, gather_job_id, artifact_name, noticed_at, releases, release_count, due_at)
    VALUES (${organizationId}, ${job.jobId}, ${job.artifactName}, ${noticedAt}::timestamptz, ${JSON.stringify(stored)}::jsonb,
      ${reported.length}, pacekeeper_now())`.execute(tx);
  wake(tx, dueTopic(dueReleaseMovesTable.name));
  return true;
}

async function readSiblings(tx: Tx, organizationId: number, job: JobToRecord): Promise<ReleaseSet> {
  const { rows } = await sql<{
    version: string;
    isPrerelease: boolean;
    isYanked: boolean;
    isWithdrawn: boolean;
  }>`
    SELECT version, is_prerelease AS "isPrerelease", is_yanked AS "isYanked", is_withdrawn AS "isWithdrawn"
    FROM releases WHERE organization_id = ${organizationId} AND gather_job_id = ${job.jobId}
    ORDER BY sort_key DESC NULLS LAST LIMIT ${maxSiblings}`.execute(tx);
  // Moving tags are recognized by their text alone, so no dates are needed.
  const siblings = rows.map((row) => ({ ...row, releasedAtMs: null, discoveredAtMs: 0, url: null }));
  const options = { isImage: true, platformWords: job.platformWords };
  return new TimeSlices().run(prepareInSteps(job.scheme, siblings, options));
}

async function readRebuildCount(tx: Tx, organizationId: number, jobId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT CASE WHEN last_rebuilt_at > pacekeeper_now() - ${rebuildExpectationPeriod} THEN rebuild_count ELSE 0 END AS count
    FROM gather_jobs WHERE organization_id = ${organizationId} AND id = ${jobId}`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** @returns The time at which the changes were noticed. */
async function storeMoves(
  tx: Tx,
  organizationId: number,
  found: readonly { release: MovedRelease; habit: ExpectedMoveReason | null; isReported: boolean }[],
): Promise<string> {
  const { rows } = await sql<{ at: Date }>`
    UPDATE releases
    SET moved_from = moved.value, move_habit = moved.habit, move_count = move_count + 1, move_noticed_at = pacekeeper_now(),
        moves = CASE WHEN is_reported THEN
          -- At the limit, the new change replaces the last stored one.
          CASE WHEN jsonb_array_length(moves) >= ${maxReleaseMoves} THEN moves - -1 ELSE coalesce(moves, '[]') END
            || jsonb_build_object('at_ms', (extract(epoch FROM pacekeeper_now()) * 1000)::bigint, 'from', moved.value,
              'to', moved.new_value)
          ELSE moves END
    FROM unnest(${found.map(({ release }) => release.id)}::bigint[], ${found.map(({ release }) => release.from)}::text[],
      ${found.map(({ release }) => release.to)}::text[], ${found.map(({ habit }) => habit)}::text[],
      ${found.map(({ isReported }) => isReported)}::boolean[]) AS moved (id, value, new_value, habit, is_reported)
    WHERE organization_id = ${organizationId} AND releases.id = moved.id
    RETURNING move_noticed_at AS at`.execute(tx);
  return rows[0]!.at.toISOString();
}

async function countRebuild(tx: Tx, organizationId: number, jobId: number): Promise<void> {
  await sql`
    UPDATE gather_jobs
    SET rebuild_count = CASE WHEN last_rebuilt_at > pacekeeper_now() - ${rebuildExpectationPeriod} THEN rebuild_count + 1 ELSE 1 END,
        last_rebuilt_at = pacekeeper_now()
    WHERE organization_id = ${organizationId} AND id = ${jobId}
      AND coalesce(last_rebuilt_at <= pacekeeper_now() - ${minRebuildInterval}, true)`.execute(tx);
}
