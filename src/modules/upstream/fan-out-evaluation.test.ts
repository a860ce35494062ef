import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createUpstreamFixture, item } from '../../../tests/helpers/upstream-fixture.ts';
import { repositoryAddress } from '../../domain/artifacts/repository-address.ts';
import { attachWakeUps, transaction } from '../../platform/database/index.ts';
import { type Claim, claimDueRows } from '../../platform/due-rows/index.ts';
import { createSilentLog } from '../../platform/log.ts';
import {
  type DueFanOut,
  dueFanOutsTable,
  fanOutColumns,
  fanOutStep,
  finishFanOutStep,
  markNextConfigs,
  startFanOutLoop,
  triggerFanOuts,
} from './fan-out-evaluation.ts';

const { db, woken, connectAgain, statementsOf, createOrganization, createJob, createConfig, record } =
  await createUpstreamFixture();
const secondServer = await connectAgain();

let organizationId: number;
beforeEach(async () => {
  organizationId = await createOrganization();
  await sql`DELETE FROM release_fan_outs`.execute(db);
});

type Job = { organizationId: number; jobId: number };

const trigger = (job: Job) =>
  transaction(secondServer, (tx) => triggerFanOuts(tx, job.organizationId, [job.jobId]));

async function claimOne(): Promise<Claim<DueFanOut> | undefined> {
  const [claim] = await claimDueRows<DueFanOut>(db, dueFanOutsTable, {
    limit: 1,
    leaseMs: 60_000,
    columns: fanOutColumns,
  });
  return claim;
}

/**
 * Returns the number of times that each configuration of a job was marked due, ordered by organization and
 * ID.
 */
async function marksOf(job: Job): Promise<number[]> {
  const { rows } = await sql<{ requested_seq: number }>`
    SELECT requested_seq FROM alert_configs
    WHERE gather_organization_id = ${job.organizationId} AND gather_job_id = ${job.jobId}
    ORDER BY organization_id, id`.execute(secondServer);
  return rows.map((row) => row.requested_seq);
}

/**
 * Takes steps until no fan-out is due.
 * @returns The number of steps.
 */
async function drain(limit: number): Promise<number> {
  for (let steps = 0; ; steps++) {
    const claim = await claimOne();
    if (!claim) return steps;
    await transaction(db, (tx) => fanOutStep(tx, claim, limit));
  }
}

describe('a fan-out', () => {
  test('marks the configurations of every organization in steps, and no configurations of other jobs', async () => {
    const job = await createJob(1);
    const other = await createJob(1);
    const organizations = [organizationId, await createOrganization()];
    for (const of of organizations) for (let index = 0; index < 4; index++) await createConfig(of, job);
    await createConfig(organizationId, other);
    await trigger(job);
    woken.length = 0;
    expect(await drain(3)).toBe(3);
    expect(await marksOf(job)).toEqual([2, 2, 2, 2, 2, 2, 2, 2]);
    expect(await marksOf(other)).toEqual([1]);
    expect(woken).toEqual(expect.arrayContaining(organizations.map((id) => `alert_configs:${id}`)));
  });

  test('is triggered with one statement for any number of jobs that have no global original', async () => {
    const [job, other] = [await createJob(organizationId), await createJob(organizationId)];
    const statements = await statementsOf(() =>
      transaction(db, (tx) => triggerFanOuts(tx, organizationId, [other.jobId, job.jobId, job.jobId])),
    );
    expect(statements).toHaveLength(2 + 1);
    const due = await sql`SELECT FROM release_fan_outs WHERE requested_seq = 1`.execute(db);
    expect(due.rows).toHaveLength(2);
  });

  test('of a mirror also covers its original, regardless of the spelling of their addresses', async () => {
    const names = [
      'ssh://git@gitlab.com:22/Acme/App.git',
      'https://gitlab.com/acme/app',
      'gitlab.com/ACME/app',
    ];
    const originals: number[] = [];
    for (const name of names) {
      const { jobId } = await createJob(organizationId);
      originals.push(jobId);
      await sql`UPDATE gather_jobs SET artifact_name = ${name} WHERE id = ${jobId}`.execute(db);
    }
    const mirror = await createJob(organizationId);
    await createJob(organizationId);
    await sql`
      UPDATE gather_jobs SET mirror_of = 'https://gitlab.com/acme/app.git' WHERE id = ${mirror.jobId}`.execute(
      db,
    );
    await trigger(mirror);
    const { rows } = await sql<{ id: number }>`
      SELECT gather_job_id AS id FROM release_fan_outs ORDER BY gather_job_id`.execute(db);
    expect(rows.map(({ id }) => id)).toEqual([...originals, mirror.jobId]);
  });

  test.each([
    'docker.io/library/redis',
    'ghcr.io/acme/charts/app',
    'charts.jetstack.io/cert-manager',
    'https://git.example.org/acme/App.git',
    'https://git.example.org:3000/acme/App',
    'http://www.example.org/acme/App/',
    'ssh://git@git.example.org:2222/acme/App.git',
    'ssh://gitea.acme.dev/Acme/App',
    'ssh://git@gitlab.acme.dev:2222/Acme/App.git',
    'github.com/Acme/App',
    'https://bitbucket.org/Acme/App.git',
    'ssh://git@ssh.dev.azure.com/v3/Acme/Shop/App',
    'https://api.example.org/Versions.json?a=b',
  ])('compares the address of %s in the same way as the domain code', async (name) => {
    const { rows } = await sql<{ address: string }>`SELECT repository_address(${name}) AS address`.execute(
      db,
    );
    expect(rows).toEqual([{ address: repositoryAddress(name) }]);
  });

  test('takes a constant number of statements if one step is enough', async () => {
    const job = await createJob(organizationId);
    for (let index = 0; index < 5; index++) await createConfig(organizationId, job);
    await trigger(job);
    const claim = (await claimOne())!;
    const statements = await statementsOf(() => transaction(db, (tx) => fanOutStep(tx, claim, 1_000)));
    expect(statements).toHaveLength(2 + 3);
    expect(await claimOne()).toBeUndefined();
  });

  test('starts again from the beginning after a change during the fan-out', async () => {
    const job = await createJob(organizationId);
    for (let index = 0; index < 6; index++) await createConfig(organizationId, job);
    await trigger(job);
    await transaction(db, async (tx) => fanOutStep(tx, (await claimOne())!, 4));
    await trigger(job);
    await drain(4);
    expect(await marksOf(job)).toEqual([3, 3, 3, 3, 2, 2]);
  });

  test('gives all its configurations the same cause, and the next fan-out gives them a different one', async () => {
    const job = await createJob(organizationId);
    for (let index = 0; index < 5; index++) await createConfig(organizationId, job);
    const fanOut = async () => {
      await sql`UPDATE alert_configs SET opening_cause_until = pacekeeper_now() WHERE gather_job_id = ${job.jobId}`.execute(
        db,
      );
      await trigger(job);
      await drain(2);
      const { rows } = await sql<{ cause: string }>`
        SELECT DISTINCT opening_cause AS cause FROM alert_configs WHERE gather_job_id = ${job.jobId}`.execute(
        db,
      );
      return rows.map(({ cause }) => cause);
    };
    const first = await fanOut();
    expect(first).toHaveLength(1);
    const second = await fanOut();
    expect(second).toHaveLength(1);
    expect(second).not.toEqual(first);
  });

  type Move =
    /** A change to the releases. */
    | { move: 'change' }
    /** A server claims a due fan-out. */
    | { move: 'claim' }
    /** A server executes the next step of its claim: mark configurations, then finish and commit. */
    | { move: 'advance'; server: number }
    /** A server dies, and its lease expires. */
    | { move: 'die'; server: number };

  const moves = fc.array(
    fc.oneof(
      { weight: 2, arbitrary: fc.constant<Move>({ move: 'change' }) },
      { weight: 3, arbitrary: fc.constant<Move>({ move: 'claim' }) },
      { weight: 5, arbitrary: fc.record({ move: fc.constant('advance' as const), server: fc.nat(3) }) },
      { weight: 1, arbitrary: fc.record({ move: fc.constant('die' as const), server: fc.nat(3) }) },
    ),
    { minLength: 1, maxLength: 25 },
  );

  test('marks every configuration after the last change, regardless of concurrent claims and crashes', async () => {
    const job = await createJob(organizationId);
    for (let index = 0; index < 5; index++) await createConfig(organizationId, job);
    // All generated plans share one organization, because creating an organization for each plan would take
    // longer than executing the plan.
    const limit = 2;
    await fc.assert(
      fc.asyncProperty(moves, async (plan) => {
        let before = await marksOf(job);
        const changeNow = async () => {
          await trigger(job);
          before = await marksOf(job);
        };
        await changeNow();
        const servers: Server[] = [];
        for (const step of plan) {
          if (step.move === 'change') await changeNow();
          else if (step.move === 'claim') {
            const claim = await claimOne();
            if (claim) servers.push(createServer(claim, limit));
          } else if (servers.length > 0) {
            const index = step.server % servers.length;
            const server = servers[index]!;
            const isDone = step.move === 'die' ? await server.die() : await server.advance();
            if (isDone) servers.splice(index, 1);
          }
        }
        // The remaining servers finish in the order of their claims, however late they are.
        for (const server of servers) while (!(await server.advance()));
        await drain(limit);
        const after = await marksOf(job);
        expect(after.every((marks, index) => marks > before[index]!)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  interface Server {
    /**
     * Executes the next step of the claim.
     * @returns True if that was the last step.
     */
    advance(): Promise<boolean>;
    die(): Promise<boolean>;
  }

  /** Returns a server that executes one fan-out step and pauses between its statements. */
  function createServer(claim: Claim<DueFanOut>, limit: number): Server {
    let open: { end(how: 'finish' | 'die'): void; ended: Promise<void> } | null = null;
    return {
      async advance() {
        if (open) {
          open.end('finish');
          await open.ended;
          return true;
        }
        const marked = Promise.withResolvers<void>();
        const { promise, resolve } = Promise.withResolvers<'finish' | 'die'>();
        const ended = transaction(db, async (tx) => {
          const next = await markNextConfigs(tx, claim, limit);
          marked.resolve();
          if ((await promise) === 'die') throw new Error('the server died');
          await finishFanOutStep(tx, claim, next);
        });
        await Promise.race([marked.promise, ended]);
        open = { end: resolve, ended };
        return false;
      },
      async die() {
        open?.end('die');
        await open?.ended.catch(() => undefined);
        await sql`
          UPDATE release_fan_outs SET lease_until = pacekeeper_now() WHERE lease_token::text = ${claim.leaseToken}
        `.execute(secondServer);
        return true;
      },
    };
  }
});

describe('the fan-out loop', () => {
  test('evaluates every configuration soon after its releases change', async () => {
    const job = await createJob(organizationId);
    for (let index = 0; index < 3; index++) await createConfig(organizationId, job);
    const loop = startFanOutLoop({ db, log: createSilentLog() });
    await record(job, [item('1.0.0')]);
    loop.wake();
    await expect.poll(() => marksOf(job)).toEqual([2, 2, 2]);
    await loop.stop();
  });

  test('processes the other claimed jobs if one job fails', async () => {
    const jobs: Job[] = [];
    for (let index = 0; index < 3; index++) jobs.push(await createJob(organizationId));
    for (const job of jobs) await createConfig(organizationId, job);
    const [failing, ...others] = jobs as [Job, ...Job[]];
    await sql`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`.execute(
      db,
    );
    await sql`
      CREATE TRIGGER refuse BEFORE UPDATE ON alert_configs FOR EACH ROW
      WHEN (OLD.gather_job_id = ${sql.lit(failing.jobId)}) EXECUTE FUNCTION refuse()`.execute(db);
    for (const job of jobs) await trigger(job);
    const loop = startFanOutLoop({ db, log: createSilentLog() });
    await vi.waitFor(
      async () => {
        for (const job of others) expect(await marksOf(job)).toEqual([2]);
      },
      { timeout: 60_000 },
    );
    await loop.stop();
    const { rows } = await sql<{ gather_job_id: number }>`
      SELECT gather_job_id FROM release_fan_outs WHERE organization_id = ${organizationId} AND due_at < 'infinity'`.execute(
      db,
    );
    expect(rows).toEqual([{ gather_job_id: failing.jobId }]);
    await sql`DROP FUNCTION refuse CASCADE`.execute(db);
  });

  test('processes the other claimed jobs while configurations of one job are locked', async () => {
    const jobs: Job[] = [];
    for (let index = 0; index < 3; index++) jobs.push(await createJob(organizationId));
    for (const job of jobs) await createConfig(job.organizationId, job);
    const [locked, ...others] = jobs as [Job, ...Job[]];
    for (const job of jobs) await trigger(job);
    const third = await connectAgain({ poolSize: 1 });
    const loop = await transaction(third, async (tx) => {
      await sql`SELECT FROM alert_configs WHERE gather_job_id = ${locked.jobId} FOR UPDATE`.execute(tx);
      // The first claim of the loop has all jobs, and the locked one is first.
      const started = startFanOutLoop({ db, log: createSilentLog() });
      // This timeout is shorter than the timeout of the statement that waits for the lock.
      for (const job of others) await expect.poll(() => marksOf(job), { timeout: 25_000 }).toEqual([2]);
      expect(await marksOf(locked)).toEqual([1]);
      return started;
    });
    await expect.poll(() => marksOf(locked), { timeout: 60_000 }).toEqual([2]);
    await loop.stop();
  });

  test('finishes all jobs without configurations in two statements, regardless of their number', async () => {
    const jobs: Job[] = [];
    for (let index = 0; index < 12; index++) jobs.push(await createJob(organizationId));
    for (const job of jobs) await trigger(job);
    const readDue = async () => {
      const { rows } = await sql<{ due: number }>`
        SELECT count(*) AS due FROM release_fan_outs WHERE organization_id = ${organizationId} AND due_at < 'infinity'
      `.execute(secondServer);
      return rows[0]!.due;
    };
    expect(await readDue()).toBe(12);
    const statements = await statementsOf(async () => {
      const loop = startFanOutLoop({ db, log: createSilentLog() });
      await expect.poll(readDue).toBe(0);
      await loop.stop();
    });
    // All other statements query due fan-outs.
    const ours = statements.filter((text) => !/WITH due AS|due_in_ms|AS due FROM/.test(text));
    expect(ours.map((text) => /alert_configs|UPDATE/.exec(text)?.[0])).toEqual(['alert_configs', 'UPDATE']);
  });

  test('takes organizations in turn, so that one with many changed jobs does not delay another', async () => {
    const busy: Job[] = [];
    for (let index = 0; index < 60; index++) busy.push(await createJob(organizationId));
    for (const job of busy) await trigger(job);
    const other = await createJob(await createOrganization());
    await createConfig(other.organizationId, other);
    await trigger(other);
    let stopping: Promise<void> | undefined;
    const loop = startFanOutLoop({ db, log: createSilentLog() });
    onTestFinished(
      attachWakeUps(db, {
        // At this point, the configuration of the other organization is marked. The loop finishes the claimed
        // jobs and claims no more.
        wake: (topic) => void (topic.startsWith('alert_configs:') && (stopping ??= loop.stop())),
        on: () => () => undefined,
      }),
    );
    await expect.poll(() => stopping !== undefined).toBe(true);
    await stopping;
    const { rows } = await sql<{ due: number }>`
      SELECT count(*) AS due FROM release_fan_outs WHERE organization_id = ${organizationId} AND due_at < 'infinity'
    `.execute(secondServer);
    expect(rows[0]!.due).toBeGreaterThanOrEqual(40);
  });
});
