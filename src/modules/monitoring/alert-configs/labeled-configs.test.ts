import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../tests/helpers/database.ts';
import { type Tx, transaction } from '../../../platform/database/index.ts';
import { insertAlerts, insertOrganization } from '../../../server/server-fixture.ts';
import { configsWithLabel, repairLabeledConfigRows } from './labeled-configs.ts';

const { db, connectAgain } = await createTestDatabase();
const others = [await connectAgain({ poolSize: 1 }), await connectAgain({ poolSize: 1 })];

/** Creates an organization with four scrape jobs, each with three alert configurations. */
async function world(): Promise<number> {
  const organizationId = await insertOrganization(db);
  for (let jobs = 0; jobs < 4; jobs++) await insertAlerts(db, organizationId, { count: 3 });
  return organizationId;
}

/** Statements that change the rows of an organization that match a condition. */
const changes = {
  label: (of) => sql`
    UPDATE alert_configs SET labels = jsonb_build_object('team', 'a=' || id % 2, 'stage', 'test') WHERE ${of}`,
  unlabel: (of) => sql`UPDATE alert_configs SET labels = '{}' WHERE ${of}`,
  'label what is deployed': (of) => sql`
    UPDATE scrape_jobs SET labels = jsonb_build_object('team', 'b', 'service', 'web ' || id % 2) WHERE ${of}`,
  move: (of) => sql`
    UPDATE alert_configs SET scrape_job_id = (
      SELECT min(id) FROM scrape_jobs j WHERE j.organization_id = alert_configs.organization_id) WHERE ${of}`,
  delete: (of) => sql`DELETE FROM alert_configs WHERE ${of}`,
  add: (of) => sql`
    INSERT INTO alert_configs (organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, ordinal, labels)
    SELECT organization_id, 'another', scrape_job_id, gather_organization_id, gather_job_id, rule_id, ordinal + 3, '{"stage": "new"}'
    FROM alert_configs WHERE ${of} ON CONFLICT DO NOTHING`,
} as const satisfies Record<string, (of: ReturnType<typeof sql>) => ReturnType<typeof sql>>;

const steps = fc.array(
  fc.record({
    change: fc.constantFrom(...(Object.keys(changes) as (keyof typeof changes)[])),
    modulus: fc.integer({ min: 1, max: 3 }),
    remainder: fc.integer({ min: 0, max: 2 }),
  }),
  { minLength: 1, maxLength: 4 },
);
const work = fc.array(fc.record({ steps, fails: fc.boolean() }), { minLength: 1, maxLength: 4 });

const correct = (organizationId: number) =>
  transaction(db, (tx) => repairLabeledConfigRows(tx, organizationId));

async function withLabel(database: typeof db | Tx, organizationId: number, label: string): Promise<number[]> {
  const { rows } = await sql<{ alert_config_id: number }>`
    SELECT * FROM ${configsWithLabel(organizationId, label)} AS c ORDER BY alert_config_id`.execute(database);
  return rows.map((row) => row.alert_config_id);
}

describe('alert configurations with a label', () => {
  test('are found correctly after simultaneous changes and rollbacks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(work, { minLength: 1, maxLength: 3 }), async (workers) => {
        const organizationId = await world();
        await Promise.all(
          workers.map(async (transactions, worker) => {
            for (const each of transactions) {
              const rollBack = new Error('rolled back');
              await transaction([db, ...others][worker]!, async (tx) => {
                for (const { change, modulus, remainder } of each.steps)
                  await changes[change](
                    sql`organization_id = ${organizationId} AND id % ${modulus} = ${remainder}`,
                  ).execute(tx);
                // The label index is correct at any time, regardless of other transactions.
                expect(await repairLabeledConfigRows(tx, organizationId)).toBe(0);
                if (each.fails) throw rollBack;
              }).catch((error: unknown) => {
                if (error !== rollBack) throw error;
              });
            }
          }),
        );
        expect(await correct(organizationId)).toBe(0);
      }),
      { numRuns: 15 },
    );
  });

  test('include changes made earlier in the same transaction, and block no other transaction', async () => {
    const organizationId = await world();
    const { rows } = await sql<{ id: number }>`
      SELECT id FROM alert_configs WHERE organization_id = ${organizationId} ORDER BY id`.execute(db);
    const [first, second] = rows.map(({ id }) => id);
    const label = (tx: Tx, id: number) =>
      sql`UPDATE alert_configs SET labels = '{"team": "web"}' WHERE id = ${id}`.execute(tx);
    await transaction(db, async (tx) => {
      await label(tx, first!);
      expect(await withLabel(tx, organizationId, 'team=web')).toEqual([first]);
      await transaction(others[0]!, async (other) => {
        // Without the timeout, a blocked statement would wait forever.
        await sql`SET LOCAL lock_timeout = '5s'`.execute(other);
        await label(other, second!);
      });
    });
    expect(await withLabel(db, organizationId, 'team=web')).toEqual([first, second]);
  });

  test('are corrected by the nightly recount if index rows are wrong, missing, or obsolete', async () => {
    const organizationId = await world();
    const of = sql`organization_id = ${organizationId}`;
    await changes.label(of).execute(db);
    const before = await withLabel(db, organizationId, 'stage=test');
    expect(before).toHaveLength(12);
    await sql`DELETE FROM labeled_configs WHERE alert_config_id = ${before[0]}`.execute(db);
    await sql`UPDATE labeled_configs SET scrape_job_id = 0 WHERE alert_config_id = ${before[1]}`.execute(db);
    await sql`
      INSERT INTO labeled_configs (organization_id, label, alert_config_id, scrape_job_id)
      SELECT organization_id, 'stage=gone', alert_config_id, scrape_job_id FROM labeled_configs
      WHERE alert_config_id = ${before[2]} AND label = 'stage=test'`.execute(db);
    expect(await correct(organizationId)).toBe(5);
    expect(await withLabel(db, organizationId, 'stage=test')).toEqual(before);
    expect(await withLabel(db, organizationId, 'stage=gone')).toEqual([]);
    expect(await correct(organizationId)).toBe(0);
  });

  test('are removed from the index when they are deleted', async () => {
    const organizationId = await world();
    await changes.label(sql`organization_id = ${organizationId}`).execute(db);
    await sql`DELETE FROM alert_configs WHERE organization_id = ${organizationId}`.execute(db);
    const { rows } = await sql`SELECT FROM labeled_configs WHERE organization_id = ${organizationId}`.execute(
      db,
    );
    expect(rows).toEqual([]);
  });
});
