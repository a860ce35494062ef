/**
 * Measures large configurations over the API. First, it plans and applies a file with 5,000 resources of each
 * of three kinds (gather jobs, scrape jobs, alert configurations), while versions of another 100 scrape jobs
 * are set. Then it applies a file whose last change fails, and finally a file that contains only 1,000 new
 * sources. Goals: plan at most 10 s, apply 60 s, 1,000 sources 5 s, at most 200 MB more memory, no remains of
 * the failed apply, and a p99 of `set-version` during the apply of at most 3 times that of an idle server.
 * Run with `node benchmarks/configuration.bench.ts` (`BENCH_THINGS=500` for a smaller run).
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Schemas } from '../src/generated/client-api.ts';
import { type BenchWorld, serveBench, startBenchWorld } from './evaluation-world.ts';
import { smallSize } from './generate-installation.ts';
import { percentile, setVersions, timed } from './set-versions.ts';

type Configuration = Schemas['ConfigurationDocument'];

const things = Number(process.env['BENCH_THINGS'] ?? 5_000);
const sources = Math.min(1_000, things);
const setVersionsIdle = 200;

function configurationOf(prefix: string, count: number): Configuration {
  const names = Array.from({ length: count }, (_, index) => `${prefix} ${index}`);
  return {
    rules: [{ name: prefix, rule_type: 'majors_behind', thresholds: { high: 1 } }],
    gather_jobs: names.map((name, index) => ({
      name,
      source_type: 'github_releases',
      cron_expression: '@daily',
      artifact_name: `github.com/${prefix.toLowerCase()}/project-${index}`,
    })),
    scrape_jobs: names.map((name) => ({ name, parser_type: 'manual', version_transform: 'strip_v_lower' })),
    alert_configs: names.map((name) => ({
      name,
      rule: prefix,
      gather_job: name,
      scrape_job: name,
      labels: { team: 'platform' },
    })),
  };
}

async function main() {
  const world = await startBenchWorld(fileURLToPath(import.meta.url), [
    { ...smallSize, gatherJobs: 10, scrapeJobs: 100, rules: 1, alertConfigs: 100 },
  ]);
  try {
    const rows: Record<string, unknown>[] = [];
    const { items: jobs } = await world.api.call('listScrapeJobs', {
      query: { parser_type: 'manual', limit: 100 },
    });
    const ids = jobs.map(({ id }) => id);
    await setVersions(world, ids, { count: setVersionsIdle });
    const idle = await setVersions(world, ids, { count: setVersionsIdle });
    const memoryBefore = await memoryOf(world);

    const body = configurationOf('Bench', things);
    const planned = await timed(() => world.api.call('planConfiguration', { body, timeoutMs: 600_000 }));
    rows.push({ what: `plan of ${things * 3} objects, s`, value: seconds(planned.ms), goal: 10 });
    let isOver = false;
    const busy = setVersions(world, ids, { until: () => isOver });
    const applied = await timed(() => apply(world, body, planned.result.fingerprint));
    isOver = true;
    rows.push({ what: `apply of ${things * 3} objects, s`, value: seconds(applied.ms), goal: 60 });
    const p99 = percentile(await busy, 0.99);
    rows.push({
      what: 'set-version meanwhile: p99 by idle',
      value: round(p99 / percentile(idle, 0.99)),
      goal: 3,
    });
    const again = await timed(() => world.api.call('planConfiguration', { body, timeoutMs: 600_000 }));
    rows.push({
      what: `plan without changes (${again.result.steps.length}), s`,
      value: seconds(again.ms),
      goal: 10,
    });

    // This configuration fails at its last change: only a user with two-factor authentication can require it
    // for all users.
    const failing = { ...configurationOf('Failing', things), settings: { 'login.require_two_factor': true } };
    const { fingerprint } = await world.api.call('planConfiguration', { body: failing, timeoutMs: 600_000 });
    const failed = await apply(world, failing, fingerprint);
    const { total } = await world.api.call('listAlertConfigs', { query: { q: 'Failing', limit: 1 } });
    rows.push({ what: `left of one that ${failed.status}`, value: total, goal: 0 });
    rows.push({ what: 'memory, MB more', value: (await memoryOf(world)) - memoryBefore, goal: 200 });

    const { gather_jobs } = configurationOf('Sources', sources);
    const first = await timed(async () => {
      const plan = await world.api.call('planConfiguration', { body: { gather_jobs: gather_jobs! } });
      return apply(world, { gather_jobs: gather_jobs! }, plan.fingerprint);
    });
    rows.push({ what: `${sources} new sources, plan and apply, s`, value: seconds(first.ms), goal: 5 });
    console.table(rows);
  } finally {
    await world.stop();
  }
}

async function apply({ api }: BenchWorld, body: Configuration, fingerprint: string) {
  const query = { fingerprint };
  let state = await api.call('applyConfiguration', { query, body, timeoutMs: 600_000 });
  while (state.status === 'in_progress') {
    await sleep(100);
    state = await api.call('getConfigurationApply', { path: { id: state.id } });
  }
  return state;
}

/** Returns the peak memory of the server so far, in MB. */
async function memoryOf({ server }: BenchWorld): Promise<number> {
  server.send('memory');
  const [megabytes] = (await once(server, 'message')) as [number];
  return megabytes;
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}

function seconds(ms: number): number {
  return round(ms / 1_000);
}

const [role, databaseUrl, dataDir] = process.argv.slice(2);
if (role === 'server') await serveBench(databaseUrl!, dataDir!);
else await main();
