import { freshnessMetrics, withUnit } from '../../../../src/domain/freshness/freshness-metrics.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { formatDecimal } from '../../ui/format.ts';

export type Metric = Schemas['FreshnessMetric'];

export const metricOptions = (Object.keys(freshnessMetrics) as Metric[]).map((value) => ({
  value,
  label: freshnessMetrics[value].label,
}));

/** "41.2 libyears", "1 day" */
export function formatValue(metric: Metric, value: number): string {
  return withUnit(metric, formatNumber(value));
}

/** "41.2", "0.25", "1,200" */
export function formatNumber(value: number | null): string {
  return value === null ? 'unknown' : formatDecimal(value);
}

/** "−6% in 90 days". `null` if nothing is known of then. */
export function formatTrend(now: number, before: number | undefined): string | null {
  const change = formatChange(now, before);
  return change === null ? null : `${change} in 90 days`;
}

/** "−6%", "unchanged". `null` if nothing is known of then. */
export function formatChange(now: number, before: number | undefined): string | null {
  if (before === undefined) return null;
  if (before === now) return 'unchanged';
  if (before === 0) return 'from 0';
  const percent = Math.round(((now - before) / before) * 100);
  return `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${Math.abs(percent).toLocaleString('en')}%`;
}

/** "83%": of those with a target, rounded down, so that 100% means all. */
export function formatWithin({ targeted, within_target }: Schemas['FreshnessPoint']): string | null {
  return targeted === 0 ? null : `${Math.floor((within_target * 100) / targeted)}%`;
}
