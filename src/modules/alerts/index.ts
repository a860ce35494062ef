/**
 * An *alert* reports that a deployed version has fallen behind. Each configuration has at most one open
 * alert. Every change goes through `applyAlertChanges`, which writes the alert, its trail, its events, and
 * their deliveries in one transaction.
 */
export { type ActDeps, type AlertConfigAccess, actOnAlert } from './act-on-alerts.ts';
export { type AlertHandlerDeps, alertHandlers } from './alert-handlers.ts';
export {
  type AlertRow,
  findAlert,
  listAlertsById,
  readSubjectsLocked,
  summarizeAlerts,
  usesGatherJob,
} from './alert-queries.ts';
export { type OpenAlertRow, openAlertColumns, toAlertState } from './alert-row.ts';
export { type AlertChanges, applyAlertChanges } from './apply-alert-changes.ts';
export { changeAlertsTogether } from './change-alerts.ts';
export { deleteAlerts } from './delete-alerts.ts';
export { deleteOldAlertsAcrossOrganizations } from './delete-old-alerts.ts';
export { markRemindedAcrossOrganizations } from './mark-reminded.ts';
export { startSilenceEndLoop } from './report-silenced-alerts.ts';
export { listTopAlerts } from './top-alerts.ts';
