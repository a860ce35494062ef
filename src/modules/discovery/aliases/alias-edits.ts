import {
  type ArtifactAlias,
  maxAliases,
  normalizePrefix,
  problemOfAlias,
} from '../../../domain/identity/artifact-aliases.ts';
import { isSameJson } from '../../../domain/json/json-item.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { ApiError, invalidField, notFound } from '../../../platform/errors.ts';
import { assertIfMatch, type EditContext } from '../../../platform/http/index.ts';
import { publishChanges, recordEdit, recordEdits } from '../../audit/index.ts';
import {
  type AliasRow,
  type AliasValues,
  deleteAlias,
  findAlias,
  insertAliases,
  lockAliases,
  readAliases,
  updateAlias,
} from '../../settings/index.ts';
import { lockFirstJobsBelow } from '../../upstream/index.ts';
import { lockAllJobs } from '../model/discovery-job-queries.ts';
import { applyAliasChange, maxAliasUpdatesInRequest } from './apply-alias-changes.ts';

/**
 * Returns the edits of artifact aliases, for use in a transaction. The caller must check new aliases with `checkAlias`.
 */
export const aliasEdits = {
  /**
   * Locks all rows that edits of aliases lock. Call it before a transaction locks or changes other resources.
   *
   * @param changes IDs and new prefixes of the aliases, and IDs of gather jobs that the transaction locks as well.
   */
  async lock(
    tx: Tx,
    { caller: { organizationId } }: EditContext,
    changes: { ids: readonly number[]; prefixes: readonly string[]; gatherJobIds: readonly number[] },
  ): Promise<void> {
    const stored = await readAliases(tx, organizationId);
    const prefixes = [
      ...stored.flatMap(({ id, prefix }) => (changes.ids.includes(id) ? prefix : [])),
      ...changes.prefixes.map(normalizePrefix).flatMap((result) => (result.ok ? result.prefix : [])),
    ];
    // An alias that was already deleted needs no lock.
    if (prefixes.length > 0) await lockToChange(tx, organizationId, prefixes, changes.gatherJobIds);
  },

  async create(tx: Tx, context: EditContext, aliases: readonly AliasValues[]): Promise<AliasRow[]> {
    const { organizationId } = context.caller;
    const prefixes = aliases.map(({ prefix }) => prefix);
    const known = await lockToChange(tx, organizationId, prefixes);
    if (known.length + aliases.length > maxAliases)
      throw new ApiError(
        'conflict',
        `An organization can have ${maxAliases} artifact aliases. Delete one first.`,
      );
    for (const [index, alias] of aliases.entries())
      assertNewPrefix(alias, [...known, ...aliases.slice(0, index)]);
    const ids = await insertAliases(tx, organizationId, aliases);
    const created = new Set(ids);
    const rows = (await readAliases(tx, organizationId)).filter(({ id }) => created.has(id));
    await recordEdits(
      tx,
      context,
      'artifact_alias',
      rows.map((row) => ({ after: toAlias(row) })),
    );
    await applyAliasChange(tx, context, prefixes);
    publishChanges(tx, organizationId, 'artifact_alias', ids, 'created');
    return (await readAliases(tx, organizationId)).filter(({ id }) => created.has(id));
  },

  async update(
    tx: Tx,
    context: EditContext,
    id: number,
    values: Schemas['UpdateArtifactAliasRequest'],
  ): Promise<AliasRow> {
    const { organizationId } = context.caller;
    const found = await findAlias(tx, organizationId, id);
    if (!found) throw notFound();
    const known = await lockToChange(tx, organizationId, [found.prefix, applyTo(found, values).prefix]);
    // Use the alias that was read under the lock, because another request can have changed or deleted it before.
    const before = known.find((alias) => alias.id === id);
    if (!before) throw notFound();
    assertIfMatch(context, before);
    const after = applyTo(before, values);
    assertNewPrefix(
      after,
      known.filter((alias) => alias !== before),
    );
    await updateAlias(tx, organizationId, id, after);
    const changed = (await findAlias(tx, organizationId, id))!;
    await recordEdit(tx, context, 'artifact_alias', { before: toAlias(before), after: toAlias(changed) });
    if (!isSameMirror(before, after)) await applyAliasChange(tx, context, [before.prefix, after.prefix]);
    publishChanges(tx, organizationId, 'artifact_alias', [id], 'updated');
    return (await findAlias(tx, organizationId, id))!;
  },

  async delete(tx: Tx, context: EditContext, id: number): Promise<void> {
    const { organizationId } = context.caller;
    const found = await findAlias(tx, organizationId, id);
    if (!found) throw notFound();
    const known = await lockToChange(tx, organizationId, [found.prefix]);
    const alias = known.find((each) => each.id === id);
    if (!alias) throw notFound();
    assertIfMatch(context, alias);
    await deleteAlias(tx, organizationId, id);
    await recordEdit(tx, context, 'artifact_alias', { before: toAlias(alias) });
    await applyAliasChange(tx, context, [alias.prefix]);
    publishChanges(tx, organizationId, 'artifact_alias', [id], 'deleted');
  },
};

/**
 * Locks everything that a request updates when it changes aliases, in the same order as other transactions:
 * gather jobs, discovery jobs, the organization, and then the aliases.
 *
 * @returns All aliases of the organization.
 */
async function lockToChange(
  tx: Tx,
  organizationId: number,
  prefixes: readonly string[],
  gatherJobIds: readonly number[] = [],
): Promise<AliasRow[]> {
  await lockFirstJobsBelow(tx, organizationId, prefixes, {
    limit: maxAliasUpdatesInRequest,
    otherIds: gatherJobIds,
  });
  await lockAllJobs(tx, organizationId);
  await lockAliases(tx, organizationId, { isShared: false });
  return readAliases(tx, organizationId);
}

/** Returns the changed fields of an alias. Throws 400 if they are invalid. */
function applyTo(
  { name, prefix, upstream_prefix, reads_mirror }: AliasRow,
  values: Schemas['UpdateArtifactAliasRequest'],
): AliasValues {
  return checkAlias({ name, prefix, upstream_prefix, reads_mirror, ...values });
}

/** True if only the name of an alias changed, which affects neither items nor jobs. */
function isSameMirror(before: AliasValues, after: AliasValues): boolean {
  return isSameJson({ ...before, name: '' }, { ...before, ...after, name: '' });
}

function assertNewPrefix({ prefix }: ArtifactAlias, others: readonly AliasValues[]): void {
  const other = others.find((each) => each.prefix.toLowerCase() === prefix.toLowerCase());
  if (other)
    throw new ApiError(
      'conflict',
      `The alias "${other.name}" already has the prefix ${prefix}. Change that alias, or use a longer prefix.`,
    );
}

/** Normalizes the prefixes of an alias. Throws 400 if they are invalid. */
export function checkAlias(values: AliasValues): AliasValues {
  const alias = {
    ...values,
    prefix: checkPrefix('prefix', values.prefix),
    upstream_prefix: checkPrefix('upstream_prefix', values.upstream_prefix),
  };
  const problem = problemOfAlias(alias);
  if (problem !== null) throw invalidField('upstream_prefix', problem);
  return alias;
}

function checkPrefix(field: string, text: string): string {
  const result = normalizePrefix(text);
  if (!result.ok) throw invalidField(field, result.message);
  return result.prefix;
}

export function toAlias(row: AliasRow): Schemas['ArtifactAlias'] {
  return { ...row, created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() };
}
