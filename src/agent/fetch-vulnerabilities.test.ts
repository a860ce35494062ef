import { afterEach, describe, expect, test } from 'vitest';
import { osvRecord } from '../../tests/helpers/osv-records.ts';
import { type FakeOsvRecord, startFakeOsv } from '../../tests/helpers/upstreams/fake-osv.ts';
import { parseInProcess } from '../../tests/helpers/upstreams/gather-from.ts';
import { createHttpPolicy } from '../platform/outbound/index.ts';
import { createTestBench } from '../platform/outbound/outbound-test-servers.ts';
import { createSkippedItems } from '../sources/skipped-items.ts';
import { createSourceHttp } from '../sources/source-http.ts';
import type { HeldTask, ResultItem, TaskOf, TaskSummary } from './agent-task.ts';
import { type FetchLimits, fetchVulnerabilities } from './fetch-vulnerabilities.ts';

const bench = createTestBench();
const osv = await startFakeOsv();
afterEach(async () => {
  await bench.close();
  osv.intercept = null;
  osv.unknownEcosystems = new Set();
  Object.assign(osv, { batches: [], fetched: [] });
});

interface Fetched {
  items: ResultItem[];
  summary: TaskSummary | null;
  /** Packages with a complete list. Skipped packages are in `skipped`, with the reason. */
  listed: string[];
  skipped: Record<string, string>;
}

const noLimits: FetchLimits = { bytesOfPackage: 1e9, bytes: 1e9, records: 1e9, ms: 1e9 };

/** Fetches the vulnerabilities of packages for a server that has no stored records. */
async function fetchFor(
  keys: readonly string[],
  limits: Partial<FetchLimits> = {},
  clock = () => new Date(),
): Promise<Fetched> {
  const items: ResultItem[] = [];
  let summary: TaskSummary | null = null;
  const held: HeldTask<TaskOf<'reference'>> = {
    task: {
      task_id: 1,
      organization_id: 1,
      lease_token: 'lease',
      lease_expires_at: '',
      kind: 'reference',
      spec: {
        source: 'vulnerabilities',
        url: osv.url,
        validators: null,
      },
    },
    signal: new AbortController().signal,
    limitTime: () => undefined,
    ended: Promise.resolve(),
    listCves: () => Promise.reject(new Error('no scores')),
    listPackages: async () =>
      keys.map((key) => {
        const [ecosystem, name] = key.split('/') as [string, string];
        return { package: key, ecosystem, names: [name] };
      }),
    findMissingRecords: async (packages) =>
      packages.flatMap((each) => each.records.map(({ id }) => ({ package: each.package, id }))),
    async sendPart(part) {
      items.push(...part);
    },
    async complete(given) {
      summary = given;
    },
    async fail(error) {
      throw error;
    },
  };
  const sourceHttp = createSourceHttp({
    client: bench.client(),
    allowHttp: createHttpPolicy({ insecureHosts: ['127.0.0.1'], allowHttpWebhooks: false }),
    clock,
  });
  const startReading = () => ({ read: parseInProcess, kept: () => 0, skipped: createSkippedItems() });
  await fetchVulnerabilities(held, { sourceHttp, startReading, clock }, { ...noLimits, ...limits });
  return {
    items,
    summary,
    listed: items.flatMap((item) => ('records' in item ? [item.package] : [])),
    skipped: Object.fromEntries(
      items.flatMap((item) => ('package' in item && 'reason' in item ? [[item.package, item.reason]] : [])),
    ),
  };
}

const records = (name: string, count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => ({
    ...(osvRecord({ id: `${name.toUpperCase()}-${index}`, package: name }) as FakeOsvRecord),
    ...more,
  }));

function publish(...lists: FakeOsvRecord[][]): void {
  osv.records = new Map(lists.flat().map((record) => [record.id, record]));
}

const large = { details: 'x'.repeat(100_000) };

describe('the vulnerability fetch', () => {
  test('submits only the parts of a record that affect tracked packages', async () => {
    const [record] = records('redis', 1);
    const others = records('other', 1)[0]!.affected;
    publish([{ ...record!, affected: [...record!.affected, ...others] }]);
    const { items } = await fetchFor(['Bitnami/redis']);
    const affected = items.flatMap((item) => ('osv_id' in item ? item.record!.affected : []));
    expect(affected.map(({ name }) => name)).toEqual(['redis']);
  });

  test('skips a package with too many bytes of records, and completes the others', async () => {
    publish(records('huge', 300, large), records('redis', 2));
    const { listed, skipped, summary } = await fetchFor(['Bitnami/huge', 'Bitnami/redis'], {
      bytesOfPackage: 5_000_000,
    });
    expect(listed).toEqual(['Bitnami/redis']);
    expect(skipped).toEqual({ 'Bitnami/huge': 'has more than 5 MB of records' });
    expect(osv.fetched.length).toBeLessThan(200);
    expect(summary).toMatchObject({ skipped: 1, is_complete_list: true });
  });

  test('fetches small packages first, stops at the byte limit of a run, and keeps the results so far', async () => {
    publish(records('huge', 300, large), records('redis', 2));
    const { listed, skipped, summary } = await fetchFor(['Bitnami/huge', 'Bitnami/redis'], {
      bytes: 5_000_000,
    });
    expect(listed).toEqual(['Bitnami/redis']);
    // The package isn't skipped, because the next run starts with it.
    expect(skipped).toEqual({});
    expect(osv.fetched.length).toBeLessThan(200);
    expect(summary).toMatchObject({
      skipped: 0,
      is_complete_list: false,
      warnings: [expect.stringContaining("1 packages didn't fit")],
    });
  });

  test('stops at the time limit of a run and keeps the results so far', async () => {
    const keys = Array.from({ length: 2_500 }, (_, index) => `Bitnami/p-${index}`);
    publish([]);
    // The clock advances by one minute per batch.
    const clock = () => new Date(osv.batches.length * 60_000);
    const { listed, summary } = await fetchFor(keys, { ms: 2 * 60_000 });
    expect(listed).toHaveLength(2_500);
    osv.batches = [];
    const late = await fetchFor(keys, { ms: 2 * 60_000 }, clock);
    expect(late.listed.length).toBeLessThan(2_500);
    expect(late.summary).toMatchObject({ is_complete_list: false });
    expect(summary).toMatchObject({ is_complete_list: true });
  });

  test('fails as rate-limited instead of waiting longer than a run can take', async () => {
    publish(records('redis', 1));
    const startMs = Date.now();
    let elapsedMinutes = 0;
    const clock = () => new Date(startMs + elapsedMinutes * 60_000);
    osv.intercept = (request, response) => {
      if (request.url === '/v1/querybatch') return false;
      elapsedMinutes = 8;
      response.writeHead(429, { 'retry-after': '300' }).end();
      return true;
    };
    await expect(fetchFor(['Bitnami/redis'], {}, clock)).rejects.toMatchObject({
      code: 'rate_limited',
      retryAt: new Date(startMs + 13 * 60_000),
    });
  });

  test('sends a bounded number of requests, regardless of the number of rejected packages', async () => {
    osv.unknownEcosystems.add('Hackage');
    publish(records('redis', 1));
    const bad = Array.from({ length: 900 }, (_, index) => `Hackage/p-${index}`);
    const { listed, skipped, summary } = await fetchFor([...bad, 'Bitnami/redis']);
    expect(listed).toEqual(['Bitnami/redis']);
    expect(Object.keys(skipped)).toHaveLength(900);
    expect(summary).toMatchObject({ skipped: 900 });
    expect(osv.batches.length).toBeLessThan(500);
  });

  test('fails only if every package is rejected', async () => {
    osv.unknownEcosystems.add('Bitnami');
    await expect(fetchFor(['Bitnami/a', 'Bitnami/b'])).rejects.toMatchObject({ code: 'invalid_index' });
  });

  test.each(['again', 'new'])('skips a package whose list of pages never ends: %s tokens', async (tokens) => {
    publish(records('redis', 1));
    osv.intercept = (request, response) => {
      if (request.url !== '/v1/querybatch') return false;
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const { queries } = JSON.parse(text) as { queries: { package: { name: string } }[] };
        osv.batches.push(queries);
        const token = tokens === 'new' ? `t-${osv.batches.length}` : 't';
        const results = queries.map(({ package: { name } }) =>
          name === 'endless'
            ? { next_page_token: token }
            : { vulns: [{ id: 'REDIS-0', modified: '2026-11-01T00:00:00Z' }] },
        );
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }));
      });
      return true;
    };
    const { listed, skipped } = await fetchFor(['Bitnami/endless', 'Bitnami/redis']);
    expect(listed).toEqual(['Bitnami/redis']);
    expect(skipped).toEqual({ 'Bitnami/endless': 'has too many pages of records' });
    expect(osv.batches.length).toBeLessThan(300);
  });
});
