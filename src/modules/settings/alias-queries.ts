import { sql } from 'kysely';
import type { ArtifactAlias } from '../../domain/identity/artifact-aliases.ts';
import {
  containsWords,
  type Database,
  defineTable,
  type Page,
  type PageRequest,
  readPage,
  sortOrder,
  type Tx,
} from '../../platform/database/index.ts';

export interface AliasRow extends ArtifactAlias {
  id: number;
  name: string;
  prefix: string;
  upstream_prefix: string;
  reads_mirror: boolean;
  /**
   * Progress of applying a change to the alias to gather jobs and items. Null if no change is in progress.
   */
  applying: { done: number; total: number } | null;
  created_at: Date;
  updated_at: Date;
  revision: number;
}

/** Writable fields of an alias. */
export type AliasValues = Pick<AliasRow, 'name' | 'prefix' | 'upstream_prefix' | 'reads_mirror'>;

const columns = [
  'id',
  'name',
  'prefix',
  'upstream_prefix',
  'reads_mirror',
  sql<AliasRow['applying']>`(
    SELECT jsonb_build_object('done', changes.done, 'total', changes.total) FROM alias_changes AS changes
    WHERE changes.organization_id = artifact_aliases.organization_id AND artifact_aliases.prefix = ANY(changes.prefixes))`.as(
    'applying',
  ),
  'created_at',
  'updated_at',
  'revision',
] as const;

function selectAliases(db: Database | Tx) {
  return db.selectFrom('artifact_aliases').select(columns);
}

export const {
  find: findAlias,
  update: updateAlias,
  delete: deleteAlias,
} = defineTable('artifact_aliases', selectAliases);

const sorts = { created_at: 'created_at', name: 'lower(name)', prefix: 'lower(prefix)' };

export interface AliasFilters {
  q?: string | undefined;
  sort?: string | undefined;
}

export async function listAliases(
  db: Database,
  organizationId: number,
  { q, sort = '-created_at' }: AliasFilters,
  page: PageRequest,
): Promise<Page<AliasRow>> {
  const query = selectAliases(db)
    .where('organization_id', '=', organizationId)
    .$if(q !== undefined, (query) => query.where(containsWords(['name', 'prefix', 'upstream_prefix'], q!)));
  return readPage(db, query, page, sortOrder(sort, sorts, 'id'));
}

/**
 * Locks and returns all aliases of an organization, which are at most `maxAliases`, to derive values that this
 * transaction stores.
 */
export async function readAliasesToStore(tx: Tx, organizationId: number): Promise<ArtifactAlias[]> {
  await lockAliases(tx, organizationId, { isShared: true });
  return readAliases(tx, organizationId);
}

export async function readAliases(db: Database | Tx, organizationId: number): Promise<AliasRow[]> {
  return selectAliases(db).where('organization_id', '=', organizationId).orderBy('id').execute();
}

/** @returns The IDs, in the same order. */
export async function insertAliases(
  tx: Tx,
  organizationId: number,
  aliases: readonly AliasValues[],
): Promise<number[]> {
  const rows = await tx
    .insertInto('artifact_aliases')
    .values(aliases.map((values) => ({ organization_id: organizationId, ...values })))
    .returning('id')
    .execute();
  // A single statement assigns IDs in the order of its values.
  return rows.map(({ id }) => id).toSorted((a, b) => a - b);
}

/**
 * Locks the aliases of the organization against changes by other transactions until this one ends. With
 * `isShared`, several transactions can hold the lock at the same time. Without the lock, values derived from
 * the aliases could miss a change in progress.
 */
export async function lockAliases(
  tx: Tx,
  organizationId: number,
  { isShared }: { isShared: boolean },
): Promise<void> {
  const lock = isShared ? sql`pg_advisory_xact_lock_shared` : sql`pg_advisory_xact_lock`;
  await sql`SELECT ${lock}(hashtext('pacekeeper aliases'), ${organizationId % 2_147_483_647})`.execute(tx);
}
