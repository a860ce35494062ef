/**
 * *Software* is a scrape job with its worst alert configuration. Each deployed artifact has one row,
 * regardless of the number of rules that evaluate it. Triggers maintain the worst alert configuration. A
 * *saved view* stores the filters, the order, and the columns of a page under a name.
 */
export { repairSoftwareRows } from './correct-software.ts';
export { exportHandlers } from './export-handlers.ts';
export { savedViewHandlers } from './saved-view-handlers.ts';
export { softwareHandlers } from './software-handlers.ts';
