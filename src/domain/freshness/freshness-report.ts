import type { FreshnessReportEventData } from '../routing/notification-event.ts';
import { withUnit } from './freshness-metrics.ts';
import { isGoalMet } from './freshness-target.ts';

type Report = Omit<FreshnessReportEventData['report'], 'url'>;

/** Figures for the end of a month. */
export interface ReportedDay {
  readonly things: number;
  readonly libyears: number;
  readonly targeted: number;
  readonly withinTarget: number;
}

export interface ReportedTarget {
  readonly goalPercent: number;
  readonly known: number;
  readonly unknown: number;
  readonly within: number;
}

export interface BehindResource {
  readonly name: string;
  readonly deployedVersion: string;
  readonly latestVersion: string | null;
  readonly libyears: number;
  /** True if newer releases may be missing from the list, so the version can be further behind. */
  readonly isLowerBound: boolean;
}

const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const tenths = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const hundredths = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

/** Returns the name of a month, such as "October 2026" for `2026-10`. */
export function monthName(month: string): string {
  const atMs = Date.parse(`${month}-01`);
  return Number.isNaN(atMs) ? month : monthFormat.format(atMs);
}

/** Formats a number of libyears, such as "41.2" or "0.25". */
export function formatLibyears(libyears: number): string {
  return (libyears < 1 ? hundredths : tenths).format(libyears);
}

/**
 * Returns the month to report now.
 *
 * @param reportedMonth The month in which the last report was due, such as `2026-11-01`. `null` if no report
 * was due yet.
 * @param thisMonth The first day of this month.
 * @returns The month, or `null` if no report is due: in the first month, or after the clock was set back.
 */
export function monthToReport(reportedMonth: string | null, thisMonth: string): string | null {
  if (reportedMonth === null || reportedMonth >= thisMonth) return null;
  return dayBefore(thisMonth).slice(0, 7);
}

export function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
}

export function freshnessReport(
  month: string,
  now: ReportedDay,
  before: ReportedDay | null,
  targets: readonly ReportedTarget[],
  furthestBehind: readonly BehindResource[],
): Report {
  const met = targets.filter((target) => isGoalMet(target.goalPercent, target) === true);
  const lines = furthestBehind.map(
    ({ name, deployedVersion, latestVersion, libyears, isLowerBound }) =>
      `${name}: ${deployedVersion}${latestVersion === null ? '' : ` → ${latestVersion}`}, ${isLowerBound ? 'at least ' : ''}${withUnit('libyears', formatLibyears(libyears))}`,
  );
  return {
    month,
    things: now.things,
    libyears: round(now.libyears),
    libyears_before: before === null ? null : round(before.libyears),
    within_percent: percentOf(now),
    within_percent_before: before === null ? null : percentOf(before),
    targets_met: met.length,
    target_count: targets.length,
    furthest_behind: lines.length === 0 ? null : lines.join('\n'),
  };
}

function percentOf({ targeted, withinTarget }: ReportedDay): number | null {
  return targeted === 0 ? null : Math.floor((withinTarget * 100) / targeted);
}

function round(libyears: number): number {
  return Math.round(libyears * 100) / 100;
}
