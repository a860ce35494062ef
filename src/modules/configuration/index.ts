/**
 * Whole configurations. A *plan* compares a configuration file with the resources of an organization, and an
 * *apply* executes all changes of a plan in one transaction. Files are read, compared, and validated in the
 * sandbox. Changes use the same functions as single requests.
 */
export { configurationHandlers } from './configuration-handlers.ts';
export { type ConfigurationApplies, createConfigurationApplier } from './run-applies.ts';
