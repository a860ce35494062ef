import {
  acknowledgeAlert,
  assignAlert,
  commentOnAlert,
  resolveAlertManually,
  snoozeAlert,
  unacknowledgeAlert,
  unsnoozeAlert,
  withComment,
} from '../../domain/alerts/alert-actions.ts';
import { actorOf } from '../../domain/audit/actor.ts';
import type { Schemas } from '../../generated/client-api.ts';
import type { Database } from '../../platform/database/index.ts';
import { notFound } from '../../platform/errors.ts';
import type { Caller, Handlers } from '../../platform/http/index.ts';
import { listEntriesOfAlert } from '../audit/index.ts';
import {
  type ActiveSilences,
  listDeliveriesOfAlert,
  listTicketsOfAlert,
  readActiveSilences,
  toAlertSilence,
} from '../notifications/index.ts';
import type { InstallationDefaults } from '../settings/index.ts';
import { type ActDeps, actOnAlert } from './act-on-alerts.ts';
import { type AlertRow, findAlert, listAlerts, summarizeAlerts } from './alert-queries.ts';
import { changeAlerts, parseSnooze, requireAssignee } from './change-alerts.ts';

type AlertOperations =
  | 'listAlerts'
  | 'getAlertSummary'
  | 'listResolvedAlerts'
  | 'getAlert'
  | 'resolveAlert'
  | 'acknowledgeAlert'
  | 'unacknowledgeAlert'
  | 'bulkAcknowledgeAlerts'
  | 'changeAlerts'
  | 'commentOnAlert'
  | 'assignAlert'
  | 'listAlertDeliveries'
  | 'listAlertActions'
  | 'snoozeAlert'
  | 'unsnoozeAlert';

type AlertDetails = Required<Pick<Schemas['Alert'], 'alert_config' | 'rule' | 'scrape_job' | 'gather_job'>>;

export interface AlertHandlerDeps extends ActDeps {
  defaults?: InstallationDefaults;
  /**
   * Reads the related resources of an alert, which belong to other modules. Returns undefined if they were
   * deleted.
   */
  readDetails(db: Database, caller: Caller, alertConfigId: number): Promise<AlertDetails | undefined>;
}

export function alertHandlers(deps: AlertHandlerDeps): Handlers<AlertOperations> {
  const { db, defaults } = deps;

  async function alertResponse(organizationId: number, id: number) {
    const row = await findAlert(db, organizationId, id);
    if (!row) throw notFound();
    const [body] = await toAlerts(db, organizationId, [row]);
    return { status: 200 as const, body: body! };
  }

  return {
    async listAlerts({ caller, query }) {
      const page = await listAlerts(db, caller.organizationId, 'open', query, query);
      return { status: 200, body: { ...page, items: await toAlerts(db, caller.organizationId, page.items) } };
    },

    async listResolvedAlerts({ caller, query }) {
      const page = await listAlerts(db, caller.organizationId, 'resolved', query, query);
      return { status: 200, body: { ...page, items: page.items.map((row) => toAlert(row, null)) } };
    },

    async getAlertSummary({ caller }) {
      return { status: 200, body: await summarizeAlerts(db, caller.organizationId) };
    },

    async getAlert({ caller, path }) {
      const row = await findAlert(db, caller.organizationId, path.id);
      const details = row && (await deps.readDetails(db, caller, row.alert_config_id));
      if (!row || !details) throw notFound();
      const [body] = await toAlerts(db, caller.organizationId, [row]);
      const tickets = await listTicketsOfAlert(db, caller.organizationId, row.id);
      return { status: 200, body: { ...body!, ...details, tickets } };
    },

    async acknowledgeAlert({ caller, path, body }) {
      await actOnAlert(deps, caller.organizationId, path.id, (alert, _config, now) =>
        withComment(
          acknowledgeAlert(alert, caller.actor, now.getTime()),
          body?.comment,
          caller.actor,
          now.getTime(),
        ),
      );
      return alertResponse(caller.organizationId, path.id);
    },

    async unacknowledgeAlert({ caller, path }) {
      await actOnAlert(deps, caller.organizationId, path.id, (alert, _config, now) =>
        unacknowledgeAlert(alert, caller.actor, now.getTime()),
      );
      return alertResponse(caller.organizationId, path.id);
    },

    async bulkAcknowledgeAlerts({ caller, body }) {
      const { changed, unchanged, not_found } = await changeAlerts(deps, caller, {
        ...body,
        action: 'acknowledge',
      });
      return { status: 200, body: { acknowledged: changed, already_acknowledged: unchanged, not_found } };
    },

    async changeAlerts({ caller, body }) {
      return { status: 200, body: await changeAlerts(deps, caller, body) };
    },

    async commentOnAlert({ caller, path, body }) {
      await actOnAlert(deps, caller.organizationId, path.id, (alert, _config, now) =>
        commentOnAlert(alert, body.comment, caller.actor, now.getTime()),
      );
      return alertResponse(caller.organizationId, path.id);
    },

    async assignAlert({ caller, path, body }) {
      const to = await requireAssignee(db, caller.organizationId, body.member_id);
      await actOnAlert(
        deps,
        caller.organizationId,
        path.id,
        (alert, _config, now, from) => assignAlert(alert, from, to, caller.actor, now.getTime()),
        { assignTo: to },
      );
      return alertResponse(caller.organizationId, path.id);
    },

    async resolveAlert({ caller, path }) {
      await actOnAlert(deps, caller.organizationId, path.id, (alert, config, now) =>
        resolveAlertManually(alert, config, caller.actor, now.getTime()),
      );
      return { status: 204 };
    },

    async snoozeAlert({ caller, path, body }) {
      const request = parseSnooze(body);
      const { untilMs } = request;
      await actOnAlert(
        deps,
        caller.organizationId,
        path.id,
        (alert, config, now) => snoozeAlert(alert, config, request, caller.actor, now.getTime()),
        // The configuration's state depends on the snooze, so it must be evaluated when the snooze expires.
        { evaluateAt: untilMs === null ? null : new Date(untilMs) },
      );
      return alertResponse(caller.organizationId, path.id);
    },

    async unsnoozeAlert({ caller, path }) {
      await actOnAlert(
        deps,
        caller.organizationId,
        path.id,
        (alert, config, now) => unsnoozeAlert(alert, config, caller.actor, now.getTime()),
        { evaluateAt: 'now' },
      );
      return alertResponse(caller.organizationId, path.id);
    },

    async listAlertDeliveries({ caller, path, query }) {
      if (!(await findAlert(db, caller.organizationId, path.id))) throw notFound();
      const body = await listDeliveriesOfAlert(db, caller.organizationId, path.id, query, defaults);
      return { status: 200, body };
    },

    async listAlertActions({ caller, path, query }) {
      if (!(await findAlert(db, caller.organizationId, path.id))) throw notFound();
      return { status: 200, body: await listEntriesOfAlert(db, caller.organizationId, path.id, query) };
    },
  };
}

/** Converts rows to API alerts. Open alerts include the silences that match them. */
export async function toAlerts(
  db: Database,
  organizationId: number,
  rows: readonly AlertRow[],
): Promise<Schemas['Alert'][]> {
  if (rows.length === 0) return [];
  const silences = await readActiveSilences(db, organizationId);
  return rows.map((row) => toAlert(row, silences));
}

function toAlert(row: AlertRow, silences: ActiveSilences | null): Schemas['Alert'] {
  const {
    acknowledged_by_type,
    acknowledged_by_id,
    acknowledged_by_name,
    resolved_by_type,
    resolved_by_id,
    resolved_by_name,
    ...rest
  } = row;
  return {
    ...rest,
    ends_at: row.ends_at?.toISOString() ?? null,
    crossed_at: row.crossed_at.toISOString(),
    acknowledged_at: row.acknowledged_at?.toISOString() ?? null,
    acknowledged_by: actorOf(acknowledged_by_type, acknowledged_by_id, acknowledged_by_name),
    escalated_at: row.escalated_at?.toISOString() ?? null,
    snoozed_until: row.snoozed_until?.toISOString() ?? null,
    silence: silences && row.resolved_at === null ? toAlertSilence(silences, row) : null,
    resolved_at: row.resolved_at?.toISOString() ?? null,
    resolved_by: actorOf(resolved_by_type, resolved_by_id, resolved_by_name),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
