import { type RawBuilder, sql } from 'kysely';

/**
 * SQL that is true if the software of a scrape job is still deployed. A discovery job disables the jobs that it feeds
 * when their software is removed. Disabling any other job doesn't mean that its software was removed.
 */
export function isStillDeployed(job: string): RawBuilder<boolean> {
  return sql`(${sql.ref(`${job}.discovery_job_id`)} IS NULL OR ${sql.ref(`${job}.is_active`)})`;
}
