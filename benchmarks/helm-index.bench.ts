/**
 * Measures reading a large Helm index, compared with parsing only its pieces with the same library. Each
 * measurement runs in a separate process, and the operating system reports the peak memory of that process.
 * Goals: at most twice the time, at most 250 MB.
 *
 *   node benchmarks/helm-index.bench.ts
 *
 * Last table (2 cores, medians of three):
 *
 * | index | what | versions | ms | ratio of time | peak MB |
 * |-------|----------------|---------:|-----:|--------------:|--------:|
 * | 4 MB | parse-pieces | 3,000 | 1232 | 1.00 | 271 |
 * | 4 MB | read-index | 3,000 | 298 | 0.24 | 123 |
 * | 4 MB | read-one-chart | 100 | 40 | 0.03 | 86 |
 * | 20 MB | parse-pieces | 14,600 | 5812 | 1.00 | 333 |
 * | 20 MB | read-index | 14,600 | 1536 | 0.26 | 155 |
 * | 20 MB | read-one-chart | 100 | 174 | 0.03 | 92 |
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { readHelmIndex } from '../src/sources/helm-index.ts';

const task = process.argv[2];
if (task === undefined) printTable();
else await runTask(task, Number(process.argv[3]));

interface Result {
  versions: number;
  milliseconds: number;
  peakMegabytes: number;
}

function printTable(): void {
  const rows = [4, 20].flatMap((megabytes) => {
    const run = (name: string): Result => {
      const results = [1, 2, 3].map(() => runInChild(name, megabytes));
      return results.toSorted((a, b) => a.milliseconds - b.milliseconds)[1] ?? runInChild(name, megabytes);
    };
    const reference = run('parse-pieces');
    return (['parse-pieces', 'read-index', 'read-one-chart'] as const).map((name) => {
      const result = name === 'parse-pieces' ? reference : run(name);
      return {
        index: `${megabytes} MB`,
        what: name,
        versions: result.versions,
        ms: Math.round(result.milliseconds),
        'ratio of time': (result.milliseconds / reference.milliseconds).toFixed(2),
        'peak MB': Math.round(result.peakMegabytes),
      };
    });
  });
  console.table(rows);
}

function runInChild(name: string, megabytes: number): Result {
  const file = fileURLToPath(import.meta.url);
  return JSON.parse(execFileSync(process.execPath, [file, name, String(megabytes)], { encoding: 'utf8' }));
}

async function runTask(name: string, megabytes: number): Promise<void> {
  const charts = makeCharts(megabytes);
  const startedAt = performance.now();
  const versions =
    name === 'parse-pieces' ? parsePieces(charts) : await readIndex(charts, name === 'read-one-chart');
  const milliseconds = performance.now() - startedAt;
  // Node.js reports `maxRSS` in KiB on every platform.
  const peakMegabytes = process.resourceUsage().maxRSS / 1_024;
  process.stdout.write(JSON.stringify({ versions, milliseconds, peakMegabytes }));
}

/**
 * Charts of a generated index. All charts share one text and differ only in name, so that generating the
 * index doesn't use memory.
 */
interface Charts {
  count: number;
  versions: string;
}

function makeCharts(megabytes: number): Charts {
  const versions = Array.from({ length: 100 }, (_, index) => entry(`${index >> 4}.${index & 15}.0`)).join('');
  return { count: Math.ceil((megabytes * 1_000_000) / versions.length), versions };
}

/**
 * Returns an entry of the size that is typical of large public indexes: 1.5 KB, a third of it annotations.
 */
function entry(version: string): string {
  const changes = Array.from(
    { length: 4 },
    (_, index) => `        - kind: changed\n          description: Change number ${index} of ${version}\n`,
  );
  return `  - annotations:
      artifacthub.io/changes: |
${changes.join('')}      artifacthub.io/signKey: |
        fingerprint: 2B8F22F57260EFA67BE1C5824B11F800CD9D2252
        url: https://example.com/pgp.asc
    apiVersion: v2
    appVersion: v${version}
    created: "2026-11-21T05:10:00.123456789Z"
    dependencies:
    - condition: redis-ha.enabled
      name: redis-ha
      repository: https://example.com/redis-ha/
      version: 4.33.7
    description: A Helm chart for something that is deployed with care and described
      on more than one line
    digest: 4eb0dd2c4e9c2d1fe2ea5bf4b5c2c3b6bbd3e4c9e4c83bd1a1c21b7d9f02a1c5
    home: https://github.com/example/charts
    icon: https://example.com/icon.png
    keywords:
    - example
    - charts
    kubeVersion: '>=1.25.0-0'
    maintainers:
    - name: example
      url: https://example.com
    name: example
    sources:
    - https://github.com/example/charts/tree/main/charts/example
    - https://github.com/example/example
    urls:
    - https://github.com/example/charts/releases/download/example-${version}/example-${version}.tgz
    version: ${version}
`;
}

/** Measures the reference: the library alone, with each chart as a separate document. */
function parsePieces({ count, versions }: Charts): number {
  let total = 0;
  for (let chart = 0; chart < count; chart += 1) {
    const piece: Record<string, unknown[]> = parse(`  chart-${chart}:\n${versions}`, { schema: 'failsafe' });
    total += piece[`chart-${chart}`]?.length ?? 0;
  }
  return total;
}

/** Reads the index in chunks of 64 KiB, as it would arrive over a network. */
async function readIndex(charts: Charts, isOneChart: boolean): Promise<number> {
  const last = `chart-${charts.count - 1}`;
  const wants = (chart: string): boolean => !isOneChart || chart === last;
  let total = 0;
  for await (const item of readHelmIndex(indexBytes(charts), { host: 'localhost', wants })) {
    if (item.kind === 'chart') total += item.versions.length;
  }
  return total;
}

async function* indexBytes({ count, versions }: Charts): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from('apiVersion: v1\nentries:\n');
  const bytes = Buffer.from(versions);
  for (let chart = 0; chart < count; chart += 1) {
    yield Buffer.from(`  chart-${chart}:\n`);
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  }
  yield Buffer.from('generated: "2026-11-21T05:10:00Z"\n');
}
