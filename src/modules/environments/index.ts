/**
 * An *environment* is a value of a label of scrape jobs, as are *services* and their *components*. The *matrix* compares
 * what is deployed of each service in each environment; *promotions* are versions that moved from one to another. Owns
 * no tables.
 */
export { environmentHandlers } from './environment-handlers.ts';
