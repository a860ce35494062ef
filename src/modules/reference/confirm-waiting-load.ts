import { type Database, transaction, type WakeUps } from '../../platform/database/index.ts';
import { collectProducts } from './lifecycle-items.ts';
import { applyLifecycles, type LoadOutcome } from './load-lifecycles.ts';
import { lockWaitingLoad, type ReferenceSourceName, readWaitingParts } from './waiting-loads.ts';

export type ConfirmOutcome =
  | { readonly outcome: 'none' }
  | (LoadOutcome & {
      /** When the data was generated. */
      readonly asOfMs: number;
    });

/** Loads what an agent has fetched and what has been waiting, since an operator has confirmed it. */
export async function confirmWaitingLoad(
  db: Database,
  wakeUps: WakeUps,
  source: ReferenceSourceName,
): Promise<ConfirmOutcome> {
  const applied = await transaction(db, async (tx) => {
    const waiting = await lockWaitingLoad(tx, source);
    if (!waiting) return null;
    const products = await collectProducts(readWaitingParts(tx, source));
    return {
      ...waiting,
      ...(await applyLifecycles(tx, wakeUps, { ...waiting, products, isConfirmed: true })),
    };
  });
  if (applied === null) return { outcome: 'none' };
  const { asOfMs, outcome, afterwards } = applied;
  if (afterwards) await transaction(db, afterwards);
  return { ...outcome, asOfMs };
}
