/**
 * *Environments*, *services*, and the *components* of services are values of labels of scrape jobs. The
 * *matrix* compares the deployed versions of each service across environments. *Promotions* are versions that
 * moved from one environment to another. This module doesn't own any tables.
 */
export { environmentHandlers } from './environment-handlers.ts';
export { type EnvironmentSettings, environmentSettingsOf } from './environment-settings.ts';
