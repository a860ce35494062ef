import { sql } from 'kysely';
import type { Schemas } from '../../../generated/client-api.ts';
import { type Database, transaction, type Tx, type WakeUps } from '../../../platform/database/index.ts';
import { triggerDueRows } from '../../../platform/due-rows/index.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import { evaluationsDue } from '../trigger-evaluation.ts';
import { type Evaluated, evaluateConfigs } from './evaluate-configs.ts';
import { lockConfigsToEvaluate } from './evaluation-queries.ts';
import type { ReleaseCache } from './release-cache.ts';

type Counts = Schemas['EvaluateRulesResponse'];

const batchSize = 500;
/** What is not evaluated by then is left to the loop. */
const longestMs = 60_000;
/** Of advisory locks: the first number says what for, the second is the organization. */
const evaluateLock = 7_201;

/** `POST /rules/evaluate`: all active configurations, within the request, so that its counts are the caller's own. */
export function evaluateHandlers(deps: {
  db: Database;
  wakeUps: WakeUps;
  releaseCache: ReleaseCache;
}): Handlers<'evaluateRules'> {
  const { db, wakeUps, releaseCache } = deps;
  const lastCalls = new Map<number, Promise<unknown>>();

  return {
    async evaluateRules({ caller, signal }) {
      // In turn here, so that those who wait hold no connection; the lock below is for other processes.
      const call = (lastCalls.get(caller.organizationId) ?? Promise.resolve()).then(() =>
        evaluateAll(caller.organizationId, signal),
      );
      const settled = call.catch(() => undefined);
      lastCalls.set(caller.organizationId, settled);
      void settled.then(() => {
        if (lastCalls.get(caller.organizationId) === settled) lastCalls.delete(caller.organizationId);
      });
      return { status: 200, body: await call };
    },
  };

  async function evaluateAll(organizationId: number, signal: AbortSignal): Promise<Counts> {
    const startedAt = performance.now();
    const counts = noCounts();
    let afterId = 0;
    for (;;) {
      if (performance.now() - startedAt > longestMs || signal.aborted) {
        counts.remaining = await leaveToLoop(db, wakeUps, organizationId, afterId);
        break;
      }
      const evaluated = await transaction(db, async (tx) => {
        await lockOrganization(tx, organizationId);
        const locked = await lockConfigsToEvaluate(
          tx,
          sql`organization_id = ${organizationId} AND id > ${afterId} AND is_active
            AND EXISTS (SELECT 1 FROM rules WHERE rules.organization_id = alert_configs.organization_id
              AND rules.id = alert_configs.rule_id AND rules.is_active)`,
          batchSize,
        );
        const batch = await evaluateConfigs(tx, locked, releaseCache, wakeUps);
        await finishEvaluated(tx, batch);
        return batch;
      });
      count(counts, evaluated);
      const last = evaluated.at(-1);
      if (!last) break;
      afterId = last.row.id;
    }
    return { ...counts, duration_ms: Math.round(performance.now() - startedAt) };
  }
}

/** One process at a time for an organization; another one waits for this batch. */
async function lockOrganization(tx: Tx, organizationId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${evaluateLock}, ${organizationId % 2_147_483_647})`.execute(tx);
}

/** Handled as of now. A claim of the loop that came before waits for our lock and finds its lease gone. */
async function finishEvaluated(tx: Tx, evaluated: readonly Evaluated[]): Promise<void> {
  if (evaluated.length === 0) return;
  await sql`
    UPDATE alert_configs
    SET done = wanted, attempts = 0, lease_token = NULL, lease_until = NULL, last_evaluated_at = pacekeeper_now(),
        due_at = finished.next_due_at
    FROM unnest(
      ${evaluated.map(({ row }) => row.organization_id)}::bigint[], ${evaluated.map(({ row }) => row.id)}::bigint[],
      ${evaluated.map(({ decision }) => nextDue(decision.nextEvaluationAtMs))}::timestamptz[]
    ) AS finished (organization_id, id, next_due_at)
    WHERE alert_configs.organization_id = finished.organization_id AND alert_configs.id = finished.id`.execute(tx);
}

function nextDue(ms: number | null): string {
  return ms === null ? 'infinity' : new Date(ms).toISOString();
}

async function leaveToLoop(db: Database, wakeUps: WakeUps, organizationId: number, afterId: number): Promise<number> {
  const remaining = await triggerDueRows(
    db,
    evaluationsDue,
    sql`organization_id = ${organizationId} AND id > ${afterId} AND is_active`,
  );
  wakeUps.wake(evaluationsDue.name);
  return remaining;
}

function noCounts(): Counts {
  return {
    evaluated: 0,
    alerts_created: 0,
    alerts_updated: 0,
    alerts_escalated: 0,
    alerts_resolved: 0,
    unchanged: 0,
    no_data: 0,
    failed: 0,
    remaining: 0,
    duration_ms: 0,
  };
}

function count(counts: Counts, evaluated: readonly Evaluated[]): void {
  for (const { decision } of evaluated) {
    const actions = new Set(decision.openAlert?.changes.map((change) => change.action));
    counts.evaluated++;
    if (decision.newAlert) counts.alerts_created++;
    if (actions.has('resolved')) counts.alerts_resolved++;
    else if (actions.has('escalated')) counts.alerts_escalated++;
    else if (actions.size > 0) counts.alerts_updated++;
    if (decision.isUnchanged) counts.unchanged++;
    if (decision.config.state === 'no_data') counts.no_data++;
  }
}
