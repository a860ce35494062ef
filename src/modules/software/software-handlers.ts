import type { Schemas } from '../../generated/client-api.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Handlers } from '../../platform/http/index.ts';
import { toAlertConfigFromJson } from '../monitoring/index.ts';
import { countLabels } from './label-counts.ts';
import { listSoftware, type SoftwareRow } from './software-queries.ts';

/** Everything that is deployed, with its worst result. */
export function softwareHandlers({ db }: { db: Database }): Handlers<'listSoftware' | 'getSoftwareLabels'> {
  return {
    async listSoftware({ caller, query }) {
      const page = await listSoftware(db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toSoftware) } };
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
