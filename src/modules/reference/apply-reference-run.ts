import { sql } from 'kysely';
import { runErrorCodes } from '../../domain/runs/run-error-codes.ts';
import type { Schemas } from '../../generated/agent-api.ts';
import type { Tx, WakeUps } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/errors.ts';
import { type HeldRun, type RunFailure, readParts } from '../runs/index.ts';
import { collectProducts } from './lifecycle-items.ts';
import { applyLifecycles } from './load-lifecycles.ts';
import { keepWaitingLoad } from './waiting-loads.ts';

export interface AppliedReference {
  /** Added to the summary of the run. */
  applied: object;
  /** Why the data can't be used. Nothing was changed. */
  failure?: RunFailure;
  /** To be done in a transaction after the commit. */
  afterwards?: ((tx: Tx) => Promise<void>) | undefined;
}

/** Loads the data that an agent has fetched, or keeps it until an operator confirms it. */
export async function applyReferenceRun(
  tx: Tx,
  wakeUps: WakeUps,
  run: HeldRun,
  leaseToken: string,
  partCount: number,
  { as_of: asOf, validators }: Schemas['TaskSummary'],
): Promise<AppliedReference> {
  if (asOf === undefined)
    throw new ApiError('conflict', 'A reference task must be completed with the date of its data (as_of).');
  const asOfMs = Date.parse(asOf);
  const products = await collectProducts(readParts(tx, run, leaseToken, partCount));
  if (products.length === 0) throw new ApiError('conflict', 'A reference task must be completed with data.');
  const { outcome, afterwards } = await applyLifecycles(tx, wakeUps, { asOfMs, products });
  switch (outcome.outcome) {
    case 'older':
      return failed(
        'outdated',
        `${runErrorCodes.outdated[1]} It was generated at ${asOf}, the stored data at ${new Date(outcome.storedAsOfMs).toISOString()}.`,
      );
    case 'in_future':
      return failed(
        'invalid_index',
        `The data was generated at ${asOf}, which is in the future. Check the clock of the database server.`,
      );
    case 'unconfirmed': {
      await keepWaitingLoad(tx, 'end_of_life', asOfMs, outcome.changes, { run, leaseToken });
      await noteSuccess(tx, run, validators);
      const warning =
        'The data would change many results, so it waits for confirmation: pacekeeper admin confirm-reference end_of_life.';
      return { applied: { warnings: [warning] } };
    }
    case 'loaded':
      await noteSuccess(tx, run, validators);
      return { applied: { changed: outcome.changed }, afterwards };
  }
}

function failed(code: RunFailure['code'], message: string): AppliedReference {
  return { applied: {}, failure: { code, message, isRetryable: false, retryAt: null } };
}

async function noteSuccess(tx: Tx, run: HeldRun, validators: Schemas['TaskSummary']['validators']) {
  await sql`
    UPDATE reference_sources SET last_success_at = pacekeeper_now(),
      validators = ${validators && JSON.stringify(validators)}::jsonb
    WHERE organization_id = ${run.organization_id} AND id = ${run.job_id}`.execute(tx);
}

/** The data is the same, which doesn't make it younger: a mirror can have stopped being updated. */
export async function applyUnchangedReferences(tx: Tx, sourceIds: readonly number[]): Promise<void> {
  if (sourceIds.length === 0) return;
  await sql`
    UPDATE reference_sources SET last_success_at = pacekeeper_now()
    WHERE organization_id = 1 AND id = ANY(${sourceIds}::bigint[])`.execute(tx);
}
