import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startTestServer } from '../../../tests/helpers/test-server.ts';
import { item } from '../../../tests/helpers/upstream-fixture.ts';
import type { Schemas as AgentSchemas } from '../../generated/agent-api.ts';
import type { Schemas } from '../../generated/client-api.ts';
import { type Tx, transaction } from '../../platform/database/index.ts';
import { completeTasks } from '../agents/complete-tasks.ts';
import { checkedJobKinds, jobKinds } from '../agents/index.ts';
import { findVersions } from '../upstream/releases/find-versions-job.ts';
import {
  type ClaimedRun,
  cancelRuns,
  claimChecksAcrossOrganizations,
  deleteOldRunsAcrossOrganizations,
  endExpiredClaimsAcrossOrganizations,
  failRun,
  findHeldChecksAcrossOrganizations,
  giveRowsToChecks,
  lockHeldChecksAcrossOrganizations,
  lostLeaseError,
  requestRuns,
  requeueExpiredRunsAcrossOrganizations,
  scheduleJobs,
  succeedChecks,
  succeedUnchangedChecks,
  toJobToRun,
} from './index.ts';
import { recoverRunsAcrossOrganizations } from './recover-runs.ts';

const server = await startTestServer();
const { db } = server;
const kind = jobKinds.gather;
const deps = {
  db,
  onRun: () => {},
  findVersions: async (_: number, tags: Parameters<typeof findVersions>[0]) => findVersions(tags),
};

async function createAgent(organizationId: number) {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO agents (organization_id, name, kind, hostname, version, capabilities, credential_names, last_heartbeat_at)
    VALUES (${organizationId}, 'agent', 'remote', 'x', '1', '{gather:github_releases}', '{}', pacekeeper_now())
    RETURNING id`.execute(db);
  return { organizationId, id: rows[0]!.id, kind: 'remote' } as const;
}

const claimAll = (agent: Awaited<ReturnType<typeof createAgent>>) =>
  claimChecksAcrossOrganizations(db, checkedJobKinds, agent, {
    capabilities: ['gather:github_releases'],
    max: 10,
  });

async function start() {
  const { id: organizationId, api } = await server.createOrganization();
  const agent = await createAgent(organizationId);
  const { rows: jobs } = await sql<{ id: number }>`
    INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme, cron_expression)
    VALUES (${organizationId}, 'job', 'github_releases', 'github.com/acme/tool', 'auto', '@hourly') RETURNING id`.execute(
    db,
  );
  const jobId = jobs[0]!.id;
  const job = toJobToRun(organizationId, { id: jobId, credential_name: null });
  const hold = (run: ClaimedRun) => [{ runId: run.id, leaseToken: run.lease_token }];
  const holder = { organizationId };

  return {
    agent,
    job,
    organizationId,
    jobId,
    api,
    async makeDue(): Promise<void> {
      await sql`UPDATE gather_jobs SET due_at = pacekeeper_now() WHERE id = ${jobId}`.execute(db);
    },
    /** Makes the job due, and claims it. */
    async claim(): Promise<ClaimedRun> {
      await sql`UPDATE gather_jobs SET due_at = pacekeeper_now() WHERE id = ${jobId}`.execute(db);
      const [run] = await claimAll(agent);
      return run!;
    },
    async complete(
      run: ClaimedRun,
      releases?: AgentSchemas['GatherResultItem'][],
    ): Promise<'completed' | 'lost' | undefined> {
      const { lost, refused } = await completeTasks(deps, holder, [
        {
          task_id: run.id,
          lease_token: run.lease_token,
          summary: { ...summary, not_modified: !releases },
          releases,
        },
      ]);
      expect(refused).toEqual([]);
      return lost.length === 0 ? 'completed' : 'lost';
    },
    list: async (query: { run_id?: number; status?: Schemas['RunStatus'] } = {}) =>
      (await api.call('listGatherJobRuns', { path: { id: jobId }, query })).items,
    read: () => api.call('getGatherJob', { path: { id: jobId } }),
    held: (tx: Tx, run: ClaimedRun) => lockHeldChecksAcrossOrganizations(tx, kind, holder, hold(run)),
    giveRow: (run: ClaimedRun) =>
      transaction(db, async (tx) =>
        giveRowsToChecks(tx, kind, await lockHeldChecksAcrossOrganizations(tx, kind, holder, hold(run))),
      ),
    async request(trigger: Schemas['RunTrigger']): Promise<void> {
      await transaction(db, (tx) => requestRuns(tx, kind, [job], trigger));
    },
    async rowsOfRuns() {
      const { rows } = await sql<{ id: number; checks: number }>`
        SELECT id, checks FROM runs WHERE gather_job_id = ${jobId} ORDER BY id`.execute(db);
      return rows;
    },
  };
}

const summary = {
  is_complete_list: false,
  validators: null,
  found: 0,
  skipped: 0,
  skipped_examples: [],
  requests: 1,
  waited_ms: 0,
};

async function expireLease(run: ClaimedRun): Promise<void> {
  await sql`
    UPDATE check_claims SET lease_until = pacekeeper_now() - interval '1 second' WHERE lease_token = ${run.lease_token}`.execute(
    db,
  );
}

const requeue = () =>
  transaction(db, async (tx) => {
    await endExpiredClaimsAcrossOrganizations(tx, checkedJobKinds, 10);
    await requeueExpiredRunsAcrossOrganizations(tx, jobKinds, 10);
  });

test('a scheduled check without changes writes no row until it ends, and then only the first of the day', async () => {
  const world = await start();
  const first = await world.claim();
  expect(await world.rowsOfRuns()).toEqual([]);
  expect(await world.complete(first)).toBe('completed');
  const second = await world.claim();
  expect(await world.complete(second)).toBe('completed');
  const third = await world.claim();
  expect(await world.complete(third)).toBe('completed');
  expect(await world.rowsOfRuns()).toEqual([{ id: first.id, checks: 1 }]);
  const [run, ...others] = await world.list();
  expect(others).toEqual([]);
  expect(run).toMatchObject({
    id: first.id,
    last_run_id: third.id,
    checks: 3,
    status: 'succeeded',
    trigger: 'schedule',
    attempt: 1,
  });
  expect(Date.parse(run!.last_finished_at!)).toBeGreaterThan(Date.parse(run!.finished_at!));
  const job = await world.read();
  expect(job).toMatchObject({ status: 'completed', last_run: run });
  expect(Date.parse(job.next_run_at!)).toBeGreaterThan(Date.now());
  const { rows } =
    await sql`SELECT FROM check_claims WHERE organization_id = ${world.organizationId}`.execute(db);
  expect(rows).toEqual([]);
});

test('the ID of each check finds the row that counts it, also after a later check has its own row', async () => {
  const world = await start();
  const ids: number[] = [];
  for (const releases of [undefined, undefined, undefined, [item('1.0.0')], undefined, undefined]) {
    const run = await world.claim();
    expect(await world.complete(run, releases)).toBe('completed');
    ids.push(run.id);
  }
  const runs = await world.list();
  expect(runs.map(({ id, last_run_id, checks }) => [id, last_run_id, checks])).toEqual([
    [ids[3], ids[5], 3],
    [ids[0], ids[2], 3],
  ]);
  expect(await world.rowsOfRuns()).toEqual([
    { id: ids[0], checks: 3 },
    { id: ids[3], checks: 1 },
  ]);
  const found = await Promise.all(
    ids.map(async (run_id) => (await world.list({ run_id })).map(({ id }) => id)),
  );
  expect(found).toEqual([[ids[0]], [ids[0]], [ids[0]], [ids[3]], [ids[3]], [ids[3]]]);
  expect(await world.list({ run_id: ids[5]! + 1_000 })).toEqual([]);
});

test('a row is kept until the last check that its job counts has expired', async () => {
  const world = await start();
  const first = await world.claim();
  await world.complete(first);
  await world.complete(await world.claim());
  await world.request('manual');
  await sql`
    UPDATE runs SET created_at = created_at - interval '31 days', finished_at = finished_at - interval '31 days'
    WHERE id = ${first.id}`.execute(db);
  const deleteOld = () =>
    transaction(db, (tx) => deleteOldRunsAcrossOrganizations(tx, Object.values(jobKinds), null, 1_000));
  await sql`UPDATE runs SET status = 'succeeded' WHERE gather_job_id = ${world.jobId}`.execute(db);
  await deleteOld();
  expect(await world.rowsOfRuns()).toHaveLength(2);
  await sql`
    UPDATE gather_jobs SET last_counted_at = last_counted_at - interval '31 days' WHERE id = ${world.jobId}`.execute(
    db,
  );
  await deleteOld();
  expect(await world.rowsOfRuns()).toHaveLength(1);
});

test('a check in progress is shown like a run', async () => {
  const world = await start();
  await world.complete(await world.claim());
  const run = await world.claim();
  const shown = {
    id: run.id,
    last_run_id: run.id,
    checks: 1,
    status: 'in_progress',
    agent_id: world.agent.id,
  };
  const job = await world.read();
  expect(job).toMatchObject({ status: 'in_progress', last_run: shown });
  expect(await world.list()).toMatchObject([shown, { status: 'succeeded' }]);
  expect(await world.list({ run_id: run.id })).toMatchObject([shown]);
  expect(await world.list({ status: 'in_progress' })).toEqual([job.last_run]);
  expect(await world.list({ status: 'succeeded' })).toHaveLength(1);
  const listed = async (status: Schemas['JobStatus']) =>
    (await world.api.call('listGatherJobs', { query: { status } })).items.map(({ id }) => id);
  expect([await listed('in_progress'), await listed('completed')]).toEqual([[world.jobId], []]);
  expect((await world.api.call('getOverview')).jobs.gather.in_progress).toBe(1);
  const agents = await world.api.call('listAgents', { query: {} });
  expect(agents.items.find(({ id }) => id === world.agent.id)!.running).toMatchObject([
    { task_id: run.id, kind: 'gather', job_id: world.jobId, job_name: 'job' },
  ]);
});

test('a claimed check is claimed by no other agent, and completed only once', async () => {
  const world = await start();
  const run = await world.claim();
  expect(await claimAll(world.agent)).toEqual([]);
  expect(await world.complete(run)).toBe('completed');
  expect(await world.complete(run)).toBe('lost');
  expect(await world.list()).toMatchObject([{ checks: 1 }]);
});

/** Copies a claim under another token and ID, as a concurrent claim would. */
async function claimAgain(run: ClaimedRun): Promise<ClaimedRun> {
  const { rows } = await sql<{ id: number; lease_token: string }>`
    INSERT INTO check_claims (organization_id, lease_token, kind, agent_id, lease_until, organization_ids, job_ids, run_ids,
      due_ats, requested_seqs)
    SELECT organization_id, gen_random_uuid(), kind, agent_id, lease_until, organization_ids, job_ids,
      ARRAY[nextval(pg_get_serial_sequence('runs', 'id'))], due_ats, requested_seqs
    FROM check_claims WHERE lease_token = ${run.lease_token} RETURNING run_ids[1] AS id, lease_token`.execute(
    db,
  );
  return { ...run, ...rows[0]! };
}

test('of two claims of a job at the same moment, only one is completed', async () => {
  const world = await start();
  const one = await world.claim();
  const other = await claimAgain(one);
  const outcomes = await Promise.all([world.complete(one), world.complete(other)]);
  expect(outcomes.toSorted()).toEqual(['completed', 'lost']);
  expect(await world.list()).toMatchObject([{ checks: 1 }]);
});

test('of two claims of a job whose agents are both lost, only one is queued again', async () => {
  const world = await start();
  const one = await world.claim();
  const other = await claimAgain(one);
  await expireLease(one);
  await expireLease(other);
  await requeue();
  expect(await world.list()).toMatchObject([{ status: 'queued', attempt: 1 }]);
});

test('each of many jobs that agents claim at the same time is completed once', async () => {
  const world = await start();
  await sql`
    INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme, cron_expression, due_at)
    SELECT ${world.organizationId}, 'job ' || n, 'github_releases', 'github.com/acme/tool', 'auto', '@hourly', pacekeeper_now()
    FROM generate_series(1, 20) AS n`.execute(db);
  const claims: ClaimedRun[] = [];
  for (let round = 0; round < 5; round++) {
    for (const claimed of await Promise.all([claimAll(world.agent), claimAll(world.agent)]))
      claims.push(...claimed);
  }
  const completed = await completeTasks(
    deps,
    { organizationId: world.organizationId },
    claims.map((run) => ({
      task_id: run.id,
      lease_token: run.lease_token,
      summary: { ...summary, not_modified: true },
    })),
  );
  // Two claims of a job at the same moment are possible. Then, only the first completion is valid.
  expect(claims.length - completed.lost.length).toBe(20);
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM runs WHERE organization_id = ${world.organizationId}`.execute(db);
  expect(rows[0]!.count).toBe(20);
});

test('a check that is requested while it is in progress has its own row, even without changes', async () => {
  const world = await start();
  await world.complete(await world.claim());
  const run = await world.claim();
  await world.request('manual');
  expect(await world.list()).toMatchObject([{ id: run.id, status: 'in_progress', trigger: 'manual' }, {}]);
  expect(await world.complete(run)).toBe('completed');
  expect(await world.list()).toMatchObject([
    { id: run.id, checks: 1, status: 'succeeded', trigger: 'manual' },
    { checks: 1 },
  ]);
});

test('a canceled check keeps its ID, and its completion is lost', async () => {
  const world = await start();
  const run = await world.claim();
  await transaction(db, (tx) => cancelRuns(tx, kind, world.organizationId, world.jobId));
  expect(await world.complete(run)).toBe('lost');
  expect(await world.list()).toMatchObject([{ id: run.id, status: 'canceled' }]);
});

test('a check of a job whose schedule changes is completed', async () => {
  const world = await start();
  const run = await world.claim();
  const job = { id: world.jobId, cron_expression: null, cron_timezone: 'UTC', is_active: false };
  await transaction(db, (tx) => scheduleJobs(tx, kind, world.organizationId, [job], new Date()));
  expect(await world.complete(run)).toBe('completed');
  expect(await world.list()).toMatchObject([{ id: run.id, status: 'succeeded' }]);
  expect((await world.read()).next_run_at).toBe(null);
});

test('a check without changes is not ended with an outdated schedule', async () => {
  const world = await start();
  const run = await world.claim();
  const leases = [{ runId: run.id, leaseToken: run.lease_token }];
  const [check] = await findHeldChecksAcrossOrganizations(db, checkedJobKinds, world, leases);
  await sql`UPDATE gather_jobs SET is_active = false WHERE id = ${world.jobId}`.execute(db);
  const ended = [{ check: check!, summary: {} }];
  expect(await succeedUnchangedChecks(db, kind, world, ended)).toEqual(new Set());
  expect(await world.complete(run)).toBe('completed');
  const { rows } = await sql`
    SELECT FROM gather_jobs WHERE id = ${world.jobId} AND due_at = 'infinity'`.execute(db);
  expect(rows).toHaveLength(1);
});

test('a check without changes of a failing job clears the failure and triggers evaluations', async () => {
  const world = await start();
  const run = await world.claim();
  const read = async () => {
    const { rows } = await sql<{ isFailing: boolean; triggers: number }>`
      SELECT failing_since IS NOT NULL AS "isFailing", coalesce((SELECT requested_seq FROM release_fan_outs
        WHERE organization_id = gather_jobs.organization_id AND gather_job_id = gather_jobs.id), 0) AS triggers
      FROM gather_jobs WHERE id = ${world.jobId}`.execute(db);
    return rows[0]!;
  };
  await sql`UPDATE gather_jobs SET failing_since = pacekeeper_now() WHERE id = ${world.jobId}`.execute(db);
  const { triggers } = await read();
  expect(await world.complete(run)).toBe('completed');
  expect(await read()).toEqual({ isFailing: false, triggers: triggers + 1 });
});

test('a check of a job that was deleted is lost', async () => {
  const world = await start();
  const run = await world.claim();
  await sql`DELETE FROM gather_jobs WHERE id = ${world.jobId}`.execute(db);
  expect(await world.complete(run)).toBe('lost');
  await expireLease(run);
  await requeue();
});

test('a check whose agent needs longer or sends parts continues with its ID and its lease', async () => {
  const world = await start();
  await world.complete(await world.claim());
  const run = await world.claim();
  expect(await world.giveRow(run)).toMatchObject([{ id: run.id, attempt: 1 }]);
  expect(await world.giveRow(run)).toEqual([]);
  expect(await world.list()).toMatchObject([
    { id: run.id, status: 'in_progress', agent_id: world.agent.id },
    {},
  ]);
  await expireLease(run);
  await requeue();
  expect(await world.complete(run)).toBe('completed');
  expect(await world.list()).toMatchObject([{ checks: 2, last_run_id: run.id }]);
});

test('a check that fails gets a row with its ID, which is retried and is not checked in the meantime', async () => {
  const world = await start();
  const run = await world.claim();
  await transaction(db, async (tx) => {
    const [row] = await giveRowsToChecks(tx, kind, await world.held(tx, run));
    const failure = { code: 'unreachable', message: 'No answer.', isRetryable: true, retryAt: null } as const;
    await failRun(tx, kind, row!, failure, 3);
  });
  expect(await world.list()).toMatchObject([
    { id: run.id, status: 'queued', attempt: 1, error: { code: 'unreachable' }, agent_id: world.agent.id },
  ]);
  expect(await world.read()).toMatchObject({ status: 'pending', waiting_for: 'time' });
  expect(await world.claim()).toBe(undefined);
});

test('a job that failed is not claimed from its due row, because the next run clears its failure', async () => {
  const world = await start();
  const run = await world.claim();
  await transaction(db, async (tx) => {
    const [row] = await giveRowsToChecks(tx, kind, await world.held(tx, run));
    const failure = { code: 'unreachable', message: 'x', isRetryable: false, retryAt: null } as const;
    await failRun(tx, kind, row!, failure, 1);
  });
  expect(await world.read()).toMatchObject({ status: 'failed' });
  expect(await world.claim()).toBe(undefined);
});

test('a check of an agent that is lost is queued again with its ID', async () => {
  const world = await start();
  const run = await world.claim();
  await expireLease(run);
  expect(await world.complete(run)).toBe('lost');
  await requeue();
  expect(await world.list()).toMatchObject([
    { id: run.id, status: 'queued', attempt: 1, error: { code: 'agent_lost' } },
  ]);
  const { rows } = await sql`SELECT FROM check_claims WHERE lease_token = ${run.lease_token}`.execute(db);
  expect(rows).toEqual([]);
});

test('a check whose completion is interrupted stays in progress and can be completed', async () => {
  const world = await start();
  const run = await world.claim();
  const interrupted = transaction(db, async (tx) => {
    const [check] = await world.held(tx, run);
    await succeedChecks(tx, kind, [{ check: check!, summary: {} }]);
    throw new Error('The server was killed.');
  });
  await expect(interrupted).rejects.toThrow('The server was killed.');
  expect(await world.list()).toMatchObject([{ id: run.id, status: 'in_progress' }]);
  expect(await world.complete(run)).toBe('completed');
});

test('after the clock was set back, a check keeps its lease and is completed only once', async () => {
  const world = await start();
  const run = await world.claim();
  await sql`
    UPDATE gather_jobs SET due_at = (SELECT due_ats[1] + interval '1 hour' FROM check_claims WHERE lease_token = ${run.lease_token})
    WHERE id = ${world.jobId}`.execute(db);
  const { rows } = await sql<{ until: Date }>`
    UPDATE check_claims SET due_ats[1] = due_ats[1] + interval '1 hour', lease_until = lease_until + interval '1 hour'
    WHERE lease_token = ${run.lease_token} RETURNING lease_until - interval '1 hour' AS until`.execute(db);
  await transaction(db, (tx) => recoverRunsAcrossOrganizations(tx, 3_600_000));
  const { rows: after } = await sql<{ until: Date }>`
    SELECT lease_until AS until FROM check_claims WHERE lease_token = ${run.lease_token}`.execute(db);
  expect(after).toEqual(rows);
  const again = await claimAgain(run);
  expect(await world.complete(run)).toBe('completed');
  expect(await world.complete(again)).toBe('lost');
});

test('an agent of another organization can neither claim a check nor complete it', async () => {
  const world = await start();
  const { id: otherId } = await server.createOrganization();
  const foreign = await createAgent(otherId);
  await sql`UPDATE gather_jobs SET due_at = pacekeeper_now() WHERE id = ${world.jobId}`.execute(db);
  expect(await claimAll(foreign)).toEqual([]);
  const run = await world.claim();
  const tasks = [
    { task_id: run.id, lease_token: run.lease_token, summary: { ...summary, not_modified: true } },
  ];
  expect((await completeTasks(deps, { organizationId: otherId }, tasks)).lost).toEqual([run.id]);
  expect((await lostLeaseError(db, { organizationId: otherId }, run.id)).code).toBe('not_found');
  expect((await lostLeaseError(db, world, run.id)).code).toBe('lease_lost');
  expect(await world.complete(run)).toBe('completed');
});

test('a key without the capability of a check cannot complete it', async () => {
  const world = await start();
  const run = await world.claim();
  const holder = {
    organizationId: world.organizationId,
    agentLimits: { capabilities: ['scrape'], credentialNames: null },
  };
  const tasks = [
    { task_id: run.id, lease_token: run.lease_token, summary: { ...summary, not_modified: true } },
  ];
  expect((await completeTasks(deps, holder, tasks)).lost).toEqual([run.id]);
});

test('agents that claim at the same moment never get the same check', async () => {
  for (let round = 0; round < 15; round++) {
    const world = await start();
    await world.makeDue();
    const claims = await Promise.all(Array.from({ length: 4 }, () => claimAll(world.agent)));
    expect(claims.flat()).toHaveLength(1);
  }
});

test('an agent claims its share although other organizations have only checks in progress', async () => {
  const others = await Promise.all(Array.from({ length: 12 }, start));
  for (const other of others) await other.claim();
  const world = await start();
  await world.makeDue();
  const { rows } = await sql<{ id: number }>`
    INSERT INTO agents (organization_id, name, kind, hostname, version, capabilities, credential_names, last_heartbeat_at)
    VALUES (1, 'embedded', 'embedded', 'x', '1', '{gather:github_releases}', '{}', pacekeeper_now())
    ON CONFLICT DO NOTHING RETURNING id`.execute(db);
  const embedded = { organizationId: 1, id: rows[0]!.id, kind: 'embedded' } as const;
  const claimed = await claimChecksAcrossOrganizations(db, checkedJobKinds, embedded, {
    capabilities: ['gather:github_releases'],
    max: 5,
  });
  expect(claimed.map((run) => run.organization_id)).toContain(world.organizationId);
});
