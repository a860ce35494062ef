/**
 * Records of changes and their actors. This module doesn't depend on other modules.
 *
 * - An *entry* belongs to the trail of one alert. Entries with an event cause notifications.
 * - The *audit log* belongs to an organization. The log contains every edit through the API, recorded by
 *   `recordEdit` or `insertWithAudit`, and changes to keys and members.
 */

export { auditHandlers } from './audit-handlers.ts';
export {
  type AuditLogEntry,
  type ExportedEntry,
  findCreatedResource,
  hasRecentEntry,
  listEntriesInOrder,
  writeAuditLog,
  writeAuditLogs,
} from './audit-log.ts';
export { deleteOldEntriesAcrossOrganizations } from './delete-old-entries.ts';
export { type Insertion, insertWithAudit } from './insert-with-audit.ts';
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
