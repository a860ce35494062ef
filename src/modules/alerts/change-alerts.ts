import {
  acknowledgeAlert,
  assignAlert,
  commentOnAlert,
  resolveAlertManually,
  type SnoozeRequest,
  snoozeAlert,
  unacknowledgeAlert,
  unsnoozeAlert,
  withComment,
} from '../../domain/alerts/alert-actions.ts';
import type { Schemas } from '../../generated/client-api.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { ApiError, invalidField } from '../../platform/errors.ts';
import type { Caller } from '../../platform/http/index.ts';
import { findMember } from '../accounts/index.ts';
import {
  type ActDeps,
  type ActOptions,
  type AlertToChange,
  actOnAlert,
  actOnAlertsTogether,
  type DecideAction,
} from './act-on-alerts.ts';
import { findAlertsById } from './alert-queries.ts';

type Request = Schemas['ChangeAlertsRequest'];

const latestInstantMs = Date.UTC(10_000, 0);

/**
 * Reads the end of a snooze from a request.
 * @throws ApiError if the end is too far in the future
 */
export function parseSnooze({
  until,
  until_version_changes = false,
}: Pick<Request, 'until' | 'until_version_changes'>): SnoozeRequest {
  const untilMs = until === undefined ? null : Date.parse(until);
  if (untilMs !== null && !(untilMs < latestInstantMs))
    throw invalidField('until', 'is too far in the future');
  return { untilMs, isUntilVersionChanges: until_version_changes };
}

/** @throws ApiError 400 if the member isn't in the organization */
export async function requireAssignee(
  db: Database,
  organizationId: number,
  memberId: number | null,
): Promise<{ id: number; name: string } | null> {
  if (memberId === null) return null;
  const member = await findMember(db, organizationId, memberId);
  if (!member) throw invalidField('member_id', "isn't a member of this organization");
  return { id: memberId, name: member.name };
}

/** An action with its parameters, for one alert or for many. */
type Change = Pick<Request, 'action' | 'comment' | 'until' | 'until_version_changes' | 'member_id'>;

async function readChange(
  db: Database,
  { organizationId, actor }: Caller,
  request: Change,
): Promise<{ decide: DecideAction; options: ActOptions }> {
  const { action, comment } = request;
  const snooze = action === 'snooze' ? parseSnooze(request) : null;
  if (action === 'comment' && comment === undefined) throw invalidField('comment', 'is required');
  if (action === 'assign' && request.member_id === undefined) throw invalidField('member_id', 'is required');
  const assignTo =
    action === 'assign' ? await requireAssignee(db, organizationId, request.member_id ?? null) : undefined;
  const evaluateAt =
    action === 'unsnooze' ? 'now' : snooze?.untilMs == null ? null : new Date(snooze.untilMs);
  const decide: DecideAction = (alert, config, now, assignee) => {
    const nowMs = now.getTime();
    switch (action) {
      case 'acknowledge':
        return withComment(acknowledgeAlert(alert, actor, nowMs), comment, actor, nowMs);
      case 'unacknowledge':
        return withComment(unacknowledgeAlert(alert, actor, nowMs), comment, actor, nowMs);
      case 'snooze':
        return withComment(snoozeAlert(alert, config, snooze!, actor, nowMs), comment, actor, nowMs);
      case 'unsnooze':
        return withComment(unsnoozeAlert(alert, config, actor, nowMs), comment, actor, nowMs);
      case 'resolve':
        return withComment(resolveAlertManually(alert, config, actor, nowMs), comment, actor, nowMs);
      case 'assign':
        return withComment(
          assignAlert(alert, assignee, assignTo ?? null, actor, nowMs),
          comment,
          actor,
          nowMs,
        );
      case 'comment':
        return commentOnAlert(alert, comment!, actor, nowMs);
    }
  };
  return { decide, options: { evaluateAt, ...(assignTo !== undefined && { assignTo }) } };
}

/** Applies one action to alerts in one transaction. */
export async function changeAlertsTogether(
  deps: ActDeps,
  caller: Caller,
  request: Change,
  find: (tx: Tx) => Promise<readonly AlertToChange[]>,
): Promise<{ changed: number; unchanged: number }> {
  const { decide, options } = await readChange(deps.db, caller, request);
  return actOnAlertsTogether(deps, caller.organizationId, find, decide, options);
}

/**
 * Applies one action to many alerts, each in its own transaction, so that no transaction holds the locks of up to 500
 * alerts.
 */
export async function changeAlerts(
  deps: ActDeps,
  caller: Caller,
  request: Omit<Request, 'dry_run'> & { dry_run?: boolean },
): Promise<Schemas['ChangeAlertsResponse']> {
  const { organizationId } = caller;
  const { action, dry_run: isTrial = false } = request;
  const { decide, options } = await readChange(deps.db, caller, request);

  const ids = [...new Set(request.alert_ids)];
  const found = await findAlertsById(deps.db, organizationId, ids, {
    isOpen: action === 'comment' ? undefined : true,
  });
  const foundIds = new Set(found.map(({ id }) => id));
  const outcome: Schemas['ChangeAlertsResponse'] = {
    changed: [],
    unchanged: [],
    not_found: ids.filter((id) => !foundIds.has(id)),
  };
  // Lock configurations by ascending ID, like all other transactions.
  for (const { id } of found.toSorted((a, b) => a.alert_config_id - b.alert_config_id)) {
    const isChanged = await actOnAlert(deps, organizationId, id, decide, { ...options, isTrial }).catch(
      (error: unknown) => {
        // The alert was resolved or deleted after it was found.
        if (error instanceof ApiError && (error.code === 'conflict' || error.code === 'not_found'))
          return null;
        // The end of the snooze passed while the alerts were processed. An error would hide which alerts were
        // already snoozed.
        if (error instanceof ApiError && error.code === 'validation_failed' && outcome.changed.length > 0)
          return false;
        throw error;
      },
    );
    if (isChanged === null) outcome.not_found.push(id);
    else (isChanged ? outcome.changed : outcome.unchanged).push(id);
  }
  return outcome;
}
