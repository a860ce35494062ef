import { sql } from 'kysely';
import { type FreshnessStep, freshnessCourse } from '../../../domain/freshness/freshness-course.ts';
import type { FreshnessFigures } from '../../../domain/freshness/freshness-figures.ts';
import { FreshnessGroups, type KnownValues } from '../../../domain/freshness/freshness-groups.ts';
import {
  endOfDayMs,
  type FreshnessMetric,
  freshnessMetricNames,
  freshnessMetrics,
} from '../../../domain/freshness/freshness-metrics.ts';
import type { FreshnessSummary } from '../../../domain/freshness/summarize-freshness.ts';
import { dayMs } from '../../../domain/rules/behind-days.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { ReleaseCache } from '../../monitoring/index.ts';
import { type MeasuredPair, readPairs } from './measure-pairs.ts';
import { deleteOldPoints, writePoints } from './point-writes.ts';
import { listPairs, type Pair, readContext } from './population-queries.ts';
import { writeFilledLabels } from './thing-writes.ts';

export interface MissingDays {
  readonly fromDay: number;
  readonly toDay: number;
  /** All stored days are computed again. */
  readonly isAll: boolean;
}

/** Pairs times days that are computed at once: what a year of 5,000 pairs takes, about 60 MB. */
const cellsAtOnce = 2_000_000;
const keptDays = 3 * 365;

/**
 * Computes days from what ran and what was released then, the newest days first. Labels, targets, and the marks of releases
 * are those of today.
 */
export async function fillDays(
  db: Database,
  releaseCache: ReleaseCache,
  organizationId: number,
  { fromDay, toDay, isAll }: MissingDays,
): Promise<void> {
  const { context } = await readContext(db, organizationId);
  const { labelKeys, groupingKeys, targets } = context;
  const pairs = await listPairs(db, organizationId);
  const groups = new FreshnessGroups(
    pairs.map(({ labels }) => labels),
    labelKeys,
    targets,
  );
  const daysAtOnce = Math.max(7, Math.floor(cellsAtOnce / Math.max(1, pairs.length)));
  let knownFromMs = Infinity;
  for (let lastDay = toDay; lastDay >= fromDay; lastDay -= daysAtOnce) {
    const firstDay = Math.max(fromDay, lastDay - daysAtOnce + 1);
    const courses = await readCourses(db, releaseCache, organizationId, pairs, { firstDay, lastDay });
    knownFromMs = Math.min(knownFromMs, courses.knownFromMs);
    const summaries: FreshnessSummary[][] = [];
    for (let day = firstDay; day <= lastDay; day++) {
      summaries.push(groups.summarize(courses.on(day - firstDay, endOfDayMs(day))));
    }
    const days = { fromDay: firstDay, toDay: lastDay, groups: groups.groups };
    await writePoints(db, organizationId, days, summaries);
  }
  const targetIds = targets.map(({ id }) => id);
  await deleteOldPoints(db, organizationId, { labelKeys, targetIds, beforeDay: toDay - keptDays });
  if (isAll) await writeFilledLabels(db, organizationId, pairs, groupingKeys);
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

interface Courses {
  readonly knownFromMs: number;
  /** What is known of each pair on a day. */
  on(index: number, atMs: number): (KnownValues | null)[];
}

async function readCourses(
  db: Database,
  releaseCache: ReleaseCache,
  organizationId: number,
  pairs: readonly Pair[],
  { firstDay, lastDay }: { firstDay: number; lastDay: number },
): Promise<Courses> {
  const instants = Array.from({ length: lastDay - firstDay + 1 }, (_, index) => endOfDayMs(firstDay + index));
  const stepsOf = new Map<number, Step[]>();
  let knownFromMs = Infinity;
  const ids = pairs.map(({ id }) => id);
  for await (const { releases, pairs: ofJob } of readPairs(
    db,
    releaseCache,
    organizationId,
    ids,
    instants[0]!,
  )) {
    for (const { versions } of ofJob) knownFromMs = Math.min(knownFromMs, versions[0]?.atMs ?? Infinity);
    for (const step of freshnessCourse(releases, ofJob, instants)) addStep(stepsOf, step);
  }
  const courses = pairs.map(({ id }) => ({ steps: stepsOf.get(id) ?? [], place: 0 }));
  return {
    knownFromMs,
    on: (index, atMs) =>
      courses.map((course) => {
        while ((course.steps[course.place]?.untilIndex ?? Infinity) <= index) course.place++;
        const step = course.steps[course.place];
        return step === undefined || step.fromIndex > index ? null : toKnown(step.figures, atMs);
      }),
  };
}

type Step = Pick<FreshnessStep<MeasuredPair>, 'fromIndex' | 'untilIndex' | 'figures'>;

function addStep(
  stepsOf: Map<number, Step[]>,
  { subject, fromIndex, untilIndex, figures }: FreshnessStep<MeasuredPair>,
) {
  const step = { fromIndex, untilIndex, figures };
  const steps = stepsOf.get(subject.id);
  if (steps === undefined) stepsOf.set(subject.id, [step]);
  else steps.push(step);
}

function toKnown(figures: FreshnessFigures | null, atMs: number): KnownValues {
  if (figures === null) return unknown;
  const values = Object.fromEntries(
    freshnessMetricNames.map((name) => [name, freshnessMetrics[name].valueOf(figures, atMs)]),
  ) as Record<FreshnessMetric, number | null>;
  return { values, isEstimate: figures.isEstimate };
}

const unknown: KnownValues = {
  values: { libyears: null, exposure_days: null, majors: null, minors: null, releases: null },
  isEstimate: false,
};
