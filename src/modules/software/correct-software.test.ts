import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../tests/helpers/database.ts';
import { type Database, type Tx, transaction } from '../../platform/database/index.ts';
import { insertAlerts, insertOrganization } from '../../server/server-fixture.ts';
import { repairSoftwareRows } from './correct-software.ts';

const { db, connectAgain } = await createTestDatabase();
const others = [await connectAgain({ poolSize: 1 }), await connectAgain({ poolSize: 1 })];

/** Creates an organization with four scrape jobs that have three alert configurations each. */
async function world(): Promise<number> {
  const organizationId = await insertOrganization(db);
  for (let jobs = 0; jobs < 4; jobs++) await insertAlerts(db, organizationId, { count: 3 });
  return organizationId;
}

const configsOf = async (organizationId: number) =>
  (
    await sql<{ id: number; scrape_job_id: number }>`
      SELECT id, scrape_job_id FROM alert_configs WHERE organization_id = ${organizationId} ORDER BY id`.execute(
      db,
    )
  ).rows;

const catchUp = (database: Database | Tx, id: number) =>
  sql`UPDATE alert_configs SET state = 'ok', severity = NULL, crossed_at = NULL WHERE id = ${id}`.execute(
    database,
  );

async function storedState(scrapeJobId: number): Promise<string | undefined> {
  const { rows } = await sql<{ state: string }>`
    SELECT state FROM software WHERE scrape_job_id = ${scrapeJobId}`.execute(db);
  return rows[0]?.state;
}

const differing = (organizationId: number) => transaction(db, (tx) => repairSoftwareRows(tx, organizationId));

/**
 * Changes that evaluations and edits cause, each applied to part of the configurations of an organization.
 */
const changes = {
  alert: (of) => sql`
    UPDATE alert_configs SET state = 'alerting', crossed_at = pacekeeper_now() - id % 3 * interval '1 day',
      severity = (ARRAY['moderate', 'high', 'critical'])[1 + id % 3] WHERE ${of}`,
  'catch up': (of) => sql`
    UPDATE alert_configs SET state = 'ok', severity = NULL, crossed_at = NULL WHERE ${of}`,
  'go stale': (of) => sql`
    UPDATE alert_configs SET state = 'stale', severity = NULL, crossed_at = NULL WHERE ${of}`,
  move: (of) => sql`
    UPDATE alert_configs SET scrape_job_id = (
      SELECT min(id) FROM scrape_jobs j WHERE j.organization_id = alert_configs.organization_id) WHERE ${of}`,
  delete: (of) => sql`DELETE FROM alert_configs WHERE ${of}`,
  add: (of) => sql`
    INSERT INTO alert_configs (organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, ordinal)
    SELECT organization_id, 'another', scrape_job_id, gather_organization_id, gather_job_id, rule_id, ordinal + 3
    FROM alert_configs WHERE ${of} ON CONFLICT DO NOTHING`,
} as const satisfies Record<string, (of: ReturnType<typeof sql>) => ReturnType<typeof sql>>;

const steps = fc.array(
  fc.record({
    change: fc.constantFrom(...(Object.keys(changes) as (keyof typeof changes)[])),
    modulus: fc.integer({ min: 1, max: 4 }),
    remainder: fc.integer({ min: 0, max: 3 }),
  }),
  { minLength: 1, maxLength: 4 },
);
const work = fc.array(fc.record({ steps, fails: fc.boolean() }), { minLength: 1, maxLength: 4 });

describe('the stored worst alert configuration of a scrape job', () => {
  test('is correct after concurrent changes and rollbacks on several servers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(work, { minLength: 1, maxLength: 3 }), async (workers) => {
        const organizationId = await world();
        await Promise.all(
          workers.map(async (transactions, worker) => {
            for (const each of transactions) {
              const rollBack = new Error('rolled back');
              await transaction([db, ...others][worker]!, async (tx) => {
                // Each server locks different configurations of the same jobs.
                for (const { change, modulus, remainder } of each.steps)
                  await changes[change](
                    sql`organization_id = ${organizationId} AND id % 3 = ${worker} AND id / 3 % ${modulus} = ${remainder}`,
                  ).execute(tx);
                if (each.fails) throw rollBack;
              }).catch((error: unknown) => {
                if (error !== rollBack) throw error;
              });
            }
          }),
        );
        expect(await differing(organizationId)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test('is correct after two servers evaluate two configurations of one scrape job at the same time', async () => {
    const [first, second, third] = await configsOf(await world());
    await catchUp(db, third!.id);
    let ending: Promise<void> | undefined;
    await transaction(db, async (tx) => {
      await catchUp(tx, first!.id);
      // Runs the deferred triggers of this transaction now, while the other transaction commits.
      await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(tx);
      ending = transaction(others[0]!, async (other) => void (await catchUp(other, second!.id)));
      await expect
        .poll(async () => {
          const { rows } =
            await sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`.execute(others[1]!);
          return rows.length;
        })
        .toBe(1);
    });
    await ending;
    expect(await storedState(first!.scrape_job_id)).toBe('ok');
  });

  test('lets open transactions change different configurations of the job without blocking each other', async () => {
    const [first, second] = await configsOf(await world());
    await transaction(db, async (tx) => {
      await catchUp(tx, first!.id);
      await transaction(others[0]!, async (other) => {
        // Without a timeout, a blocked update would wait forever.
        await sql`SET LOCAL lock_timeout = '5s'`.execute(other);
        await catchUp(other, second!.id);
      });
    });
    expect(await storedState(first!.scrape_job_id)).toBe('alerting');
  });

  test('is corrected by the nightly recount if it is wrong or missing', async () => {
    const organizationId = await world();
    const jobs = [...new Set((await configsOf(organizationId)).map((config) => config.scrape_job_id))];
    await sql`UPDATE software SET state = 'ok', severity_rank = 0 WHERE scrape_job_id = ${jobs[0]}`.execute(
      db,
    );
    await sql`DELETE FROM software WHERE scrape_job_id = ${jobs[1]}`.execute(db);
    expect((await differing(organizationId)).toSorted()).toEqual(jobs.slice(0, 2));
    expect(await differing(organizationId)).toEqual([]);
    expect(await storedState(jobs[1]!)).toBe('alerting');
  });

  test('is deleted with its scrape job, or by the nightly recount if it remained', async () => {
    const organizationId = await world();
    const [first, second] = [...new Set((await configsOf(organizationId)).map((c) => c.scrape_job_id))];
    await sql`DELETE FROM alert_configs WHERE scrape_job_id = ${first}`.execute(db);
    await sql`DELETE FROM scrape_jobs WHERE id = ${first}`.execute(db);
    expect(await storedState(first!)).toBeUndefined();
    expect(await storedState(second!)).toBe('alerting');
    await sql`INSERT INTO software (organization_id, scrape_job_id) VALUES (${organizationId}, ${first})`.execute(
      db,
    );
    expect(await differing(organizationId)).toEqual([first]);
    expect(await storedState(first!)).toBeUndefined();
  });

  test('is not added by the recount for a scrape job that is being deleted', async () => {
    const organizationId = await world();
    const [job] = (await configsOf(organizationId)).map((config) => config.scrape_job_id);
    await sql`DELETE FROM alert_configs WHERE scrape_job_id = ${job}`.execute(db);
    await sql`DELETE FROM software WHERE scrape_job_id = ${job}`.execute(db);
    await transaction(others[0]!, async (tx) => {
      await sql`DELETE FROM scrape_jobs WHERE id = ${job}`.execute(tx);
      expect(await differing(organizationId)).toEqual([]);
    });
    expect(await storedState(job!)).toBeUndefined();
  });
});

describe('a statement that changes many rows', () => {
  const count = 1_000;

  /** Returns the number of rows of all tables that this transaction has read so far. */
  async function readRows(tx: Tx): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer AS count FROM pg_stat_xact_user_tables`.execute(
      tx,
    );
    return rows[0]!.count;
  }

  const addJobs = (tx: Database | Tx, organizationId: number, added: number) =>
    sql`
      INSERT INTO scrape_jobs (organization_id, name, parser_type)
      SELECT ${organizationId}, 'job ' || n, 'manual' FROM generate_series(1, ${added}::integer) AS n`.execute(
      tx,
    );
  const deleteJobs = (tx: Database | Tx, organizationId: number) =>
    sql`DELETE FROM scrape_jobs WHERE organization_id = ${organizationId}`.execute(tx);

  test('reads a bounded number of rows for each added or deleted scrape job, even if its plan was cached for few rows', async () => {
    const young = await createTestDatabase({ poolSize: 1 });
    const organizationId = await insertOrganization(young.db);
    await addJobs(young.db, organizationId, 1);
    await sql`ANALYZE scrape_jobs, software`.execute(young.db);
    // PostgreSQL can reuse a plan from the sixth execution on.
    for (let times = 0; times < 6; times++) {
      await addJobs(young.db, organizationId, 1);
      await deleteJobs(young.db, organizationId);
    }
    await transaction(young.db, async (tx) => {
      await addJobs(tx, organizationId, count);
      const added = await readRows(tx);
      expect(added).toBeLessThan(10 * count);
      await deleteJobs(tx, organizationId);
      expect((await readRows(tx)) - added).toBeLessThan(10 * count);
    });
  });

  test.each([
    ['deleted', sql`DELETE FROM alert_configs`],
    ['evaluated', sql`UPDATE alert_configs SET state = 'ok', severity = NULL`],
    [
      'moved',
      sql`UPDATE alert_configs SET scrape_job_id = (
      SELECT max(id) FROM scrape_jobs j WHERE j.organization_id = alert_configs.organization_id)`,
    ],
  ])(
    'reads a bounded number of rows for each alert configuration of one scrape job that is %s',
    async (_, change) => {
      const organizationId = await insertOrganization(db);
      await insertAlerts(db, organizationId, { count });
      await addJobs(db, organizationId, 1);
      await transaction(db, async (tx) => {
        await sql`${change} WHERE organization_id = ${organizationId}`.execute(tx);
        await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(tx);
        const { rows } = await sql<{ count: number }>`
        SELECT pg_stat_get_xact_tuples_returned('alert_configs_worst_of_job'::regclass)::integer AS count`.execute(
          tx,
        );
        // Each change reads one to fourteen entries, including entries of older row versions. A search past all
        // changed entries would read 500 for each change.
        expect(rows[0]!.count).toBeLessThan(50 * count);
      });
      expect(await differing(organizationId)).toEqual([]);
    },
  );
});
