/** Summary of a document with reference data. */
export interface FoundDocument {
  /** Number of entries that were kept. */
  found: number;
  /** Time at which the data was generated, as RFC 3339. */
  asOf: string;
}
