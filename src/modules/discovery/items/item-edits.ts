import { isDeepStrictEqual } from 'node:util';
import { sourceTypes } from '../../../domain/source-types/source-types.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { Tx, WakeUps } from '../../../platform/database/index.ts';
import { ApiError, invalidField, notFound } from '../../../platform/errors.ts';
import { type ApiRequest, assertMatch, type EditContext } from '../../../platform/http/index.ts';
import { checkSourceOptions } from '../../../sources/check-source-options.ts';
import { publishChanges, recordEdit, writeAuditLog } from '../../audit/index.ts';
import { monitorItems, reconcileItems } from '../acceptance/reconcile-items.ts';
import { matchDigests } from '../digests/match-digests.ts';
import { recordVersions } from '../live/record-live-versions.ts';
import {
  type ChosenSource,
  chooseForArtifact,
  correctItem,
  findItem,
  type ItemRow,
  ignoreItems,
  lockItems,
  lockItemsOfArtifact,
  lockJobsOfItems,
  restoreItems,
} from './item-queries.ts';
import { derivedName, proposalOf, toItem } from './to-item.ts';

/** Maximum number of labels of an item, including those from files. */
const maxLabels = 20;
/** Maximum number of IDs in an audit log entry. */
const maxLoggedIds = 50;

/** Returns the edits of discovered items. Each runs in the transaction of the caller. */
export function itemEdits(wakeUps: WakeUps) {
  return {
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
      // A duplicate is ignored by Pacekeeper. A person's decision stays when it's no longer a duplicate.
      const isDecided = (item: (typeof others)[number]) =>
        item.status === 'ignored' && item.duplicate_of_id === null;
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
      await restoreItems(tx, organizationId, ids(restored));
      await recordMany(tx, context, 'restored', restored, {});
      const not_ignored = ids(items.filter(({ status }) => status !== 'ignored'));
      return { restored: ids(restored), not_ignored, not_found };
    },

    /** Creates alert configurations for items whose alert configuration people deleted or didn't want. */
    async monitor(
      tx: Tx,
      context: EditContext,
      itemIds: readonly number[],
    ): Promise<Schemas['MonitorDiscoveredItemsResponse']> {
      const { organizationId } = context.caller;
      const outcome = await monitorItems(tx, wakeUps, context, itemIds);
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
      const { organizationId, actor } = context.caller;
      await lockJobsOfItems(tx, organizationId, id, { ofArtifact: body.apply_to === 'artifact' });
      const itemIds = body.apply_to === 'artifact' ? await lockItemsOfArtifact(tx, organizationId, id) : [id];
      const [locked] = await lockItems(tx, organizationId, [id]);
      const before = locked && (await findItem(tx, organizationId, id));
      if (!before) throw notFound();
      assertMatch(context, before);
      const source = correctedSource(before, body);
      const isForArtifact = body.apply_to === 'artifact';
      await correctItem(tx, organizationId, id, {
        set_name: correctedName(before, body.name),
        set_labels: correctedLabels(before, body.labels),
        set_source: isForArtifact && source ? null : (source ?? before.set_source),
      });
      if (isForArtifact && source) await chooseForArtifact(tx, organizationId, before, source, actor);
      if (source) {
        const matched = await matchDigests(tx, organizationId, { itemIds });
        if (matched.length > 0)
          await recordVersions(tx, wakeUps, organizationId, { itemIds: ids(matched) }, null);
      }
      await reconcileItems(tx, wakeUps, context, { itemIds });
      const after = (await findItem(tx, organizationId, id))!;
      await recordEdit(tx, context, 'discovered_item', {
        before: comparedFields(before),
        after: comparedFields(after),
        ...(isForArtifact && source && { detail: { artifact: before.artifact_key } }),
      });
      publishChanges(tx, wakeUps, organizationId, 'discovery_job', [before.discovery_job_id], 'updated');
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
    publishChanges(tx, wakeUps, caller.organizationId, 'discovery_job', jobIds, 'updated');
  }
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
  if (type === null) {
    if (artifact_name != null) throw invalidField('source_type', 'is required');
    return { source_type: null, artifact_name: null, source_options: {} };
  }
  const isSameType = type === current.source_type;
  const name = artifact_name ?? (isSameType ? current.artifact_name : null);
  if (name === null) throw invalidField('artifact_name', 'is required');
  const artifact = sourceTypes[type].normalizeArtifactName(name);
  if (!artifact.ok) throw invalidField('artifact_name', artifact.message);
  const options = source_options ?? (isSameType ? current.source_options : {});
  const errors = checkSourceOptions(type, options).map(({ option, message }) => ({
    field: `source_options.${option}`,
    message,
  }));
  if (errors[0])
    throw new ApiError('validation_failed', `${errors[0].field}: ${errors[0].message}`, { errors });
  return { source_type: type, artifact_name: artifact.artifactName, source_options: options };
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
    Object.entries(labels).filter(([key, value]) => before.labels[key] !== value),
  );
  if (Object.keys({ ...before.labels, ...set }).length > maxLabels)
    throw invalidField('labels', `must have at most ${maxLabels} labels, including those from files`);
  return isDeepStrictEqual(set, before.set_labels) ? before.set_labels : set;
}
