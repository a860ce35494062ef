import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../domain/audit/actor.ts';
import type { FieldChange } from '../../domain/audit/compare-fields.ts';
import { ownValue } from '../../domain/json/own-value.ts';
import type { Schemas } from '../../generated/client-api.ts';
import { writeOperations } from '../../generated/resources.ts';
import {
  containsWords,
  type Database,
  listOrder,
  type Page,
  type PageRequest,
  readPage,
  type Tx,
} from '../../platform/database/index.ts';

/**
 * Entry for an edit of a resource, or for a change to keys, members, or settings. `detail` and `changes`
 * contain no secrets.
 */
export interface AuditLogEntry {
  /** Resource type and action, such as `rule.deleted`. */
  action: `${string}.${string}`;
  resourceId: number | null;
  resourceName: string | null;
  actor: Actor;
  detail?: Record<string, unknown>;
  changes?: Readonly<Record<string, FieldChange & { is_secret?: true }>>;
  requestId: string | null;
}

/** Writes one entry, in the transaction of the recorded change. */
export async function writeAuditLog(tx: Tx, organizationId: number, entry: AuditLogEntry): Promise<void> {
  await writeAuditLogs(tx, organizationId, [entry]);
}

/** Maximum number of entries per statement. PostgreSQL accepts 65,535 parameters, and an entry has eleven. */
const entriesPerStatement = 1_000;

/** Writes the entries for a change to many resources, in the transaction of the change. */
export async function writeAuditLogs(
  tx: Tx,
  organizationId: number,
  entries: readonly AuditLogEntry[],
): Promise<void> {
  for (let start = 0; start < entries.length; start += entriesPerStatement) {
    await tx
      .insertInto('audit_log')
      .values(
        entries.slice(start, start + entriesPerStatement).map((entry) => ({
          organization_id: organizationId,
          action: entry.action,
          resource: entry.action.split('.')[0]!,
          resource_id: entry.resourceId,
          resource_name: entry.resourceName,
          actor_type: entry.actor.type,
          actor_id: entry.actor.id,
          actor_name: entry.actor.name,
          detail: entry.detail ? JSON.stringify(entry.detail) : null,
          changes: entry.changes ? JSON.stringify(entry.changes) : null,
          request_id: entry.requestId,
        })),
      )
      .execute();
  }
}

/** Number of entries of a resource type in which `hasRecentEntry` searches. */
const recentEntries = 1_000;

/** True if the newest entries of the resource type contain one with the same action, actor, and detail. */
export async function hasRecentEntry(
  db: Database,
  organizationId: number,
  { action, actor, detail }: Pick<AuditLogEntry, 'action' | 'actor' | 'detail'>,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM (
      SELECT action, actor_type, actor_id, detail FROM audit_log
      WHERE organization_id = ${organizationId} AND resource = ${action.split('.')[0]}
      ORDER BY created_at DESC, id DESC LIMIT ${recentEntries}
    ) AS recent
    WHERE action = ${action} AND actor_type = ${actor.type} AND actor_id IS NOT DISTINCT FROM ${actor.id}::bigint
      AND detail IS NOT DISTINCT FROM ${detail ? JSON.stringify(detail) : null}::jsonb
    LIMIT 1`.execute(db);
  return rows.length > 0;
}

type AuditLogResource = Schemas['AuditLogResource'];

export interface AuditLogRow {
  id: number;
  action: string;
  resource: AuditLogResource;
  resource_id: number | null;
  resource_name: string | null;
  actor_type: Actor['type'];
  actor_id: number | null;
  actor_name: string;
  detail: Record<string, unknown> | null;
  changes: AuditLogEntry['changes'] | null;
  request_id: string | null;
  created_at: Date;
}

export interface AuditLogFilters {
  resource?: string | undefined;
  action?: string | undefined;
  /** An actor type (`user`), a type with an ID (`api_key:12`), or a name (`Dana`). */
  actor?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  q?: string | undefined;
}

/** Lists the organization's audit log, newest first. */
export async function listAuditLog(
  db: Database,
  organizationId: number,
  { resource, action, actor, since, until, q }: AuditLogFilters,
  page: PageRequest,
): Promise<Page<AuditLogRow>> {
  const query = selectEntries(db, organizationId)
    .$if(resource !== undefined, (query) => query.where('resource', '=', resource!))
    .$if(action !== undefined, (query) => query.where('action', '=', action!))
    .$if(actor !== undefined, (query) => query.where(isActor(actor!)))
    .$if(since !== undefined, (query) => query.where('created_at', '>=', new Date(since!)))
    .$if(until !== undefined, (query) => query.where('created_at', '<', new Date(until!)))
    .$if(q !== undefined, (query) =>
      query.where(containsWords([`coalesce(resource_name, '')`, 'actor_name', 'action'], q!)),
    );
  return readPage(
    db,
    query,
    page,
    listOrder([
      { column: 'created_at', isDescending: true },
      { column: 'id', isDescending: true },
    ]),
  );
}

/**
 * Type of the resource that each operation with an `Idempotency-Key` creates. Operations that aren't listed
 * write no entry, or their request contains the ID of the resource.
 */
const createdBy: Readonly<Record<string, AuditLogResource>> = {
  ...Object.fromEntries(
    Object.entries(writeOperations).map(([resource, { create }]) => [create, resource as AuditLogResource]),
  ),
  // The new member is an invitation until its acceptance.
  inviteMember: 'invitation',
};

/**
 * Returns the ID of the resource that a crashed request created, according to the audit log entries of the
 * request since a given time. Uses only entries about the operation's resource type, because a client can
 * send the same request ID in calls of other operations. Returns `null` if the entries contain no such
 * resource, or several.
 *
 * The search is cheap, because its period is short. It's necessary only when a request of the last day is
 * repeated.
 */
export async function findCreatedResource(
  db: Database,
  organizationId: number,
  { operationId, requestId, since }: { operationId: string; requestId: string; since: Date },
): Promise<number | null> {
  const resource = ownValue(createdBy, operationId);
  if (resource === undefined) return null;
  const rows = await db
    .selectFrom('audit_log')
    .select('resource_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('created_at', '>=', since)
    // A request holds its lease for one minute, and its transaction can end after that, so ten minutes are
    // enough.
    .where('created_at', '<', sql<Date>`${since}::timestamptz + interval '10 minutes'`)
    .where('request_id', '=', requestId)
    .where('resource', '=', resource)
    .where('resource_id', 'is not', null)
    .limit(2)
    .execute();
  return rows.length === 1 ? rows[0]!.resource_id : null;
}

export type ExportedEntry = Schemas['AuditLogEntry'];

/** Lists entries by ascending ID, in the format of the API. */
export async function listEntriesInOrder(
  db: Database,
  organizationId: number,
  { after, upTo }: { after: number; upTo: number },
  limit: number,
): Promise<ExportedEntry[]> {
  const rows = await selectEntries(db, organizationId)
    .where('id', '>', after)
    .where('id', '<=', upTo)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(toAuditLogEntry);
}

function selectEntries(db: Database, organizationId: number) {
  return db
    .selectFrom('audit_log')
    .select(['id', 'action', sql<AuditLogResource>`resource`.as('resource'), 'resource_id', 'resource_name'])
    .select(['actor_id', 'actor_name', 'request_id', 'created_at'])
    .select(sql<Actor['type']>`actor_type`.as('actor_type'))
    .select(sql<Record<string, unknown> | null>`detail`.as('detail'))
    .select(sql<AuditLogRow['changes']>`changes`.as('changes'))
    .where('organization_id', '=', organizationId);
}

export function toAuditLogEntry({
  actor_type,
  actor_id,
  actor_name,
  changes,
  created_at,
  ...row
}: AuditLogRow): Schemas['AuditLogEntry'] {
  return {
    ...row,
    changes: Object.entries(changes ?? {}).map(([field, { from, to, is_secret = false }]) => ({
      field,
      from,
      to,
      is_secret,
    })),
    actor: { type: actor_type, id: actor_id, name: actor_name },
    created_at: created_at.toISOString(),
    updated_at: created_at.toISOString(),
  };
}

function isActor(actor: string): RawBuilder<boolean> {
  const [, type, id] = /^(user|api_key|deployment_trust|link|system)(?::([1-9]\d{0,14}))?$/.exec(actor) ?? [];
  if (type === undefined) return sql<boolean>`lower(actor_name) = lower(${actor})`;
  const ofType = sql<boolean>`actor_type = ${type}`;
  return id === undefined ? ofType : sql<boolean>`${ofType} AND actor_id = ${Number(id)}`;
}
