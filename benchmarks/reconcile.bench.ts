/**
 * Measures how long it takes to scan a repository with 10,000 items and to accept 1,000 items. A scan
 * includes the step that derives the resources of accepted items again. Three scans are measured: one changes
 * nothing, one changes a tenth of the versions, and one moves all items to another directory. Run with `node
 * benchmarks/reconcile.bench.ts`; goals: accepting 1,000 items takes at most 10 s, and a scan that changes
 * nothing writes no row of an item.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { createApiClient } from '../src/client/api-client.ts';
import type { Database } from '../src/platform/database/index.ts';
import { createScanner, deployedImageItem } from '../tests/helpers/scan-by-hand.ts';
import { median, serveBench, startBenchWorld } from './evaluation-world.ts';
import { smallSize } from './generate-installation.ts';

const itemCount = Number(process.env['BENCH_ITEMS'] ?? 10_000);
const acceptedAtOnce = 1_000;
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);

interface Measured {
  what: string;
  'median, s': number;
  'slowest, s': number;
  'item rows written': number;
  goal: string;
}

function itemsOf({ version = '1.0.0', directory = 'clusters/prod' } = {}) {
  return Array.from({ length: itemCount }, (_, at) =>
    deployedImageItem(`web-${at}`, {
      file: `${directory}/team-${at % 40}/web-${at}.yaml`,
      version: at % 10 === 0 ? version : '1.0.0',
      image: `web-${at % (itemCount / 10)}`,
      labels: { environment: at % 3 === 0 ? 'prod' : 'staging' },
    }),
  );
}

async function main() {
  const world = await startBenchWorld(fileURLToPath(import.meta.url), [smallSize]);
  try {
    const { key } = await world.api.call('createAPIKey', { body: { name: 'scanner', role: 'admin' } });
    const api = createApiClient({ baseUrl: world.url, apiKey: key });
    const { id } = await api.call('createDiscoveryJob', {
      body: { name: 'Deployments', repository_url: 'https://git.example.org/acme/deploy' },
    });
    const [rule] = await api.call('listRulesDropdown');
    const scanner = createScanner(api);
    const table: Measured[] = [];
    const measure = async (
      what: string,
      goal: string,
      count: number,
      run: (round: number) => Promise<unknown>,
    ) => {
      const seconds: number[] = [];
      const before = await countWritten(world.db);
      for (let round = 0; round < count; round++) {
        const startedAt = performance.now();
        await run(round);
        seconds.push((performance.now() - startedAt) / 1_000);
      }
      const written = (await countWritten(world.db)) - before;
      table.push({
        what,
        'median, s': Number(median(seconds).toFixed(2)),
        'slowest, s': Number(Math.max(...seconds).toFixed(2)),
        'item rows written': Math.round(written / count),
        goal,
      });
    };

    await measure('first scan', '', 1, () => scanner.scan(id, itemsOf()));
    await measure('same items, none accepted', '0 rows', rounds, () => scanner.scan(id, itemsOf()));
    await measure(`accept ${acceptedAtOnce} items`, '10 s', itemCount / acceptedAtOnce, async () => {
      const { accepted_count } = await api.call('acceptDiscoveredItems', {
        body: { filter: { discovery_job_id: id }, rule_id: rule!.id },
      });
      if (accepted_count !== acceptedAtOnce) throw new Error(`${accepted_count} items were accepted`);
    });
    await measure('same items, all accepted', '0 rows', rounds, () => scanner.scan(id, itemsOf()));
    await measure('same commit, all accepted', '0 rows', rounds, () => scanner.scanUnchanged(id));
    await measure('a tenth has another version', '', rounds, (round) =>
      scanner.scan(id, itemsOf({ version: `1.1.${round}` })),
    );
    await measure('all in another directory', '', rounds, (round) =>
      scanner.scan(id, itemsOf({ version: `1.1.${rounds - 1}`, directory: `clusters/prod-${round}` })),
    );
    console.log(`${itemCount} items`);
    console.table(table);
  } finally {
    await world.stop();
  }
}

/** Returns the number of row versions of items that were written since the start of the database. */
async function countWritten(db: Database): Promise<number> {
  // Wait, because an idle connection adds its counts to the table statistics only after ten seconds.
  await sleep(11_000);
  const { rows } = await sql<{ count: number }>`
    SELECT (n_tup_ins + n_tup_upd + n_tup_del)::float8 AS count FROM pg_stat_user_tables
    WHERE relname = 'discovered_items'`.execute(db);
  return rows[0]!.count;
}

const [role, databaseUrl, dataDir] = process.argv.slice(2);
if (role === 'server') await serveBench(databaseUrl!, dataDir!);
else await main();
