import { compareFields, type FieldChange } from '../../domain/audit/compare-fields.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import { type AuditLogEntry, writeAuditLogs } from './audit-log.ts';
import { type EditedResource, editedFields } from './edited-fields.ts';

/** The request that edits. */
export interface EditRequest {
  caller: Pick<Caller, 'organizationId' | 'actor'>;
  requestId: string | null;
}

/** A resource as the API shows it. */
interface Shown {
  id: number | null;
  name: string;
}

/** Of what is created there is no `before`, of what is deleted no `after`. */
export interface Edit {
  before?: Shown | undefined;
  after?: Shown | undefined;
  /** Secrets that were written: shown as changed, with what may be shown of them. */
  secrets?: Readonly<Record<string, FieldChange>>;
  /** What else happened with it. */
  detail?: Readonly<Record<string, unknown>>;
}

/**
 * Writes an edit of a person or a key into the audit log, in the transaction of the edit: who, what, and which fields
 * from which value to which. Every handler that creates, changes or deletes a resource calls it. An edit that changed
 * nothing leaves no entry.
 */
export async function recordEdit(
  tx: Tx,
  request: EditRequest,
  resource: EditedResource,
  edit: Edit,
): Promise<void> {
  await recordEdits(tx, request, resource, [edit]);
}

/** The same for many of one kind, in as few statements. */
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

/** The fields of a new resource, as its entry holds them. */
export function createdChanges(
  resource: EditedResource,
  created: object,
): NonNullable<AuditLogEntry['changes']> {
  return compareFields(null, { ...created }, editedFields(resource));
}
