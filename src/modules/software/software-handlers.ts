import type { Schemas } from '../../generated/client-api.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Handlers } from '../../platform/http/index.ts';
import { toAlertConfig, toUnconfirmedVersion } from '../monitoring/index.ts';
import { changeSoftware } from './change-software.ts';
import { countLabels } from './label-counts.ts';
import { listSoftware, type SoftwareRow } from './software-queries.ts';

/** Creates the handlers for deployed software and its worst alert configuration. */
export function softwareHandlers({
  db,
}: {
  db: Database;
}): Handlers<'listSoftware' | 'getSoftwareLabels' | 'changeSoftware'> {
  return {
    async listSoftware({ caller, query }) {
      const page = await listSoftware(db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toSoftware) } };
    },

    async changeSoftware(request) {
      return { status: 200, body: await changeSoftware({ db }, request, request.body) };
    },

    async getSoftwareLabels({ caller }) {
      return { status: 200, body: await countLabels(db, caller.organizationId) };
    },
  };
}

function toSoftware(row: SoftwareRow): Schemas['SoftwareItem'] {
  const { job_id, job_name, job_labels, is_job_active, job_version, deployed_at, ...rest } = row;
  const { alert_config_count, open_alert_count, unconfirmed_reason, unconfirmed_since, ...config } = rest;
  const worst = config.id === null ? null : toAlertConfig(config);
  return {
    id: job_id,
    name: job_name,
    is_active: is_job_active,
    labels: worst?.effective_labels ?? job_labels,
    deployed_version: job_version,
    deployed_at: deployed_at?.toISOString() ?? null,
    deployed_unconfirmed: toUnconfirmedVersion({ unconfirmed_reason, unconfirmed_since }),
    state: worst?.state ?? 'unmonitored',
    severity: worst?.severity ?? null,
    alert_config_count,
    open_alert_count,
    worst,
  };
}
