import { productionEnvironments } from '../../domain/environments/order-environments.ts';
import { alertSeverities } from '../../domain/rules/severity.ts';
import type { Schemas } from '../../generated/client-api.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Handlers } from '../../platform/http/index.ts';
import { readSettings } from '../settings/index.ts';
import { toIsoTime, toUpgrade } from './upgrade-handlers.ts';
import {
  countOwners,
  countResolved,
  listUpgrades,
  readTimeAndEnvironments,
  type UpgradeRow,
} from './upgrade-queries.ts';

const defaultPeriodMs = 7 * 86_400_000;
const shownUpgrades = 15;
const maxOwners = 100;
const maxResolved = 1_000;

/** Handles `GET /today`, which summarizes what changed and what needs action. */
export function todayHandlers({ db }: { db: Database }): Handlers<'getToday'> {
  return {
    async getToday({ caller: { organizationId }, query: { since, label } }) {
      // Run the statements one after another, because a frequently opened page should use one connection.
      const settings = await readSettings(db, organizationId);
      const environmentLabel = settings['environments.label'];
      const ownerLabel = settings['notification.owner_label'];
      const { now, environments } = await readTimeAndEnvironments(db, organizationId, environmentLabel);
      const production = productionEnvironments(environments, settings['environments.order']);
      const start = new Date(since ?? now.getTime() - defaultPeriodMs);
      const { items, counts, is_complete, changes } = await listUpgrades(
        db,
        organizationId,
        { status: 'needs_action', label },
        { limit: shownUpgrades, offset: 0 },
        undefined,
        { since: start, environmentLabel, production },
      );
      const resolved = await countResolved(db, organizationId, start, label, maxResolved);
      return {
        status: 200,
        body: {
          generated_at: now.toISOString(),
          since: start.toISOString(),
          owner_label: ownerLabel,
          production,
          changes: { ...changes, resolved },
          items: items.map(toTodayUpgrade),
          counts,
          is_complete,
          ...(await countOwners(db, organizationId, ownerLabel, maxOwners)),
        },
      };
    },
  };
}

function toTodayUpgrade(row: UpgradeRow): Schemas['TodayUpgrade'] {
  return {
    upgrade: toUpgrade(row),
    // This time isn't null, because an upgrade that needs action has an alert that needs action.
    changed_at: toIsoTime(row.changed_at)!,
    production_severity: alertSeverities[row.production_rank - 1] ?? null,
  };
}
