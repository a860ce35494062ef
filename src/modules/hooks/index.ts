/**
 * A *hook* is a URL to which a platform reports a push or a new image, signed with a secret. An event makes the jobs
 * due that read what it names, at most once a minute.
 */
export { hookHandlers } from './hook-handlers.ts';
export { deleteOldHookDeliveriesAcrossOrganizations } from './hook-queries.ts';
export { recoverHookedJobsAcrossOrganizations, startHookLoop } from './hooked-jobs.ts';
export { serveHooks } from './serve-hooks.ts';
