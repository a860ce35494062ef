/**
 * Every list of 50, by each of its filters and sorts, compared with the list of rules in the same run: requests a second of a
 * small organization, whose statements take no time, so that what is measured is the way of a request and what PostgreSQL
 * plans. Run with `node benchmarks/list-rates.bench.ts`; goal: at least 0.6 of those of the list of rules.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { listVariants, readSamples } from '../tests/contract/list-variants.ts';
import { serveBench, startBenchWorld } from './evaluation-world.ts';
import { smallSize } from './generate-installation.ts';

/** Also of the server to its database, so that each of its connections has every statement prepared soon. */
const connections = 4;
/** For each connection; a statement is prepared after a few runs on each. */
const warmUps = 30;
const measuredMs = Number(process.env['BENCH_MS'] ?? 250);

async function main() {
  const world = await startBenchWorld(fileURLToPath(import.meta.url), [smallSize]);
  const pool = new Pool(world.url, { connections });
  const headers = { authorization: `Bearer ${world.token}` };
  const perSecond = async (path: string, isDone: (count: number, ms: number) => boolean) => {
    const startedAt = performance.now();
    let count = 0;
    const client = async () => {
      while (!isDone(count, performance.now() - startedAt)) {
        count += 1;
        const { statusCode, body } = await pool.request({ path, method: 'GET', headers });
        await body.dump({ limit: 100_000_000 });
        if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
      }
    };
    await Promise.all(Array.from({ length: connections }, client));
    return (count * 1_000) / (performance.now() - startedAt);
  };
  const warmUp = (path: string) => perSecond(path, (count) => count >= warmUps * connections);
  const measure = (path: string) => perSecond(path, (_count, ms) => ms >= measuredMs);
  const rules = '/api/v1/client/rules?limit=50';
  try {
    const variants = listVariants(await readSamples(world.db, world.organizationIds[0]!)).filter(
      ({ operation }) => !operation.id.endsWith('Dropdown'),
    );
    await warmUp(rules);
    const rows = [];
    for (const { name, url, operation } of variants) {
      const hasPages = operation.parameters.some((parameter) => parameter.name === 'limit');
      const asked = hasPages ? `${url}${url.includes('?') ? '&' : '?'}limit=50` : url;
      await warmUp(asked);
      const [ofList, ofRules] = [await measure(asked), await measure(rules)];
      rows.push({
        name,
        'requests/s': Math.round(ofList),
        'rules, requests/s': Math.round(ofRules),
        ratio: Number((ofList / ofRules).toFixed(2)),
        goal: 0.6,
      });
      await sleep(5);
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
