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
