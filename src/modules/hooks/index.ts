/**
 * A *hook* is a URL to which a platform sends an event when someone pushes a commit or an image. A secret authenticates
 * the events. An event schedules the jobs that read the affected repositories or artifacts, at most once a minute.
 */
export { hookHandlers } from './hook-handlers.ts';
export { deleteOldHookDeliveriesAcrossOrganizations } from './hook-queries.ts';
export { recoverHookedJobsAcrossOrganizations, startHookLoop } from './hooked-jobs.ts';
export { serveHooks } from './serve-hooks.ts';
