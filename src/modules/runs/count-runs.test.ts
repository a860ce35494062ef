import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { startTestServer } from '../../../tests/helpers/test-server.ts';
import type { Schemas } from '../../generated/client-api.ts';
import { transaction } from '../../platform/database/index.ts';
import { jobKinds } from '../agents/index.ts';
import {
  cancelRuns,
  deleteOldRunsAcrossOrganizations,
  failRun,
  type HeldRun,
  lostLeaseError,
  requestRuns,
  succeedRuns,
} from './index.ts';

const server = await startTestServer();
const { db } = server;
const kind = jobKinds.gather;

/** Sets the clock of the database. The time advances only when a test sets it. */
async function setTime(at: string): Promise<void> {
  await sql
    .raw(
      `CREATE OR REPLACE FUNCTION pacekeeper_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
       AS $$ SELECT timestamptz '${at}' $$`,
    )
    .execute(db);
}

beforeEach(() => setTime('2026-11-28 00:05Z'));

type Trigger = Schemas['RunTrigger'];

async function createJob() {
  const organization = await server.createOrganization();
  const { rows } = await sql<{ id: number }>`
    INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme)
    VALUES (${organization.id}, 'job', 'github_releases', 'github.com/acme/tool', 'auto') RETURNING id`.execute(
    db,
  );
  const jobId = rows[0]!.id;
  const job = { organizationId: organization.id, jobId, credentialName: null };

  /** Requests a run of the job and starts it. */
  async function start(trigger: Trigger, attempt: number): Promise<HeldRun> {
    await transaction(db, (tx) => requestRuns(tx, kind, [job], trigger));
    const { rows } = await sql<HeldRun>`
      UPDATE runs SET status = 'in_progress', attempt = ${attempt}, started_at = pacekeeper_now()
      WHERE organization_id = ${organization.id} AND status = 'queued'
      RETURNING organization_id, id, kind, job_id, attempt, is_full, pacekeeper_now() AS now`.execute(db);
    return rows[0]!;
  }

  return {
    organizationId: organization.id,
    async succeed(
      at: string,
      summary: Parameters<typeof succeedRuns>[2][number]['summary'] = { not_modified: true },
      {
        trigger = 'schedule',
        attempt = 1,
        isRequested = false,
      }: { trigger?: Trigger; attempt?: number; isRequested?: boolean } = {},
    ): Promise<number> {
      await setTime(at);
      const run = await start(trigger, attempt);
      if (isRequested) await transaction(db, (tx) => requestRuns(tx, kind, [job], 'manual'));
      await transaction(db, (tx) => succeedRuns(tx, kind, [{ run, summary }]));
      return run.id;
    },
    async fail(at: string): Promise<void> {
      await setTime(at);
      const run = await start('schedule', 1);
      const failure = { code: 'unreachable', message: 'x', isRetryable: false, retryAt: null } as const;
      await transaction(db, (tx) => failRun(tx, kind, run, failure, 1));
    },
    async cancel(at: string): Promise<void> {
      await setTime(at);
      await start('schedule', 1);
      await transaction(db, (tx) => cancelRuns(tx, kind, organization.id, jobId));
    },
    async list(query: { run_id?: number } = {}): Promise<Schemas['Run'][]> {
      return (await organization.api.call('listGatherJobRuns', { path: { id: jobId }, query })).items;
    },
    read: () => organization.api.call('getGatherJob', { path: { id: jobId } }),
  };
}

/** Returns the number of runs that each row counts, newest row first. */
const checksOf = (runs: readonly Schemas['Run'][]) => runs.map(({ checks }) => checks);

test('scheduled runs without changes are counted in the newest row of their job', async () => {
  const job = await createJob();
  const first = await job.succeed('2026-11-28 00:05Z');
  await job.succeed('2026-11-28 01:05Z', { found: 30, added: 0 });
  const last = await job.succeed('2026-11-28 02:05Z');
  const [run, ...others] = await job.list();
  expect(others).toEqual([]);
  expect(run).toMatchObject({
    id: first,
    last_run_id: last,
    checks: 3,
    status: 'succeeded',
    finished_at: '2026-11-28T00:05:00.000Z',
    last_finished_at: '2026-11-28T02:05:00.000Z',
    summary: { not_modified: true },
  });
  expect(await job.read()).toMatchObject({ status: 'completed', last_run: run });
});

test('runs without changes are counted in the row of the run before them, even if that run changed something', async () => {
  const job = await createJob();
  await job.succeed('2026-11-28 00:05Z', { added: 2 });
  await job.succeed('2026-11-28 01:05Z');
  await job.succeed('2026-11-28 02:05Z', { found: 30, added: 1 });
  await job.succeed('2026-11-28 03:05Z');
  await job.succeed('2026-11-28 04:05Z');
  const runs = await job.list();
  expect(runs.map(({ summary }) => summary!.added)).toEqual([1, 2]);
  expect(checksOf(runs)).toEqual([3, 2]);
});

test('the first success of a UTC day has its own row', async () => {
  const job = await createJob();
  await job.succeed('2026-11-28 23:05Z');
  await job.succeed('2026-11-28 23:59:59.999Z');
  await job.succeed('2026-11-29 00:00Z');
  await job.succeed('2026-11-29 23:30Z');
  expect(checksOf(await job.list())).toEqual([2, 2]);
});

test('the first success after a failure has its own row, and so does a run with a failed attempt', async () => {
  const job = await createJob();
  await job.succeed('2026-11-28 00:05Z');
  await job.fail('2026-11-28 01:05Z');
  await job.succeed('2026-11-28 02:05Z');
  await job.succeed('2026-11-28 03:05Z', undefined, { attempt: 2 });
  await job.succeed('2026-11-28 04:05Z');
  expect(checksOf(await job.list())).toEqual([2, 1, 1, 1]);
});

test.each<Trigger>(['manual', 'created', 'changed', 'hook'])(
  'a run with the trigger %s has its own row',
  async (trigger) => {
    const job = await createJob();
    await job.succeed('2026-11-28 00:05Z');
    const requested = await job.succeed('2026-11-28 01:05Z', undefined, { trigger });
    await job.succeed('2026-11-28 02:05Z');
    const runs = await job.list();
    expect(checksOf(runs)).toEqual([2, 1]);
    expect(runs[0]).toMatchObject({ id: requested, trigger });
  },
);

test('a scheduled run that was requested while it was in progress has its own row', async () => {
  const job = await createJob();
  await job.succeed('2026-11-28 00:05Z');
  await job.succeed('2026-11-28 01:05Z', undefined, { isRequested: true });
  const runs = await job.list();
  expect(checksOf(runs)).toEqual([1, 1]);
  expect(runs[0]).toMatchObject({ trigger: 'manual' });
});

test('the first success after a canceled run has its own row', async () => {
  const job = await createJob();
  await job.succeed('2026-11-28 00:05Z');
  await job.cancel('2026-11-28 01:05Z');
  await job.succeed('2026-11-28 02:05Z');
  expect(checksOf(await job.list())).toEqual([1, 1, 1]);
});

test('a run with a different problem than the previous row has its own row', async () => {
  const job = await createJob();
  const warned = (...warnings: string[]) => ({ found: 30, warnings });
  await job.succeed('2026-11-28 00:05Z', warned());
  await job.succeed('2026-11-28 01:05Z', warned('Slow.'));
  await job.succeed('2026-11-28 02:05Z', warned('Slow.'));
  await job.succeed('2026-11-28 03:05Z', warned('Old.'));
  await job.succeed('2026-11-28 04:05Z');
  const runs = await job.list();
  expect(checksOf(runs)).toEqual([1, 1, 2, 1]);
  expect(runs.map(({ summary }) => summary!.warnings ?? [])).toEqual([[], ['Old.'], ['Slow.'], []]);
});

test('after the clock was set back, runs get a row with the new time', async () => {
  const job = await createJob();
  await job.succeed('2026-11-28 06:05Z');
  await job.succeed('2026-11-28 05:05Z');
  await job.succeed('2026-11-28 05:35Z');
  expect(checksOf(await job.list())).toEqual([2, 1]);
});

test('the ID of a counted run finds the row that counts it', async () => {
  const job = await createJob();
  const other = await createJob();
  const first = await job.succeed('2026-11-28 00:05Z');
  const counted = await job.succeed('2026-11-28 01:05Z');
  const foreign = await other.succeed('2026-11-28 01:05Z');
  const last = await job.succeed('2026-11-28 02:05Z');
  const changed = await job.succeed('2026-11-28 03:05Z', { added: 1 });
  const ids = [first, counted, last, changed, changed + 1_000];
  const found = await Promise.all(
    ids.map(async (run_id) => (await job.list({ run_id })).map(({ id }) => id)),
  );
  expect(found).toEqual([[first], [first], [first], [changed], []]);
  expect((await other.list({ run_id: foreign })).map(({ id }) => id)).toEqual([foreign]);
  expect(await other.list({ run_id: foreign - 1 })).toEqual([]);
});

test('a late agent loses its lease of a run with a row, and gets 404 for a counted run, which has none', async () => {
  const job = await createJob();
  const other = await createJob();
  const ids = [
    await job.succeed('2026-11-28 00:05Z'),
    await job.succeed('2026-11-28 01:05Z'),
    await job.succeed('2026-11-28 02:05Z'),
  ];
  const codeFor = async (organizationId: number, id: number) =>
    (await lostLeaseError(db, { organizationId }, id)).code;
  const codes = (organizationId: number) => Promise.all(ids.map((id) => codeFor(organizationId, id)));
  expect(await codes(job.organizationId)).toEqual(['lease_lost', 'not_found', 'not_found']);
  expect(await codes(other.organizationId)).toEqual(['not_found', 'not_found', 'not_found']);
});

test('a row is kept until the last run that it counts has expired', async () => {
  const job = await createJob();
  await job.succeed('2026-11-28 00:05Z');
  await job.succeed('2026-11-28 20:05Z');
  await job.succeed('2026-12-29 00:05Z');
  const deleteOld = () =>
    transaction(db, (tx) => deleteOldRunsAcrossOrganizations(tx, Object.values(jobKinds), null, 1_000));
  await setTime('2026-12-28 20:04Z');
  await deleteOld();
  expect(checksOf(await job.list())).toEqual([1, 2]);
  await setTime('2026-12-28 20:06Z');
  await deleteOld();
  expect(checksOf(await job.list())).toEqual([1]);
});
