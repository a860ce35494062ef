import { type RawBuilder, sql } from 'kysely';
import type { Tx, WakeUps } from '../../platform/database/index.ts';
import type { DueTable } from '../../platform/due-rows/index.ts';

/** Alert configurations that are due for evaluation. */
export const evaluationsDue = {
  name: 'alert_configs',
  keys: { organization_id: 'bigint', id: 'bigint' },
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
  /**
   * True if the references or the rule's type changed. An open alert is resolved as reconfigured, and the
   * configuration is evaluated again.
   */
  reconfigured?: boolean;
  /** True if manually resolved alerts can open again. */
  clearMute?: boolean;
}

type Flags = Pick<Trigger, 'reconfigured' | 'clearMute'>;

/** Schedules the evaluation of configurations after this transaction. */
export async function triggerEvaluation(tx: Tx, wakeUps: WakeUps, trigger: Trigger): Promise<void> {
  const count = await markDue(
    tx,
    sql`organization_id = ${trigger.organizationId} AND ${chosen(trigger)}`,
    trigger,
  );
  if (count > 0) wakeUps.wakeAfterCommit(tx, evaluationsDue.name);
}

/**
 * Schedules the evaluation of the configurations in one step of a gather job's fan-out. See
 * `listConfigsToFanOutAcrossOrganizations`.
 */
export async function triggerEvaluationsAcrossOrganizations(
  tx: Tx,
  wakeUps: WakeUps,
  configs: readonly { organizationId: number; id: number }[],
): Promise<void> {
  if (configs.length === 0) return;
  await markDue(
    tx,
    sql`(organization_id, id) IN (SELECT * FROM unnest(
      ${configs.map((config) => config.organizationId)}::bigint[], ${configs.map((config) => config.id)}::bigint[]))`,
    {},
  );
  wakeUps.wakeAfterCommit(tx, evaluationsDue.name);
}

function chosen({ ruleId, scrapeJobId, alertConfigId }: Trigger): RawBuilder<unknown> {
  if (ruleId !== undefined) return sql`rule_id = ${ruleId}`;
  if (scrapeJobId !== undefined) return sql`scrape_job_id = ${scrapeJobId}`;
  if (alertConfigId !== undefined) return sql`id = ${alertConfigId}`;
  throw new Error('a trigger names its configurations');
}

async function markDue(tx: Tx, where: RawBuilder<unknown>, flags: Flags): Promise<number> {
  const result = await evaluationMarks(where, flags).execute(tx);
  return Number(result.numAffectedRows ?? 0);
}

/**
 * Returns the statement that marks configurations as due, for use in larger statements. It locks
 * configurations in the order of their IDs, like all other code, to avoid deadlocks. The caller must wake
 * `evaluationsDue.name` afterwards.
 */
export function evaluationMarks(where: RawBuilder<unknown>, flags: Flags = {}): RawBuilder<unknown> {
  const { reconfigured = false, clearMute = false } = flags;
  const forgets = reconfigured || clearMute;
  return sql`
    WITH chosen AS (
      SELECT organization_id, id FROM alert_configs WHERE ${where} ORDER BY organization_id, id FOR NO KEY UPDATE
    )
    UPDATE alert_configs
    SET requested_seq = requested_seq + 1, due_at = least(due_at, pacekeeper_now())
      ${reconfigured ? sql`, is_reconfigured = true` : sql``}
      ${forgets ? sql`, muted_version = NULL, muted_severity = NULL` : sql``}
    FROM chosen
    WHERE alert_configs.organization_id = chosen.organization_id AND alert_configs.id = chosen.id`;
}
