import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startTestServer } from '../../../tests/helpers/test-server.ts';
import { transaction } from '../../platform/database/index.ts';
import { insertRuns, type RunStatus } from './runs-fixture.ts';

const server = await startTestServer();

/** Runs of jobs, oldest first, and the state that each job has then. */
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

test.each(['in transactions', 'in one transaction'])(
  'jobs are found by the state that they show, which is that of their newest run, written %s',
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
