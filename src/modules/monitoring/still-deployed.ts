import { type RawBuilder, sql } from 'kysely';

/**
 * Whether the software of a scrape job still runs. A discovery job disables the jobs that it feeds when their software is
 * gone. Disabling any other job only stops reading.
 */
export function isStillDeployed(job: string): RawBuilder<boolean> {
  return sql`(${sql.ref(`${job}.discovery_job_id`)} IS NULL OR ${sql.ref(`${job}.is_active`)})`;
}
