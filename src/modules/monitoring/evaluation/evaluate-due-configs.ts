import { sql } from 'kysely';
import {
  type Database,
  isDatabaseUnavailable,
  type Tx,
  transaction,
} from '../../../platform/database/index.ts';
import {
  type Claim,
  type DueLoop,
  handleIndividually,
  startDueLoop,
  withDeferredTriggers,
} from '../../../platform/due-rows/index.ts';
import type { TurnScheduler } from '../../../platform/fairness/index.ts';
import type { Log } from '../../../platform/log.ts';
import { dueEvaluationsTable, evaluationOrder } from '../trigger-evaluation.ts';
import { evaluateConfigs } from './evaluate-configs.ts';
import { lockConfigsToEvaluate, readLockedConfigs } from './evaluation-queries.ts';
import { createEvaluationTurnScheduler } from './evaluation-turns.ts';
import type { ReleaseCache } from './release-cache.ts';

interface DueConfig {
  organization_id: number;
  id: number;
}

/**
 * Maximum time that a batch with several organizations waits for a lock, such as that of a channel. A change
 * in one of these organizations can hold the lock for as long as a request takes, and must not delay the
 * others.
 */
const maxLockWaitMs = 1_000;

/**
 * Evaluates alert configurations when an input of their comparisons has changed, or when the result changes
 * because time has passed.
 */
export function startEvaluationLoop(deps: {
  db: Database;
  log: Log;
  releaseCache: ReleaseCache;
  /** Evaluation turns that the loop shares with requests. */
  evaluationTurns?: TurnScheduler;
  /** Returns true while another server evaluates instead of this one. */
  isHeldBack?: () => boolean;
}): DueLoop {
  const { db, releaseCache, isHeldBack = () => false } = deps;
  const turns = deps.evaluationTurns ?? createEvaluationTurnScheduler();
  return startDueLoop<DueConfig>({
    ...deps,
    table: dueEvaluationsTable,
    batchSize: 500,
    maxInFlight: 500,
    quickRows: 20,
    beginTurn: (signal) => turns.begin('evaluations', signal),
    leaseMs: 60_000,
    where: () => (isHeldBack() ? sql`false` : undefined),
    orderBy: sql`due_at, ${evaluationOrder}`,
    // Run the triggers last, so that each batch holds the locks of channels only briefly. Many batches notify the same
    // channels at the same time.
    handleLocked: (tx, configs) =>
      withDeferredTriggers(tx, async () => {
        await limitLockWait(tx, configs);
        const keys = configs.map(({ row }) => row);
        await evaluateConfigs(tx, await readLockedConfigs(tx, keys), releaseCache);
      }),
    handle: (claims) => evaluateSeparately(claims, (part) => evaluateClaims(db, releaseCache, part)),
  });
}

/** Evaluates claims together. If that fails, evaluates those of each organization separately. */
async function evaluateSeparately(
  claims: readonly Claim<DueConfig>[],
  evaluate: (part: readonly Claim<DueConfig>[]) => Promise<void>,
): Promise<void> {
  const byOrganization = Map.groupBy(claims, ({ row }) => row.organization_id);
  if (byOrganization.size > 1) {
    try {
      return await evaluate(claims);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
    }
  }
  const outcomes = await Promise.allSettled(
    [...byOrganization.values()].map((ofOne) => handleIndividually(ofOne, evaluate)),
  );
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

async function limitLockWait(tx: Tx, configs: readonly { row: DueConfig }[]): Promise<void> {
  if (configs.every(({ row }) => row.organization_id === configs[0]!.row.organization_id)) return;
  await sql`SET LOCAL lock_timeout = ${sql.lit(maxLockWaitMs)}`.execute(tx);
}

async function evaluateClaims(
  db: Database,
  releaseCache: ReleaseCache,
  claims: readonly Claim<DueConfig>[],
): Promise<void> {
  const evaluate = async (tx: Tx) => {
    const where = sql`(organization_id, id, lease_token) IN (SELECT * FROM unnest(
      ${claims.map((claim) => claim.row.organization_id)}::bigint[], ${claims.map((claim) => claim.row.id)}::bigint[],
      ${claims.map((claim) => claim.leaseToken)}::uuid[]))`;
    await limitLockWait(tx, claims);
    const locked = await lockConfigsToEvaluate(tx, where);
    await evaluateConfigs(tx, locked, releaseCache);
  };
  await transaction(db, (tx) => withDeferredTriggers(tx, () => evaluate(tx)));
}
