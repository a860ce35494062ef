/**
 * Copies of the audit log in other systems.
 *
 * - An *audit export* sends each entry of its organization's log to a webhook or a syslog receiver, in order
 *   and at least once. It retries until the receiver accepts the entries.
 * - Its *cursor* is the last entry that was received.
 */
export { type AuditExportHandlerDeps, auditExportHandlers } from './audit-export-handlers.ts';
export { resetAuditExportHorizons } from './audit-export-queries.ts';
export { dueAuditExportsTable, startAuditExportLoop } from './start-audit-export-loop.ts';
