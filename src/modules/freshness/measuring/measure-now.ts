import { sql } from 'kysely';
import { type FreshnessFigures, measureFreshness } from '../../../domain/freshness/freshness-figures.ts';
import { FreshnessGroups, type Labels } from '../../../domain/freshness/freshness-groups.ts';
import { freshnessMetrics } from '../../../domain/freshness/freshness-metrics.ts';
import { isGoalMet } from '../../../domain/freshness/freshness-target.ts';
import { KnownValues, type MetricValues } from '../../../domain/freshness/known-values.ts';
import { dayMs } from '../../../domain/rules/stored-lag.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { ReleaseCache } from '../../monitoring/index.ts';
import { readPairs } from './measure-pairs.ts';
import {
  type PairMeasurementRow,
  readMeasurements,
  type StoredMeasurement,
  storeTargetResults,
  writeMeasurements,
} from './pair-writes.ts';
import { writePoints } from './point-writes.ts';
import {
  type ChangedPairs,
  haveGroupLabelsChanged,
  LabelInterner,
  listChangedPairs,
  type MeasurementContext,
  readContext,
} from './population-queries.ts';

/** Current state of a target. */
export interface MeasuredTarget {
  readonly id: number;
  readonly known: number;
  readonly unknown: number;
  readonly outOfTarget: number;
  readonly forecast30d: number;
  /** `null` if no value is known. */
  readonly isMet: boolean | null;
}

export interface Measurement {
  readonly nowMs: number;
  /** `null` if nothing changed. */
  readonly targets: readonly MeasuredTarget[] | null;
  /** Days to compute, as numbers of days since 1970, UTC. `null` if no days are missing. */
  readonly missing: { readonly fromDay: number; readonly toDay: number; readonly isAll: boolean } | null;
}

/** Number of past days that are computed. */
const pastDays = 365;
/**
 * Maximum age of a summary. Even without changes, values grow as time passes, so they are summarized again after this
 * time.
 */
const summaryAgeMs = 3_600_000;
const writeBatchSize = 500;
const forecastMs = 30 * dayMs;

/** Measures the pairs that have changed since the last measurement, and summarizes all current values. */
export async function measureNow(
  db: Database,
  releaseCache: ReleaseCache,
  organizationId: number,
): Promise<Measurement> {
  const { context, state } = await readContext(db, organizationId);
  const { nowMs, today } = context;
  const { changed, deletedCount } = await listChangedPairs(db, organizationId);
  await measureChanged(db, releaseCache, organizationId, changed, nowMs);
  const yesterday = today - 1;
  const isNewDay = state.throughDay === null || state.throughDay < yesterday;
  const isAll =
    state.throughDay === null ||
    state.basis !== context.basis ||
    (isNewDay && !state.isFilledForAll) ||
    (await haveGroupLabelsChanged(db, organizationId, context.groupingKeys));
  const fromDay = isAll ? yesterday - pastDays + 1 : Math.max(state.throughDay + 1, yesterday - pastDays + 1);
  const missing = fromDay <= yesterday && (isAll || isNewDay) ? { fromDay, toDay: yesterday, isAll } : null;
  const isSettled =
    changed.ids.length === 0 &&
    deletedCount === 0 &&
    missing === null &&
    !state.hasNewTargets &&
    state.measuredAtMs !== null &&
    state.measuredAtMs <= nowMs &&
    nowMs - state.measuredAtMs < summaryAgeMs;
  const targets = isSettled ? null : await sumUp(db, organizationId, context);
  return { nowMs, targets, missing };
}

async function measureChanged(
  db: Database,
  releaseCache: ReleaseCache,
  organizationId: number,
  { ids, fingerprints }: ChangedPairs,
  nowMs: number,
): Promise<void> {
  let measured: PairMeasurementRow[] = [];
  for await (const { releases, pairs } of readPairs(db, releaseCache, organizationId, ids, nowMs)) {
    const existing = releases.asOf(nowMs, 'released');
    for (const { index, options, versions, doubtedSinceMs } of pairs) {
      const deployed = versions.at(-1)?.version;
      if (deployed === undefined) continue;
      const figures = measureFreshness(existing, options, deployed, doubtedSinceMs != null);
      measured.push(toRow(ids[index]!, fingerprints[index]!, deployed, figures));
    }
    if (measured.length < writeBatchSize) continue;
    await writeMeasurements(db, organizationId, measured);
    measured = [];
  }
  await writeMeasurements(db, organizationId, measured);
}

function toRow(
  id: number,
  fingerprint: string,
  deployedVersion: string,
  figures: FreshnessFigures | null,
): PairMeasurementRow {
  return {
    id,
    fingerprint,
    deployedVersion,
    latestVersion: figures?.latestVersion ?? null,
    libyears: figures === null ? null : freshnessMetrics.libyears.valueOf(figures),
    exposedSinceMs: figures?.exposedSinceMs ?? null,
    majors: figures?.majors ?? null,
    minors: figures?.minors ?? null,
    releases: figures?.releases ?? null,
    isKnown: figures !== null,
    isEstimate: figures?.isEstimate ?? false,
    isLowerBound: figures?.isLowerBound ?? false,
  };
}

async function sumUp(
  db: Database,
  organizationId: number,
  { nowMs, today, labelKeys, groupingKeys, targets }: MeasurementContext,
): Promise<MeasuredTarget[]> {
  const ids: number[] = [];
  const labels: Labels[] = [];
  const wereWithin: (boolean | null)[] = [];
  const known = new KnownValues();
  const shared = new LabelInterner(groupingKeys);
  await readMeasurements(db, organizationId, (thing) => {
    ids.push(thing.id);
    labels.push(shared.share(thing.labels));
    wereWithin.push(thing.isWithinTarget);
    known.add(valuesOf(thing, nowMs), thing);
  });
  const groups = new FreshnessGroups(labels, labelKeys, targets);
  const summaries = groups.summarize(known);
  await writePoints(db, organizationId, { fromDay: today, toDay: today, groups: groups.groups }, [summaries]);
  await storeTargetResults(
    db,
    organizationId,
    ids.flatMap((id, index) => {
      const isWithinTarget = groups.isWithinTargets(index, known);
      return isWithinTarget === wereWithin[index] ? [] : [{ id, isWithinTarget }];
    }),
  );
  await sql`
    UPDATE freshness_states SET measured_at = to_timestamp(${nowMs}::float8 / 1000),
      label_keys = ${JSON.stringify(labelKeys)}::jsonb
    WHERE organization_id = ${organizationId}`.execute(db);
  const firstTarget = groups.groups.length - targets.length;
  return targets.map((target, place): MeasuredTarget => {
    const { things: count, targeted, withinTarget } = summaries[firstTarget + place]!;
    const unknown = count - targeted;
    return {
      id: target.id,
      known: targeted,
      unknown,
      outOfTarget: targeted - withinTarget,
      forecast30d: groups.countLeaving(target, known, nowMs, nowMs + forecastMs),
      isMet: isGoalMet(target.goalPercent, { within: withinTarget, known: targeted, unknown }),
    };
  });
}

function valuesOf(thing: StoredMeasurement, nowMs: number): MetricValues {
  const { isKnown, exposedSinceMs, libyears, majors, minors, releases } = thing;
  const exposure_days = isKnown ? freshnessMetrics.exposure_days.valueOf({ exposedSinceMs }, nowMs) : null;
  return { libyears, exposure_days, majors, minors, releases };
}
