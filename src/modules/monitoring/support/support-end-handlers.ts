import { type Database, pageOfItems } from '../../../platform/database/index.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import type { ReleaseCache } from '../evaluation/release-cache.ts';
import { findSupportEnds } from './find-support-ends.ts';

/** Handles `GET /support`, which lists the dates on which support for deployed versions ends. */
export function supportEndHandlers({
  db,
  releaseCache,
}: {
  db: Database;
  releaseCache: ReleaseCache;
}): Handlers<'getSupport'> {
  return {
    async getSupport({ caller, query }) {
      const { days = null, label = null, limit, offset } = query;
      const { ends, unknown, nowMs, isComplete } = await findSupportEnds(
        db,
        releaseCache,
        caller.organizationId,
        {
          days,
          label,
          alertConfigIds: toIds(query.alert_config_ids),
          scrapeJobIds: toIds(query.scrape_job_ids),
        },
      );
      const from = new Date(nowMs).toISOString();
      const items = pageOfItems(ends, query, (end) => String(end.alert_config_ids[0]));
      const body = { from, is_complete: isComplete, unknown, items, total: ends.length, limit, offset };
      return { status: 200, body: { ...body, total_is_exact: isComplete } };
    },
  };
}

/** Parses IDs separated by commas. */
function toIds(text: string | undefined): number[] | null {
  return text === undefined ? null : text.split(',').map(Number);
}
