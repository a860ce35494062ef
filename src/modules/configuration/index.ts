/**
 * Whole configurations: a *plan* compares a configuration file with what an organization has, and an *apply* makes all
 * changes of a plan in one transaction. Reading, comparing, and validating happen in the sandbox; the changes are made by
 * the same functions as those of single requests.
 */
export { configurationHandlers } from './configuration-handlers.ts';
export { type ConfigurationApplies, createConfigurationApplies } from './run-applies.ts';
