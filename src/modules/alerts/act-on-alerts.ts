import { sql } from 'kysely';
import type { ActionResult } from '../../domain/alerts/alert-actions.ts';
import type { ConfigEvaluation } from '../../domain/alerts/config-evaluation.ts';
import type { AlertState } from '../../domain/alerts/open-alert.ts';
import { type Database, hasSqlState, type Tx, transaction } from '../../platform/database/index.ts';
import { ApiError, invalidField, notFound } from '../../platform/errors.ts';
import { type AlertRow, findAlert, lockAlerts, setAssignee, toSubject } from './alert-queries.ts';
import { toAlertState } from './alert-row.ts';
import { type AlertChanges, applyAlertChanges } from './apply-alert-changes.ts';

type ConfigState = Pick<ConfigEvaluation, 'state' | 'stateReason'>;

/**
 * Access to alert configurations for actions on alerts. The module of alert configurations already depends on
 * this module, so the server passes these functions in.
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
  configs: AlertConfigAccess;
}

export type DecideAction = (
  alert: AlertState,
  config: ConfigState,
  now: Date,
  assignee: Assignee,
) => ActionResult;
export type Assignee = { id: number; name: string } | null;

export interface ActOptions {
  /** Time at which to evaluate the configuration because of the action. */
  evaluateAt?: 'now' | Date | null;
  /**
   * Member to assign the alert to, or null to remove the assignee. Undefined if the action assigns no one.
   */
  assignTo?: Assignee;
  /** True if the action is only checked and nothing is written. */
  isTrial?: boolean;
}

/** An alert with the configuration that must be locked before it. */
export type AlertToChange = Pick<AlertRow, 'id' | 'alert_config_id'>;

type RefusalReason = Extract<ActionResult, { outcome: 'refused' }>['reason'];
type Outcome = 'changed' | 'unchanged' | RefusalReason;

/**
 * Applies an action of a user, an API key, or a link to one alert. Pure functions decide on the action while
 * the configuration and the alert are locked, so that the state and the audit trail stay consistent under
 * concurrent actions.
 *
 * @returns True if the action changed the alert.
 */
export async function actOnAlert(
  deps: ActDeps,
  organizationId: number,
  alertId: number,
  decide: DecideAction,
  options: ActOptions = {},
): Promise<boolean> {
  return transaction(deps.db, async (tx) => {
    const found = await findAlert(tx, organizationId, alertId);
    if (!found) throw notFound();
    const [outcome] = await actWithin(tx, deps, organizationId, [found], decide, options);
    if (outcome === undefined) throw notFound();
    if (outcome !== 'changed' && outcome !== 'unchanged') throw refusal(outcome);
    return outcome === 'changed';
  }).catch((error: unknown) => {
    throw membershipEnded(error, options) ?? error;
  });
}

/**
 * Applies an action to several alerts in one transaction, so that either all of them change or none does. Alerts that
 * were resolved or deleted after they were found are skipped.
 *
 * @param find Finds the alerts in the same transaction.
 */
export async function actOnAlertsTogether(
  deps: ActDeps,
  organizationId: number,
  find: (tx: Tx) => Promise<readonly AlertToChange[]>,
  decide: DecideAction,
  options: ActOptions = {},
): Promise<{ changed: number; unchanged: number }> {
  return transaction(deps.db, async (tx) => {
    const outcomes = await actWithin(tx, deps, organizationId, await find(tx), decide, options);
    const reason = outcomes.find(
      (outcome) => outcome !== 'changed' && outcome !== 'unchanged' && outcome !== 'alert_resolved',
    );
    if (reason !== undefined) throw refusal(reason as RefusalReason);
    const count = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length;
    return { changed: count('changed'), unchanged: count('unchanged') };
  }).catch((error: unknown) => {
    throw membershipEnded(error, options) ?? error;
  });
}

/** @returns The outcome of each alert that still exists. */
async function actWithin(
  tx: Tx,
  { configs }: ActDeps,
  organizationId: number,
  alerts: readonly AlertToChange[],
  decide: DecideAction,
  { evaluateAt = null, assignTo, isTrial = false }: ActOptions,
): Promise<Outcome[]> {
  const lockedConfigs = new Map<number, ConfigState>();
  // Lock configurations by ascending ID, like all other transactions.
  const configIds = alerts.map(({ alert_config_id }) => alert_config_id).toSorted((a, b) => a - b);
  for (const id of configIds) {
    const config = await configs.lock(tx, organizationId, id);
    if (config) lockedConfigs.set(id, config);
  }
  const ids = alerts.map(({ id }) => id);
  const locked = await lockAlerts(tx, organizationId, sql`a.id = ANY(${ids}::bigint[])`);
  const changes: AlertChanges[] = [];
  const toEvaluate: { id: number; change: Partial<ConfigEvaluation> | null }[] = [];
  const outcomes = locked.flatMap((row): Outcome[] => {
    const config = lockedConfigs.get(row.alert_config_id);
    if (!config) return [];
    const before = toAlertState(row.alert);
    const result = decide(before, config, row.now, row.assignee);
    if (result.outcome === 'refused') return [result.reason];
    if (result.outcome === 'unchanged') return ['unchanged'];
    changes.push({
      subject: toSubject(row),
      alert: { id: row.alert.id, lastSequence: row.alert.last_sequence, before },
      write: result.alert,
    });
    if (result.config || evaluateAt) toEvaluate.push({ id: row.alert_config_id, change: result.config });
    return ['changed'];
  });
  if (isTrial || changes.length === 0) return outcomes;
  await applyAlertChanges(tx, organizationId, changes, locked[0]!.now);
  if (assignTo !== undefined) {
    const changedIds = changes.map(({ alert }) => alert!.id);
    await setAssignee(tx, organizationId, changedIds, assignTo?.id ?? null);
  }
  for (const { id, change } of toEvaluate) await configs.change(tx, organizationId, id, change, evaluateAt);
  return outcomes;
}

/**
 * Returns the error for a member whose membership ended after the caller found it, so that the foreign key
 * failed. Null for other errors.
 */
function membershipEnded(error: unknown, { assignTo }: ActOptions): ApiError | null {
  return assignTo && hasSqlState(error, '23503')
    ? invalidField('member_id', "isn't a member of this organization")
    : null;
}

function refusal(reason: RefusalReason): ApiError {
  switch (reason) {
    case 'alert_resolved':
      return new ApiError('conflict', 'The alert is resolved.');
    case 'snooze_without_end':
      return invalidField('until', 'is required unless until_version_changes is true');
    case 'snooze_in_the_past':
      return invalidField('until', 'must be in the future');
  }
}
