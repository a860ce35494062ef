import type { Database } from '../../platform/database/index.ts';
import type { Handlers } from '../../platform/http/index.ts';
import { listTopAlerts, summarizeAlerts } from '../alerts/index.ts';
import { listUsedReferenceSources } from '../reference/index.ts';
import { countAlertConfigs, countDeliveries, countJobs } from './overview-queries.ts';
import { countAlertsByDay, listNextRuns } from './overview-trends-queries.ts';

/** Maximum number of alerts and of failed jobs. */
const maxAlertsAndJobs = 10;
/** Maximum number of next runs. */
const shownRuns = 5;
/** Number of days in the daily alert counts. */
const shownDays = 30;

/** Handles `GET /overview`, which summarizes an organization with nine statements. */
export function overviewHandlers({ db }: { db: Database }): Handlers<'getOverview'> {
  return {
    async getOverview({ caller: { organizationId } }) {
      // Run the statements one after another, because a frequently opened page should use one connection, not
      // nine.
      const { generated_at, ...deliveries } = await countDeliveries(db, organizationId);
      return {
        status: 200,
        body: {
          generated_at,
          alerts: await summarizeAlerts(db, organizationId),
          top_alerts: await listTopAlerts(db, organizationId, maxAlertsAndJobs),
          alerts_by_day: await countAlertsByDay(db, organizationId, shownDays),
          alert_configs: await countAlertConfigs(db, organizationId),
          ...(await countJobs(db, organizationId, maxAlertsAndJobs)),
          next_runs: await listNextRuns(db, organizationId, shownRuns),
          reference_sources: await listUsedReferenceSources(db, organizationId),
          ...deliveries,
        },
      };
    },
  };
}
