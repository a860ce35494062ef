import { normalizeArtifactKey } from '../../../domain/discovery/artifact-key.ts';
import { sourceTypes } from '../../../domain/source-types/source-types.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { ApiError, invalidField, notFound } from '../../../platform/errors.ts';
import { assertIfMatch, type EditContext } from '../../../platform/http/index.ts';
import { checkSourceOptions } from '../../../sources/check-source-options.ts';
import { publishChanges, recordEdit, recordEdits } from '../../audit/index.ts';
import { reconcileItems } from '../acceptance/reconcile-items.ts';
import { matchDigests } from '../digests/match-digests.ts';
import { recordItemVersions } from '../live/live-versions.ts';
import {
  type CorrectionRow,
  type CorrectionValues,
  deleteCorrection,
  findCorrection,
  findCorrectionsOf,
  storeCorrections,
  updateConfidence,
} from '../model/correction-queries.ts';
import { lockAllJobs } from '../model/discovery-job-queries.ts';
import type { ChosenSource } from '../model/item-queries.ts';

/**
 * Returns the edits of artifact corrections, for use in a transaction. The caller must check new corrections
 * with `checkCorrection`. The items of a corrected artifact are updated in the same transaction.
 */
export const correctionEdits = {
  async create(
    tx: Tx,
    context: EditContext,
    corrections: readonly CorrectionValues[],
  ): Promise<CorrectionRow[]> {
    const { organizationId, actor } = context.caller;
    await lockAllJobs(tx, organizationId);
    const artifacts = corrections.map(({ artifact }) => artifact);
    const [known] = await findCorrectionsOf(tx, organizationId, artifacts);
    const repeated = known?.artifact ?? artifacts.find((artifact, at) => artifacts.indexOf(artifact) < at);
    if (repeated !== undefined)
      throw new ApiError('conflict', `${repeated} already has a correction. Change that correction.`);
    await storeCorrections(tx, organizationId, corrections, actor);
    const rows = await findCorrectionsOf(tx, organizationId, artifacts);
    await recordEdits(
      tx,
      context,
      'artifact_correction',
      rows.map((row) => ({ after: toRecorded(row) })),
    );
    await follow(tx, context, artifacts);
    const ids = rows.map(({ id }) => id);
    publishChanges(tx, organizationId, 'artifact_correction', ids, 'created');
    return rows;
  },

  async update(
    tx: Tx,
    context: EditContext,
    id: number,
    values: Schemas['UpdateArtifactCorrectionRequest'],
  ): Promise<CorrectionRow> {
    const { organizationId } = context.caller;
    await lockAllJobs(tx, organizationId);
    const before = await findCorrection(tx, organizationId, id);
    if (!before) throw notFound();
    assertIfMatch(context, before);
    const source = checkSource(values.source_type === null ? noUpstream(values) : { ...before, ...values });
    const after = await write(tx, context, before.artifact, source, before);
    await follow(tx, context, [before.artifact]);
    return after;
  },

  async delete(tx: Tx, context: EditContext, id: number): Promise<void> {
    const { organizationId } = context.caller;
    await lockAllJobs(tx, organizationId);
    const before = await findCorrection(tx, organizationId, id);
    if (!before) throw notFound();
    assertIfMatch(context, before);
    await deleteCorrection(tx, organizationId, id);
    await recordEdit(tx, context, 'artifact_correction', { before: toRecorded(before) });
    await follow(tx, context, [before.artifact]);
    publishChanges(tx, organizationId, 'artifact_correction', [id], 'deleted');
  },

  /**
   * Creates or replaces the correction of an artifact. Unlike the other edits, it leaves the resources of accepted items
   * to the caller, which must have called `lockAllJobs`.
   */
  async store(tx: Tx, context: EditContext, artifact: string, source: ChosenSource): Promise<void> {
    const { organizationId } = context.caller;
    const [before] = await findCorrectionsOf(tx, organizationId, [artifact]);
    await write(tx, context, artifact, source, before);
    await updateConfidence(tx, organizationId, [artifact]);
  },
};

async function write(
  tx: Tx,
  context: EditContext,
  artifact: string,
  source: ChosenSource,
  before: CorrectionRow | undefined,
): Promise<CorrectionRow> {
  const { organizationId, actor } = context.caller;
  await storeCorrections(tx, organizationId, [{ artifact, ...source }], actor);
  const [after] = await findCorrectionsOf(tx, organizationId, [artifact]);
  await recordEdit(tx, context, 'artifact_correction', {
    before: before && toRecorded(before),
    after: toRecorded(after!),
  });
  const change = before ? 'updated' : 'created';
  publishChanges(tx, organizationId, 'artifact_correction', [after!.id], change);
  return after!;
}

async function follow(tx: Tx, context: EditContext, artifacts: readonly string[]): Promise<void> {
  const { organizationId } = context.caller;
  const items = await updateConfidence(tx, organizationId, artifacts);
  if (items.length === 0) return;
  await rederiveItems(
    tx,
    context,
    items.map(({ id }) => id),
  );
  const jobIds = [...new Set(items.map((item) => item.discovery_job_id))].toSorted((a, b) => a - b);
  publishChanges(tx, organizationId, 'discovery_job', jobIds, 'updated');
}

/** Derives the versions and the resources of items whose upstreams have changed. */
export async function rederiveItems(tx: Tx, context: EditContext, itemIds: readonly number[]): Promise<void> {
  const { organizationId } = context.caller;
  const matched = await matchDigests(tx, organizationId, { itemIds });
  if (matched.length > 0)
    await recordItemVersions(tx, organizationId, { itemIds: matched.map(({ id }) => id) }, null);
  await reconcileItems(tx, context, { itemIds });
}

/** Normalizes a new correction. Throws 400 if it is invalid. */
export function checkCorrection({ artifact, ...source }: CorrectionValues): CorrectionValues {
  const key = normalizeArtifactKey(artifact);
  if (!key.ok) throw invalidField('artifact', key.message);
  return { artifact: key.key, ...checkSource(source) };
}

/** Normalizes a chosen upstream. Throws 400 if no source can read it. */
export function checkSource({ source_type, artifact_name, source_options }: ChosenSource): ChosenSource {
  if (source_type === null) {
    if (artifact_name !== null) throw invalidField('source_type', 'is required');
    return noUpstream({});
  }
  if (artifact_name === null) throw invalidField('artifact_name', 'is required');
  const artifact = sourceTypes[source_type].normalizeArtifactName(artifact_name);
  if (!artifact.ok) throw invalidField('artifact_name', artifact.message);
  const errors = checkSourceOptions(source_type, source_options).map(({ option, message }) => ({
    field: `source_options.${option}`,
    message,
  }));
  if (errors[0])
    throw new ApiError('validation_failed', `${errors[0].field}: ${errors[0].message}`, { errors });
  return { source_type, artifact_name: artifact.artifactName, source_options };
}

function noUpstream({ artifact_name }: { artifact_name?: string | null }): ChosenSource {
  return { source_type: null, artifact_name: artifact_name ?? null, source_options: {} };
}

export function toCorrection({
  actor_type,
  actor_id,
  actor_name,
  created_at,
  updated_at,
  ...row
}: CorrectionRow): Schemas['ArtifactCorrection'] {
  return {
    ...row,
    updated_by: { type: actor_type, id: actor_id, name: actor_name },
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}

/** Returns a correction in the format that the audit log compares. */
function toRecorded(row: CorrectionRow) {
  return { ...toCorrection(row), name: row.artifact };
}
