import { expect, test } from 'vitest';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { describeNothingToDo, describeOperations } from './describe-operations.ts';

type Overview = Schemas['Overview'];

const jobs = { total: 4, active: 4, in_progress: 0, failed: 0 };
const healthy: Pick<
  Overview,
  'generated_at' | 'agents' | 'channels' | 'deliveries_24h' | 'jobs' | 'failed_jobs' | 'reference_sources'
> = {
  generated_at: '2026-03-15T09:00:00Z',
  agents: { online: 5, offline: 0 },
  channels: { total: 2, active: 2, failing: 0 },
  deliveries_24h: { pending: 0, in_progress: 0, succeeded: 204, failed: 0, dead_letter: 0, canceled: 0 },
  jobs: { gather: jobs, scrape: jobs, helm_sync: jobs, discovery: jobs },
  failed_jobs: [],
  reference_sources: [],
};
const failed: Overview['failed_jobs'][number] = {
  kind: 'gather',
  id: 1,
  name: 'Kafka',
  error: { code: 'timeout', message: 'Timed out.' },
  failed_at: '2026-03-15T08:00:00Z',
};
const reference: Overview['reference_sources'][number] = {
  name: 'vulnerabilities',
  label: 'OSV',
  as_of: '2026-03-15T00:00:00Z',
  loaded_at: null,
  is_old: false,
  product_count: 1,
  is_fetched: true,
  fetched_at: null,
  fetch_error: null,
  skipped_count: 0,
  is_partial: false,
  waiting: null,
};

const problemsOf = (changes: Partial<typeof healthy>) =>
  describeOperations({ ...healthy, ...changes }).problems.map(({ text }) => text);

test('everything that a person must fix is a problem, and nothing else', () => {
  expect(problemsOf({})).toEqual([]);
  expect(
    problemsOf({
      agents: { online: 1, offline: 4 },
      channels: { total: 3, active: 2, failing: 2 },
      deliveries_24h: { ...healthy.deliveries_24h, failed: 3, dead_letter: 1 },
      jobs: { ...healthy.jobs, gather: { ...jobs, failed: 2 }, scrape: { ...jobs, failed: 1 } },
      failed_jobs: [failed],
      reference_sources: [{ ...reference, as_of: null }],
    }),
  ).toEqual([
    '4 agents offline',
    '1 message not delivered',
    '2 channels failing',
    '2 upstream sources failing',
    'OSV not loaded',
  ]);
  expect(problemsOf({ reference_sources: [{ ...reference, is_old: true }] })).toEqual(['OSV data is old']);
  expect(problemsOf({ reference_sources: [{ ...reference, waiting: waiting() }] })).toEqual([
    'OSV data waits for confirmation',
  ]);
});

test('problems are listed one by one, except those that the details contain completely', () => {
  const isListed = (changes: Partial<typeof healthy>) =>
    describeOperations({ ...healthy, ...changes }).problems.map((problem) => problem.isListed);
  const failing = (count: number) => ({
    jobs: { ...healthy.jobs, gather: { ...jobs, failed: count } },
    failed_jobs: [failed],
  });
  expect(isListed({ agents: { online: 1, offline: 4 } })).toEqual([false]);
  expect(isListed(failing(1))).toEqual([true]);
  expect(isListed(failing(2))).toEqual([false]);
  expect(
    isListed({
      jobs: { ...healthy.jobs, gather: { ...jobs, failed: 1 }, scrape: { ...jobs, failed: 2 } },
      failed_jobs: [failed, { ...failed, kind: 'scrape', id: 2 }],
    }),
  ).toEqual([true, false]);
});

test('failing global jobs are a problem of the operator, so they are only mentioned', () => {
  const { problems, note } = describeOperations({
    ...healthy,
    jobs: { ...healthy.jobs, gather: { ...jobs, failed: 2 } },
  });
  expect(problems).toEqual([]);
  expect(note).toBe('5 agents online, 204 messages delivered in 24 hours, 2 global jobs failing');
});

test('missing data is never described as healthy', () => {
  const note = (changes: Partial<typeof healthy>) => describeOperations({ ...healthy, ...changes }).note;
  expect(note({})).toBe('5 agents online, 204 messages delivered in 24 hours');
  expect(note({ agents: { online: 0, offline: 0 } })).toContain('no agent has connected yet');
  expect(note({ channels: { total: 0, active: 0, failing: 0 } })).toContain('no channel yet');
  expect(note({ deliveries_24h: { ...healthy.deliveries_24h, succeeded: 0 } })).toContain(
    'no messages in 24 hours',
  );
});

test('the heading of an empty list says that nothing needs action only if every state is known and no source fails', () => {
  const check = (
    counts: Partial<Schemas['UpgradeCounts']>,
    failing: Partial<Record<keyof Overview['jobs'], number>>,
    expected: string,
  ) => {
    const failed = (kind: keyof Overview['jobs']) => ({ ...jobs, failed: failing[kind] ?? 0 });
    const all = { needs_action: 0, planned: 0, snoozed: 0, unknown: 0, ok: 1, ...counts };
    expect(
      describeNothingToDo(all, {
        gather: failed('gather'),
        scrape: failed('scrape'),
        helm_sync: failed('helm_sync'),
        discovery: failed('discovery'),
      }),
    ).toBe(expected);
  };
  check({}, {}, 'Nothing needs action');
  check({ planned: 2, snoozed: 1 }, {}, 'Nothing needs action');
  check({}, { discovery: 1 }, 'Nothing known needs action; 1 scan failing');
  check({ unknown: 3 }, {}, 'Nothing known needs action; 3 of 4 unknown');
  check({}, { gather: 4 }, 'Nothing known needs action; 4 upstream sources failing');
  check(
    { unknown: 3, planned: 1 },
    { gather: 1, scrape: 2, helm_sync: 1 },
    'Nothing known needs action; 3 of 5 unknown, 1 upstream source failing, 2 version trackers failing, 1 Helm repository failing',
  );
});

function waiting(): NonNullable<typeof reference.waiting> {
  return { as_of: '2026-03-15T00:00:00Z', since: '2026-03-15T00:00:00Z', changed: 1, total: 2 };
}
