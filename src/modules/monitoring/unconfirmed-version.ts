import { sql } from 'kysely';
import type { Schemas } from '../../generated/client-api.ts';

type UnconfirmedVersion = Schemas['UnconfirmedVersion'];

/**
 * Reason why discovery can't confirm a deployed version, and the time since which it can't. Both are null if
 * it's confirmed.
 */
export interface UnconfirmedRow {
  unconfirmed_reason: UnconfirmedVersion['reason'] | null;
  unconfirmed_since: Date | null;
}

/** Columns of `UnconfirmedRow`, from the accepted item of the scrape job with the alias `item`. */
export const unconfirmedColumns = [
  sql<UnconfirmedRow['unconfirmed_reason']>`CASE WHEN item.unread_since IS NOT NULL THEN 'file_unread'
    WHEN item.missing_since IS NOT NULL THEN 'not_found'
    WHEN item.version_unknown_since IS NOT NULL THEN
      CASE WHEN item.reason IN ('overridden', 'not_installed') THEN item.reason ELSE 'version_unknown' END END`.as(
    'unconfirmed_reason',
  ),
  sql<Date | null>`coalesce(item.unread_since, item.missing_since, item.version_unknown_since)`.as(
    'unconfirmed_since',
  ),
] as const;

export function toUnconfirmedVersion({
  unconfirmed_reason: reason,
  unconfirmed_since: since,
}: UnconfirmedRow): UnconfirmedVersion | null {
  return reason === null || since === null ? null : { reason, since: since.toISOString() };
}
