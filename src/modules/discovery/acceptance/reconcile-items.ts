import { sql } from 'kysely';
import type { Schemas } from '../../../generated/client-api.ts';
import { dueTopic, type Tx, wake } from '../../../platform/database/index.ts';
import type { EditContext } from '../../../platform/http/index.ts';
import { discoveryJobs } from '../model/discovery-job-queries.ts';
import { accept, readAcceptOptions, readAndPlanAcceptance } from './accept-items.ts';
import {
  clearNotMonitored,
  findUnreconciled,
  lockItems,
  maxAcceptedItems,
  storeDerivedValues,
} from './acceptance-queries.ts';

/** Maximum number of batches per transaction, which holds the lock of the organization. */
const maxBatches = 10;

type Selection = Parameters<typeof findUnreconciled>[2];

/**
 * Derives the resources of accepted items again: creates missing resources, and updates resources whose
 * inputs have changed. Items whose resources are up to date cost nothing but their share of one query.
 *
 * A call derives at most 1,000 items. If more remain, their discovery jobs become due, and each run derives
 * more. A disabled job doesn't run, so a call derives up to 10,000 of its items. The next change continues
 * with the rest.
 *
 * @param selection all items of a discovery job, or some items
 */
export async function reconcileItems(tx: Tx, context: EditContext, selection: Selection): Promise<void> {
  const { organizationId } = context.caller;
  for (let batch = 1; await reconcileBatch(tx, context, selection); batch++) {
    const areAllActive = await continueLater(tx, organizationId, selection);
    if (areAllActive || batch === maxBatches) return;
  }
}

/** @returns True if other items remain. */
async function reconcileBatch(tx: Tx, context: EditContext, selection: Selection): Promise<boolean> {
  const { organizationId } = context.caller;
  const ids = await findUnreconciled(tx, organizationId, selection);
  if (ids.length === 0) return false;
  const { items } = await lockItems(tx, organizationId, { ids: ids.slice(0, maxAcceptedItems) });
  const options = await readAcceptOptions(tx, organizationId, { ruleId: undefined, labels: {} });
  const acceptance = await readAndPlanAcceptance(tx, organizationId, items, options);
  await accept(tx, context, items, options, acceptance);
  const left = items.flatMap((item) => {
    const planned = acceptance.items.get(item.id);
    if (planned === undefined || planned.outcome === 'accepted') return [];
    const problem = planned.outcome === 'rejected' ? planned.message : null;
    return [{ id: item.id, derived: null, alert_config_id: null, problem }];
  });
  await storeDerivedValues(tx, organizationId, left);
  return ids.length > maxAcceptedItems;
}

/**
 * Makes the next scans of the discovery jobs due now, so that they derive the resources of the remaining
 * items. If a job's run ends in this transaction, the next scan is also due now, instead of at the scheduled
 * time.
 *
 * @returns True if all these jobs are active.
 */
async function continueLater(tx: Tx, organizationId: number, selection: Selection): Promise<boolean> {
  const isChosen =
    'jobId' in selection
      ? sql`id = ${selection.jobId}`
      : sql`id IN (SELECT items.discovery_job_id FROM discovered_items AS items
          WHERE items.organization_id = ${organizationId} AND items.id = ANY(${[...selection.itemIds]}::bigint[])
            AND items.status = 'accepted')`;
  await sql`
    UPDATE discovery_jobs SET due_at = pacekeeper_now(), lease_token = NULL, lease_until = NULL
    WHERE organization_id = ${organizationId} AND ${isChosen} AND is_active`.execute(tx);
  wake(tx, dueTopic(discoveryJobs.table));
  const { rows } = await sql`
    SELECT FROM discovery_jobs WHERE organization_id = ${organizationId} AND ${isChosen} AND NOT is_active LIMIT 1`.execute(
    tx,
  );
  return rows.length === 0;
}

/** Creates alert configurations for items whose alert configuration people deleted or didn't want. */
export async function monitorItems(
  tx: Tx,
  context: EditContext,
  itemIds: readonly number[],
): Promise<Schemas['MonitorDiscoveredItemsResponse']> {
  const { organizationId } = context.caller;
  const uniqueIds = [...new Set(itemIds)];
  const { items } = await lockItems(tx, organizationId, { ids: uniqueIds });
  const accepted = items.filter(({ scrapeJob }) => scrapeJob !== null);
  const unmonitored = accepted.filter(({ scrapeJob }) => !scrapeJob!.isCompared).map(({ id }) => id);
  await clearNotMonitored(tx, organizationId, unmonitored);
  await reconcileItems(tx, context, { itemIds: unmonitored });
  const after = await lockItems(tx, organizationId, { ids: unmonitored });
  const monitored = new Set(after.items.filter(({ scrapeJob }) => scrapeJob?.isCompared).map(({ id }) => id));
  const found = new Set(items.map(({ id }) => id));
  return {
    monitored: [...monitored],
    waiting: unmonitored.filter((id) => !monitored.has(id)),
    already_monitored: accepted.filter(({ scrapeJob }) => scrapeJob!.isCompared).map(({ id }) => id),
    not_accepted: items.filter(({ scrapeJob }) => scrapeJob === null).map(({ id }) => id),
    not_found: uniqueIds.filter((id) => !found.has(id)),
  };
}
