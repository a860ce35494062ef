import { type RawBuilder, sql } from 'kysely';
import type { Tx, WakeUps } from '../../platform/database/index.ts';
import type { DueTable } from '../../platform/due-rows/index.ts';

/** Alert configurations, due when they are to be evaluated. */
export const evaluationsDue = {
  name: 'alert_configs',
  keys: { organization_id: 'bigint', id: 'bigint' },
} as const satisfies DueTable;

interface Trigger {
  organizationId: number;
  /** One of these says which configurations. */
  ruleId?: number;
  scrapeJobId?: number;
  alertConfigId?: number;
  /** References or the rule's type are other ones: an open alert is resolved as such, and evaluated anew. */
  reconfigured?: boolean;
  /** What was resolved by hand may alert again. */
  clearQuiet?: boolean;
}

/**
 * Has configurations evaluated after this transaction. They are locked in the order of their ids, like
 * everywhere, so that nobody waits in a circle.
 */
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

async function markDue(
  tx: Tx,
  where: RawBuilder<unknown>,
  flags: Pick<Trigger, 'reconfigured' | 'clearQuiet'>,
): Promise<number> {
  const { reconfigured = false, clearQuiet = false } = flags;
  const result = await sql`
    WITH chosen AS (
      SELECT organization_id, id FROM alert_configs WHERE ${where} ORDER BY organization_id, id FOR NO KEY UPDATE
    )
    UPDATE alert_configs
    SET wanted = wanted + 1, due_at = least(due_at, pacekeeper_now()),
        is_reconfigured = is_reconfigured OR ${reconfigured},
        quiet_version = CASE WHEN ${clearQuiet || reconfigured} THEN NULL ELSE quiet_version END,
        quiet_severity = CASE WHEN ${clearQuiet || reconfigured} THEN NULL ELSE quiet_severity END
    FROM chosen
    WHERE alert_configs.organization_id = chosen.organization_id AND alert_configs.id = chosen.id`.execute(
    tx,
  );
  return Number(result.numAffectedRows ?? 0);
}
