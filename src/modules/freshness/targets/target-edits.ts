import { isDeepStrictEqual } from 'node:util';
import { percentWithin } from '../../../domain/freshness/freshness-target.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { ApiError, invalidField, notFound } from '../../../platform/errors.ts';
import { assertIfMatch, type EditContext } from '../../../platform/http/index.ts';
import { publishChanges, recordEdit, recordEdits } from '../../audit/index.ts';
import { checkLabelMatchers } from '../../notifications/index.ts';
import { readLimit } from '../../settings/index.ts';
import { triggerFreshness } from '../measuring/freshness-due.ts';
import {
  countTargets,
  deleteTarget,
  findTarget,
  insertTargets,
  listTargetsById,
  lockTarget,
  type TargetRow,
  type TargetValues,
  updateTarget,
} from './target-queries.ts';

/**
 * Returns the edits of freshness targets, for use in a transaction. The caller must check new targets with
 * `checkTarget`.
 */
export const targetEdits = {
  async create(tx: Tx, context: EditContext, targets: readonly TargetValues[]): Promise<TargetRow[]> {
    const { organizationId } = context.caller;
    // This also locks the state row of the organization, so that concurrent requests can't exceed the limit together.
    await triggerFreshness(tx, organizationId);
    const maxTargets = await readLimit(tx, 'limits.freshness_targets');
    if ((await countTargets(tx, organizationId)) + targets.length > maxTargets) {
      throw new ApiError(
        'conflict',
        `An organization can have at most ${maxTargets} freshness targets (limits.freshness_targets). Delete one first.`,
      );
    }
    const ids = await insertTargets(tx, organizationId, targets);
    const rows = await listTargetsById(tx, organizationId, ids);
    await recordEdits(
      tx,
      context,
      'freshness_target',
      rows.map((row) => ({ after: toTarget(row) })),
    );
    publishChanges(tx, organizationId, 'freshness_target', ids, 'created');
    return rows;
  },

  async update(tx: Tx, context: EditContext, id: number, values: Partial<TargetValues>): Promise<TargetRow> {
    const { organizationId } = context.caller;
    const before = await lockTarget(tx, organizationId, id);
    if (!before) throw notFound();
    assertIfMatch(context, before);
    await checkTarget({ ...before, ...values });
    await updateTarget(tx, organizationId, id, {
      ...values,
      clearsHistory: hasDifferentMeasurement(before, values),
    });
    const after = (await findTarget(tx, organizationId, id))!;
    await recordEdit(tx, context, 'freshness_target', { before: toTarget(before), after: toTarget(after) });
    await triggerFreshness(tx, organizationId);
    publishChanges(tx, organizationId, 'freshness_target', [id], 'updated');
    return after;
  },

  async delete(tx: Tx, context: EditContext, id: number): Promise<void> {
    const { organizationId } = context.caller;
    const row = await lockTarget(tx, organizationId, id);
    if (!row) throw notFound();
    assertIfMatch(context, row);
    await deleteTarget(tx, organizationId, id);
    await recordEdit(tx, context, 'freshness_target', { before: toTarget(row) });
    await triggerFreshness(tx, organizationId);
    publishChanges(tx, organizationId, 'freshness_target', [id], 'deleted');
  },
};

/** True if the stored measurements no longer apply to the changed target. A new name doesn't affect them. */
function hasDifferentMeasurement(before: TargetValues, values: Partial<TargetValues>): boolean {
  return !isDeepStrictEqual(measuredBy({ ...before, ...values }), measuredBy(before));
}

function measuredBy({ label_matchers, metric, limit, goal_percent, is_active }: TargetValues) {
  return { label_matchers, metric, limit, goal_percent, is_active };
}

/** Checks constraints that the API contract can't express. */
export async function checkTarget(values: TargetValues): Promise<void> {
  await checkLabelMatchers(values);
  if (values.metric !== 'libyears' && !Number.isInteger(values.limit)) {
    throw invalidField('limit', `must be a whole number for ${values.metric}`);
  }
}

export function toTarget({ known, out_of_target, ...row }: TargetRow): Schemas['FreshnessTarget'] {
  const isMeasured = known !== null && out_of_target !== null;
  return {
    ...row,
    known,
    out_of_target,
    now_percent: isMeasured ? percentWithin(known - out_of_target, known) : null,
    met_since: row.met_since?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
