import { sql } from 'kysely';
import { type Database, type Tx, transaction, type WakeUps } from '../../../platform/database/index.ts';
import {
  type Claim,
  type DueLoop,
  handleIndividually,
  startDueLoop,
  withDeferredTriggers,
} from '../../../platform/due-rows/index.ts';
import type { Log } from '../../../platform/log.ts';
import { evaluationOrder, evaluationsDue } from '../trigger-evaluation.ts';
import { evaluateConfigs } from './evaluate-configs.ts';
import { lockConfigsToEvaluate, readLockedConfigs } from './evaluation-queries.ts';
import type { ReleaseCache } from './release-cache.ts';

interface DueConfig {
  organization_id: number;
  id: number;
}

/**
 * Evaluates alert configurations when an input of their comparisons has changed, or when the result changes
 * because time has passed.
 */
export function startEvaluationLoop(deps: {
  db: Database;
  wakeUps: WakeUps;
  log: Log;
  releaseCache: ReleaseCache;
  /** Returns true while another server evaluates instead of this one. */
  isHeldBack?: () => boolean;
}): DueLoop {
  const { db, wakeUps, releaseCache, isHeldBack = () => false } = deps;
  return startDueLoop<DueConfig>({
    ...deps,
    table: evaluationsDue,
    topic: evaluationsDue.name,
    batchSize: 500,
    maxInFlight: 500,
    quickRows: 20,
    leaseMs: 60_000,
    where: () => (isHeldBack() ? sql`false` : undefined),
    orderBy: sql`due_at, ${evaluationOrder}`,
    // Run the triggers last, so that each batch holds the locks of channels only briefly. Many batches notify the same
    // channels at the same time.
    handleLocked: (tx, configs) =>
      withDeferredTriggers(tx, async () => {
        const keys = configs.map(({ row }) => row);
        await evaluateConfigs(tx, await readLockedConfigs(tx, keys), releaseCache, wakeUps);
      }),
    handle: (claims) => handleIndividually(claims, (part) => evaluateClaims(db, wakeUps, releaseCache, part)),
  });
}

async function evaluateClaims(
  db: Database,
  wakeUps: WakeUps,
  releaseCache: ReleaseCache,
  claims: readonly Claim<DueConfig>[],
): Promise<void> {
  const evaluate = async (tx: Tx) => {
    const where = sql`(organization_id, id, lease_token) IN (SELECT * FROM unnest(
      ${claims.map((claim) => claim.row.organization_id)}::bigint[], ${claims.map((claim) => claim.row.id)}::bigint[],
      ${claims.map((claim) => claim.leaseToken)}::uuid[]))`;
    const locked = await lockConfigsToEvaluate(tx, where);
    await evaluateConfigs(tx, locked, releaseCache, wakeUps);
  };
  await transaction(db, (tx) => withDeferredTriggers(tx, () => evaluate(tx)));
}
