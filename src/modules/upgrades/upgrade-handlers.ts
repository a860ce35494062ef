import { alertSeverities } from '../../domain/rules/severity.ts';
import { findLargestStep } from '../../domain/versions/largest-step.ts';
import type { Schemas } from '../../generated/client-api.ts';
import type { Database } from '../../platform/database/index.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import type { Handlers } from '../../platform/http/index.ts';
import { type ActDeps, type AlertRow, changeAlertsTogether, listAlertsById } from '../alerts/index.ts';
import type { UpgradeCache } from './upgrade-cache.ts';
import {
  listOpenAlerts,
  listPlaces,
  listUpgrades,
  readUpgradeId,
  type UpgradeKey,
  type UpgradePlaceRow,
  type UpgradeRow,
  upgradeStatuses,
} from './upgrade-queries.ts';

type UpgradeOperations = 'listUpgrades' | 'getUpgrade' | 'listUpgradePlaces' | 'changeUpgrade';

export function upgradeHandlers(deps: ActDeps & { upgradeCache: UpgradeCache }): Handlers<UpgradeOperations> {
  const { db, upgradeCache } = deps;
  return {
    async listUpgrades({ caller, query }) {
      const { organizationId } = caller;
      const { cursor, ...filters } = query;
      const page = await upgradeCache.read(organizationId, ['upgrades', filters, cursor?.after], async () => {
        const position = cursor && { ...cursor };
        const found = await listUpgrades(db, organizationId, filters, { ...filters, cursor: position });
        return { ...found, next: position?.next ?? null };
      });
      if (cursor) cursor.next = page.next;
      const { changes: _changes, snooze_ends_at: _endsAt, next: _next, ...rest } = page;
      return { status: 200, body: { ...rest, items: page.items.map(toUpgrade) } };
    },

    async getUpgrade({ caller, path }) {
      return {
        status: 200,
        body: toUpgrade((await findUpgrade(db, caller.organizationId, path.upgrade_id)).row),
      };
    },

    async listUpgradePlaces({ caller, path, query }) {
      const { key } = await findUpgrade(db, caller.organizationId, path.upgrade_id);
      const page = await listPlaces(db, caller.organizationId, key, query.label, query);
      const ids = page.items.flatMap(({ alert_id }) => (alert_id === null ? [] : [alert_id]));
      const alerts = await listAlertsById(db, caller.organizationId, ids);
      const alertsById = new Map(alerts.map((alert) => [alert.id, alert]));
      const items = page.items.map((row) => toPlace(row, alertsById.get(row.alert_id ?? 0)));
      return { status: 200, body: { ...page, items } };
    },

    async changeUpgrade({ caller, path, body }) {
      const { key } = await findUpgrade(db, caller.organizationId, path.upgrade_id);
      const outcome = await changeAlertsTogether(deps, caller, body, async (tx) => {
        const alerts = await listOpenAlerts(tx, caller.organizationId, key, body.label);
        if (alerts.length > maxChangedAlerts)
          throw new ApiError(
            'conflict',
            `The upgrade has ${alerts.length} open alerts, and an action can change at most ${maxChangedAlerts}. Choose some of them with label.`,
          );
        return alerts;
      });
      return { status: 200, body: outcome };
    },
  };
}

/** Maximum number of alerts that one action changes, to limit how long its transaction holds their locks. */
const maxChangedAlerts = 1_000;

async function findUpgrade(
  db: Database,
  organizationId: number,
  id: string,
): Promise<{ key: UpgradeKey; row: UpgradeRow }> {
  const key = readUpgradeId(id);
  if (key === null) throw notFound();
  const filters = { gather_job_id: key.gatherJobId };
  const { items } = await listUpgrades(db, organizationId, filters, { limit: 1, offset: 0 }, key);
  const [row] = items;
  if (row === undefined) throw notFound();
  return { key, row };
}

export function toUpgrade(row: UpgradeRow): Schemas['Upgrade'] {
  const scheme = { id: row.version_scheme, platformWords: row.platform_words };
  return {
    id: row.upgrade_id,
    gather_job: { id: row.gather_job_id, name: row.gather_job_name },
    artifact_name: row.artifact_name,
    target_version: row.target,
    release_url: row.release_url,
    status: upgradeStatuses[row.status_rank - 1]!,
    severity: alertSeverities[row.severity_rank - 1] ?? null,
    reasons: row.reasons ?? [],
    jump: row.target === null ? null : findLargestStep(scheme, row.alerting_versions ?? [], row.target),
    deployed_versions: row.deployed_versions,
    deployed_version_count: row.deployed_version_count,
    places: row.place_counts,
    labels: row.labels ?? {},
    crossed_at: toIsoTime(row.crossed_at),
    behind_since: toIsoTime(row.behind_since),
    behind_since_is_first_seen: row.behind_since_is_first_seen,
    ends_at: toIsoTime(row.ends_at),
  };
}

export function toIsoTime(text: string | null): string | null {
  return text === null ? null : new Date(text).toISOString();
}

function toPlace(row: UpgradePlaceRow, alert: AlertRow | undefined): Schemas['UpgradePlace'] {
  const { alert_id: _alertId, status_rank, ...place } = row;
  return { ...place, status: upgradeStatuses[status_rank - 1]!, alert: alert ? toPlaceAlert(alert) : null };
}

function toPlaceAlert(row: AlertRow): Schemas['UpgradePlaceAlert'] {
  return {
    id: row.id,
    severity: row.severity,
    reason: row.reason,
    behind_by: row.behind_by,
    crossed_at: row.crossed_at.toISOString(),
    assignee: row.assignee,
    acknowledged_at: row.acknowledged_at?.toISOString() ?? null,
    snoozed_until: row.snoozed_until?.toISOString() ?? null,
    snoozed_until_version_changes: row.snoozed_until_version_changes,
  };
}
