import { type RawBuilder, sql } from 'kysely';
import type { Tx, WakeUps } from '../../platform/database/index.ts';
import type { DueTable } from '../../platform/due-rows/index.ts';

/** Alert configurations, due when they are to be evaluated. */
export const evaluationsDue = {
  name: 'alert_configs',
  keys: { organization_id: 'bigint', id: 'bigint' },
} as const satisfies DueTable;

/**
 * The order in which many are evaluated at once: as they lie in their table, but 64 gather jobs at a time, whose releases
 * are remembered meanwhile. A release cache that is smaller than all releases would else forget each before its next use.
 */
export const evaluationOrder = sql`gather_job_id / 64`;

interface Trigger {
  organizationId: number;
  /** One of these says which configurations. */
  ruleId?: number;
  scrapeJobId?: number;
  alertConfigId?: number;
  /** References or the rule's type are other ones: an open alert is resolved as such, and evaluated anew. */
  reconfigured?: boolean;
  /** What was resolved by hand may alert again. */
  clearMute?: boolean;
}

type Flags = Pick<Trigger, 'reconfigured' | 'clearMute'>;

/** Has configurations evaluated after this transaction. */
export async function triggerEvaluation(tx: Tx, wakeUps: WakeUps, trigger: Trigger): Promise<void> {
  const count = await markDue(
    tx,
    sql`organization_id = ${trigger.organizationId} AND ${chosen(trigger)}`,
    trigger,
  );
  if (count > 0) wakeUps.wakeAfterCommit(tx, evaluationsDue.name);
}

/** The configurations that use a gather job in one step of its fan-out; see `listConfigsToFanOutAcrossOrganizations`. */
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
 * The statement that makes configurations due, for whoever makes it a part of a larger one. They are locked in the order
 * of their ids, like everywhere, so that nobody waits in a circle. Afterwards `evaluationsDue.name` is to be woken.
 */
export function evaluationMarks(where: RawBuilder<unknown>, flags: Flags = {}): RawBuilder<unknown> {
  const { reconfigured = false, clearMute = false } = flags;
  const forgets = reconfigured || clearMute;
  return sql`
    WITH chosen AS (
      SELECT organization_id, id FROM alert_configs WHERE ${where} ORDER BY organization_id, id FOR NO KEY UPDATE
    )
    UPDATE alert_configs
    SET wanted = wanted + 1, due_at = least(due_at, pacekeeper_now())
      ${reconfigured ? sql`, is_reconfigured = true` : sql``}
      ${forgets ? sql`, quiet_version = NULL, quiet_severity = NULL` : sql``}
    FROM chosen
    WHERE alert_configs.organization_id = chosen.organization_id AND alert_configs.id = chosen.id`;
}
