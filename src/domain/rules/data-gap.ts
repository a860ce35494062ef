/**
 * Reasons why reference data about known software is missing: none was ever loaded, or the data has no record
 * of the packages.
 */
export type DataGap = 'reference_not_loaded' | 'no_vulnerability_records';
