/**
 * Deployed versions. A *scrape job* reads a version from a source, such as a file in a repository, or its version is
 * set manually. A *version* is a snapshot of the version that was read or set. All versions are stored by
 * `recordVersion` or, many at a time, by `recordVersionsAcrossOrganizations`. An *exposure* is the period in which a
 * scrape job had a version, and a *gap* is a part of it in which the scrape job wasn't read.
 */

export { deleteOldExposuresAcrossOrganizations } from './exposures/delete-old-exposures.ts';
export { exposureHandlers } from './exposures/exposure-handlers.ts';
export { lastReadingOf } from './exposures/exposure-queries.ts';
export {
  convertToManualScrapeJobs,
  deleteManagedScrapeJobs,
  evaluateManagedScrapeJobs,
  followItemReadings,
  lockManagedScrapeJobs,
  markUnconfirmedScrapeJobs,
  setManagedScrapeJobsActive,
  touchManagedScrapeJobs,
  updateDerivedScrapeJobs,
} from './scrape-jobs/managed-scrape-jobs.ts';
export { checkNewScrapeJob, scrapeJobEdits, toScrapeJob } from './scrape-jobs/scrape-job-edits.ts';
export { scrapeJobHandlers } from './scrape-jobs/scrape-job-handlers.ts';
export { findScrapeJob, scrapeJobs } from './scrape-jobs/scrape-job-queries.ts';
export { scrapeKind } from './scrape-kind.ts';
export { deleteOldVersionsAcrossOrganizations } from './versions/delete-old-versions.ts';
export {
  type FoundVersion,
  recordVersion,
  recordVersionsAcrossOrganizations,
} from './versions/record-version.ts';
