/**
 * *Software* is a scrape job with the worst of its alert configurations: one row for each deployed thing, whatever the
 * number of rules that judge it. Which one is the worst is kept by triggers. A *saved view* is the filters, the order, and
 * the columns of a page under a name.
 */
export { correctSoftware } from './correct-software.ts';
export { savedViewHandlers } from './saved-view-handlers.ts';
export { softwareHandlers } from './software-handlers.ts';
