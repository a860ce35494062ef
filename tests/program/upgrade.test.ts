import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { listPendingMigrations, migrateDatabase, migrateWithin } from '../../src/platform/database/index.ts';
import { createTestDatabase } from '../helpers/database.ts';

const { db } = await createTestDatabase({ schema: 'empty' });

test('an installation of the first version keeps its data and gains the values that can be derived from it', async () => {
  // Restores the schema of the first version.
  const first = (await listPendingMigrations(db)).filter((name) => name < '0020');
  await db.transaction().execute((tx) => migrateWithin(tx, new Set(first)));
  const organizationId = await fill();
  await migrateDatabase(db);

  const { rows: alerts } = await sql<{ what: string; crossed: boolean | null }>`
    SELECT discovered_version AS what, crossed_at = '2026-01-31' AS crossed
    FROM alerts WHERE organization_id = ${organizationId} ORDER BY id`.execute(db);
  expect(alerts).toEqual([
    { what: 'days', crossed: true },
    { what: 'majors', crossed: true },
    { what: 'escalated', crossed: true },
    { what: 'resolved', crossed: null },
  ]);
  const { rows: configs } = await sql<{ name: string; crossed: boolean | null; is_due: boolean }>`
    SELECT name, crossed_at = '2026-01-31' AS crossed, due_at <= pacekeeper_now() AND wanted > done AS is_due
    FROM alert_configs WHERE organization_id = ${organizationId} AND name NOT LIKE '%filtered%' ORDER BY id`.execute(
    db,
  );
  expect(configs).toEqual([
    { name: 'days', crossed: true, is_due: false },
    // The time at which a count of versions crossed the threshold depends on the releases, so an evaluation
    // has to compute it.
    { name: 'majors', crossed: true, is_due: true },
    { name: 'escalated', crossed: true, is_due: true },
    { name: 'resolved', crossed: null, is_due: false },
  ]);
});

test('alert configurations with the same comparison are kept with different ordinals, and no more duplicates can be added', async () => {
  const { rows } = await sql<{ name: string; ordinal: number }>`
    SELECT name, ordinal FROM alert_configs ORDER BY id`.execute(db);
  expect(rows).toEqual([
    { name: 'days', ordinal: 0 },
    { name: 'majors', ordinal: 1 },
    { name: 'escalated', ordinal: 2 },
    { name: 'resolved', ordinal: 3 },
    { name: 'filtered', ordinal: 0 },
    { name: 'filtered too', ordinal: 1 },
    { name: 'not filtered', ordinal: 4 },
  ]);
  const copy = sql`
    INSERT INTO alert_configs (organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id)
    SELECT organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id
    FROM alert_configs WHERE name = 'days'`;
  await expect(copy.execute(db)).rejects.toMatchObject({ code: '23505' });
});

/** Inserts data with statements of the first version, whose tables have different columns. */
async function fill(): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    WITH organization AS (INSERT INTO organizations (name) VALUES ('Acme') RETURNING id),
    gather AS (
      INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme)
      SELECT id, 'nginx', 'github_releases', 'github.com/nginx/nginx', 'auto' FROM organization RETURNING id
    ), scrape AS (
      INSERT INTO scrape_jobs (organization_id, name, parser_type)
      SELECT id, 'payments', 'manual' FROM organization RETURNING id
    ), rule AS (
      INSERT INTO rules (organization_id, name, rule_type, threshold_moderate, threshold_high)
      SELECT id, 'Thirty days', 'days_behind', 10, 30 FROM organization RETURNING id
    ), made AS (
      SELECT * FROM (VALUES
        ('days', timestamptz '2026-01-01', timestamptz '2026-05-01', NULL::timestamptz),
        ('majors', NULL, '2026-01-31', NULL),
        ('escalated', NULL, '2026-01-01', '2026-01-31'),
        ('resolved', '2026-01-01', '2026-05-01', NULL)) AS made (name, behind_since, created_at, escalated_at)
    ), config AS (
      INSERT INTO alert_configs (organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id,
        state, severity, behind_since, done, due_at)
      SELECT o.id, made.name, scrape.id, o.id, gather.id, rule.id,
        CASE made.name WHEN 'resolved' THEN 'ok' ELSE 'alerting' END,
        CASE made.name WHEN 'resolved' THEN NULL ELSE 'high' END, made.behind_since, 1, 'infinity'
      FROM organization o, gather, scrape, rule, made RETURNING organization_id, id, name, rule_id
    )
    INSERT INTO alerts (organization_id, alert_config_id, rule_id, rule_type, severity, reason, discovered_version,
      artifact_name, behind_since, created_at, escalated_at, resolved_at, resolution)
    SELECT c.organization_id, c.id, c.rule_id, 'days_behind', 'high', 'behind', c.name, 'nginx', made.behind_since,
      made.created_at, made.escalated_at, CASE c.name WHEN 'resolved' THEN pacekeeper_now() END,
      CASE c.name WHEN 'resolved' THEN 'caught_up' END
    FROM config c JOIN made USING (name) ORDER BY c.id RETURNING organization_id AS id`.execute(db);
  await sql`
    INSERT INTO alert_configs (organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id,
      candidate_pattern, done, due_at)
    SELECT c.organization_id, made.name, c.scrape_job_id, c.gather_organization_id, c.gather_job_id, c.rule_id, made.pattern,
      1, 'infinity'
    FROM alert_configs c, (VALUES (1, 'filtered', '^1'), (2, 'filtered too', '^1'), (3, 'not filtered', ''))
      AS made (place, name, pattern)
    WHERE c.name = 'days' ORDER BY made.place`.execute(db);
  return rows[0]!.id;
}
