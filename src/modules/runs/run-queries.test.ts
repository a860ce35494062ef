import { expect, test } from 'vitest';
import { type RunJson, toRun } from './run-queries.ts';

test.each([
  '2026-11-21T05:10:00+00:00',
  '2026-11-21T05:10:00.1+00:00',
  '2026-11-21T05:10:00.12+00:00',
  '2026-11-21T05:10:00.123+00:00',
  '2026-11-21T05:10:00.123456+00:00',
  '2026-11-21T07:10:00.5+02:00',
])('run times that PostgreSQL wrote as %s are returned in UTC with milliseconds', (text) => {
  const instant = new Date(text).toISOString();
  expect(toRun({ ...run, created_at: text, started_at: text, finished_at: null })).toMatchObject({
    created_at: instant,
    started_at: instant,
    finished_at: null,
    duration_ms: null,
  });
});

const run: RunJson = {
  id: 1,
  status: 'in_progress',
  trigger: 'manual',
  agent_id: 1,
  attempt: 1,
  summary: null,
  error_code: null,
  error_message: null,
  credential_name: null,
  created_at: '',
  started_at: null,
  finished_at: null,
  checks: 1,
  last_run_id: null,
  last_finished_at: null,
  due_at: '',
};
