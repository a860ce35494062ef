/**
 * An *environment* is a value of a label of scrape jobs, as are *services* and their *components*. The
 * *matrix* compares the deployed versions of each service across environments. *Promotions* are versions that
 * moved from one environment to another. This module doesn't own any tables.
 */
export { environmentHandlers } from './environment-handlers.ts';
export { type EnvironmentSettings, environmentSettingsOf } from './environment-settings.ts';
