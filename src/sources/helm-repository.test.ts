import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { hasTestData, testDataPath } from '../../tests/helpers/test-data.ts';
import {
  type FakeHelmRepository,
  startFakeHelmRepository,
  writeHelmIndex,
} from '../../tests/helpers/upstreams/fake-helm-repository.ts';
import {
  type Gathered,
  type GatherOptions,
  gatherFrom,
  testSourceContext,
} from '../../tests/helpers/upstreams/gather-from.ts';
import { createTestBench } from '../platform/outbound/outbound-test-servers.ts';
import { readHelmIndex } from './helm-index.ts';
import { helmRepository } from './helm-repository.ts';
import type { HelmSyncItem } from './read-helm-charts.ts';
import type { GatherSummary } from './release-source.ts';
import { syncHelmRepository } from './sync-helm-repository.ts';

const bench = createTestBench();
const servers: FakeHelmRepository[] = [];

afterEach(async () => {
  await bench.close();
  for (const server of servers.splice(0)) await server.close();
});

async function start(index: string) {
  const repository = await startFakeHelmRepository();
  servers.push(repository);
  repository.indexes.set('/charts', index);
  const base = { client: bench.client(), insecureHosts: [repository.host] };

  const gather = (chart: string, options: Partial<GatherOptions> = {}): Promise<Gathered> =>
    gatherFrom(helmRepository, `${repository.host}/charts/${chart}`, { ...base, ...options });

  async function sync(
    options: {
      chartFilter?: string[];
      wantsReleases?: boolean;
      validators?: GatherSummary['validators'];
    } = {},
  ): Promise<{ items: HelmSyncItem[]; summary: GatherSummary }> {
    const run = syncHelmRepository(
      {
        repositoryUrl: `http://${repository.host}/charts`,
        chartFilter: options.chartFilter ?? [],
        wantsReleases: options.wantsReleases ?? true,
        validators: options.validators ?? null,
      },
      testSourceContext(base),
    );
    const items: HelmSyncItem[] = [];
    for (;;) {
      const step = await run.next();
      if (step.done) return { items, summary: step.value };
      items.push(...step.value);
    }
  }

  return { repository, gather, sync };
}

describe('one chart', () => {
  const index = writeHelmIndex({
    app: [
      { version: '2.0.0', appVersion: '1.10', created: '2026-03-01T00:00:00Z' },
      { version: '1.1.0', appVersion: '1.9', created: '2026-02-01T00:00:00Z', removed: true },
      { version: '1.0.0', appVersion: '1.9', created: '2026-01-01T00:00:00Z', deprecated: true },
      { version: '1.0.0', appVersion: '7.7', created: '2020-01-01T00:00:00Z' },
      { version: '0.9.0' },
    ],
    other: [{ version: '1.0.0' }],
  });

  test('returns its versions with absolute URLs, and marks a removed version as yanked, but not a deprecated version', async () => {
    const { repository, gather } = await start(index);
    const found = await gather('app');
    expect(found.releases).toEqual([
      {
        tag: '2.0.0',
        app_version: '1.10',
        released_at: '2026-03-01T00:00:00.000Z',
        is_prerelease: false,
        is_yanked: false,
        url: `http://${repository.host}/charts/app-2.0.0.tgz`,
        notes: null,
      },
      {
        tag: '1.1.0',
        app_version: '1.9',
        released_at: '2026-02-01T00:00:00.000Z',
        is_prerelease: false,
        is_yanked: true,
        url: `http://${repository.host}/charts/app-1.1.0.tgz`,
        notes: null,
      },
      {
        tag: '1.0.0',
        app_version: '1.9',
        released_at: '2026-01-01T00:00:00.000Z',
        is_prerelease: false,
        is_yanked: false,
        url: `http://${repository.host}/charts/app-1.0.0.tgz`,
        notes: null,
      },
      {
        tag: '0.9.0',
        app_version: null,
        released_at: null,
        is_prerelease: false,
        is_yanked: false,
        url: `http://${repository.host}/charts/app-0.9.0.tgz`,
        notes: null,
      },
    ]);
  });

  test('returns each application version once, with the date of its first chart version', async () => {
    const { gather } = await start(index);
    const found = await gather('app', { sourceOptions: { version_field: 'app_version' } });
    expect(found.releases.map(({ tag, released_at, is_yanked }) => [tag, released_at, is_yanked])).toEqual([
      ['1.10', '2026-03-01T00:00:00.000Z', false],
      ['1.9', '2026-01-01T00:00:00.000Z', false],
      ['7.7', '2020-01-01T00:00:00.000Z', false],
    ]);
    expect(found.summary.skippedExamples).toEqual([{ name: 'app 0.9.0', reason: 'no appVersion' }]);
  });

  test('is not_found if missing, and the message lists the available charts', async () => {
    const { gather } = await start(index);
    await expect(gather('ap')).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('It has 2: app, other.'),
    });
  });

  test('fails with invalid_index and the line number if the index is unreadable', async () => {
    const { gather } = await start('entries:\n  app:\n  - version: "1\n');
    await expect(gather('app')).rejects.toMatchObject({
      code: 'invalid_index',
      message: expect.stringContaining('line 3: '),
    });
  });

  test('is read even if the rest of the index is broken', async () => {
    const { gather } = await start(
      'entries:\n  app:\n  - version: 1.0.0\n  - version: "1\n  other: [\n  zebra:\n  - version: 1\n',
    );
    const found = await gather('app');
    expect(found.releases.map(({ tag }) => tag)).toEqual(['1.0.0']);
    expect(found.summary).toMatchObject({ skipped: 1, skippedExamples: [{ name: 'app, line 4' }] });
  });
});

describe('a whole repository', () => {
  test('returns every chart with its releases', async () => {
    const { sync } = await start(
      writeHelmIndex({
        app: [
          { version: '2.0.0-rc.1', appVersion: '9' },
          { version: '1.2.0', appVersion: '1.10', description: 'the newest stable', deprecated: true },
          { version: '1.10.0', appVersion: '8', description: 'the highest stable' },
          { version: '1.2.0', appVersion: '0' },
        ],
        young: [{ version: '0.1.0-beta.2' }, { version: '0.1.0-beta.10' }],
        gone: [],
      }),
    );
    const { items, summary } = await sync();
    expect(items.map(({ chart }) => chart)).toEqual([
      {
        name: 'app',
        latest_version: '1.10.0',
        app_version: '8',
        description: 'the highest stable',
        deprecated: false,
        version_count: 3,
        project_url: null,
      },
      {
        name: 'young',
        latest_version: '0.1.0-beta.10',
        app_version: null,
        description: 'A Helm chart for Kubernetes',
        deprecated: false,
        version_count: 2,
        project_url: null,
      },
    ]);
    expect(items[0]?.releases.map(({ tag }) => tag)).toEqual(['2.0.0-rc.1', '1.2.0', '1.10.0']);
    expect(summary).toMatchObject({ found: 2, isCompleteList: true, skipped: 0 });
  });

  test('is filtered by globs, with a warning if no chart matches', async () => {
    const index = writeHelmIndex({
      'app-a': [{ version: '1.0.0' }],
      'app-b': [{ version: '1.0.0' }],
      other: [{ version: '1.0.0' }],
    });
    const { sync } = await start(index);
    const names = async (chartFilter: string[]): Promise<string[]> =>
      (await sync({ chartFilter })).items.map(({ chart }) => chart.name);
    expect(await names(['app-*'])).toEqual(['app-a', 'app-b']);
    expect(await names(['*-b', 'oth?r'])).toEqual(['app-b', 'other']);
    const none = await sync({ chartFilter: ['nothing*'] });
    expect(none).toMatchObject({
      items: [],
      summary: { warnings: ['None of the 3 charts in the repository match the filter.'] },
    });
  });

  test('takes one request if unchanged', async () => {
    const { sync, repository } = await start(writeHelmIndex({ app: [{ version: '1.0.0' }] }));
    const first = await sync();
    const second = await sync({ validators: first.summary.validators });
    expect(second).toMatchObject({ items: [], summary: { isNotModified: true, isCompleteList: false } });
    expect(repository.requests).toHaveLength(2);
  });

  test('returns a chart with more than 1,000 releases as several items', async () => {
    const versions = Array.from({ length: 2_500 }, (_, index) => ({ version: `1.${index}.0` }));
    const { sync } = await start(writeHelmIndex({ app: versions }));
    const { items } = await sync();
    expect(items.map(({ chart, releases }) => [chart.name, releases.length])).toEqual([
      ['app', 1_000],
      ['app', 1_000],
      ['app', 500],
    ]);
    expect((await sync({ wantsReleases: false })).items).toMatchObject([
      { chart: { version_count: 2_500 }, releases: [] },
    ]);
  });

  test('skips and counts invalid and duplicate chart names', async () => {
    const { sync } = await start(
      'entries:\n  a/b:\n  - version: 1.0.0\n  "a b":\n  - version: 1.0.0\n  app:\n  - version: 1.0.0\n  app:\n  - version: 2.0.0\n',
    );
    const { items, summary } = await sync();
    expect(items.map(({ chart }) => [chart.name, chart.latest_version])).toEqual([['app', '1.0.0']]);
    expect(summary.skipped).toBe(3);
  });
});

describe.skipIf(!hasTestData)('real indexes', () => {
  interface Expected {
    file: string;
    chart: string;
    count: number;
    latest: { version: string; appVersion: string | null; created: string; deprecated: boolean };
    latestStable: { version: string } | null;
  }
  const cases: Expected[] = hasTestData
    ? JSON.parse(readFileSync(testDataPath('helm/expected-latest.json'), 'utf8')).cases
    : [];
  const readIndex = (file: string): string => readFileSync(testDataPath(`helm/${file}`), 'utf8');

  async function countEntries(file: string, chart: string): Promise<{ entries: number; versions: number }> {
    async function* body(): AsyncGenerator<Uint8Array> {
      yield readFileSync(testDataPath(`helm/${file}`));
    }
    for await (const item of readHelmIndex(body(), { host: 'h', wants: (name) => name === chart })) {
      if (item.kind !== 'chart') continue;
      const { versions } = item;
      return { entries: versions.length, versions: new Set(versions.map(({ version }) => version)).size };
    }
    return { entries: 0, versions: 0 };
  }

  test.each(cases)('$file: $chart is read without loss', async (expected) => {
    const { gather, sync } = await start(readIndex(expected.file));
    const found = await gather(expected.chart);
    // The file lists some versions twice, but each release is returned once.
    const listed = await countEntries(expected.file, expected.chart);
    expect(listed).toMatchObject({ entries: expected.count });
    expect(found.summary).toMatchObject({ found: listed.versions, skipped: 0 });
    expect(found.releases.find(({ tag }) => tag === expected.latest.version)).toMatchObject({
      app_version: expected.latest.appVersion,
      released_at: new Date(expected.latest.created).toISOString(),
      is_yanked: false,
    });
    const { items } = await sync({ chartFilter: [expected.chart], wantsReleases: false });
    expect(items).toMatchObject([
      {
        chart: {
          name: expected.chart,
          latest_version: (expected.latestStable ?? expected.latest).version,
          version_count: listed.versions,
        },
      },
    ]);
  });

  test('five successive snapshots of a repository are read without skipping a chart', async () => {
    const { repository, sync } = await start('entries: {}\n');
    const counts: number[][] = [];
    for (const file of readdirSync(testDataPath('helm/history')).toSorted()) {
      repository.indexes.set('/charts', readIndex(`history/${file}`));
      const { items, summary } = await sync();
      counts.push([
        new Set(items.map(({ chart }) => chart.name)).size,
        items.reduce((sum, { releases }) => sum + releases.length, 0),
        summary.skipped,
      ]);
    }
    expect(counts).toEqual([
      [1, 1, 0],
      [9, 381, 0],
      [11, 801, 0],
      [11, 1_214, 0],
      [11, 1_627, 0],
    ]);
  });

  test('unusual indexes are either read or rejected as invalid_index', async () => {
    const { repository, sync } = await start('entries: {}\n');
    const outcomes: Record<string, string> = {};
    for (const file of readdirSync(testDataPath('helm/synthetic'))) {
      repository.indexes.set('/charts', readIndex(`synthetic/${file}`));
      outcomes[file] = await sync().then(
        ({ summary }) => `${summary.found} charts, ${summary.skipped} skipped`,
        (error: { code?: string }) => error.code ?? 'no RunError',
      );
    }
    expect(outcomes).toMatchObject({
      'helm_helm__old-repositories.yaml': 'invalid_index',
      'helm_helm__repositories.yaml': 'invalid_index',
      'helm_helm__malformed-index.yaml': '1 charts, 0 skipped',
      'renovatebot_renovate__index_emptypackage.yaml': '1 charts, 0 skipped',
      'renovatebot_renovate__sample.yaml': '5 charts, 1 skipped',
    });
    expect(
      Object.values(outcomes).filter((outcome) => !/^(?:\d+ charts|invalid_index)/u.test(outcome)),
    ).toEqual([]);
  });
});

describe('the end of an index', () => {
  const charts = 'entries:\n  app:\n  - version: 1.0.0\n  other:\n  - version: 2.0.0\n';
  const end = 'generated: "2026-01-01T00:00:00Z"\n';

  test.each([
    ['after the key that Helm writes last', `${charts}${end}`, true],
    ['within a chart', charts, false],
    ['within a chart that is cut in a line', `${end}${charts.slice(0, -3)}`, false],
    ['within a chart, if the key that Helm writes last came earlier', `${end}${charts}`, true],
    ['at the end of the document', `${charts}...\n`, true],
    ['after the key of the charts', 'apiVersion: v1\nentries:\n', false],
    ['after the key of no charts', 'apiVersion: v1\nentries: {}\n', true],
  ])(
    '%s decides whether the list is complete, whichever charts the filter selects',
    async (_, index, isComplete) => {
      const { sync } = await start(index);
      for (const chartFilter of [[], ['app'], ['other']])
        expect((await sync({ chartFilter })).summary.isCompleteList).toBe(isComplete);
    },
  );
});
