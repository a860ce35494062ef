import { sql } from 'kysely';
import type { Actor } from '../../../domain/audit/actor.ts';
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
import type { KeyRole, Role } from '../../../platform/http/index.ts';
import {
  apiKeyPrefix,
  createApiKeySecret,
  digestApiKeySecret,
  formatApiKey,
} from '../../../platform/secrets/index.ts';
import { systemOrganizationId } from '../people/organization-queries.ts';

export type ApiKeyStatus = 'active' | 'inactive' | 'deactivated' | 'expired';

export interface ApiKeyRow {
  id: number;
  name: string;
  description: string;
  role: Role | KeyRole;
  agent_capabilities: string[] | null;
  agent_credential_names: string[] | null;
  key_prefix: string;
  status: ApiKeyStatus;
  is_active: boolean;
  expires_at: Date | null;
  deactivated_at: Date | null;
  last_used_at: Date | null;
  created_by_user_id: number | null;
  created_by_name: string;
  created_at: Date;
  updated_at: Date;
  revision: number;
}

const status = sql<ApiKeyStatus>`CASE
  WHEN deactivated_at IS NOT NULL THEN 'deactivated'
  WHEN expires_at <= pacekeeper_now() THEN 'expired'
  WHEN is_active THEN 'active'
  ELSE 'inactive' END`;

const columns = [
  'id',
  'name',
  'description',
  sql<ApiKeyRow['role']>`role`.as('role'),
  'agent_capabilities',
  'agent_credential_names',
  'key_prefix',
  status.as('status'),
  'is_active',
  'expires_at',
  'deactivated_at',
  'last_used_at',
  'created_by_user_id',
  'created_by_name',
  'created_at',
  'updated_at',
  'revision',
] as const;

function selectApiKeys(db: Database | Tx) {
  return db.selectFrom('api_keys').select(columns);
}

export const {
  find: findApiKey,
  lock: lockApiKey,
  update: updateApiKey,
} = defineTable('api_keys', selectApiKeys);

const sorts = {
  created_at: 'created_at',
  name: 'lower(name)',
  // Keys that were never used are sorted as the least recently used.
  last_used_at: `coalesce(last_used_at, '-infinity')`,
};

export interface ApiKeyFilters {
  q?: string | undefined;
  status?: ApiKeyStatus | undefined;
  sort?: string | undefined;
}

/** Returns a page of keys. System keys are never listed, even if a system key sends the request. */
export async function listApiKeys(
  db: Database,
  organizationId: number,
  filters: ApiKeyFilters,
  page: PageRequest,
): Promise<Page<ApiKeyRow>> {
  const { q, status: wanted, sort = '-created_at' } = filters;
  const query = selectApiKeys(db)
    .where('organization_id', '=', organizationId)
    .where('organization_id', '<>', systemOrganizationId)
    .$if(q !== undefined, (query) => query.where(containsWords(['name'], q!)))
    .$if(wanted !== undefined, (query) => query.where(status, '=', wanted!));
  return readPage(db, query, page, sortOrder(sort, sorts, 'id'));
}

/** Maximum number of keys per organization, not counting revoked and expired keys. */
export const maxApiKeys = 1_000;

/**
 * True if an organization has reached its key limit. The caller holds the lock of the organization. Stops
 * counting at the limit.
 */
export async function hasReachedApiKeyLimit(tx: Tx, organizationId: number): Promise<boolean> {
  const last = await tx
    .selectFrom('api_keys')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('deactivated_at', 'is', null)
    .where(sql<boolean>`(expires_at IS NULL OR expires_at > pacekeeper_now())`)
    .offset(maxApiKeys - 1)
    .limit(1)
    .executeTakeFirst();
  return last !== undefined;
}

export interface NewApiKey {
  name: string;
  description: string;
  role: Role | KeyRole;
  agentCapabilities?: string[] | null;
  agentCredentialNames?: string[] | null;
  expiresAt: Date | null;
  createdBy: Actor;
}

/** Creates a key and returns it in plain text. The plain text isn't stored. */
export async function insertApiKey(
  tx: Tx,
  organizationId: number,
  values: NewApiKey,
): Promise<{ id: number; key: string }> {
  const secret = createApiKeySecret();
  const { createdBy } = values;
  const { id } = await tx
    .insertInto('api_keys')
    .values({
      organization_id: organizationId,
      name: values.name,
      description: values.description,
      role: values.role,
      agent_capabilities: values.agentCapabilities ?? null,
      agent_credential_names: values.agentCredentialNames ?? null,
      secret_hash: digestApiKeySecret(secret),
      expires_at: values.expiresAt,
      created_by_user_id: createdBy.type === 'user' ? createdBy.id : null,
      created_by_name: createdBy.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  // Set the prefix in a separate statement, because it contains the ID that the insert generates.
  await updateApiKey(tx, organizationId, id, { key_prefix: apiKeyPrefix(id, secret) });
  return { id, key: formatApiKey(id, secret) };
}

/** Revokes a key permanently. Has no effect if the key is already revoked. */
export async function deactivateApiKey(tx: Tx, organizationId: number, id: number): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set({ is_active: false, deactivated_at: sql`pacekeeper_now()`, updated_at: sql`pacekeeper_now()` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('deactivated_at', 'is', null)
    .execute();
}

/** True if a time is in the future by the database clock, which also decides when keys expire. */
export async function isInFuture(tx: Tx, time: Date): Promise<boolean> {
  const { rows } = await sql<{
    answer: boolean;
  }>`SELECT ${time}::timestamptz > pacekeeper_now() AS answer`.execute(tx);
  return rows[0]?.answer === true;
}

/** Returns the names of the caller's organization and key. */
export async function findCallerNames(
  db: Database,
  organizationId: number,
  apiKeyId: number | null,
): Promise<{ organization: string; api_key: string | null } | undefined> {
  const { rows } = await sql<{ organization: string; api_key: string | null }>`
    SELECT o.name AS organization, k.name AS api_key
    FROM organizations o LEFT JOIN api_keys k ON k.organization_id = o.id AND k.id = ${apiKeyId}
    WHERE o.id = ${organizationId}`.execute(db);
  return rows[0];
}
