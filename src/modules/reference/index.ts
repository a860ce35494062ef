/**
 * Third-party data that rules use. The data is the same for all organizations and belongs to organization 1.
 *
 * - A *reference source* is the origin of such data. Its record contains the age of the data.
 * - An agent *fetches* the data once a day if the operator has configured a URL. A load that would change
 *   many results *waits* for an operator's confirmation.
 * - A *lifecycle product* is software whose *release lines* have known ends of support.
 * - The *catalog of known exploited vulnerabilities* is CISA's list of them, and *EPSS scores* estimate how likely others
 *   are to be exploited. Both are by CVE ID.
 * - A *vulnerability package* is software under its OSV name. Its records are kept while a gather job or the
 *   catalog follows it.
 */
export { configureReferenceSources } from './configure-reference-sources.ts';
export { type ConfirmOutcome, confirmWaitingLoad } from './confirm-waiting-load.ts';
export type { ChangedVerdicts } from './count-changed-verdicts.ts';
export {
  assertTaskFetches,
  findMissingRecords,
  listFetchedPackages,
} from './fetched-packages.ts';
export { usesReferenceSourceSql } from './lifecycle-queries.ts';
export { type ExploitLoad, listScoredCves, loadExploits } from './load-exploits.ts';
export { loadLifecycles } from './load-lifecycles.ts';
export { loadVulnerabilities } from './load-vulnerabilities.ts';
export { referenceHandlers } from './reference-handlers.ts';
export { referenceKind } from './reference-kind.ts';
export { listUsedReferenceSources } from './reference-sources.ts';
