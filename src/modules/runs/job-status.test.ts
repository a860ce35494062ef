import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startTestServer } from '../../../tests/helpers/test-server.ts';

const server = await startTestServer();

/** Runs of jobs, oldest first, and the state that each job has then. */
const histories: [runs: string[], status: string][] = [
  [[], 'pending'],
  [['queued'], 'pending'],
  [['failed', 'queued'], 'pending'],
  [['succeeded', 'canceled'], 'pending'],
  [['failed', 'in_progress'], 'in_progress'],
  [['failed', 'succeeded'], 'completed'],
  [['succeeded', 'failed'], 'failed'],
  [['succeeded', 'succeeded', 'failed'], 'failed'],
];

test.each(['one after another', 'in one statement'])(
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
      for (const part of how === 'in one statement' ? [runs] : runs.map((run) => [run])) {
        await sql`
          INSERT INTO runs (organization_id, kind, scrape_job_id, status, trigger, capability, finished_at, error_code)
          SELECT ${organizationId}, 'scrape', ${id}, status, 'manual', 'nobody', pacekeeper_now(),
            CASE status WHEN 'failed' THEN 'timeout' END
          FROM unnest(${part}::text[]) WITH ORDINALITY AS run (status, place) ORDER BY place`.execute(
          server.db,
        );
      }
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
    expect(jobs.scrape).toEqual({ total: 8, active: 8, in_progress: 1, failed: 2 });
  },
);
