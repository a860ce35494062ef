/**
 * What is deployed. A *scrape job* reads a version from a file of a repository, or is manual; a *version* is a snapshot
 * of what it found. However a version is found, it enters by `recordVersion` or, many
 * at once, by `recordVersionsAcrossOrganizations`.
 */

export {
  deleteFedScrapeJobs,
  keepFedScrapeJobs,
  lockFedScrapeJobs,
} from './scrape-jobs/fed-scrape-jobs.ts';
export {
  evaluateFedScrapeJobs,
  touchFedScrapeJobs,
  turnFedScrapeJobs,
} from './scrape-jobs/feed-scrape-jobs.ts';
export { markScrapeJobFailing } from './scrape-jobs/mark-scrape-job-failing.ts';
export { checkNewScrapeJob, scrapeJobEdits, toScrapeJob } from './scrape-jobs/scrape-job-edits.ts';
export { scrapeJobHandlers } from './scrape-jobs/scrape-job-handlers.ts';
export { findScrapeJob } from './scrape-jobs/scrape-job-queries.ts';
export {
  type FoundVersion,
  recordVersion,
  recordVersionsAcrossOrganizations,
} from './versions/record-version.ts';
