import { sql } from 'kysely';
import type { ClaimPatterns } from '../../../domain/trusts/identifying-claims.ts';
import {
  containsWords,
  type Database,
  defineTable,
  type Page,
  type PageRequest,
  readPage,
  sortOrder,
  type Tx,
} from '../../../platform/database/index.ts';
import type { DeploymentTokenClaims } from '../sessions/deployment-tokens.ts';

export type TrustStatus = 'active' | 'inactive' | 'expired' | 'orphaned';

export interface TrustRow {
  id: number;
  code: string;
  name: string;
  issuer: string;
  audience: string | null;
  claims: ClaimPatterns;
  services: string[];
  environments: string[];
  expires_at: Date | null;
  is_active: boolean;
  status: TrustStatus;
  last_used_at: Date | null;
  saved_by_user_id: number | null;
  saved_by_name: string;
  created_at: Date;
  updated_at: Date;
  revision: number;
}

/** Writable fields of a trust. */
export type TrustValues = Pick<
  TrustRow,
  'name' | 'issuer' | 'audience' | 'claims' | 'services' | 'environments' | 'expires_at' | 'is_active'
>;

export interface TrustSaver {
  userId: number;
  name: string;
}

/**
 * Status of a trust. A trust is usable only while the person who saved it last could still save it, like a
 * key and its creator. The subquery returns the role, because PostgreSQL could read all memberships for
 * `EXISTS`.
 */
const status = sql<TrustStatus>`CASE
  WHEN NOT is_active THEN 'inactive'
  WHEN expires_at <= pacekeeper_now() THEN 'expired'
  WHEN (
    SELECT saver.role FROM memberships AS saver
    WHERE saver.organization_id = deployment_trusts.organization_id
      AND saver.user_id = deployment_trusts.saved_by_user_id) IN ('admin', 'owner')
  THEN 'active'
  ELSE 'orphaned' END`;

const columns = [
  'id',
  'code',
  'name',
  'issuer',
  'audience',
  sql<ClaimPatterns>`claims`.as('claims'),
  'services',
  'environments',
  'expires_at',
  'is_active',
  status.as('status'),
  'last_used_at',
  'saved_by_user_id',
  'saved_by_name',
  'created_at',
  'updated_at',
  'revision',
] as const;

function selectTrusts(db: Database | Tx) {
  return db.selectFrom('deployment_trusts').select(columns);
}

type TrustChanges = Partial<TrustValues & Pick<TrustRow, 'saved_by_user_id' | 'saved_by_name'>>;

const trusts = defineTable('deployment_trusts', selectTrusts, {
  lockStrength: 'forNoKeyUpdate',
  toColumns: ({ claims, ...values }: TrustChanges) => ({
    ...values,
    ...(claims !== undefined && { claims: JSON.stringify(claims) }),
  }),
});
export const { find: findTrust, lock: lockTrust, update: updateTrust, delete: deleteTrust } = trusts;

const sorts = { created_at: 'created_at', name: 'lower(name)' };

export interface TrustFilters {
  q?: string | undefined;
  is_active?: boolean | undefined;
  sort?: string | undefined;
}

export async function listTrusts(
  db: Database,
  organizationId: number,
  { q, is_active, sort = '-created_at' }: TrustFilters,
  page: PageRequest,
): Promise<Page<TrustRow>> {
  const query = selectTrusts(db)
    .where('organization_id', '=', organizationId)
    .$if(q !== undefined, (query) => query.where(containsWords(['name'], q!)))
    .$if(is_active !== undefined, (query) => query.where('is_active', '=', is_active!));
  return readPage(db, query, page, sortOrder(sort, sorts, 'id'));
}

/**
 * Finds a trust by its code in all organizations, because the organization is known only after the trust is
 * found.
 */
export async function findTrustAcrossOrganizations(
  db: Database,
  code: string,
): Promise<(TrustRow & { organization_id: number; now: Date }) | undefined> {
  return selectTrusts(db)
    .select(['organization_id', sql<Date>`pacekeeper_now()`.as('now')])
    .where('code', '=', code)
    .executeTakeFirst();
}

/** Returns the trust of a deployment token, if the token hasn't expired and the trust is active and unchanged. */
export async function findTrustOfToken(
  db: Database,
  { organizationId, trustId, revision, expiresAtSeconds }: DeploymentTokenClaims,
): Promise<Pick<TrustRow, 'id' | 'name' | 'services' | 'environments'> | undefined> {
  return db
    .selectFrom('deployment_trusts')
    .select(['id', 'name', 'services', 'environments'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', trustId)
    .where('revision', '=', revision)
    .where(sql<boolean>`to_timestamp(${expiresAtSeconds}) > pacekeeper_now()`)
    .where(sql<boolean>`${status} = 'active'`)
    .executeTakeFirst();
}

/** Counts the trusts of an organization. The caller holds the lock of the organization. */
export async function countTrusts(tx: Tx, organizationId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM deployment_trusts WHERE organization_id = ${organizationId}`.execute(
    tx,
  );
  return rows[0]!.count;
}

export async function insertTrust(
  tx: Tx,
  organizationId: number,
  code: string,
  values: TrustValues,
  saver: TrustSaver,
): Promise<number> {
  const { claims, ...rest } = values;
  const { id } = await tx
    .insertInto('deployment_trusts')
    .values({
      organization_id: organizationId,
      code,
      ...rest,
      claims: JSON.stringify(claims),
      ...savedBy(saver),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Records who saved a trust last. The trust ends when this person is no longer an administrator. */
export async function setTrustSaver(
  tx: Tx,
  organizationId: number,
  id: number,
  saver: TrustSaver,
): Promise<void> {
  await trusts.update(tx, organizationId, id, savedBy(saver));
}

function savedBy({ userId, name }: TrustSaver) {
  return { saved_by_user_id: userId, saved_by_name: name };
}

/** Records the use of a trust, at most once a minute. */
export async function recordTrustUse(tx: Tx, organizationId: number, id: number): Promise<void> {
  await sql`
    UPDATE deployment_trusts SET last_used_at = pacekeeper_now()
    WHERE organization_id = ${organizationId} AND id = ${id}
      AND (last_used_at IS NULL OR last_used_at NOT BETWEEN pacekeeper_now() - interval '1 minute' AND pacekeeper_now())`.execute(
    tx,
  );
}

/**
 * Uses up an ID token.
 * @returns False if it was already used, regardless of the trust or organization.
 */
export async function consumeIdentityToken(
  tx: Tx,
  { hash, usableUntil }: { hash: Buffer; usableUntil: Date },
): Promise<boolean> {
  const inserted = await sql`
    INSERT INTO used_identity_tokens (token_hash, expires_at) VALUES (${hash}, ${usableUntil})
    ON CONFLICT DO NOTHING`.execute(tx);
  return Number(inserted.numAffectedRows ?? 0) === 1;
}

/** Suspends the trusts that a user saved, until another administrator saves them. */
export async function orphanTrustsOfSaver(tx: Tx, organizationId: number, userId: number): Promise<void> {
  await sql`
    UPDATE deployment_trusts SET saved_by_user_id = NULL
    WHERE organization_id = ${organizationId} AND saved_by_user_id = ${userId}`.execute(tx);
}
