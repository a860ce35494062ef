import { expect, test } from 'vitest';
import { chooseJob, jobNames } from './choose-job.ts';

type Labels = Record<string, string>;

test.each<[what: string, jobs: Labels[], labels: Labels, expected: number | null | number[]]>([
  ['without an existing job, a new one is needed', [], {}, null],
  ['the only job is chosen', [{}], {}, 0],
  ['a label that the only job lacks is added to it', [{}], { team: 'a' }, 0],
  ['labels that only the job has do not matter', [{ team: 'a' }], {}, 0],
  ['another value of a label is another place', [{ cluster: 'eu' }], { cluster: 'us' }, null],
  ['a label distinguishes places', [{ cluster: 'eu' }, { cluster: 'us' }], { cluster: 'us' }, 1],
  [
    'a job with all labels is preferred to a job that lacks one',
    [{}, { cluster: 'us' }],
    { cluster: 'us' },
    1,
  ],
  ['several places without a label are ambiguous', [{ cluster: 'eu' }, { cluster: 'us' }], {}, [0, 1]],
  ['several places that lack the label are ambiguous', [{ a: '1' }, { a: '2' }], { b: '1' }, [0, 1]],
  ['the name of a JavaScript object member is an ordinary label', [{}], { constructor: 'x' }, 0],
])('%s', (_what, jobs, labels, expected) => {
  const chosen = chooseJob(
    jobs.map((each, id) => ({ id, labels: each })),
    labels,
  );
  const ids = 'job' in chosen ? (chosen.job?.id ?? null) : chosen.ambiguous.map(({ id }) => id);
  expect(ids).toEqual(expected);
});

test('a new job is named after its service, component, and environment, then also after its other labels', () => {
  const place = { service: 'checkout', component: '', environment: 'production' };
  expect(jobNames(place, {})).toEqual(['checkout (production)']);
  expect(jobNames({ ...place, component: 'api' }, { cluster: 'eu', note: '' })).toEqual([
    'checkout: api (production)',
    'checkout: api (production, eu)',
  ]);
});
