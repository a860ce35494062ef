/** The *overview*: counts of an organization's resources, and their trends. This module doesn't own any tables. */
export { overviewHandlers } from './overview-handlers.ts';
