/**
 * Sample data: an organization for one user, with fictional software, releases, and alerts, in which the user has the
 * viewer role. It has no channels, its sources are never read, and it is deleted as a whole, so it touches nothing of
 * the user's other organizations.
 */
export { sampleDataHandlers } from './sample-data-handlers.ts';
