import { freshnessMetrics, withUnit } from '../../../../src/domain/freshness/freshness-metrics.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { countOf, formatCount, formatDecimal, formatPercent } from '../../ui/format.ts';

export type Metric = Schemas['FreshnessMetric'];

export const metricOptions = (Object.keys(freshnessMetrics) as Metric[]).map((value) => ({
  value,
  label: freshnessMetrics[value].label,
}));

/** Formats a value with its unit, such as "41.2 libyears" or "1 day". */
export function formatValue(metric: Metric, value: number): string {
  return withUnit(metric, formatNumber(value));
}

/** Formats a number, such as "41.2", "0.25", or "1,200". */
export function formatNumber(value: number | null): string {
  return value === null ? 'unknown' : formatDecimal(value);
}

type Point = Schemas['FreshnessPoint'];

/** Formats the sum of a point, or another value that its known versions have. Without any, the value isn't known. */
export function formatKnown({ known }: Point, value: number, format = formatDecimal): string {
  return known === 0 ? 'unknown' : format(value);
}

/** If the number of measured versions changed by a larger share, their sums aren't comparable. */
const comparableShare = 0.2;

/**
 * Returns true if the sums of two points cover about the same number of versions. They can still be other versions.
 * Otherwise, a change of the sum can come from added or removed software.
 */
function isComparable(now: Point, before: Point): boolean {
  return Math.abs(now.known - before.known) <= before.known * comparableShare;
}

/**
 * Formats a 90-day trend, such as "−6% in 90 days", or the reason why the sums aren't comparable. Returns `null` if the
 * earlier value isn't known.
 */
export function formatTrend(now: Point, before: Point | null): string | null {
  if (before === null || before.known + now.known === 0) return null;
  if (isComparable(now, before)) return `${formatChange(now.sum, before.sum)} in 90 days`;
  return `not comparable: ${countOf(before.known, 'version')} ${before.known === 1 ? 'was' : 'were'} known 90 days ago, ${formatCount(now.known)} now`;
}

/** Formats the change of a sum, such as "−6%" or "not comparable". Returns `null` if the earlier value isn't known. */
export function formatSumChange(now: Point, before: Point | null): string | null {
  if (before === null || before.known + now.known === 0) return null;
  return isComparable(now, before) ? formatChange(now.sum, before.sum) : 'not comparable';
}

/** Formats a change, such as "−6%" or "unchanged". Returns `null` if the earlier value isn't known. */
export function formatChange(now: number, before: number | undefined): string | null {
  if (before === undefined) return null;
  if (before === now) return 'unchanged';
  if (before === 0) return 'from 0';
  const percent = Math.round(((now - before) / before) * 100);
  return `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${Math.abs(percent).toLocaleString('en')}%`;
}

/**
 * Returns the share of deployments within their target, such as "83.3%". Deployments without a target are excluded.
 * Returns `null` if no deployment has a target.
 */
export function formatWithin({ targeted, within_target }: Point): string | null {
  return targeted === 0 ? null : formatPercent(within_target / targeted);
}

/**
 * Formats the change of the share within targets in percentage points, such as "+2.5 points" or "unchanged". Returns
 * `null` if one of the shares isn't known.
 */
export function formatWithinChange(now: Point, before: Point | null): string | null {
  if (before === null || before.targeted === 0 || now.targeted === 0) return null;
  const shares = [now, before].map(
    (point) => Math.round((point.within_target / point.targeted) * 1_000) / 10,
  );
  const points = formatDecimal(Math.abs(shares[0]! - shares[1]!));
  if (shares[0] === shares[1]) return 'unchanged';
  return `${shares[0]! > shares[1]! ? '+' : '−'}${points} ${points === '1' ? 'point' : 'points'}`;
}

/** Returns if a target was met. Returns `null` if no deployed version counts towards it. */
export function formatGoal({ targeted, within_target }: Point, goalPercent: number): 'Met' | 'Missed' | null {
  if (targeted === 0) return null;
  return within_target * 100 >= goalPercent * targeted ? 'Met' : 'Missed';
}
