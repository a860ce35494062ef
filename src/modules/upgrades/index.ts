/**
 * An *upgrade* is a suggested version of one upstream artifact, with its *places*: the scrape jobs where a
 * different version is deployed. It isn't stored: its ID is derived from the gather job and the version, and
 * its actions are actions on the open alerts of its places. The Today page lists the upgrades that changed or
 * need action.
 */
export { todayHandlers } from './today-handlers.ts';
export { createUpgradeCache } from './upgrade-cache.ts';
export { upgradeHandlers } from './upgrade-handlers.ts';
