/**
 * What shows everything at a glance and owns no table: the *overview*, *badges* for other sites, the *acknowledge page*
 * behind the links of messages, *fleet metrics* for Prometheus, and the watch over *failing sources*.
 */
export { type AcknowledgePageDeps, serveAcknowledgePage } from './acknowledge-page.ts';
export { badgeHandlers } from './badge-handlers.ts';
export { fleetMetricsText } from './fleet-metrics.ts';
export { overviewHandlers } from './overview-handlers.ts';
export { serveBadges } from './serve-badges.ts';
export { detectFailingJobsAcrossOrganizations } from './watch-sources.ts';
