import { expect, test } from 'vitest';
import { countYields } from '../../../../tests/helpers/turns-during.ts';
import { item } from '../../../../tests/helpers/upstream-fixture.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { ingestReleases } from './incoming-releases.ts';

test('ingestion yields between the jobs of a batch, because each job can have a slow pattern', async () => {
  const jobs = Array.from({ length: 50 }, (_, index) => ({ jobId: index + 1, releases: [item('1.0.0')] }));
  async function* parts() {
    yield jobs;
  }
  const turns = await countYields(() =>
    ingestReleases(
      {} as Tx,
      parts(),
      (jobId) => ({
        jobId,
        scheme: 'auto',
        platformWords: '',
        versionPattern: '(a*)*',
        includePrereleases: true,
      }),
      async ({ tags }) => [...tags],
    ),
  );
  expect(turns).toBeGreaterThan(20);
});
