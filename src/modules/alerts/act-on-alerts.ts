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

/** Alert configurations as far as actions on alerts touch them: given by the server, since they know the alerts. */
export interface AlertConfigAccess {
  /** Before the alert, always: evaluations lock in the same order. */
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
 * What a person, a key or a link does to one alert: decided in pure code under the locks of configuration and alert,
 * so that many at once leave state and trail consistent.
 *
 * @returns whether something changed
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
    /** When the configuration is to be evaluated because of it. */
    evaluateAt?: 'now' | Date | null;
    /** The member that a change assigns it to. */
    assignTo?: Assignee;
    /** Writes nothing. */
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
    // The membership has ended since it was found.
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
