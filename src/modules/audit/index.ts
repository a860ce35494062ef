/**
 * What happened, and by whom. It knows nobody else.
 *
 * - An *entry* belongs to the trail of one alert. An entry with an event is what people are told of.
 * - The *audit log* is the organization's: every edit through the API, by `recordEdit` or `insertRecorded`, and changes of keys and members.
 */

export { auditHandlers } from './audit-handlers.ts';
export {
  type AuditLogEntry,
  type ExportedEntry,
  listEntriesInOrder,
  writeAuditLog,
  writeAuditLogs,
} from './audit-log.ts';
export { deleteOldEntriesAcrossOrganizations } from './delete-old-entries.ts';
export { type Insertion, insertRecorded } from './insert-recorded.ts';
export { publishChanges } from './publish-changes.ts';
export { type Edit, recordEdit, recordEdits } from './record-edit.ts';
export {
  detachEntries,
  listEntriesOfAlert,
  type NewEntry,
  type WrittenEntry,
  writeEntries,
  writeEntriesAcrossOrganizations,
} from './write-entries.ts';
