import { sql } from 'kysely';
import type { Schemas } from '../../../generated/client-api.ts';
import {
  type Database,
  dueTopic,
  isDatabaseUnavailable,
  type Tx,
  transaction,
  wakeNow,
} from '../../../platform/database/index.ts';
import { BatchSize, triggerDueRows, withDeferredTriggers } from '../../../platform/due-rows/index.ts';
import type { TurnScheduler } from '../../../platform/fairness/index.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log.ts';
import { dueEvaluationsTable, evaluationOrder } from '../trigger-evaluation.ts';
import { type EvaluatedConfig, evaluateConfigs } from './evaluate-configs.ts';
import { lockConfigsToEvaluate } from './evaluation-queries.ts';
import type { ReleaseCache } from './release-cache.ts';
import { isOldestRunningParser } from './serving-servers.ts';

type Counts = Schemas['EvaluateRulesResponse'];

const batchSizes = { min: 20, max: 500, first: 100 };
/** Maximum duration of the request. The loop evaluates the remaining configurations. */
const maxDurationMs = 60_000;
/** First key of the advisory lock, which identifies its purpose. The second key is the organization. */
const evaluateLock = 7_201;

/**
 * Handles `POST /rules/evaluate`. Evaluates all active configurations within the request, so that the counts
 * belong to this caller.
 */
export function evaluateHandlers(deps: {
  db: Database;
  log: Log;
  releaseCache: ReleaseCache;
  evaluationTurns: TurnScheduler;
}): Handlers<'evaluateRules'> {
  const { db, log, releaseCache, evaluationTurns } = deps;
  const lastCalls = new Map<number, Promise<unknown>>();

  return {
    async evaluateRules({ caller, signal }) {
      // Queue the calls of an organization here, so that they don't hold a connection while they wait. The
      // advisory lock in `lockOrganization` serializes them with the calls of other processes.
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
    const ids = await listActiveConfigs(db, organizationId);
    if (!(await isEvaluating(db))) {
      counts.remaining = await deferToLoop(db, organizationId, ids);
      return { ...counts, duration_ms: Math.round(performance.now() - startedAt) };
    }
    const batchSize = new BatchSize(batchSizes);
    for (let at = 0; at < ids.length; ) {
      if (performance.now() - startedAt > maxDurationMs || signal.aborted) {
        const left = ids.slice(at);
        counts.remaining = await deferToLoop(db, organizationId, left);
        break;
      }
      const batch = ids.slice(at, at + batchSize.rows);
      at += batch.length;
      // Each batch waits for its turn. This request then neither delays the evaluations of other
      // organizations nor uses more CPU time than they do.
      await evaluationTurns.run(organizationId, async () => {
        const batchStartedAt = performance.now();
        await evaluateIndividually(organizationId, batch, counts);
        batchSize.adaptTo(batch.length, performance.now() - batchStartedAt);
      });
    }
    return { ...counts, duration_ms: Math.round(performance.now() - startedAt) };
  }

  /**
   * Evaluates a batch. A failing configuration must not block the others, so it's identified by bisection,
   * and the loop evaluates it later. The failure is counted.
   */
  async function evaluateIndividually(
    organizationId: number,
    ids: readonly number[],
    counts: Counts,
  ): Promise<void> {
    if (ids.length === 0) return;
    try {
      count(counts, await evaluateBatch(organizationId, ids));
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      if (ids.length === 1) {
        log.error({ err: error, alertConfigId: ids[0] }, 'evaluating an alert configuration failed');
        counts.failed++;
        await deferToLoop(db, organizationId, ids);
        return;
      }
      const half = Math.ceil(ids.length / 2);
      await evaluateIndividually(organizationId, ids.slice(0, half), counts);
      await evaluateIndividually(organizationId, ids.slice(half), counts);
    }
  }

  async function evaluateBatch(organizationId: number, ids: readonly number[]): Promise<EvaluatedConfig[]> {
    const evaluate = async (tx: Tx) => {
      await lockOrganization(tx, organizationId);
      const locked = await lockConfigsToEvaluate(
        tx,
        sql`organization_id = ${organizationId} AND id = ANY(${ids}::bigint[]) AND is_active`,
      );
      return evaluateConfigs(tx, locked, releaseCache);
    };
    return transaction(db, (tx) => withDeferredTriggers(tx, () => evaluate(tx)));
  }
}

/**
 * True if this server evaluates. While a server with an older parser version is running, only that server evaluates.
 */
async function isEvaluating(db: Database): Promise<boolean> {
  const { rows } = await sql<{ is_in_use: boolean }>`SELECT ${isOldestRunningParser} AS is_in_use`.execute(
    db,
  );
  return rows[0]!.is_in_use;
}

/** Condition for active configurations with active rules. */
const isActive = sql`alert_configs.is_active AND EXISTS (
  SELECT FROM rules WHERE rules.organization_id = alert_configs.organization_id AND rules.id = alert_configs.rule_id AND rules.is_active)`;

async function listActiveConfigs(db: Database, organizationId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM alert_configs WHERE organization_id = ${organizationId} AND ${isActive}
    ORDER BY gather_organization_id, ${evaluationOrder}, id`.execute(db);
  return rows.map((row) => row.id);
}

/**
 * Allows only one process at a time to evaluate a batch of an organization. Others wait until its transaction
 * ends.
 */
async function lockOrganization(tx: Tx, organizationId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${evaluateLock}, ${organizationId % 2_147_483_647})`.execute(tx);
}

async function deferToLoop(db: Database, organizationId: number, ids: readonly number[]): Promise<number> {
  const remaining = await triggerDueRows(
    db,
    dueEvaluationsTable,
    sql`organization_id = ${organizationId} AND id = ANY(${ids}::bigint[]) AND ${isActive}`,
  );
  wakeNow(db, dueTopic(dueEvaluationsTable.name, organizationId));
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

function count(counts: Counts, evaluated: readonly EvaluatedConfig[]): void {
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
