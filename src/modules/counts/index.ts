/**
 * Counts of rows by kind and by label. Triggers record each difference in the transaction of the change, so no
 * transaction updates a shared row. A *subject* is what is counted. Housekeeping folds the differences.
 */
export { hasLabel } from './label-filter.ts';
export { createResultCache, type ResultCache, readRevision } from './result-cache.ts';
export {
  addLabelChangesAcrossOrganizations,
  foldRowCountsAcrossOrganizations,
  labelCount,
  labelCounts,
  nextOrganizationAcrossOrganizations,
  readRowCounts,
  recountRows,
  rowCount,
} from './row-counts.ts';
