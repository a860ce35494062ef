import { test } from 'vitest';
import { createUpstreamFixture, item } from './upstream-fixture.ts';
const { createOrganization, createJob, record, db, statementsOf } = await createUpstreamFixture();
test('measure', { timeout: 100000 }, async () => {
  const org = await createOrganization();
  for (const n of [1000, 10_000, 10_000]) {
    const job = await createJob(org, { max_releases: 100_000 });
    const items = Array.from({ length: n }, (_, i) => item(`v${i % 50}.${Math.floor(i / 50)}.0`, { notes: 'x'.repeat(300), released_at: '2025-01-01T00:00:00Z' }));
    for (const what of ['first', 'same', 'same']) {
      const t = performance.now();
      const s = await statementsOf(() => record(job, items));
      console.log(n, what, Math.round(performance.now() - t), 'ms', s.length, 'statements');
    }
    let t = performance.now();
    await record(job, items.slice(0, 100), { isCompleteList: false });
    console.log('page of 100', Math.round(performance.now() - t));
    t = performance.now();
    await record(job, [...items.slice(0, 99), item('v99.9.9')], { isCompleteList: false });
    console.log('page with 1 new', Math.round(performance.now() - t));
  }
});
