import { type Database, transaction } from '../../platform/database/index.ts';
import { collectExploitEntries } from './exploit-items.ts';
import { collectProducts } from './lifecycle-items.ts';
import { applyExploits, type ExploitLoadOutcome } from './load-exploits.ts';
import { applyLifecycles, type LoadOutcome } from './load-lifecycles.ts';
import { applyVulnerabilities, type VulnerabilityLoadOutcome } from './load-vulnerabilities.ts';
import { readVulnerabilityBatches } from './vulnerability-items.ts';
import { lockWaitingLoad, type ReferenceSourceName, readWaitingParts } from './waiting-loads.ts';

export type ConfirmOutcome =
  | { readonly outcome: 'none' }
  | ((ExploitLoadOutcome | LoadOutcome | VulnerabilityLoadOutcome) & {
      /** Time at which the data was generated. */
      readonly asOfMs: number;
    });

/** Loads the waiting data that an agent fetched, after an operator confirmed it. */
export async function confirmWaitingLoad(db: Database, source: ReferenceSourceName): Promise<ConfirmOutcome> {
  const applied = await transaction(db, async (tx) => {
    const waiting = await lockWaitingLoad(tx, source);
    if (!waiting) return null;
    const load = { ...waiting, isConfirmed: true };
    if (source === 'vulnerabilities') {
      const batches = () => readVulnerabilityBatches(readWaitingParts(tx, source));
      return {
        ...waiting,
        ...(await applyVulnerabilities(tx, { ...load, batches, isListed: true })),
      };
    }
    if (source === 'epss' || source === 'known_exploited') {
      const data = await collectExploitEntries(source, () => readWaitingParts(tx, source));
      return { ...waiting, ...(await applyExploits(tx, { ...data, ...load })) };
    }
    const products = await collectProducts(readWaitingParts(tx, source));
    return { ...waiting, ...(await applyLifecycles(tx, { ...load, products })) };
  });
  if (applied === null) return { outcome: 'none' };
  const { asOfMs, outcome, afterwards } = applied;
  if (afterwards) await transaction(db, afterwards);
  return { ...outcome, asOfMs };
}
