import { sql } from 'kysely';
import type { ActionResult } from '../../domain/alerts/alert-actions.ts';
import type { ConfigEvaluation } from '../../domain/alerts/config-evaluation.ts';
import type { AlertState } from '../../domain/alerts/open-alert.ts';
import {
  type Database,
  hasSqlState,
  type Tx,
  transaction,
  type WakeUps,
} from '../../platform/database/index.ts';
import { ApiError, invalidField, notFound } from '../../platform/errors.ts';
import { findAlert, lockAlerts, setAssignee, toSubject } from './alert-queries.ts';
import { toAlertState } from './alert-row.ts';
import { type AlertChanges, applyAlertChanges } from './apply-alert-changes.ts';

type ConfigState = Pick<ConfigEvaluation, 'state' | 'stateReason'>;

/**
 * Access to alert configurations for actions on alerts. The server injects it, because the module of alert
 * configurations already depends on this one.
 */
export interface AlertConfigAccess {
  /**
   * Locks the configuration. Must be called before the alert is locked, because evaluations lock in the same
   * order.
   */
  lock(tx: Tx, organizationId: number, alertConfigId: number): Promise<ConfigState | undefined>;
  change(
    tx: Tx,
    organizationId: number,
    alertConfigId: number,
    change: Partial<ConfigEvaluation> | null,
    evaluateAt: 'now' | Date | null,
  ): Promise<void>;
}

export interface ActDeps {
  db: Database;
  wakeUps: WakeUps;
  configs: AlertConfigAccess;
}

type Decide = (alert: AlertState, config: ConfigState, now: Date, assignee: Assignee) => ActionResult;
type Assignee = { id: number; name: string } | null;

/**
 * Applies an action of a user, an API key, or a link to one alert. Pure code decides on the action while the
 * configuration and the alert are locked, so that concurrent actions leave the state and the audit trail
 * consistent.
 *
 * @returns True if the action changed the alert.
 */
export async function actOnAlert(
  { db, wakeUps, configs }: ActDeps,
  organizationId: number,
  alertId: number,
  decide: Decide,
  {
    evaluateAt = null,
    assignTo,
    isTrial = false,
  }: {
    /** Time at which to evaluate the configuration because of the action. */
    evaluateAt?: 'now' | Date | null;
    /** Member that the action assigns the alert to. */
    assignTo?: Assignee;
    /** True if the action is only checked and nothing is written. */
    isTrial?: boolean;
  } = {},
): Promise<boolean> {
  return transaction(db, async (tx) => {
    const found = await findAlert(tx, organizationId, alertId);
    if (!found) throw notFound();
    const config = await configs.lock(tx, organizationId, found.alert_config_id);
    const [locked] = await lockAlerts(tx, organizationId, sql`a.id = ${alertId}`);
    if (!config || !locked) throw notFound();

    const before = toAlertState(locked.alert);
    const result = decide(before, config, locked.now, locked.assignee);
    if (result.outcome === 'refused') throw refusal(result.reason);
    if (result.outcome === 'unchanged') return false;
    if (isTrial) return true;

    const change: AlertChanges = {
      subject: toSubject(locked),
      alert: { id: alertId, lastSequence: locked.alert.last_sequence, before },
      write: result.alert,
    };
    await applyAlertChanges(tx, organizationId, [change], locked.now, wakeUps);
    if (assignTo !== undefined) await setAssignee(tx, organizationId, alertId, assignTo?.id ?? null);
    if (result.config || evaluateAt) {
      await configs.change(tx, organizationId, locked.alert_config_id, result.config, evaluateAt);
    }
    return true;
  }).catch((error: unknown) => {
    // The foreign key fails if the membership ended after the caller found it.
    if (assignTo && hasSqlState(error, '23503'))
      throw invalidField('member_id', "isn't a member of this organization");
    throw error;
  });
}

function refusal(reason: Extract<ActionResult, { outcome: 'refused' }>['reason']): ApiError {
  switch (reason) {
    case 'alert_resolved':
      return new ApiError('conflict', 'The alert is resolved.');
    case 'snooze_without_end':
      return invalidField('until', 'is required unless until_version_changes is true');
    case 'snooze_in_the_past':
      return invalidField('until', 'must be in the future');
  }
}
