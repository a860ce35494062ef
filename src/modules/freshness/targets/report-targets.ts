import { sql } from 'kysely';
import type { TargetMetric } from '../../../domain/freshness/freshness-metrics.ts';
import { percentWithin, updateTargetState } from '../../../domain/freshness/freshness-target.ts';
import { problemKey } from '../../../domain/routing/notification-event.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { publishChanges } from '../../audit/index.ts';
import { endProblem, lockEndedProblems, planServiceEvent } from '../../notifications/index.ts';
import type { MeasuredTarget } from '../measuring/measure-now.ts';

interface ReportedRow {
  id: number;
  name: string;
  metric: TargetMetric;
  limit: number;
  goal_percent: number;
  reported: 'met' | 'missed' | null;
  differs_since_ms: number | null;
}

/**
 * Stores the measurements of targets. Reports a goal that has been missed for a day, or met again for a day.
 */
export async function reportTargets(
  tx: Tx,
  organizationId: number,
  measured: readonly MeasuredTarget[],
  nowMs: number,
): Promise<void> {
  const byId = new Map(measured.map((target) => [target.id, target]));
  // The row locks serialize the reports of two servers that measured at the same time.
  const { rows } = await sql<ReportedRow>`
    SELECT id, name, metric, max_value AS "limit", goal_percent, reported, (extract(epoch FROM differs_since) * 1000)::bigint AS differs_since_ms
    FROM freshness_targets
    WHERE organization_id = ${organizationId} AND id = ANY(${[...byId.keys()]}::bigint[]) AND is_active
    ORDER BY id FOR UPDATE`.execute(tx);
  for (const { reported, differs_since_ms: differsSinceMs, ...row } of rows) {
    const { id } = row;
    const target = byId.get(id)!;
    const { state, report } = updateTargetState({ reported, differsSinceMs }, target.isMet, nowMs);
    await sql`
      UPDATE freshness_targets
      SET known = ${target.known}, unknown = ${target.unknown}, out_of_target = ${target.outOfTarget},
        forecast_30d = ${target.forecast30d},
        met_since = CASE WHEN ${target.isMet ?? false} THEN coalesce(met_since, to_timestamp(${nowMs}::float8 / 1000)) END,
        reported = ${state.reported}, differs_since = to_timestamp(${state.differsSinceMs}::float8 / 1000)
      WHERE organization_id = ${organizationId} AND id = ${id}`.execute(tx);
    if (report === null) continue;
    const { known, outOfTarget: out_of_target } = target;
    const now_percent = percentWithin(known - out_of_target, known);
    const data = { target: { ...row, now_percent, out_of_target } };
    if (report === 'missed') {
      await planServiceEvent(tx, organizationId, { type: 'target.missed', data });
    } else {
      const key = problemKey('target.met', data)!;
      await endProblem(tx, { organizationId, key, resolution: 'recovered', changes: data.target });
    }
  }
  publishChanges(
    tx,
    organizationId,
    'freshness_target',
    rows.map(({ id }) => id),
    'updated',
  );
}

/**
 * Ends the reported problems of targets that were deleted, disabled, or changed while their goal was reported
 * as missed.
 *
 * @returns The number of ended problems. If it reaches `limit`, call again.
 */
export async function endTargetProblemsAcrossOrganizations(tx: Tx, limit: number): Promise<number> {
  const ended = await lockEndedProblems(
    tx,
    null,
    {
      type: 'target.missed',
      subjectKind: 'target',
      table: 'freshness_targets',
      // Changing a target clears its measurements and `reported`, so the target is no longer reported as
      // missed.
      isOver: sql<boolean>`s.reported IS DISTINCT FROM 'missed'`,
      hasRecovered: sql<boolean>`coalesce(s.reported = 'met', false)`,
      isDisabled: sql<boolean>`NOT s.is_active`,
    },
    limit,
  );
  for (const each of ended) await endProblem(tx, each);
  return ended.length;
}
