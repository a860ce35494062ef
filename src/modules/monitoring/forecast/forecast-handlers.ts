import type { Handlers } from '../../../platform/http/index.ts';
import type { Simulations } from '../simulation/simulations.ts';

/** Handles `GET /forecast`, which returns the thresholds that will be crossed if nothing is upgraded. */
export function forecastHandlers({ simulations }: { simulations: Simulations }): Handlers<'getForecast'> {
  return {
    async getForecast({ caller: { organizationId }, query }) {
      const {
        days = 30,
        severity = null,
        rule_id: ruleId = null,
        label = null,
        limit,
        offset,
        cursor,
      } = query;
      const filters = { ruleId, label };
      const request = { organizationId, days, filters, severity, limit, offset, after: cursor.after };
      const { forecast, next } = await simulations.share('forecast', request);
      cursor.next = next;
      return { status: 200, body: forecast };
    },
  };
}
