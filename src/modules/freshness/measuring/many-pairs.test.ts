import { type KyselyPlugin, sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../../tests/helpers/database.ts';
import { insertOrganization } from '../../../server/server-fixture.ts';
import { createReleaseCache } from '../../monitoring/index.ts';
import { backfillDays } from './backfill-days.ts';
import { measureNow } from './measure-now.ts';

test('no statement returns all pairs of an organization, and every pair is counted', async () => {
  const { db } = await createTestDatabase();
  const organizationId = await insertOrganization(db);
  const pairCount = 4_100;
  await sql`
    WITH gather AS (
      INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme)
      VALUES (${organizationId}, 'web', 'github_releases', 'github.com/acme/web', 'auto') RETURNING id
    ), released AS (
      INSERT INTO releases (organization_id, gather_job_id, tag, version, released_at, is_prerelease)
      SELECT ${organizationId}, gather.id, n || '.0.0', n || '.0.0', pacekeeper_now() - (9 - n) * interval '10 days', false
      FROM gather, generate_series(1, 8) AS n
    ), rule AS (
      INSERT INTO rules (organization_id, name, rule_type, threshold_high)
      VALUES (${organizationId}, 'Majors', 'majors_behind', 1) RETURNING id
    ), scrapes AS (
      INSERT INTO scrape_jobs (organization_id, name, parser_type, latest_version, labels)
      SELECT ${organizationId}, 'app ' || n, 'manual', '4.0.0', jsonb_build_object('team', n % 3, 'app', n)
      FROM generate_series(1, ${pairCount}::integer) AS n RETURNING id
    ), deployed AS (
      INSERT INTO versions (organization_id, scrape_job_id, version, raw_version, version_transform, source, is_change, created_at)
      SELECT ${organizationId}, id, '4.0.0', '4.0.0', 'none', 'manual', true, pacekeeper_now() - interval '3 days'
      FROM scrapes
    )
    INSERT INTO alert_configs (organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, due_at)
    SELECT ${organizationId}, 'app', scrapes.id, ${organizationId}, gather.id, rule.id, 'infinity'
    FROM scrapes, gather, rule`.execute(db);
  await sql`INSERT INTO freshness_states (organization_id) VALUES (${organizationId})`.execute(db);
  const sizes: number[] = [];
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      sizes.push(result.rows.length);
      return result;
    },
  };
  const counted = db.withPlugin(counting);
  const releaseCache = createReleaseCache();
  const { missing } = await measureNow(counted, releaseCache, organizationId);
  await backfillDays(counted, releaseCache, organizationId, missing!);
  expect(sizes.length).toBeGreaterThan(0);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(2_000);

  const { rows: points } = await sql<object>`
    SELECT DISTINCT things, unknown, majors[2] AS majors FROM freshness_points
    WHERE organization_id = ${organizationId} AND grouping = 'all'`.execute(db);
  expect(points).toEqual([{ things: pairCount, unknown: 0, majors: pairCount * 4 }]);
  const again = await measureNow(counted, releaseCache, organizationId);
  expect(again).toMatchObject({ targets: null, missing: null });
});
