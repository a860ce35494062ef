import { sql, type Transaction } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, setClockOffset } from '../../../tests/helpers/database.ts';
import { countRowsRead } from '../../../tests/helpers/rows-read.ts';
import type { DB } from '../../generated/database.ts';
import {
  type ClaimingAgent,
  claimRunsAcrossOrganizations,
  longestQueuedSinceAcrossOrganizations,
} from './claim-runs.ts';
import { lockHeldRunsAcrossOrganizations, renewRunLease } from './lease-runs.ts';

const { db } = await createTestDatabase({ poolSize: 6 });

async function createOrganization(): Promise<number> {
  const { rows } = await sql<{
    id: number;
  }>`INSERT INTO organizations (name) VALUES ('acme') RETURNING id`.execute(db);
  return rows[0]!.id;
}

async function createAgent(kind: ClaimingAgent['kind'], organizationId = 1): Promise<ClaimingAgent> {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO agents (organization_id, name, kind, hostname, version, capabilities, credential_names, last_heartbeat_at)
    VALUES (${organizationId}, gen_random_uuid()::text, ${kind}, 'host', '0.1.0', '{scrape}', '{own}', pacekeeper_now())
    RETURNING id`.execute(db);
  return { organizationId, id: rows[0]!.id, kind };
}

/** Queues one run for each of `count` new jobs. Each run has waited one second less than the previous one. */
async function queueRuns(
  organizationId: number,
  count: number,
  { waitingSeconds = 1_000_000, credentialName = null as string | null } = {},
): Promise<void> {
  await sql`
    WITH jobs AS (
      INSERT INTO scrape_jobs (organization_id, name, parser_type)
      SELECT ${organizationId}, 'job', 'manual' FROM generate_series(1, ${count}) RETURNING id
    )
    INSERT INTO runs (organization_id, kind, scrape_job_id, trigger, capability, credential_name, due_at)
    SELECT ${organizationId}, 'scrape', id, 'schedule', 'scrape', ${credentialName},
      pacekeeper_now() - (${waitingSeconds}::integer - row_number() OVER (ORDER BY id)) * interval '1 second'
    FROM jobs`.execute(db);
}

const claim = (agent: ClaimingAgent, max = 10, on = db) =>
  claimRunsAcrossOrganizations(on, agent, { capabilities: ['scrape'], max });

async function claimedOf(agent: ClaimingAgent, max: number): Promise<Map<number, number>> {
  const runs = await claim(agent, max);
  return new Map([...Map.groupBy(runs, (run) => run.organization_id)].map(([id, own]) => [id, own.length]));
}

/** Returns the number of rows of `runs` that `work` reads. */
function countLooks(work: (tx: Transaction<DB>) => Promise<unknown>): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const before = await countRowsRead(tx, 'runs');
    await work(tx);
    return (await countRowsRead(tx, 'runs')) - before;
  });
}

beforeEach(async () => {
  await sql`DELETE FROM runs`.execute(db);
});

describe('the claim of runs', () => {
  test('twenty thousand runs of one organization do not delay those of another', async () => {
    const [large, small] = [await createOrganization(), await createOrganization()];
    await queueRuns(large, 20_000);
    await queueRuns(small, 3, { waitingSeconds: 10 });
    const embedded = await createAgent('embedded');
    expect(await claimedOf(embedded, 10)).toEqual(
      new Map([
        [large, 7],
        [small, 3],
      ]),
    );
  });

  test('within an organization, the longest-waiting run is claimed first, regardless of its credential', async () => {
    const organizationId = await createOrganization();
    await queueRuns(organizationId, 2, { waitingSeconds: 100 });
    await queueRuns(organizationId, 2, { waitingSeconds: 200, credentialName: 'own' });
    const { rows } = await sql<{ id: number }>`SELECT id FROM runs ORDER BY due_at`.execute(db);
    const agent = await createAgent('remote', organizationId);
    const claimed: number[] = [];
    for (let turn = 0; turn < 4; turn++) claimed.push((await claim(agent, 1))[0]!.id);
    expect(claimed).toEqual(rows.map((row) => row.id));
  });

  test('twenty thousand runs that no agent can execute do not slow down a claim', async () => {
    const organizationId = await createOrganization();
    await queueRuns(organizationId, 20_000, { credentialName: 'of nobody' });
    await queueRuns(organizationId, 2, { waitingSeconds: 10 });
    await sql`ANALYZE runs`.execute(db);
    const agent = await createAgent('remote', organizationId);
    const looks = await countLooks(async (tx) => expect(await claim(agent, 10, tx)).toHaveLength(2));
    expect(looks).toBeLessThan(100);
  });

  test('a claim reads only the runs that it can take, regardless of the number of other open runs', async () => {
    const organizationId = await createOrganization();
    // Collects the planner statistics after all runs have ended, so that they are outdated during the claim.
    await queueRuns(organizationId, 2_000);
    await sql`UPDATE runs SET status = 'succeeded'`.execute(db);
    await sql`VACUUM (ANALYZE) runs`.execute(db);
    await queueRuns(organizationId, 2_000);
    const agent = await createAgent('remote', organizationId);
    await claim(agent, 1_000);
    const looks = await countLooks(async (tx) => expect(await claim(agent, 100, tx)).toHaveLength(100));
    expect(looks).toBeLessThan(1_000);
  });

  test('a completion reads only its own runs, regardless of the number of other leased runs', async () => {
    const organizationId = await createOrganization();
    // Collects the planner statistics before any run is leased, so that they are outdated during the completion.
    await queueRuns(organizationId, 4_000);
    await sql`ANALYZE runs`.execute(db);
    const agent = await createAgent('remote', organizationId);
    const claimed = await claim(agent, 4_000);
    expect(claimed).toHaveLength(4_000);
    const leases = claimed.slice(0, 100).map((run) => ({ runId: run.id, leaseToken: run.lease_token }));
    const looks = await countLooks(async (tx) => {
      expect(await lockHeldRunsAcrossOrganizations(tx, { organizationId }, leases)).toHaveLength(100);
      await renewRunLease(tx, { organizationId }, claimed[200]!.id, claimed[200]!.lease_token, 60);
    });
    expect(looks).toBeLessThan(400);
  });

  test('a run is not claimed before it is due, or by an agent of another organization', async () => {
    const [ours, theirs] = [await createOrganization(), await createOrganization()];
    await queueRuns(ours, 1, { waitingSeconds: 0 });
    const [agent, stranger] = [await createAgent('remote', ours), await createAgent('remote', theirs)];
    await setClockOffset(db, '-1 minute');
    expect(await claim(agent)).toEqual([]);
    await setClockOffset(db, '1 minute');
    expect(await claim(stranger)).toEqual([]);
    expect(await claim(agent)).toHaveLength(1);
    await setClockOffset(db, '0');
  });

  test('agents that claim at the same time get different runs, and each gets the number of runs that it requested', async () => {
    const organizationId = await createOrganization();
    await queueRuns(organizationId, 200);
    const agents = [1, 2, 3, 4].map(() => createAgent('remote', organizationId));
    const claimed = await Promise.all((await Promise.all(agents)).map((agent) => claim(agent, 50)));
    expect(claimed.map((runs) => runs.length)).toEqual([50, 50, 50, 50]);
    expect(new Set(claimed.flat().map((run) => run.id)).size).toBe(200);
  });

  test('an agent with an unknown ID or a wrong kind gets no runs', async () => {
    const organizationId = await createOrganization();
    await queueRuns(organizationId, 1);
    const agent = await createAgent('remote', organizationId);
    expect(await claim({ ...agent, id: agent.id + 1_000 })).toEqual([]);
    expect(await claim({ ...agent, kind: 'embedded' })).toEqual([]);
    expect(await claim(agent)).toHaveLength(1);
  });

  test("the lease duration follows the setting of the agent's organization", async () => {
    const organizationId = await createOrganization();
    await queueRuns(organizationId, 2);
    const agent = await createAgent('remote', organizationId);
    const lengthOf = async () => {
      const [run] = await claim(agent, 1);
      return (run!.lease_until.getTime() - run!.claimed_at.getTime()) / 1_000;
    };
    expect(await lengthOf()).toBe(60);
    await sql`INSERT INTO settings (organization_id, key, value) VALUES
      (1, 'task.lease_seconds', '90'), (${organizationId}, 'task.lease_seconds', '30')`.execute(db);
    expect(await lengthOf()).toBe(30);
  });
});

describe('the time at which the longest-waiting run became claimable', () => {
  async function readLongest(): Promise<{ since: Date | null; least: Date | null }> {
    const { rows } = await sql<{ since: Date | null; least: Date | null }>`
      SELECT ${longestQueuedSinceAcrossOrganizations} AS since,
        (SELECT min(due_at) FROM runs WHERE status = 'queued') AS least`.execute(db);
    return rows[0]!;
  }

  test('is the earliest of all queues, and null if no run is queued', async () => {
    expect((await readLongest()).since).toBeNull();
    const organizations = [await createOrganization(), await createOrganization()];
    await queueRuns(organizations[0]!, 3, { waitingSeconds: 100 });
    await queueRuns(organizations[1]!, 3, { waitingSeconds: 200, credentialName: 'own' });
    await queueRuns(organizations[1]!, 3, { waitingSeconds: 150 });
    const { since, least } = await readLongest();
    expect(since).toEqual(least);
    await sql`UPDATE runs SET status = 'canceled' WHERE credential_name = 'own'`.execute(db);
    const later = await readLongest();
    expect(later.since).toEqual(later.least);
    expect(later.since!.getTime()).toBeGreaterThan(since!.getTime());
  });

  test('is determined without reading all queued runs', async () => {
    for (let count = 0; count < 3; count++) await queueRuns(await createOrganization(), 5_000);
    await sql`ANALYZE runs`.execute(db);
    const looks = await countLooks((tx) => sql`SELECT ${longestQueuedSinceAcrossOrganizations}`.execute(tx));
    expect(looks).toBeLessThan(50);
  });
});
