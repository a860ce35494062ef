/**
 * Measures every list of 50, with each of its filters and sort orders, compared with the list of rules, in
 * requests per second. The organization is small and its statements take almost no time, so the result shows
 * the overhead of a request and of query planning. The two lists alternate, a few requests each, and the
 * ratio is the median of all rounds, so that other load on the machine affects both. Run with `node
 * benchmarks/list-rates.bench.ts` (`BENCH_ONLY=listAlerts` for a subset); goal: at least 0.6 of the list of
 * rules.
 */
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { listVariants, readSamples } from '../tests/contract/list-variants.ts';
import { median, serveBench, startBenchWorld } from './evaluation-world.ts';
import { smallSize } from './generate-installation.ts';

/**
 * Number of HTTP connections and of the server's database connections. The number is small, so that every
 * statement is soon prepared on each database connection.
 */
const connections = 2;
/** Number of warm-up requests per connection. A statement is prepared after a few runs on each connection. */
const warmUps = 10;
const turns = Number(process.env['BENCH_ROUNDS'] ?? 7);
/** Number of requests per round on each connection. */
const requestsEach = 4;
const only = process.env['BENCH_ONLY'] ?? '';

async function main() {
  const world = await startBenchWorld(fileURLToPath(import.meta.url), [smallSize]);
  const pool = new Pool(world.url, { connections });
  const headers = { authorization: `Bearer ${world.token}` };
  /** Returns the rate of `count` requests on each connection. */
  const perSecond = async (path: string, count = requestsEach) => {
    const startedAt = performance.now();
    const client = async () => {
      for (let sent = 0; sent < count; sent++) {
        const { statusCode, body } = await pool.request({ path, method: 'GET', headers });
        await body.dump({ limit: 100_000_000 });
        if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
      }
    };
    await Promise.all(Array.from({ length: connections }, client));
    return (count * connections * 1_000) / (performance.now() - startedAt);
  };
  const rules = '/api/v1/client/rules?limit=50';
  try {
    const variants = listVariants(await readSamples(world.db, world.organizationIds[0]!)).filter(
      ({ operation, name }) => !operation.id.endsWith('Dropdown') && name.startsWith(only),
    );
    // The first few thousand requests include JIT compilation in the server.
    await perSecond(rules, 2_000);
    const rows = [];
    for (const { name, url, operation } of variants) {
      const hasPages = operation.parameters.some((parameter) => parameter.name === 'limit');
      const asked = hasPages ? `${url}${url.includes('?') ? '&' : '?'}limit=50` : url;
      await perSecond(asked, warmUps);
      const [ofList, ofRules]: [number[], number[]] = [[], []];
      for (let turn = 0; turn < turns; turn++) {
        ofList.push(await perSecond(asked));
        ofRules.push(await perSecond(rules));
      }
      rows.push({
        name,
        'requests/s': Math.round(median(ofList)),
        'rules, requests/s': Math.round(median(ofRules)),
        ratio: Number(median(ofList.map((rate, turn) => rate / ofRules[turn]!)).toFixed(2)),
        goal: 0.6,
      });
    }
    const below = rows.filter(({ ratio, goal }) => ratio < goal);
    console.log(`${rows.length} lists; ${below.length} below the goal. The thirty with the lowest ratio:`);
    console.table(rows.toSorted((a, b) => a.ratio - b.ratio).slice(0, 30));
  } finally {
    await pool.close();
    await world.stop();
  }
}

const [role, databaseUrl, dataDir] = process.argv.slice(2);
if (role === 'server') await serveBench(databaseUrl!, dataDir!, { poolSize: connections });
else await main();
