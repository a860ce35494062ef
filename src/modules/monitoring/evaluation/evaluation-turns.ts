import { availableParallelism } from 'node:os';
import { sql } from 'kysely';
import type { Database } from '../../../platform/database/index.ts';
import { createTurnScheduler, type TurnScheduler } from '../../../platform/fairness/index.ts';

/**
 * Number of configurations above which a change requires an evaluation turn. Marking 200 as due takes about
 * 10 ms.
 */
export const maxConfigsWithoutTurn = 200;

/**
 * Maximum number of turns at the same time. Half of the CPU cores remain for everything else, and more than
 * three turns would use too many database connections.
 */
const turnsAtOnce = Math.min(3, Math.max(1, Math.floor(availableParallelism() / 2)));

/**
 * Limits concurrent work on many alert configurations: batches of evaluations, and changes that make many
 * configurations due. Without turns, seven such transactions at the same time on two processors slowed down
 * every request and every evaluation of other organizations by a factor of ten, although none of these waited
 * for a row or a connection. Work on few configurations needs no turn, so it never waits for large work.
 */
export function createEvaluationTurnScheduler(): TurnScheduler {
  return createTurnScheduler({ atOnce: turnsAtOnce });
}

export interface TurnDeps {
  db: Database;
  evaluationTurns: TurnScheduler;
}

/**
 * Runs a change to a rule or a scrape job. The change waits for a turn if more than `maxConfigsWithoutTurn`
 * configurations use the rule or the scrape job.
 */
export async function runChangeInTurn<T>(
  { db, evaluationTurns }: TurnDeps,
  organizationId: number,
  used: { ruleId: number } | { scrapeJobId: number },
  change: () => Promise<T>,
): Promise<T> {
  const isUser = 'ruleId' in used ? sql`rule_id = ${used.ruleId}` : sql`scrape_job_id = ${used.scrapeJobId}`;
  const { rows } = await sql`
    SELECT FROM alert_configs WHERE organization_id = ${organizationId} AND ${isUser}
    OFFSET ${sql.lit(maxConfigsWithoutTurn)} LIMIT 1`.execute(db);
  return rows.length === 0 ? change() : evaluationTurns.run(organizationId, change);
}
