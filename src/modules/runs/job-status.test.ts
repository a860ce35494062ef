import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { countRowsRead } from '../../../tests/helpers/rows-read.ts';
import { insertRuns, type RunStatus } from '../../../tests/helpers/runs-fixture.ts';
import { startTestServer } from '../../../tests/helpers/test-server.ts';
import { type Tx, transaction } from '../../platform/database/index.ts';
import { jobKinds } from '../agents/index.ts';
import {
  failRun,
  type HeldRun,
  lockJob,
  requestRunAfterChange,
  requestRuns,
  requeueExpiredRunsAcrossOrganizations,
  succeedRuns,
  toJobToRun,
  waitingForSql,
} from './index.ts';

const server = await startTestServer();

/** Runs of a job, oldest first, and the resulting status of the job. */
const histories: [runs: RunStatus[], status: string][] = [
  [[], 'pending'],
  [['queued'], 'pending'],
  [['failed', 'queued'], 'pending'],
  [['succeeded', 'canceled'], 'pending'],
  [['succeeded', 'queued'], 'pending'],
  [['failed', 'in_progress'], 'in_progress'],
  [['succeeded', 'in_progress'], 'in_progress'],
  [['failed', 'succeeded'], 'completed'],
  [['succeeded', 'failed'], 'failed'],
  [['canceled', 'failed'], 'failed'],
  [['succeeded', 'succeeded', 'failed'], 'failed'],
];

test.each(['in separate transactions', 'in one transaction'])(
  'a status filter finds jobs by their latest run when the runs are written %s',
  async (how) => {
    const { id: organizationId, api } = await server.createOrganization();
    const expected = new Map<string, number[]>();
    for (const [runs, status] of histories) {
      const { rows } = await sql<{ id: number }>`
        INSERT INTO scrape_jobs (organization_id, name, parser_type, repository_url)
        VALUES (${organizationId}, 'job', 'regex', 'https://git.example.org/x') RETURNING id`.execute(
        server.db,
      );
      const { id } = rows[0]!;
      for (const part of how === 'in one transaction' ? [runs] : runs.map((run) => [run]))
        await transaction(server.db, (tx) => insertRuns(tx, 'scrape', { organizationId, jobId: id }, part));
      expected.set(status, [...(expected.get(status) ?? []), id]);
    }
    for (const status of ['pending', 'in_progress', 'completed', 'failed'] as const) {
      const page = await api.call('listScrapeJobs', { query: { status, sort: 'created_at' } });
      expect(page.items.map((job) => [job.id, job.status])).toEqual(
        expected.get(status)!.map((id) => [id, status]),
      );
      expect(page.total).toBe(expected.get(status)!.length);
    }
    const { jobs } = await api.call('getOverview');
    expect(jobs.scrape).toEqual({ total: 11, active: 11, in_progress: 2, failed: 3 });
  },
);

test.each(['without a deadlock', 'even while it is updated'])(
  'a job keeps the outcome of its latest run under concurrent changes, %s',
  async (how) => {
    const { id: organizationId, api } = await server.createOrganization();
    const { rows: jobs } = await sql<{ id: number }>`
    INSERT INTO scrape_jobs (organization_id, name, parser_type, repository_url)
    SELECT ${organizationId}, 'job', 'regex', 'https://git.example.org/x' FROM generate_series(1, 4) RETURNING id`.execute(
      server.db,
    );
    const ids = jobs.map(({ id }) => id);
    const failure = { code: 'timeout', message: 'Too slow.', isRetryable: false, retryAt: null } as const;
    const toRun = (id: number) => toJobToRun(organizationId, { id, credential_name: null });
    const open = (tx: Tx, status: 'queued' | 'in_progress', limit: number) =>
      sql<HeldRun>`
    SELECT organization_id, id, kind, job_id, attempt, is_full, pacekeeper_now() AS now FROM runs
    WHERE organization_id = ${organizationId} AND status = ${status} ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED`.execute(
        tx,
      );
    const changes: ((tx: Tx, id: number) => Promise<unknown>)[] = [
      (tx, id) => requestRuns(tx, jobKinds.scrape, [toRun(id)], 'manual'),
      async (tx) => {
        const due = await sql<{ id: number }>`
        UPDATE scrape_jobs SET due_at = pacekeeper_now() WHERE (organization_id, id) IN (
          SELECT organization_id, id FROM scrape_jobs WHERE organization_id = ${organizationId}
          ORDER BY id FOR NO KEY UPDATE SKIP LOCKED) RETURNING id`.execute(tx);
        await requestRuns(
          tx,
          jobKinds.scrape,
          due.rows.map((row) => toRun(row.id)),
          'schedule',
        );
      },
      async (tx) => {
        const { rows } = await open(tx, 'queued', 2);
        await sql`
        UPDATE runs SET status = 'in_progress', lease_until = pacekeeper_now() + random() * interval '1 second'
        WHERE id = ANY(${rows.map((run) => run.id)}::bigint[])`.execute(tx);
      },
      async (tx) => {
        const { rows } = await open(tx, 'in_progress', 2);
        await succeedRuns(
          tx,
          jobKinds.scrape,
          rows.map((run) => ({ run, summary: {} })),
        );
      },
      async (tx) => {
        const { rows } = await open(tx, 'in_progress', 1);
        if (rows[0]) await failRun(tx, jobKinds.scrape, rows[0], failure, 1);
      },
      (tx) => requeueExpiredRunsAcrossOrganizations(tx, jobKinds, 2),
    ];
    // A transaction that changes a job locks the job's open run first. If another run is added before the job
    // is locked, the transaction is retried.
    if (how === 'even while it is updated')
      changes.push(async (tx, id) => {
        await lockJob(tx, jobKinds.scrape, organizationId, id, { holdsReferences: false });
        await requestRunAfterChange(tx, jobKinds.scrape, toRun(id));
      });
    const readDeadlocks = async () => {
      const { rows } = await sql<{ deadlocks: number }>`
      SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`.execute(server.db);
      return rows[0]!.deadlocks;
    };
    const before = await readDeadlocks();
    await Promise.all(
      [1, 2, 3].map(async () => {
        for (let count = 0; count < 150; count++) {
          const change = changes[Math.floor(Math.random() * changes.length)]!;
          const id = ids[Math.floor(Math.random() * ids.length)]!;
          await transaction(server.db, async (tx) => void (await change(tx, id)));
        }
      }),
    );
    const { rows } = await sql<{ last_outcome: string; statuses: string[] }>`
    SELECT last_outcome, (
      SELECT array_agg(status ORDER BY id DESC) FROM runs WHERE organization_id = jobs.organization_id AND scrape_job_id = jobs.id
    ) AS statuses FROM scrape_jobs AS jobs WHERE organization_id = ${organizationId}`.execute(server.db);
    for (const { last_outcome: kept, statuses } of rows) {
      const isOpen = ['queued', 'in_progress'].includes(statuses[0]!);
      const ended = statuses[isOpen ? 1 : 0];
      const expected = ended === 'succeeded' || (ended === 'failed' && !isOpen) ? ended : 'none';
      expect(kept, statuses.slice(0, 3).join(' after ')).toBe(expected);
    }
    const { jobs: counted } = await api.call('getOverview');
    expect(counted.scrape.failed).toBe(rows.filter((row) => row.last_outcome === 'failed').length);
    expect(rows.flatMap((row) => row.statuses)).toEqual(expect.arrayContaining(['succeeded', 'failed']));
    if (how === 'without a deadlock') expect(await readDeadlocks()).toBe(before);
  },
);

test('the open run of a job is found without reading its ended runs or those of other jobs', async () => {
  const { id: organizationId } = await server.createOrganization();
  const { rows: jobs } = await sql<{ id: number }>`
    INSERT INTO scrape_jobs (organization_id, name, parser_type, repository_url)
    VALUES (${organizationId}, 'job', 'regex', 'https://git.example.org/x') RETURNING id`.execute(server.db);
  const job = { id: jobs[0]!.id, credential_name: null };
  await sql`
    INSERT INTO runs (organization_id, kind, scrape_job_id, status, trigger, capability, finished_at)
    SELECT ${organizationId}, 'scrape', ${job.id}, 'succeeded', 'schedule', 'scrape', pacekeeper_now()
    FROM generate_series(1, 500)`.execute(server.db);
  // PostgreSQL's planner assumes that a list of unknown length has ten elements. With only a few hundred open
  // runs, reading all of them would cost about as much as ten lookups, and the plan would depend on the runs
  // of earlier tests. Add enough runs to prevent this.
  await sql`
    WITH others AS (
      INSERT INTO scrape_jobs (organization_id, name, parser_type, repository_url)
      SELECT ${organizationId}, 'other', 'regex', 'https://git.example.org/x' FROM generate_series(1, 5000) RETURNING id
    )
    INSERT INTO runs (organization_id, kind, scrape_job_id, trigger, capability)
    SELECT ${organizationId}, 'scrape', id, 'schedule', 'nobody' FROM others`.execute(server.db);
  await sql`ANALYZE runs`.execute(server.db);
  await transaction(server.db, async (tx) => {
    const toRun = [toJobToRun(organizationId, job)];
    await requestRuns(tx, jobKinds.scrape, toRun, 'schedule');
    const before = await countRowsRead(tx, 'runs');
    await sql`SELECT ${waitingForSql(jobKinds.scrape)} FROM scrape_jobs AS jobs WHERE id = ${job.id}`.execute(
      tx,
    );
    await lockJob(tx, jobKinds.scrape, organizationId, job.id, { holdsReferences: false });
    await requestRuns(tx, jobKinds.scrape, toRun, 'manual');
    await requestRunAfterChange(tx, jobKinds.scrape, toRun[0]!);
    expect((await countRowsRead(tx, 'runs')) - before).toBeLessThan(20);
  });
});
