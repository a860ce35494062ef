import { productionEnvironments } from '../../domain/environments/order-environments.ts';
import { alertSeverities } from '../../domain/rules/severity.ts';
import type { Schemas } from '../../generated/client-api.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Handlers } from '../../platform/http/index.ts';
import { readSettings } from '../settings/index.ts';
import type { UpgradeCache } from './upgrade-cache.ts';
import { toIsoTime, toUpgrade } from './upgrade-handlers.ts';
import {
  countOwners,
  countResolved,
  listUpgrades,
  readTimeAndEnvironments,
  type UpgradeRow,
} from './upgrade-queries.ts';

const defaultPeriodMs = 7 * 86_400_000;
const minuteMs = 60_000;
const shownUpgrades = 15;
const maxOwners = 100;
const maxResolved = 1_000;

/** Handles `GET /today`, which summarizes what changed and what needs action. */
export function todayHandlers({
  db,
  upgradeCache,
}: {
  db: Database;
  upgradeCache: UpgradeCache;
}): Handlers<'getToday'> {
  return {
    async getToday({ caller: { organizationId }, query: { since, label } }) {
      // Run the statements one after another, because a frequently opened page should use one connection.
      const settings = await readSettings(db, organizationId);
      const environmentLabel = settings['environments.label'];
      const ownerLabel = settings['notification.owner_label'];
      const { now, environments } = await readTimeAndEnvironments(db, organizationId, environmentLabel);
      const production = productionEnvironments(environments, settings['environments.order']);
      const startMs = since === undefined ? now.getTime() - defaultPeriodMs : Date.parse(since);
      // A start in whole minutes, so that requests within a minute can share a cached result.
      const start = new Date(Math.floor(startMs / minuteMs) * minuteMs);
      const highlight = { since: start, environmentLabel, production };
      const { items, counts, is_complete, changes } = await upgradeCache.read(
        organizationId,
        ['today', label, highlight],
        () =>
          listUpgrades(
            db,
            organizationId,
            { status: 'needs_action', label },
            { limit: shownUpgrades, offset: 0 },
            undefined,
            highlight,
          ),
      );
      const { owners, owner_count } = await upgradeCache.read(organizationId, ['owners', ownerLabel], () =>
        countOwners(db, organizationId, ownerLabel, maxOwners),
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
          owners,
          owner_count,
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
