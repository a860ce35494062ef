/**
 * Reasons why data about known software is missing: no reference data was ever loaded, the data has no record of
 * the packages, or the rule compares releases and the source has only a lifecycle.
 */
export type DataGap = 'reference_not_loaded' | 'no_vulnerability_records' | 'lifecycle_only';
