import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../tests/helpers/database.ts';
import { recountRows } from '../modules/alerts/index.ts';
import { correctLabeledConfigs } from '../modules/monitoring/index.ts';
import { correctSoftware } from '../modules/software/index.ts';
import { migrateDatabase, transaction } from '../platform/database/index.ts';
import { insertAlerts, insertOrganization } from './server-fixture.ts';

test('labels that were there before their migrations are found and counted after them', async () => {
  const { db } = await createTestDatabase({ schema: 'empty' });
  const folder = mkdtempSync(join(tmpdir(), 'pacekeeper-migrations-'));
  for (const name of readdirSync('migrations').filter((each) => each.endsWith('.sql') && each < '0134'))
    writeFileSync(join(folder, name), readFileSync(join('migrations', name)));
  await migrateDatabase(db, folder);
  rmSync(folder, { recursive: true });

  const organizationId = await insertOrganization(db);
  for (let jobs = 0; jobs < 3; jobs++) await insertAlerts(db, organizationId, { count: 2 });
  await sql`UPDATE scrape_jobs SET labels = '{"team": "web", "stage": "a=b"}' WHERE id % 2 = 0`.execute(db);
  await sql`UPDATE alert_configs SET labels = jsonb_build_object('team', 'team ' || id % 3) WHERE id % 4 > 0`.execute(
    db,
  );
  expect(await migrateDatabase(db)).toEqual(
    expect.arrayContaining(['0134_labeled_configs.sql', '0135_software_labels.sql']),
  );

  await transaction(db, async (tx) => {
    expect(await correctLabeledConfigs(tx, organizationId)).toBe(0);
    expect(await recountRows(tx, organizationId)).toEqual([]);
    expect(await correctSoftware(tx, organizationId)).toEqual([]);
  });
});
