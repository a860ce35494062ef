/**
 * Measures how far deployed versions are behind, now and over time.
 *
 * - A *pair* is a scrape job and a gather job that an active alert configuration links. It counts once, regardless of
 *   the number of rules.
 * - A *point* summarizes pairs at the end of a day: all pairs, the pairs with a value of a label, or the pairs of a
 *   target.
 * - A *target* limits a metric and sets the required percentage of pairs within the limit.
 * - A *state* is the row that schedules the measurements of an organization. A thread measures the pairs of the
 *   organization and computes missing days.
 */
export { freshnessHandlers } from './freshness-handlers.ts';
export { freshnessMetricsText } from './freshness-metrics-text.ts';
export { dueFreshnessTable, scheduleFreshnessAcrossOrganizations } from './measuring/freshness-due.ts';
export { startFreshnessLoop } from './measuring/freshness-loop.ts';
export { createFreshnessThread, type FreshnessThread } from './measuring/freshness-thread.ts';
export { endTargetProblemsAcrossOrganizations } from './targets/report-targets.ts';
export { checkTarget, targetEdits } from './targets/target-edits.ts';
