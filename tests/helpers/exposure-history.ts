import { sql } from 'kysely';
import type { Database } from '../../src/platform/database/index.ts';

/** ID of the vulnerability that `insertExposureHistory` adds. It affects a fifth of the versions of one gather job. */
export const exposedVulnerability = 'CVE-2026-4711';

/**
 * Replaces the exposures of an organization with a history of five years: each scrape job changed its version
 * once a month, and every tenth period has a gap.
 *
 * @returns The gather job that the vulnerability affects.
 */
export async function insertExposureHistory(db: Database, organizationId: number): Promise<number> {
  await sql`DELETE FROM reading_gaps WHERE organization_id = ${organizationId}`.execute(db);
  await sql`DELETE FROM exposures WHERE organization_id = ${organizationId}`.execute(db);
  await sql`
    INSERT INTO exposures (organization_id, scrape_job_id, version, source, first_seen_at, ended_at)
    SELECT organization_id, id, '1.' || month || '.' || id / 100 % 5, 'git',
      pacekeeper_now() - (60 - month) * interval '30 days' - id % 1440 * interval '1 minute',
      CASE WHEN month < 60
        THEN pacekeeper_now() - (59 - month) * interval '30 days' - id % 1440 * interval '1 minute' END
    FROM scrape_jobs, generate_series(1, 60) AS month
    WHERE organization_id = ${organizationId} ORDER BY month, id`.execute(db);
  await sql`
    INSERT INTO reading_gaps (organization_id, scrape_job_id, started_at, ended_at, reason)
    SELECT organization_id, scrape_job_id, first_seen_at + interval '1 day', first_seen_at + interval '2 days', 'read_failed'
    FROM exposures WHERE organization_id = ${organizationId} AND id % 10 = 0`.execute(db);
  const { rows } = await sql<{ id: number }>`
    UPDATE gather_jobs SET vulnerability_packages = '{Go/example.org/exposed}'
    WHERE id = (SELECT gather_job_id FROM alert_configs WHERE organization_id = ${organizationId}
      GROUP BY gather_job_id ORDER BY count(*) DESC, gather_job_id LIMIT 1)
    RETURNING id`.execute(db);
  await sql`
    INSERT INTO vulnerability_packages (key, purls, catalog_keys, fingerprint, record_count, as_of)
    VALUES ('Go/example.org/exposed', '{}', '{}', '', 1, pacekeeper_now()) ON CONFLICT DO NOTHING`.execute(
    db,
  );
  const affected = [
    {
      ecosystem: 'Go',
      name: 'example.org/exposed',
      versions: [],
      ranges: [
        [
          { kind: 'introduced', version: '1.40.0' },
          { kind: 'fixed', version: '1.52.0' },
        ],
      ],
    },
  ];
  await sql`
    INSERT INTO vulnerabilities (package_key, id, aliases, is_withdrawn, severity, summary, affected, fingerprint, published_at)
    VALUES ('Go/example.org/exposed', 'GO-2026-4711', ARRAY[${exposedVulnerability}::text], false, 'high', 'About it',
      ${JSON.stringify(affected)}::jsonb, '', pacekeeper_now() - interval '1 year') ON CONFLICT DO NOTHING`.execute(
    db,
  );
  await sql`ANALYZE exposures, reading_gaps, gather_jobs, vulnerabilities, vulnerability_packages`.execute(
    db,
  );
  return rows[0]!.id;
}
