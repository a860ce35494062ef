import { sql } from 'kysely';
import type { DatedListDoubt, ListDoubt } from '../../../domain/alerts/config-evaluation.ts';
import { staleAfterMs } from '../../../domain/scheduling/cron-schedule.ts';

/** Columns in `listDoubtColumns`. */
export interface ListDoubtRow {
  /** True if the gather job reads a mirror. Newer releases might be missing from a mirror's list. */
  is_mirror: boolean;
  /** Time since which newer releases might be missing from the list of the gather job. */
  list_incomplete_since: Date | null;
  gather_cron_expression: string | null;
}

/** Columns of the gather job `g` from which `listDoubtOf` determines whether its list is complete. */
export const listDoubtColumns = sql`g.list_incomplete_since, g.cron_expression AS gather_cron_expression,
  g.mirror_of IS NOT NULL AS is_mirror`;

/**
 * Selects the reason to doubt that the list of a gather job is complete, or null. The columns aren't
 * qualified.
 */
export const listDoubtReason = sql<
  ListDoubt['reason'] | null
>`CASE WHEN mirror_of IS NOT NULL THEN 'mirror_only'
  WHEN list_incomplete_since IS NOT NULL THEN 'list_incomplete' END`;

/**
 * Returns the reason why the list of a gather job may be missing newer releases, or `null` if it contains the
 * newest ones. In the list of a mirror, newer releases may always be missing.
 */
export function listDoubtOf({
  is_mirror,
  list_incomplete_since: since,
  gather_cron_expression: cron,
}: ListDoubtRow): DatedListDoubt | null {
  if (is_mirror) return { sinceMs: -Infinity, doubt: { reason: 'mirror_only' } };
  if (since === null) return null;
  const sinceMs = since.getTime();
  return { sinceMs, doubt: { reason: 'list_incomplete', untilMs: sinceMs + staleAfterMs(cron ?? '@daily') } };
}
