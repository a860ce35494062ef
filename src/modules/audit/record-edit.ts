import { compareFields, type FieldChange } from '../../domain/audit/compare-fields.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import { type AuditLogEntry, writeAuditLogs } from './audit-log.ts';
import { type EditedResource, editedFields } from './edited-fields.ts';

/** Request that caused an edit. */
export interface EditRequest {
  caller: Pick<Caller, 'organizationId' | 'actor'>;
  requestId: string | null;
}

/** Resource as the API returns it. */
interface Shown {
  id: number | null;
  name: string;
}

/** Edit of a resource. Created resources have no `before`, and deleted ones have no `after`. */
export interface Edit {
  before?: Shown | undefined;
  after?: Shown | undefined;
  /** Secrets that were written. They are recorded as changed, with the parts that can be shown. */
  secrets?: Readonly<Record<string, FieldChange>>;
  /** Additional details of the edit. */
  detail?: Readonly<Record<string, unknown>>;
}

/**
 * Writes an edit by a user or an API key to the audit log, in the transaction of the edit. The entry contains
 * the actor, the action, and the old and new values of the changed fields. Every handler that creates,
 * updates, or deletes a resource calls this function. Edits without changes aren't recorded.
 */
export async function recordEdit(
  tx: Tx,
  request: EditRequest,
  resource: EditedResource,
  edit: Edit,
): Promise<void> {
  await recordEdits(tx, request, resource, [edit]);
}

/** Records many edits of one resource type, with as few statements as a single edit. */
export async function recordEdits(
  tx: Tx,
  { caller, requestId }: EditRequest,
  resource: EditedResource,
  edits: readonly Edit[],
): Promise<void> {
  const fields = editedFields(resource);
  const entries = edits.flatMap((edit): AuditLogEntry[] => {
    const { before, after, secrets = {}, detail } = edit;
    const changes: NonNullable<AuditLogEntry['changes']> = {
      ...compareFields(before ? { ...before } : null, after ? { ...after } : null, fields),
      ...Object.fromEntries(
        Object.entries(secrets).map(([name, change]) => [name, { ...change, is_secret: true as const }]),
      ),
    };
    const isUpdate = before !== undefined && after !== undefined;
    const changed = Object.keys(changes);
    if (isUpdate && changed.length === 0 && detail === undefined) return [];
    const shown = (after ?? before)!;
    const all = { ...(isUpdate && { changed }), ...detail };
    return [
      {
        action: `${resource}.${isUpdate ? 'updated' : before ? 'deleted' : 'created'}`,
        resourceId: shown.id,
        resourceName: shown.name,
        actor: caller.actor,
        changes,
        ...(Object.keys(all).length > 0 && { detail: all }),
        requestId,
      },
    ];
  });
  await writeAuditLogs(tx, caller.organizationId, entries);
}

/** Returns the fields of a new resource in the format of its audit log entry. */
export function createdChanges(
  resource: EditedResource,
  created: object,
): NonNullable<AuditLogEntry['changes']> {
  return compareFields(null, { ...created }, editedFields(resource));
}
