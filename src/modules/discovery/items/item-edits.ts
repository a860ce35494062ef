import { isDeepStrictEqual } from 'node:util';
import { ownValue } from '../../../domain/json/own-value.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { invalidField, notFound } from '../../../platform/errors.ts';
import { type ApiRequest, assertIfMatch, type EditContext } from '../../../platform/http/index.ts';
import { publishChanges, recordEdit, writeAuditLog } from '../../audit/index.ts';
import { monitorItems, reconcileItems } from '../acceptance/reconcile-items.ts';
import { checkSource, correctionEdits, rederiveItems } from '../corrections/correction-edits.ts';
import { lockAllJobs } from '../model/discovery-job-queries.ts';
import {
  type ChosenSource,
  correctItem,
  findItem,
  type ItemRow,
  ignoreItems,
  incrementItemRevision,
  lockItems,
  lockItemsOfArtifact,
  lockJobOfItem,
  restoreItems,
} from '../model/item-queries.ts';
import { derivedName, proposalOf, toItem } from '../model/to-item.ts';

/** Maximum number of labels of an item, including those from files. */
const maxLabels = 20;
/** Maximum number of IDs in an audit log entry. */
const maxLoggedIds = 50;

/** Returns the edits of discovered items. Each runs in the transaction of the caller. */
export const itemEdits = {
  async ignore(
    tx: Tx,
    context: EditContext,
    itemIds: readonly number[],
    reason: string | null,
  ): Promise<Schemas['IgnoreDiscoveredItemsResponse']> {
    const { organizationId } = context.caller;
    const { items, not_found } = await lockRequestedItems(tx, organizationId, itemIds);
    // An accepted item keeps its scrape job even while it's missing. If it were ignored and restored, it
    // would get a second scrape job.
    const accepted = items.filter((item) => item.scrape_job_id !== null);
    const others = items.filter((item) => item.scrape_job_id === null);
    // Pacekeeper itself ignores duplicates and items that match a rule. If a person ignores such an item
    // too, it stays ignored even if Pacekeeper's reason no longer applies.
    const isDecided = (item: (typeof others)[number]) =>
      item.status === 'ignored' && item.duplicate_of_id === null && !item.ignored_by_rule;
    const ignored = others.filter((item) => !isDecided(item));
    await ignoreItems(tx, organizationId, ids(ignored), reason);
    await recordMany(tx, context, 'ignored', ignored, { reason });
    return {
      ignored: ids(ignored),
      already_ignored: ids(others.filter(isDecided)),
      accepted: ids(accepted),
      not_found,
    };
  },

  async restore(
    tx: Tx,
    context: EditContext,
    itemIds: readonly number[],
  ): Promise<Schemas['RestoreDiscoveredItemsResponse']> {
    const { organizationId } = context.caller;
    const { items, not_found } = await lockRequestedItems(tx, organizationId, itemIds);
    const restored = items.filter(({ status }) => status === 'ignored');
    await restoreItems(tx, organizationId, ids(restored), { isByPerson: true });
    await recordMany(tx, context, 'restored', restored, {});
    const not_ignored = ids(items.filter(({ status }) => status !== 'ignored'));
    return { restored: ids(restored), not_ignored, not_found };
  },

  /** Creates alert configurations for items whose alert configuration was deleted or declined. */
  async monitor(
    tx: Tx,
    context: EditContext,
    itemIds: readonly number[],
  ): Promise<Schemas['MonitorDiscoveredItemsResponse']> {
    const { organizationId } = context.caller;
    const outcome = await monitorItems(tx, context, itemIds);
    const changed = await lockItems(tx, organizationId, [...outcome.monitored, ...outcome.waiting]);
    await recordMany(tx, context, 'monitored', changed, {});
    return outcome;
  },

  async update(
    tx: Tx,
    context: EditContext,
    id: number,
    body: ApiRequest<'updateDiscoveredItem'>['body'],
  ): Promise<ItemRow> {
    const { organizationId } = context.caller;
    const isForArtifact = body.apply_to === 'artifact';
    if (isForArtifact) await lockAllJobs(tx, organizationId);
    else await lockJobOfItem(tx, organizationId, id);
    const itemIds = isForArtifact ? await lockItemsOfArtifact(tx, organizationId, id) : [id];
    const [locked] = await lockItems(tx, organizationId, [id]);
    const before = locked && (await findItem(tx, organizationId, id));
    if (!before) throw notFound();
    assertIfMatch(context, before);
    const source = correctedSource(before, body);
    await correctItem(tx, organizationId, id, {
      set_name: correctedName(before, body.name),
      set_labels: correctedLabels(before, body.labels),
      set_source: isForArtifact && source ? null : (source ?? before.set_source),
    });
    if (isForArtifact && source) {
      await correctionEdits.store(tx, context, before.artifact_key, source);
      await incrementItemRevision(tx, organizationId, id);
    }
    if (source) await rederiveItems(tx, context, itemIds);
    else await reconcileItems(tx, context, { itemIds });
    const after = (await findItem(tx, organizationId, id))!;
    await recordEdit(tx, context, 'discovered_item', {
      before: comparedFields(before),
      after: comparedFields(after),
      ...(isForArtifact && source && { detail: { artifact: before.artifact_key } }),
    });
    publishChanges(tx, organizationId, 'discovery_job', [before.discovery_job_id], 'updated');
    return after;
  },
};

async function lockRequestedItems(tx: Tx, organizationId: number, itemIds: readonly number[]) {
  const uniqueIds = [...new Set(itemIds)];
  const items = await lockItems(tx, organizationId, uniqueIds);
  const found = new Set(ids(items));
  return { items, not_found: uniqueIds.filter((id) => !found.has(id)) };
}

/** Writes one audit log entry for all items. The status of each item is stored in the item. */
async function recordMany(
  tx: Tx,
  { caller, requestId }: EditContext,
  done: 'ignored' | 'restored' | 'monitored',
  items: readonly { id: number; discovery_job_id: number }[],
  detail: object,
): Promise<void> {
  if (items.length === 0) return;
  await writeAuditLog(tx, caller.organizationId, {
    action: `discovered_item.${done}`,
    resourceId: items.length === 1 ? items[0]!.id : null,
    resourceName: null,
    actor: caller.actor,
    detail: { item_count: items.length, item_ids: ids(items).slice(0, maxLoggedIds), ...detail },
    requestId,
  });
  const jobIds = [...new Set(items.map((item) => item.discovery_job_id))];
  publishChanges(tx, caller.organizationId, 'discovery_job', jobIds, 'updated');
}

function ids(items: readonly { id: number }[]): number[] {
  return items.map(({ id }) => id);
}

/** Returns the fields that the audit log compares, which are the fields of the request. */
function comparedFields(row: ItemRow) {
  const { id, name, labels, proposal } = toItem(row);
  const { source_type, artifact_name, source_options } = proposal;
  return { id, name, labels, source_type, artifact_name, source_options };
}

function correctedName(before: ItemRow, name: string | undefined): string | null {
  if (name === undefined) return before.set_name;
  return name === derivedName(before) ? null : name;
}

/**
 * Returns the requested source, or undefined if the request doesn't change it. Throws 400 if no source can
 * read the upstream.
 */
function correctedSource(
  before: ItemRow,
  { source_type, artifact_name, source_options }: ApiRequest<'updateDiscoveredItem'>['body'],
): ChosenSource | undefined {
  if (source_type === undefined && artifact_name === undefined && source_options === undefined)
    return undefined;
  const current = proposalOf(before);
  const type = source_type === undefined ? current.source_type : source_type;
  const isSameType = type !== null && type === current.source_type;
  return checkSource({
    source_type: type,
    artifact_name: artifact_name ?? (isSameType ? current.artifact_name : null),
    source_options: source_options ?? (isSameType ? current.source_options : {}),
  });
}

/**
 * Returns the labels that differ from the ones in files. Labels from files stay unless they are overridden.
 */
function correctedLabels(
  before: ItemRow,
  labels: Record<string, string> | undefined,
): Record<string, string> {
  if (labels === undefined) return before.set_labels;
  const set = Object.fromEntries(
    Object.entries(labels).filter(([key, value]) => ownValue(before.labels, key) !== value),
  );
  if (Object.keys({ ...before.labels, ...set }).length > maxLabels)
    throw invalidField('labels', `must have at most ${maxLabels} labels, including those from files`);
  return isDeepStrictEqual(set, before.set_labels) ? before.set_labels : set;
}
