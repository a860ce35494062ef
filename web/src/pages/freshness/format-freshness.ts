import { freshnessMetrics, withUnit } from '../../../../src/domain/freshness/freshness-metrics.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { formatDecimal } from '../../ui/format.ts';

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

/** Formats a 90-day trend, such as "−6% in 90 days". Returns `null` if the earlier value isn't known. */
export function formatTrend(now: number, before: number | undefined): string | null {
  const change = formatChange(now, before);
  return change === null ? null : `${change} in 90 days`;
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
 * Returns the share of deployments within their target, such as "83%". Deployments without a target are excluded. The
 * share is rounded down, so 100% means all of them. Returns `null` if no deployment has a target.
 */
export function formatWithin({ targeted, within_target }: Schemas['FreshnessPoint']): string | null {
  return targeted === 0 ? null : `${Math.floor((within_target * 100) / targeted)}%`;
}
