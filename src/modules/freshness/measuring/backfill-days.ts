import { sql } from 'kysely';
import { FreshnessGroups } from '../../../domain/freshness/freshness-groups.ts';
import { endOfDayMs } from '../../../domain/freshness/freshness-metrics.ts';
import { freshnessTimeline } from '../../../domain/freshness/freshness-timeline.ts';
import { KnownValues } from '../../../domain/freshness/known-values.ts';
import type { FreshnessSummary } from '../../../domain/freshness/summarize-freshness.ts';
import { dayMs } from '../../../domain/rules/stored-lag.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { ReleaseCache } from '../../monitoring/index.ts';
import { TimelineSteps } from './course-steps.ts';
import { readPairs } from './measure-pairs.ts';
import { writeBackfilledLabels } from './pair-writes.ts';
import { deleteOldPoints, writePoints } from './point-writes.ts';
import { listPairs, type Pairs, readContext } from './population-queries.ts';

export interface MissingDays {
  readonly fromDay: number;
  readonly toDay: number;
  /** True if all stored days are recomputed. */
  readonly isAll: boolean;
}

/**
 * Maximum product of the number of pairs and the number of days that are computed together: a year of 5,000 pairs,
 * about 25 MB.
 */
const maxBatchCells = 2_000_000;
const keptDays = 3 * 365;

/**
 * Computes past days, newest first. Uses the versions and releases of each day, but the current labels, targets, and
 * marks of releases. Software that is no longer deployed is included up to the time when discovery first missed it.
 */
export async function backfillDays(
  db: Database,
  releaseCache: ReleaseCache,
  organizationId: number,
  { fromDay, toDay, isAll }: MissingDays,
): Promise<void> {
  const { context } = await readContext(db, organizationId);
  const { labelKeys, groupingKeys, targets } = context;
  const pairs = await listPairs(db, organizationId, groupingKeys);
  const groups = new FreshnessGroups(pairs.labels, labelKeys, targets);
  const daysAtOnce = Math.max(7, Math.floor(maxBatchCells / Math.max(1, pairs.ids.length)));
  const known = new KnownValues();
  let knownFromMs = Infinity;
  for (let lastDay = toDay; lastDay >= fromDay; lastDay -= daysAtOnce) {
    const firstDay = Math.max(fromDay, lastDay - daysAtOnce + 1);
    const courses = await readCourses(db, releaseCache, organizationId, pairs, { firstDay, lastDay });
    knownFromMs = Math.min(knownFromMs, courses.knownFromMs);
    const summaries: FreshnessSummary[][] = [];
    for (let day = firstDay; day <= lastDay; day++) {
      courses.steps.readAt(day - firstDay, endOfDayMs(day), known);
      summaries.push(groups.summarize(known));
    }
    const days = { fromDay: firstDay, toDay: lastDay, groups: groups.groups };
    await writePoints(db, organizationId, days, summaries);
  }
  const targetIds = targets.map(({ id }) => id);
  await deleteOldPoints(db, organizationId, { labelKeys, targetIds, beforeDay: toDay - keptDays });
  if (isAll) await writeBackfilledLabels(db, organizationId, pairs);
  const knownFromDay = Number.isFinite(knownFromMs)
    ? Math.max(fromDay, Math.floor(knownFromMs / dayMs))
    : toDay + 1;
  await sql`
    UPDATE freshness_states SET through_day = date '1970-01-01' + ${toDay}::integer,
      basis = CASE WHEN ${isAll} THEN ${context.basis} ELSE basis END,
      filled_at = CASE WHEN ${isAll} THEN to_timestamp(${context.nowMs}::float8 / 1000) ELSE filled_at END,
      known_from = CASE WHEN ${isAll} OR known_from IS NULL THEN date '1970-01-01' + ${knownFromDay}::integer
        ELSE known_from END
    WHERE organization_id = ${organizationId}`.execute(db);
}

/** Returns the number of instants before a time. */
function countBefore(instants: readonly number[], timeMs: number): number {
  const index = instants.findIndex((atMs) => atMs >= timeMs);
  return index === -1 ? instants.length : index;
}

interface Courses {
  readonly knownFromMs: number;
  readonly steps: TimelineSteps;
}

async function readCourses(
  db: Database,
  releaseCache: ReleaseCache,
  organizationId: number,
  { ids, endsMs }: Pairs,
  { firstDay, lastDay }: { firstDay: number; lastDay: number },
): Promise<Courses> {
  const instants = Array.from({ length: lastDay - firstDay + 1 }, (_, index) => endOfDayMs(firstDay + index));
  const steps = new TimelineSteps(ids.length);
  let knownFromMs = Infinity;
  for await (const { releases, pairs } of readPairs(db, releaseCache, organizationId, ids, instants[0]!)) {
    for (const { versions } of pairs) knownFromMs = Math.min(knownFromMs, versions[0]?.atMs ?? Infinity);
    for (const step of freshnessTimeline(releases, pairs, instants)) {
      const { index } = step.subject;
      const endMs = endsMs[index] ?? null;
      const untilIndex =
        endMs === null ? step.untilIndex : Math.min(step.untilIndex, countBefore(instants, endMs));
      if (step.fromIndex < untilIndex) steps.add(index, { ...step, untilIndex });
    }
  }
  return { knownFromMs, steps };
}
