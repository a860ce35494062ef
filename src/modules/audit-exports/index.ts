/**
 * Copies of the audit log elsewhere.
 *
 * - An *audit export* sends each entry of its organization's log to a webhook or a syslog receiver: in order, at least once, and for as long as it takes.
 * - Its *cursor* is the last entry that was received.
 */
export { type AuditExportHandlerDeps, auditExportHandlers } from './audit-export-handlers.ts';
export { auditExportsDue, startAuditExportLoop } from './start-audit-export-loop.ts';
