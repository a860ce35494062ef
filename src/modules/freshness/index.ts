/**
 * How far everything deployed is behind, now and over time.
 *
 * - A *pair* is a scrape job and a gather job that an active alert configuration links. It counts once, whatever its rules.
 * - A *point* sums up the pairs at the end of a day: all of them, those with a value of a label, or those of a target.
 * - A *target* limits a metric and sets the percentage of pairs that has to be within the limit.
 * - A *state* is the due row of an organization. Its pairs are measured, and missing days computed, in a thread.
 */
export { freshnessHandlers } from './freshness-handlers.ts';
export { freshnessMetricsText } from './freshness-metrics-text.ts';
export { freshnessDue, scheduleFreshnessAcrossOrganizations } from './measuring/freshness-due.ts';
export { startFreshnessLoop } from './measuring/freshness-loop.ts';
export { createFreshnessThread, type FreshnessThread } from './measuring/freshness-thread.ts';
export { checkTarget, targetEdits } from './targets/target-edits.ts';
