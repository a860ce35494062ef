import { sql } from 'kysely';
import { ownValue } from '../../domain/json/own-value.ts';
import type { Schemas } from '../../generated/client-api.ts';
import { type Database, hasSqlState, type Tx, transaction } from '../../platform/database/index.ts';
import { ApiError, invalidField } from '../../platform/errors.ts';
import type { EditContext } from '../../platform/http/index.ts';
import { scrapeJobEdits, scrapeJobs } from '../deployed/index.ts';
import { alertConfigEdits, findRule } from '../monitoring/index.ts';
import { lockJob } from '../runs/index.ts';

type Request = Schemas['ChangeSoftwareRequest'];
type Change = Schemas['SoftwareChange'];
type Outcome = Schemas['ChangeSoftwareResponse'];
type Labels = Schemas['Labels'];

const maxLabels = 20;

interface Monitor {
  id: number;
  rule_id: number;
  is_active: boolean;
  /** Labels of the alert configuration, which override the labels of the item. */
  labels: Labels;
  open_alerts: number;
}

interface Item {
  id: number;
  labels: Labels;
  is_followed: boolean;
  monitors: Monitor[];
}

/** Change that an action makes to an item, or the reason that the item can't be changed. */
type Decision =
  | { kind: 'nothing' }
  | { kind: 'reject'; message: string }
  | { kind: 'gone' }
  | { kind: 'delete'; monitors: Monitor[] }
  | { kind: 'label'; labels: Labels; undo: Record<string, string | null> }
  | { kind: 'monitors'; values: { rule_id: number } | { is_active: boolean }; monitors: Monitor[] };

/**
 * Applies the same action to many items, each in its own transaction, so that no other request waits for 500
 * locks at the same time.
 */
export async function changeSoftware(
  { db }: { db: Database },
  context: EditContext,
  request: Request,
): Promise<Outcome> {
  const { organizationId } = context.caller;
  await checkRequest(db, organizationId, request);
  const ids = [...new Set(request.scrape_job_ids)];
  const items = await readItems(db, organizationId, ids);
  const outcome: Outcome = {
    changed: [],
    unchanged: [],
    rejected: [],
    undo: [],
    not_found: ids.filter((id) => !items.has(id)),
    overridden: [] as number[],
    alert_config_count: 0,
    open_alert_count: 0,
  };
  const done: { id: number; decision: Decision }[] = [];
  for (const id of ids) {
    const item = items.get(id);
    if (!item) continue;
    const wanted = decide(request, item);
    const decision = request.dry_run ? wanted : await apply({ db }, context, request, id, wanted);
    if (decision.kind === 'nothing') outcome.unchanged.push(id);
    else if (decision.kind === 'reject') outcome.rejected.push({ id, message: decision.message });
    else if (decision.kind === 'gone') outcome.not_found.push(id);
    else {
      outcome.changed.push(id);
      done.push({ id, decision });
      if (decision.kind === 'label') continue;
      outcome.alert_config_count += decision.monitors.length;
      for (const { open_alerts } of decision.monitors) outcome.open_alert_count += open_alerts;
    }
  }
  outcome.overridden = [...outcome.changed, ...outcome.unchanged].filter((id) =>
    isOverridden(items.get(id)!, request),
  );
  if (!request.dry_run) outcome.undo = toUndoRequests(done);
  return outcome;
}

async function checkRequest(
  db: Database,
  organizationId: number,
  { action, labels, rule_id }: Request,
): Promise<void> {
  if (action === 'label' && labels === undefined) throw invalidField('labels', 'is required');
  if (action !== 'set_rule') return;
  if (rule_id === undefined) throw invalidField('rule_id', 'is required');
  if (!(await findRule(db, organizationId, rule_id))) throw invalidField('rule_id', 'rule not found');
}

async function readItems(
  db: Database | Tx,
  organizationId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Item>> {
  const { rows } = await sql<Item>`
    SELECT j.id, j.labels,
      EXISTS (SELECT FROM gather_jobs g WHERE g.organization_id = j.organization_id AND g.scrape_job_id = j.id) AS is_followed,
      coalesce((
        SELECT json_agg(json_build_object('id', c.id, 'rule_id', c.rule_id, 'is_active', c.is_active,
          'labels', c.labels, 'open_alerts', (
          SELECT count(*) FROM alerts a
          WHERE a.organization_id = c.organization_id AND a.alert_config_id = c.id AND a.resolved_at IS NULL)) ORDER BY c.id)
        FROM alert_configs c WHERE c.organization_id = j.organization_id AND c.scrape_job_id = j.id), '[]') AS monitors
    FROM scrape_jobs j WHERE j.organization_id = ${organizationId} AND j.id = ANY(${[...ids]}::bigint[])`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function decide(request: Request, item: Item): Decision {
  const only = request.alert_config_ids && new Set(request.alert_config_ids);
  const monitors = item.monitors.filter(({ id }) => only?.has(id) ?? true);
  switch (request.action) {
    case 'label':
      return decideLabels(item.labels, request.labels!);
    case 'set_rule': {
      const rule_id = request.rule_id!;
      const others = monitors.filter((monitor) => monitor.rule_id !== rule_id);
      if (others.length === 0) return { kind: 'nothing' };
      // With the same rule, several alert configurations of the item would be identical.
      if (item.monitors.length > 1)
        return {
          kind: 'reject',
          message: 'It has several alert configurations. Change their rules individually.',
        };
      return { kind: 'monitors', values: { rule_id }, monitors: others };
    }
    case 'enable':
    case 'disable': {
      const is_active = request.action === 'enable';
      const others = monitors.filter((monitor) => monitor.is_active !== is_active);
      return others.length === 0
        ? { kind: 'nothing' }
        : { kind: 'monitors', values: { is_active }, monitors: others };
    }
    case 'delete':
      return item.is_followed
        ? { kind: 'reject', message: 'Gather jobs use its versions. Delete them first.' }
        : { kind: 'delete', monitors: item.monitors };
  }
}

function decideLabels(before: Labels, wanted: NonNullable<Request['labels']>): Decision {
  const differing = Object.entries(wanted).filter(
    ([key, value]) => (ownValue(before, key) ?? null) !== value,
  );
  if (differing.length === 0) return { kind: 'nothing' };
  const merged = Object.entries({ ...before, ...Object.fromEntries(differing) });
  const labels = Object.fromEntries(merged.filter((entry): entry is [string, string] => entry[1] !== null));
  if (Object.keys(labels).length > maxLabels)
    return { kind: 'reject', message: `It would have more than ${maxLabels} labels. Remove some first.` };
  const undo = Object.fromEntries(differing.map(([key]) => [key, ownValue(before, key) ?? null]));
  return { kind: 'label', labels, undo };
}

/** True if an alert configuration keeps a different value of a label because it overrides the label. */
function isOverridden({ monitors }: Item, { action, labels }: Request): boolean {
  if (action !== 'label') return false;
  return monitors.some((monitor) =>
    Object.entries(labels!).some(([key, value]) => (ownValue(monitor.labels, key) ?? value) !== value),
  );
}

/**
 * @returns The change that was actually made. The item can have changed or been deleted after it was read.
 */
async function apply(
  { db }: { db: Database },
  context: EditContext,
  request: Request,
  id: number,
  decision: Decision,
): Promise<Decision> {
  try {
    return await transaction(db, async (tx) => {
      switch (decision.kind) {
        case 'label': {
          const current = await decideLabelsLocked(tx, context, request, id);
          if (current.kind === 'label')
            await scrapeJobEdits.update(tx, context, id, { labels: current.labels });
          return current;
        }
        case 'delete':
          await scrapeJobEdits.delete(tx, context, id, { cascade: true });
          return decision;
        case 'monitors':
          for (const monitor of decision.monitors)
            await alertConfigEdits.update(tx, context, monitor.id, decision.values);
          return decision;
        default:
          return decision;
      }
    });
  } catch (error) {
    if (hasSqlState(error, '23505'))
      return { kind: 'reject', message: new ApiError('conflict', undefined, { cause: error }).message };
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'not_found') return { kind: 'gone' };
    // Reject only this item. Throwing an error would hide the changes of the previous items and how to undo them.
    if (['conflict', 'in_use', 'validation_failed'].includes(error.code))
      return { kind: 'reject', message: error.message };
    throw error;
  }
}

/**
 * Determines the label change again under a lock, because another request can have changed the labels of the
 * item while the previous items were processed.
 */
async function decideLabelsLocked(
  tx: Tx,
  { caller: { organizationId } }: EditContext,
  request: Request,
  id: number,
): Promise<Decision> {
  await lockJob(tx, scrapeJobs, organizationId, id, { holdsReferences: false });
  const item = (await readItems(tx, organizationId, [id])).get(id);
  return item === undefined ? { kind: 'gone' } : decideLabels(item.labels, request.labels!);
}

/** Returns the requests that undo the changes, one for each distinct previous state. */
function toUndoRequests(done: readonly { id: number; decision: Decision }[]): Change[] {
  const undo = new Map<string, Change>();
  const add = (
    change: Omit<Change, 'scrape_job_ids' | 'alert_config_ids'>,
    id: number,
    configs: number[],
  ) => {
    const key = JSON.stringify(change);
    const known = undo.get(key);
    undo.set(key, {
      ...change,
      scrape_job_ids: [...(known?.scrape_job_ids ?? []), id],
      ...(configs.length > 0 && { alert_config_ids: [...(known?.alert_config_ids ?? []), ...configs] }),
    });
  };
  for (const { id, decision } of done) {
    if (decision.kind === 'label') add({ action: 'label', labels: decision.undo }, id, []);
    if (decision.kind !== 'monitors') continue;
    const configs = decision.monitors.map((monitor) => monitor.id);
    if ('is_active' in decision.values)
      add({ action: decision.values.is_active ? 'disable' : 'enable' }, id, configs);
    else add({ action: 'set_rule', rule_id: decision.monitors[0]!.rule_id }, id, configs);
  }
  return [...undo.values()];
}
