import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { deriveFieldChanges } from '../../../domain/discovery/derived-values.ts';
import { compileCheapPattern } from '../../../domain/patterns/compile-pattern.ts';
import { endOfDay } from '../../../domain/support/support-phases.ts';
import {
  type IgnoreRecord,
  recordIgnores,
  withoutIgnoreRecord,
} from '../../../domain/vulnerabilities/ignored-vulnerability.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { beforeCommit, dueTopic, type Tx, wake } from '../../../platform/database/index.ts';
import { ApiError, invalidField, notFound } from '../../../platform/errors.ts';
import { type ApiRequest, assertIfMatch, type EditContext } from '../../../platform/http/index.ts';
import { deleteAlerts } from '../../alerts/index.ts';
import { publishChanges, recordEdit, recordEdits } from '../../audit/index.ts';
import { toMirror } from '../mirror-row.ts';
import {
  changeKeyOf,
  dueEvaluationsTable,
  markDueStatement,
  triggerEvaluation,
} from '../trigger-evaluation.ts';
import {
  type AlertConfigRow,
  type AlertConfigValues,
  type ComparisonParts,
  type ComparisonToCheck,
  type DerivedConfigUpdate,
  deleteAlertConfigs,
  findAlertConfig,
  findConflictingConfig,
  insertAlertConfigs,
  listAlertConfigsById,
  lockAlertConfig,
  lockAlertConfigs,
  lockReferences,
  lockReferencesAgainstChanges,
  markNotMonitored,
  type References,
  updateAlertConfig,
  updateDerivedConfigs,
} from './alert-config-queries.ts';
import { assertNoCycle } from './assert-no-circle.ts';

/** Values of an alert configuration that are derived from a discovered item. */
interface DerivedValues {
  name: string;
  rule_id: number;
  gather_job_id: number;
  is_active: boolean;
}

type NewAlertConfig = ApiRequest<'createAlertConfig'>['body'];

/** Throws 400 for values that are invalid in any alert configuration. */
export function checkAlertConfig({
  candidate_pattern,
  lifecycle_override,
}: Pick<Schemas['UpdateAlertConfigRequest'], 'candidate_pattern' | 'lifecycle_override'>): void {
  checkPattern(candidate_pattern);
  if (lifecycle_override != null && endOfDay(lifecycle_override.ends_on) === null)
    throw invalidField('lifecycle_override.ends_on', 'must be a day, such as 2028-06-30');
}

/**
 * Returns the edits of alert configurations, for use in a transaction. Create and update can fail with SQL
 * state 23505 if another transaction stores the same comparison.
 */
export const alertConfigEdits = {
  /** @param configs at most 1,000 */
  async create(tx: Tx, context: EditContext, configs: readonly NewAlertConfig[]): Promise<AlertConfigRow[]> {
    const { organizationId } = context.caller;
    const gatherOrganizations = await checkReferences(tx, organizationId, configs);
    const compared = configs.map((body) => ({
      parts: {
        scrape_job_id: body.scrape_job_id,
        gather_job_id: body.gather_job_id,
        rule_id: body.rule_id,
        candidate_pattern: body.candidate_pattern,
      },
      ordinal: body.ordinal,
    }));
    await assertDistinct(tx, organizationId, compared);
    const record = await newIgnoreRecord(
      tx,
      context,
      configs.flatMap((body) => body.ignored_vulnerabilities),
    );
    const ids = await insertAlertConfigs(
      tx,
      organizationId,
      configs.map((body, index) => ({
        ...compared[index]!.parts,
        name: body.name,
        gather_organization_id: gatherOrganizations.get(body.gather_job_id)!,
        labels: body.labels,
        ordinal: body.ordinal ?? 0,
        ignored_versions: body.ignored_versions,
        counted_versions: body.counted_versions,
        lifecycle_override: body.lifecycle_override,
        ignored_vulnerabilities: recordIgnores([], body.ignored_vulnerabilities, record),
        is_active: body.is_active,
      })),
    );
    lockReferencesAtEnd(tx, organizationId, configs);
    await assertNoCycle(tx, organizationId, ids);
    // New configurations are due immediately, so wake the evaluation loop.
    wake(tx, dueTopic(dueEvaluationsTable.name, organizationId));
    publishChanges(tx, organizationId, 'alert_config', ids, 'created');
    const rows = await listAlertConfigsById(tx, organizationId, ids);
    await recordEdits(
      tx,
      context,
      'alert_config',
      rows.map((row) => ({ after: toAlertConfig(row) })),
    );
    return rows;
  },

  update: (tx: Tx, context: EditContext, id: number, body: Schemas['UpdateAlertConfigRequest']) =>
    changeConfig(tx, context, id, async () => {
      const { organizationId } = context.caller;
      // Lock jobs and rules before the configuration, in the same order as deletes, to avoid deadlocks.
      const gatherOrganizations = await checkReferences(tx, organizationId, [body]);
      await lockReferencesAgainstChanges(tx, organizationId, {
        scrapeJobIds: body.scrape_job_id === undefined ? [] : [body.scrape_job_id],
        ruleIds: body.rule_id === undefined ? [] : [body.rule_id],
      });
      const values: Partial<AlertConfigValues> = {};
      if (body.name !== undefined) values.name = body.name;
      if (body.labels !== undefined) values.labels = body.labels;
      if (body.candidate_pattern !== undefined) values.candidate_pattern = body.candidate_pattern;
      if (body.ignored_versions !== undefined) values.ignored_versions = body.ignored_versions;
      if (body.counted_versions !== undefined) values.counted_versions = body.counted_versions;
      if (body.lifecycle_override !== undefined) values.lifecycle_override = body.lifecycle_override;
      if (body.is_active !== undefined) values.is_active = body.is_active;
      if (body.scrape_job_id !== undefined) values.scrape_job_id = body.scrape_job_id;
      if (body.rule_id !== undefined) values.rule_id = body.rule_id;
      if (body.gather_job_id !== undefined) {
        values.gather_job_id = body.gather_job_id;
        values.gather_organization_id = gatherOrganizations.get(body.gather_job_id)!;
      }
      const ignores = body.ignored_vulnerabilities;
      const record = await newIgnoreRecord(tx, context, ignores ?? []);
      return async (before) => {
        if (ignores !== undefined)
          values.ignored_vulnerabilities = recordIgnores(before.ignored_vulnerabilities, ignores, record);
        const parts = partsOf({ ...before, ...values });
        const isSame = isDeepStrictEqual(parts, partsOf(before));
        if (isSame && (body.ordinal === undefined || body.ordinal === before.ordinal)) return values;
        await assertDistinct(tx, organizationId, [{ parts, ordinal: body.ordinal, otherThan: before.id }]);
        return { ...values, ordinal: body.ordinal ?? 0 };
      };
    }),

  /**
   * Updates configurations that were derived from discovered items, and schedules their evaluation. A value
   * that differs from the last derived one was set by a person, so it doesn't change.
   *
   * @returns The derived values by the ID of the configuration, for the comparison in the next update.
   */
  async follow(
    tx: Tx,
    context: EditContext,
    derived: readonly { id: number; last: DerivedValues; next: DerivedValues }[],
  ): Promise<Map<number, DerivedValues>> {
    const values = new Map(derived.map(({ id, next }) => [id, next]));
    const toFollow = derived.filter(({ last, next }) => !isDeepStrictEqual(last, next));
    if (toFollow.length === 0) return values;
    const { organizationId } = context.caller;
    const ids = toFollow.map(({ id }) => id);
    const gatherOrganizations = await checkReferences(
      tx,
      organizationId,
      // Unchanged values aren't checked, because the last derived rule may have been deleted.
      toFollow.map(({ last, next }) => ({
        rule_id: next.rule_id === last.rule_id ? undefined : next.rule_id,
        gather_job_id: next.gather_job_id === last.gather_job_id ? undefined : next.gather_job_id,
      })),
    );
    await lockAlertConfigs(tx, organizationId, ids);
    const before = new Map((await listAlertConfigsById(tx, organizationId, ids)).map((row) => [row.id, row]));
    const followed = toFollow.flatMap(({ id, last, next }): DerivedConfigUpdate[] => {
      const current = before.get(id);
      if (current === undefined) return [];
      const { name, rule_id, gather_job_id, is_active } = current;
      const { changes, derived: kept } = deriveFieldChanges(
        { name, rule_id, gather_job_id, is_active },
        last,
        next,
      );
      values.set(id, { ...next, ...kept });
      if (Object.keys(changes).length === 0) return [];
      const { gather_job_id: gatherJobId } = changes;
      const owner = gatherJobId === undefined ? undefined : gatherOrganizations.get(gatherJobId)!;
      return [{ id, changes: { ...changes, ...(owner !== undefined && { gather_organization_id: owner }) } }];
    });
    if (followed.length === 0) return values;
    await updateDerivedConfigs(tx, organizationId, followed);
    const changedIds = followed.map(({ id }) => id);
    await assertNoCycle(tx, organizationId, changedIds);
    const isReconfigured = ({ changes }: DerivedConfigUpdate) =>
      changes.rule_id !== undefined || changes.gather_job_id !== undefined;
    for (const [reconfigured, configs] of Map.groupBy(followed, isReconfigured))
      await markDueStatement(
        sql`organization_id = ${organizationId} AND id = ANY(${configs.map(({ id }) => id)}::bigint[])`,
        { reconfigured, openingCause: changeKeyOf(tx) },
      ).execute(tx);
    wake(tx, dueTopic(dueEvaluationsTable.name, organizationId));
    publishChanges(tx, organizationId, 'alert_config', changedIds, 'updated');
    const after = await listAlertConfigsById(tx, organizationId, changedIds);
    await recordEdits(
      tx,
      context,
      'alert_config',
      after.map((row) => ({ before: toAlertConfig(before.get(row.id)!), after: toAlertConfig(row) })),
    );
    return values;
  },

  /**
   * Disables configurations, at most 1,000, and schedules their evaluation. Configurations that are already
   * disabled don't change.
   */
  async disable(tx: Tx, context: EditContext, ids: readonly number[]): Promise<void> {
    const { organizationId } = context.caller;
    await lockAlertConfigs(tx, organizationId, ids);
    const before = (await listAlertConfigsById(tx, organizationId, ids)).filter((row) => row.is_active);
    if (before.length === 0) return;
    const changedIds = before.map(({ id }) => id);
    await updateDerivedConfigs(
      tx,
      organizationId,
      changedIds.map((id) => ({ id, changes: { is_active: false } })),
    );
    await markDueStatement(
      sql`organization_id = ${organizationId} AND id = ANY(${changedIds}::bigint[])`,
    ).execute(tx);
    wake(tx, dueTopic(dueEvaluationsTable.name, organizationId));
    publishChanges(tx, organizationId, 'alert_config', changedIds, 'updated');
    await recordEdits(
      tx,
      context,
      'alert_config',
      before.map((row) => ({
        before: toAlertConfig(row),
        after: toAlertConfig({ ...row, is_active: false }),
      })),
    );
  },

  toggle: (tx: Tx, context: EditContext, id: number) =>
    changeConfig(tx, context, id, async () => async (before) => ({ is_active: !before.is_active })),

  async delete(tx: Tx, context: EditContext, id: number): Promise<void> {
    const { organizationId, actor } = context.caller;
    await markNotMonitored(tx, organizationId, sql<boolean>`c.id = ${id}`);
    await lockAlertConfig(tx, organizationId, id);
    const row = await findAlertConfig(tx, organizationId, id);
    if (!row) throw notFound();
    assertIfMatch(context, row);
    await deleteAlerts(tx, organizationId, { alertConfigIds: [row.id] }, actor);
    const left = await deleteAlertConfigs(tx, organizationId, { ids: [row.id] });
    await recordEdit(tx, context, 'alert_config', { before: toAlertConfig(row), detail: { ...left } });
    publishChanges(tx, organizationId, 'alert_config', [row.id], 'deleted');
  },
};

/**
 * Changes a configuration under its lock and schedules its evaluation. `prepare` does the work that must
 * precede the lock.
 */
async function changeConfig(
  tx: Tx,
  context: EditContext,
  id: number,
  prepare: () => Promise<(before: AlertConfigRow) => Promise<Partial<AlertConfigValues>>>,
): Promise<AlertConfigRow> {
  const { organizationId } = context.caller;
  const change = await prepare();
  await lockAlertConfig(tx, organizationId, id);
  const before = await findAlertConfig(tx, organizationId, id);
  if (!before) throw notFound();
  assertIfMatch(context, before);
  const values = await change(before);
  await updateAlertConfig(tx, organizationId, before.id, values);
  const after = (await findAlertConfig(tx, organizationId, before.id))!;
  if (after.scrape_job_id !== before.scrape_job_id || after.gather_job_id !== before.gather_job_id)
    await assertNoCycle(tx, organizationId, [before.id]);
  await triggerEvaluation(tx, {
    organizationId,
    alertConfigId: before.id,
    reconfigured:
      after.scrape_job_id !== before.scrape_job_id ||
      after.gather_job_id !== before.gather_job_id ||
      after.rule_id !== before.rule_id,
    clearMute: after.is_active !== before.is_active,
  });
  await recordEdit(tx, context, 'alert_config', {
    before: toAlertConfig(before),
    after: toAlertConfig(after),
  });
  publishChanges(tx, organizationId, 'alert_config', [before.id], 'updated');
  if (after.active_alert_id !== null && !isDeepStrictEqual(after.effective_labels, before.effective_labels))
    publishChanges(tx, organizationId, 'alert', [after.active_alert_id], 'updated');
  return after;
}

/** Returns the record of vulnerabilities that the request ignores. */
async function newIgnoreRecord(
  tx: Tx,
  { caller }: EditContext,
  requested: readonly unknown[],
): Promise<IgnoreRecord> {
  const by = caller.actor.name;
  if (requested.length === 0) return { at: '', by };
  const { rows } = await sql<{ now: Date }>`SELECT pacekeeper_now() AS now`.execute(tx);
  return { at: rows[0]!.now.toISOString(), by };
}

function partsOf({
  scrape_job_id,
  gather_job_id,
  rule_id,
  candidate_pattern,
}: ComparisonParts): ComparisonParts {
  return { scrape_job_id, gather_job_id, rule_id, candidate_pattern };
}

/**
 * Throws 409 if one of the given comparisons already exists in another configuration. If a comparison has an
 * ordinal, only a configuration with the same ordinal conflicts.
 */
async function assertDistinct(
  tx: Tx,
  organizationId: number,
  compared: readonly ComparisonToCheck[],
): Promise<void> {
  const first = await findConflictingConfig(tx, organizationId, compared);
  if (!first) return;
  const detail = `Alert configuration "${first.name}" (ID ${first.id}) already compares these with the same rule and version filter.`;
  throw new ApiError('conflict', detail, { extra: { alert_config_ids: [first.id], alert_config_count: 1 } });
}

type GivenReferences = { [Name in keyof References]?: number | undefined };

/**
 * Throws 400 if a given reference doesn't exist. The response is the same for a resource of another
 * organization.
 *
 * @returns The organizations of the gather jobs.
 */
async function checkReferences(
  tx: Tx,
  organizationId: number,
  configs: readonly GivenReferences[],
): Promise<ReadonlyMap<number, number>> {
  const idsOf = (name: keyof References) => [
    ...new Set(configs.flatMap((ids) => (ids[name] === undefined ? [] : [ids[name]]))),
  ];
  const [scrapeJobIds, gatherJobIds, ruleIds] = [
    idsOf('scrape_job_id'),
    idsOf('gather_job_id'),
    idsOf('rule_id'),
  ];
  if (scrapeJobIds.length + gatherJobIds.length + ruleIds.length === 0) return new Map();
  const found = await lockReferences(tx, organizationId, { scrapeJobIds, gatherJobIds, ruleIds });
  if (!scrapeJobIds.every((id) => found.scrapeJobIds.has(id)))
    throw invalidField('scrape_job_id', 'scrape job not found');
  if (!gatherJobIds.every((id) => found.gatherOrganizations.has(id)))
    throw invalidField('gather_job_id', 'gather job not found');
  if (!ruleIds.every((id) => found.ruleIds.has(id))) throw invalidField('rule_id', 'rule not found');
  return found.gatherOrganizations;
}

const held = new WeakMap<Tx, Record<'scrapeJobIds' | 'ruleIds', Set<number>>>();

/**
 * Locks the references of new configurations with one statement at the end of the transaction instead of for each
 * configuration. Applying a large configuration file takes up to a minute, and the locks would prevent agents from
 * completing their tasks during this time.
 */
function lockReferencesAtEnd(tx: Tx, organizationId: number, configs: readonly NewAlertConfig[]): void {
  let ids = held.get(tx);
  if (!ids) {
    const { scrapeJobIds, ruleIds } = (ids = { scrapeJobIds: new Set(), ruleIds: new Set() });
    held.set(tx, ids);
    beforeCommit(tx, () =>
      lockReferencesAgainstChanges(tx, organizationId, {
        scrapeJobIds: [...scrapeJobIds],
        ruleIds: [...ruleIds],
      }),
    );
  }
  for (const { scrape_job_id, rule_id } of configs) {
    ids.scrapeJobIds.add(scrape_job_id);
    ids.ruleIds.add(rule_id);
  }
}

function checkPattern(pattern: string | null | undefined): void {
  if (pattern == null) return;
  const result = compileCheapPattern(pattern);
  if (!result.ok) throw invalidField('candidate_pattern', result.message);
}

export function toAlertConfig(row: AlertConfigRow): Schemas['AlertConfig'] {
  const { scrape_job_name, gather_job_name, rule_name, gather_organization_id: _, ...rest } = row;
  const at = (time: Date | null) => (time === null ? null : time.toISOString());
  return {
    ...rest,
    ignored_vulnerabilities: row.ignored_vulnerabilities.map(withoutIgnoreRecord),
    open_alert_count: row.active_alert_id === null ? 0 : 1,
    scrape_job: { id: row.scrape_job_id, name: scrape_job_name },
    gather_job: { id: row.gather_job_id, name: gather_job_name },
    rule: { id: row.rule_id, name: rule_name },
    mirror: toMirror(row.mirror),
    behind_since: at(row.behind_since),
    ends_at: at(row.ends_at),
    crossed_at: at(row.crossed_at),
    last_evaluated_at: at(row.last_evaluated_at),
    next_evaluation_at: at(row.next_evaluation_at),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
