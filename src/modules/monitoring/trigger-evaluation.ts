import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { dueTopic, type Tx, wake } from '../../platform/database/index.ts';
import type { DueTable } from '../../platform/due-rows/index.ts';
import { systemOrganizationId } from '../accounts/index.ts';

/** Alert configurations that are due for evaluation. */
export const dueEvaluationsTable = {
  name: 'alert_configs',
  keys: { organization_id: 'bigint', id: 'bigint' },
  turnOf: 'organization_id',
} as const satisfies DueTable;

/**
 * Evaluation order of a large batch: table order within groups of 64 gather jobs, whose releases stay cached.
 * Without the groups, a cache smaller than all releases would evict each entry before its next use.
 */
export const evaluationOrder = sql`gather_job_id / 64`;

interface Trigger {
  organizationId: number;
  /** Exactly one of the following IDs selects the configurations. */
  ruleId?: number;
  scrapeJobId?: number;
  alertConfigId?: number;
  /** Global gather jobs that the configurations compare with. */
  globalJobIds?: readonly number[];
  /**
   * True if the references or the rule's type changed. An open alert is resolved as reconfigured, and the
   * configuration is evaluated again.
   */
  reconfigured?: boolean;
  /** True if manually resolved alerts can open again. */
  clearMute?: boolean;
}

interface Flags extends Pick<Trigger, 'reconfigured' | 'clearMute'> {
  /** Identifies the change that triggered the evaluation. Set if the alerts that the change opens are sent together. */
  openingCause?: string;
}

/**
 * Maximum time that the alerts of one change wait for each other. Housekeeping runs every 5 seconds, so the first alert
 * waits for at most a minute.
 */
const openingWindow = sql`interval '55 seconds'`;

const changeKeys = new WeakMap<Tx, string>();

/**
 * Returns the key of the change that a transaction makes. An apply with several resources, for example, is a single
 * change.
 */
export function changeKeyOf(tx: Tx): string {
  const key = changeKeys.get(tx) ?? `change ${randomUUID()}`;
  changeKeys.set(tx, key);
  return key;
}

/** True if `changeKeyOf` created the key. All other keys identify changes of releases. */
export function isChangeKey(key: string): boolean {
  return key.startsWith('change ');
}

/**
 * Returns the columns of new configurations for the cause of their alerts and for the time until which these
 * alerts wait for each other.
 */
export function openingCauseColumns(tx: Tx): {
  opening_cause: string;
  opening_cause_until: RawBuilder<Date>;
} {
  return {
    opening_cause: changeKeyOf(tx),
    opening_cause_until: sql<Date>`pacekeeper_now() + ${openingWindow}`,
  };
}

/**
 * True if delivery `d` no longer has to wait for the change that caused it (`waits_for_cause`): no configuration can
 * still open alerts for it, or its time limit has passed.
 */
export const isCauseOver: RawBuilder<boolean> = sql<boolean>`NOT EXISTS (
  SELECT FROM alert_configs
  WHERE alert_configs.organization_id = d.organization_id AND alert_configs.opening_cause = d.waits_for_cause
    AND alert_configs.opening_cause_until > pacekeeper_now())`;

/** Schedules the evaluation of configurations after this transaction. */
export async function triggerEvaluation(tx: Tx, trigger: Trigger): Promise<void> {
  const count = await markDue(tx, sql`organization_id = ${trigger.organizationId} AND ${chosen(trigger)}`, {
    ...trigger,
    openingCause: changeKeyOf(tx),
  });
  if (count > 0) wake(tx, dueTopic(dueEvaluationsTable.name, trigger.organizationId));
}

/**
 * Schedules the evaluation of the configurations in one step of a gather job's fan-out. See
 * `listConfigsToFanOutAcrossOrganizations`.
 */
export async function triggerEvaluationsAcrossOrganizations(
  tx: Tx,
  configs: readonly { organizationId: number; id: number }[],
  openingCause = changeKeyOf(tx),
): Promise<void> {
  if (configs.length === 0) return;
  await markDue(
    tx,
    sql`(organization_id, id) IN (SELECT * FROM unnest(
      ${configs.map((config) => config.organizationId)}::bigint[], ${configs.map((config) => config.id)}::bigint[]))`,
    { openingCause },
  );
  for (const organizationId of new Set(configs.map((config) => config.organizationId)))
    wake(tx, dueTopic(dueEvaluationsTable.name, organizationId));
}

function chosen({ ruleId, scrapeJobId, alertConfigId, globalJobIds }: Trigger): RawBuilder<unknown> {
  if (ruleId !== undefined) return sql`rule_id = ${ruleId}`;
  if (scrapeJobId !== undefined) return sql`scrape_job_id = ${scrapeJobId}`;
  if (alertConfigId !== undefined) return sql`id = ${alertConfigId}`;
  if (globalJobIds !== undefined)
    return sql`gather_organization_id = ${systemOrganizationId} AND gather_job_id = ANY(${[...globalJobIds]}::bigint[])`;
  throw new Error('a trigger names its configurations');
}

async function markDue(tx: Tx, where: RawBuilder<unknown>, flags: Flags): Promise<number> {
  const result = await markDueStatement(where, flags).execute(tx);
  return Number(result.numAffectedRows ?? 0);
}

/**
 * Returns the statement that marks configurations as due, for use in larger statements. It locks
 * configurations in the order of their IDs, like all other code, to avoid deadlocks. The caller must wake
 * `dueEvaluationsTable` for the organizations afterwards.
 */
export function markDueStatement(where: RawBuilder<unknown>, flags: Flags = {}): RawBuilder<unknown> {
  const { reconfigured = false, clearMute = false, openingCause } = flags;
  const forgets = reconfigured || clearMute;
  return sql`
    WITH chosen AS (
      SELECT organization_id, id FROM alert_configs WHERE ${where} ORDER BY organization_id, id FOR NO KEY UPDATE
    )
    UPDATE alert_configs
    SET requested_seq = requested_seq + 1, due_at = least(due_at, pacekeeper_now())
      ${reconfigured ? sql`, is_reconfigured = true` : sql``}
      ${openingCause === undefined ? sql`` : setOpeningCause(openingCause)}
      ${forgets ? sql`, muted_version = NULL, muted_severity = NULL` : sql``}
    FROM chosen
    WHERE alert_configs.organization_id = chosen.organization_id AND alert_configs.id = chosen.id`;
}

/**
 * Sets the cause of a configuration. A configuration that still waits for the data of an earlier change keeps that
 * change as its cause.
 */
function setOpeningCause(cause: string): RawBuilder<unknown> {
  const isWaiting = sql`opening_cause_until > pacekeeper_now()`;
  return sql`,
    opening_cause = CASE WHEN ${isWaiting} THEN opening_cause ELSE ${cause} END,
    opening_cause_until = CASE WHEN ${isWaiting} THEN opening_cause_until ELSE pacekeeper_now() + ${openingWindow} END`;
}
