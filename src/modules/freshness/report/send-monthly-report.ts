import { sql } from 'kysely';
import {
  type BehindResource,
  dayBefore,
  freshnessReport,
  monthToReport,
  type ReportedDay,
  type ReportedTarget,
} from '../../../domain/freshness/freshness-report.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { planServiceEvent } from '../../notifications/index.ts';
import { readSettings } from '../../settings/index.ts';

const shownThings = 5;

/**
 * Sends the report of the previous month once, when the last day of the month has been computed. No report is
 * sent for the month of the first measurement or if reports are disabled.
 */
export async function sendMonthlyReport(tx: Tx, organizationId: number, nowMs: number): Promise<void> {
  const thisMonth = `${new Date(nowMs).toISOString().slice(0, 7)}-01`;
  // If two servers run this at the same time, the second one waits for this lock and then skips the report.
  const { rows } = await sql<{ reported_month: string | null }>`
    SELECT reported_month::text FROM freshness_states
    WHERE organization_id = ${organizationId} FOR UPDATE`.execute(tx);
  const [state] = rows;
  if (!state) return;
  // Skip a report that was already sent. A measurement that started last month can finish after this month's report was
  // sent.
  if (state.reported_month !== null && state.reported_month >= thisMonth) return;
  await sql`
    UPDATE freshness_states SET reported_month = ${thisMonth}::date
    WHERE organization_id = ${organizationId}`.execute(tx);
  const month = monthToReport(state.reported_month, thisMonth);
  if (month === null) return;
  if (!(await readSettings(tx, organizationId))['freshness.monthly_report']) return;
  const lastDay = dayBefore(thisMonth);
  const days = await readDays(tx, organizationId, [lastDay, dayBefore(`${month}-01`)]);
  const now = days.get(lastDay);
  // Nothing was measured on the last day of the month.
  if (!now) return;
  const report = freshnessReport(
    month,
    now,
    days.get(dayBefore(`${month}-01`)) ?? null,
    await readTargets(tx, organizationId, lastDay),
    await readFurthestBehind(tx, organizationId),
  );
  await planServiceEvent(tx, organizationId, { type: 'freshness.report', data: { report } });
}

async function readDays(
  tx: Tx,
  organizationId: number,
  days: readonly string[],
): Promise<Map<string, ReportedDay>> {
  const { rows } = await sql<ReportedDay & { day: string }>`
    SELECT day::text, things, libyears[2] AS libyears, targeted, within_target AS "withinTarget"
    FROM freshness_points
    WHERE organization_id = ${organizationId} AND grouping = 'all' AND group_key = '' AND group_value = ''
      AND day = ANY(${[...days]}::date[])`.execute(tx);
  return new Map(rows.map(({ day, ...rest }) => [day, rest]));
}

async function readTargets(tx: Tx, organizationId: number, day: string): Promise<ReportedTarget[]> {
  const { rows } = await sql<ReportedTarget>`
    SELECT t.goal_percent AS "goalPercent", coalesce(p.targeted, 0) AS known, coalesce(p.within_target, 0) AS within,
      coalesce(p.things - p.targeted, 0) AS unknown
    FROM freshness_targets t
    LEFT JOIN freshness_points p ON p.organization_id = t.organization_id AND p.grouping = 'target'
      AND p.group_key = '' AND p.group_value = t.id::text AND p.day = ${day}::date
    WHERE t.organization_id = ${organizationId} AND t.is_active ORDER BY t.id`.execute(tx);
  return rows;
}

async function readFurthestBehind(tx: Tx, organizationId: number): Promise<BehindResource[]> {
  const { rows } = await sql<BehindResource>`
    SELECT c.name, t.deployed_version AS "deployedVersion", t.latest_version AS "latestVersion", t.libyears,
      t.is_lower_bound AS "isLowerBound"
    FROM freshness_things t
    JOIN alert_configs c ON c.organization_id = t.organization_id AND c.id = t.alert_config_id
    WHERE t.organization_id = ${organizationId} AND t.libyears > 0
    ORDER BY t.libyears DESC NULLS LAST, t.alert_config_id DESC LIMIT ${shownThings}`.execute(tx);
  return rows;
}
