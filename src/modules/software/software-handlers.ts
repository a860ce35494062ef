import type { Schemas } from '../../generated/client-api.ts';
import type { Database, WakeUps } from '../../platform/database/index.ts';
import type { Handlers } from '../../platform/http/index.ts';
import { toAlertConfigFromJson } from '../monitoring/index.ts';
import { changeSoftware } from './change-software.ts';
import { countLabels } from './label-counts.ts';
import { listSoftware, type SoftwareRow } from './software-queries.ts';

/** Everything that is deployed, with its worst result. */
export function softwareHandlers({
  db,
  wakeUps,
}: {
  db: Database;
  wakeUps: WakeUps;
}): Handlers<'listSoftware' | 'getSoftwareLabels' | 'changeSoftware'> {
  return {
    async listSoftware({ caller, query }) {
      const page = await listSoftware(db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toSoftware) } };
    },

    async changeSoftware(request) {
      return { status: 200, body: await changeSoftware({ db, wakeUps }, request, request.body) };
    },

    async getSoftwareLabels({ caller }) {
      return { status: 200, body: await countLabels(db, caller.organizationId) };
    },
  };
}

function toSoftware({ worst, deployed_at, ...row }: SoftwareRow): Schemas['SoftwareItem'] {
  const config = worst && toAlertConfigFromJson(worst);
  return {
    ...row,
    deployed_at: deployed_at?.toISOString() ?? null,
    labels: config?.effective_labels ?? row.labels,
    state: config?.state ?? 'unmonitored',
    severity: config?.severity ?? null,
    worst: config,
  };
}
