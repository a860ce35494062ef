/**
 * Summaries that have no tables: the *overview*, *badges* for other sites, *calendars* to subscribe to, the
 * *acknowledge page* for links in messages, *fleet metrics* for Prometheus, and detection of *failing
 * sources* and of a *login provider* that rejects Pacekeeper.
 */
export { type AcknowledgePageDeps, serveAcknowledgePage } from './acknowledge-page.ts';
export { badgeHandlers } from './badge-handlers.ts';
export { calendarHandlers } from './calendar-handlers.ts';
export {
  detectFailingJobsAcrossOrganizations,
  detectRecoveredJobsAcrossOrganizations,
} from './detect-failing-jobs.ts';
export { createFleetMetrics } from './fleet-metrics.ts';
export {
  endProblemsOfRemovedProvidersAcrossOrganizations,
  endProviderProblemAcrossOrganizations,
  notifyRejectedClientAcrossOrganizations,
} from './notify-rejected-client.ts';
export { overviewHandlers } from './overview-handlers.ts';
export { serveBadges } from './serve-badges.ts';
export { serveCalendars } from './serve-calendars.ts';
