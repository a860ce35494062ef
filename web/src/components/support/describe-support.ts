import { formatDaysLeft } from '../../../../src/domain/support/format-support.ts';
import { formatDay } from '../../ui/format.ts';
import type { SupportEnd } from './load-support.ts';

/**
 * Formats the end of support: "supported until Nov 12, 2026", "support ended Nov 12, 2024", "no longer
 * supported".
 */
export function describeSupport({ ends_on, has_ended }: Pick<SupportEnd, 'ends_on' | 'has_ended'>): string {
  if (ends_on === null) return has_ended ? 'no longer supported' : 'supported';
  const day = formatDay(new Date(`${ends_on}T00:00:00Z`));
  return has_ended ? `support ended ${day}` : `supported until ${day}`;
}

/** Formats the last day of support, such as "Dec 9, 2026", from the first instant after it. */
export function formatLastDay(endsAt: string): string {
  return formatDay(new Date(Date.parse(endsAt) - 1));
}

/** The lists of support that ends soon use the same number of days. */
const exactDays = 30;

/**
 * Formats the days left in the last 30 days of support, which include today and the last day: "10 days left" on Nov 30 for
 * an end on Dec 9. Otherwise returns null, because a relative time is precise enough.
 */
export function describeDaysLeft({
  days_left,
  has_ended,
}: Pick<SupportEnd, 'days_left' | 'has_ended'>): string | null {
  return has_ended || days_left === null || days_left > exactDays ? null : formatDaysLeft(days_left);
}
