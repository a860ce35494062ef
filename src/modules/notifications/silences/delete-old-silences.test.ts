import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../tests/helpers/database.ts';
import { transaction } from '../../../platform/database/index.ts';
import { deleteOldSilencesAcrossOrganizations } from './delete-old-silences.ts';

const { db, statementsOf } = await createTestDatabase();

/**
 * Inserts 500 organizations with 40 silences each, which ended 5 to 200 days ago. One organization keeps
 * resolved alerts for 7 days.
 */
beforeAll(async () => {
  await sql`INSERT INTO organizations (name) SELECT 'o' || n FROM generate_series(1, 500) AS n`.execute(db);
  await sql`
    INSERT INTO settings (organization_id, key, value)
    SELECT id, 'retention.resolved_alerts_days', '7' FROM organizations WHERE name = 'o7'`.execute(db);
  await sql`
    INSERT INTO silences (organization_id, severities, starts_at, ends_at, reason, created_by_type, created_by_name)
    SELECT id, '{high}', ended, ended, 'x', 'system', 'x'
    FROM organizations, generate_series(1, 40) AS n, LATERAL (SELECT pacekeeper_now() - n * interval '5 days' AS ended) AS old
    WHERE name LIKE 'o%'`.execute(db);
  await sql`VACUUM ANALYZE silences, settings, organizations`.execute(db);
});

async function keptBy(name: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM silences s JOIN organizations o ON o.id = s.organization_id WHERE o.name = ${name}`.execute(
    db,
  );
  return rows[0]!.count;
}

test('silences are kept as long as the resolved alerts of their organization', async () => {
  const deleted = [];
  for (let run = 0; run < 3; run++)
    deleted.push(await transaction(db, (tx) => deleteOldSilencesAcrossOrganizations(tx, 25)));
  expect(deleted).toEqual([25, 14, 0]);
  expect([await keptBy('o7'), await keptBy('o8')]).toEqual([1, 40]);
});

test('old silences are found in the order of their end, without a scan of the organizations', async () => {
  const statements = await statementsOf(() =>
    transaction(db, (tx) => deleteOldSilencesAcrossOrganizations(tx, 100)),
  );
  const statement = statements.find((text) => text.includes('DELETE FROM silences'))!;
  const { rows } = await sql.raw<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${statement}`).execute(db);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('using silences_oldest_ends');
  expect(plan).not.toContain('on organizations');
});
