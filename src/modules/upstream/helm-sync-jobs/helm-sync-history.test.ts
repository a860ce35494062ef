import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasTestData, testDataPath } from '../../../../tests/helpers/test-data.ts';
import { createUpstreamFixture } from '../../../../tests/helpers/upstream-fixture.ts';
import { startFakeHelmRepository } from '../../../../tests/helpers/upstreams/fake-helm-repository.ts';
import { testSourceContext } from '../../../../tests/helpers/upstreams/gather-from.ts';
import { transaction } from '../../../platform/database/index.ts';
import { createTestBench } from '../../../platform/outbound/outbound-test-servers.ts';
import type { HelmSyncItem } from '../../../sources/read-helm-charts.ts';
import { syncHelmRepository } from '../../../sources/sync-helm-repository.ts';
import { recordHelmSync } from './record-helm-sync.ts';

const { db, recordDeps, statementsOf, call, createOrganization } = await createUpstreamFixture();

const states = ['0.2017-10-11', '1.2021-07-12', '2.2022-12-02', '3.2024-05-14', '4.2026-07-01'].map(
  (state) => `helm/history/argoproj_argo-helm.${state}.index.yaml`,
);

/** Replays five states of one real repository over nine years, in order. */
describe.skipIf(!hasTestData)('the history of a real repository', () => {
  const bench = createTestBench();
  let organizationId: number;
  let syncId: number;
  let repositoryUrl: string;
  let repository: Awaited<ReturnType<typeof startFakeHelmRepository>>;
  /**
   * Every version of every chart that any state has listed so far. `listed` contains the versions of the
   * current state.
   */
  const everListed = new Set<string>();
  let listed = new Set<string>();

  beforeAll(async () => {
    organizationId = await createOrganization();
    repository = await startFakeHelmRepository();
    const body = { name: 'argo', repository_url: `http://${repository.host}/argo-helm` };
    const job = await call('createHelmSyncJob', organizationId, {
      body: { ...body, cron_expression: '@daily' },
    });
    syncId = job.id;
    repositoryUrl = job.repository_url;
  });
  afterAll(async () => {
    await bench.close();
    await repository?.close();
  });

  /** Reads the current state of the repository and records it, as a run does. */
  async function sync() {
    const client = bench.client({ allow: ['127.0.0.1/32'], allowHttp: () => true });
    const context = testSourceContext({ client, insecureHosts: ['127.0.0.1'] });
    const request = { repositoryUrl, chartFilter: [], wantsReleases: true, validators: null };
    const parts: HelmSyncItem[][] = [];
    for await (const part of syncHelmRepository(request, context)) parts.push(part);
    listed = new Set(
      parts
        .flat()
        .flatMap(({ chart, releases }) => releases.map((release) => `${chart.name} ${release.tag}`)),
    );
    for (const one of listed) everListed.add(one);
    const outcome = { isCompleteList: true, validators: null };
    return transaction(db, (tx) =>
      recordHelmSync(tx, recordDeps, { organizationId, jobId: syncId }, inOrder(parts), outcome),
    );
  }

  async function* inOrder(parts: HelmSyncItem[][]) {
    yield* parts;
  }

  async function stored() {
    return db
      .selectFrom('releases')
      .innerJoin('gather_jobs', 'gather_jobs.id', 'releases.gather_job_id')
      .select([
        'gather_jobs.name as chart',
        'releases.tag',
        'releases.is_withdrawn',
        'releases.updated_at',
        'releases.id',
      ])
      .where('gather_jobs.helm_sync_job_id', '=', syncId)
      .execute();
  }

  /** Returns the charts whose configurations were evaluated, with the number of evaluations. */
  async function fanOuts(): Promise<Map<string, number>> {
    const rows = await db
      .selectFrom('release_fan_outs')
      .innerJoin('gather_jobs', 'gather_jobs.id', 'release_fan_outs.gather_job_id')
      .select(['gather_jobs.name', 'release_fan_outs.requested_seq'])
      .where('gather_jobs.helm_sync_job_id', '=', syncId)
      .execute();
    return new Map(rows.map((row) => [row.name, Number(row.requested_seq)]));
  }

  test.each(states)(
    'after %s contains each release of all snapshots once, marks removed releases as withdrawn, and evaluates only changes',
    async (state) => {
      repository.indexes.set('/argo-helm', readFileSync(testDataPath(state), 'utf8'));
      const [before, evaluated] = [await stored(), await fanOuts()];
      const result = await sync();
      const after = await stored();

      expect(after.map(({ chart, tag }) => `${chart} ${tag}`).toSorted()).toEqual([...everListed].toSorted());
      const gone = after.filter((release) => release.is_withdrawn).map(({ chart, tag }) => `${chart} ${tag}`);
      expect(gone.toSorted()).toEqual([...everListed].filter((one) => !listed.has(one)).toSorted());
      expect(result).toMatchObject({
        added: after.length - before.length,
        charts: new Set([...listed].map((one) => one.split(' ')[0])).size,
      });

      // Only charts with changed releases are evaluated.
      const known = new Map(before.map((release) => [release.id, release]));
      const changed = new Set(
        after
          .filter((release) => release.updated_at.getTime() !== known.get(release.id)?.updated_at.getTime())
          .map((release) => release.chart),
      );
      const newlyEvaluated = [...(await fanOuts())].filter(
        ([chart, count]) => count !== (evaluated.get(chart) ?? 0),
      );
      for (const [chart, count] of newlyEvaluated)
        expect([chart, count]).toEqual([chart, (evaluated.get(chart) ?? 0) + 1]);
      expect(newlyEvaluated.map(([chart]) => chart).every((chart) => changed.has(chart))).toBe(true);
      const moved = after.filter((release) => release.is_withdrawn !== known.get(release.id)?.is_withdrawn);
      const evaluatedNow = new Set(newlyEvaluated.map(([chart]) => chart));
      expect(moved.map((release) => release.chart).filter((chart) => !evaluatedNow.has(chart))).toEqual([]);
    },
  );

  test('does not change when the last state is synced twice, and the second sync takes fewer than 30 statements', async () => {
    const [before, evaluated] = [await stored(), await fanOuts()];
    const statements = await statementsOf(sync);
    expect(await stored()).toEqual(before);
    expect(await fanOuts()).toEqual(evaluated);
    expect(statements.length).toBeLessThan(30);
  });

  test('contains no release whose digest changed, and a sync after one digest changes finds only this change', async () => {
    const moved = () =>
      db
        .selectFrom('releases')
        .innerJoin('gather_jobs', 'gather_jobs.id', 'releases.gather_job_id')
        .select(['releases.digest', 'releases.moved_from', 'releases.move_habit'])
        .where('gather_jobs.helm_sync_job_id', '=', syncId)
        .where('releases.moved_from', 'is not', null)
        .execute();
    expect(await moved()).toEqual([]);
    const index = readFileSync(testDataPath(states.at(-1)!), 'utf8');
    const [, published] = /^ +digest: ([0-9a-f]{64})$/mu.exec(index)!;
    repository.indexes.set('/argo-helm', index.replace(published!, 'e'.repeat(64)));
    await sync();
    expect(await moved()).toEqual([
      { digest: `sha256:${'e'.repeat(64)}`, moved_from: `sha256:${published}`, move_habit: null },
    ]);
  });

  test('keeps a removed chart in the list with the time at which it was last seen', async () => {
    const { items } = await call('listHelmSyncJobCharts', organizationId, {
      path: { id: syncId },
      query: { limit: 200 },
    });
    const listedCharts = new Set([...listed].map((one) => one.split(' ')[0]));
    const newest = Math.max(...items.map((chart) => Date.parse(chart.last_seen_at)));
    expect(items.map((chart) => chart.name)).toEqual(items.map((chart) => chart.name).toSorted());
    expect(items.length).toBe(new Set([...everListed].map((one) => one.split(' ')[0])).size);
    for (const chart of items) {
      expect([chart.name, Date.parse(chart.last_seen_at) === newest]).toEqual([
        chart.name,
        listedCharts.has(chart.name),
      ]);
    }
  });
});
