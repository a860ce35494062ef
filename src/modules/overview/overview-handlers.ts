import type { Database } from '../../platform/database/index.ts';
import type { Handlers } from '../../platform/http/index.ts';
import { listTopAlerts, summarizeAlerts } from '../alerts/index.ts';
import { listUsedReferenceSources } from '../reference/index.ts';
import { countAlertConfigs, countDeliveries, countJobs } from './overview-queries.ts';
import { countAlertsByDay, listNextRuns } from './overview-trends-queries.ts';

/** Of alerts and failed jobs, so many at most. */
const shown = 10;
/** Of next runs, so many at most. */
const shownRuns = 5;
/** How far back the days of alerts go. */
const shownDays = 30;

/** `GET /overview`: how everything of the organization stands, in nine statements. */
export function overviewHandlers({ db }: { db: Database }): Handlers<'getOverview'> {
  return {
    async getOverview({ caller: { organizationId } }) {
      // One after another: a page that many look at takes one connection, not nine.
      const { generated_at, ...deliveries } = await countDeliveries(db, organizationId);
      return {
        status: 200,
        body: {
          generated_at,
          alerts: await summarizeAlerts(db, organizationId),
          top_alerts: await listTopAlerts(db, organizationId, shown),
          alerts_by_day: await countAlertsByDay(db, organizationId, shownDays),
          alert_configs: await countAlertConfigs(db, organizationId),
          ...(await countJobs(db, organizationId, shown)),
          next_runs: await listNextRuns(db, organizationId, shownRuns),
          reference_sources: await listUsedReferenceSources(db, organizationId),
          ...deliveries,
        },
      };
    },
  };
}
