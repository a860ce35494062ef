/**
 * Measures deployments that CI reports by name: 50 pipelines report 1,000 deployments in a minute, each with
 * its own API key, while versions of other scrape jobs are set. A fifth of the reports create their scrape
 * job and their alert configuration. Goals: no report is lost, and the median duration of `set-version`
 * during the reports is at most 1.3 times its median on the idle server before and after them. Run with `node
 * benchmarks/deployments.bench.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { request } from 'undici';
import { median, serveBench, startBenchWorld } from './evaluation-world.ts';
import { smallSize } from './generate-installation.ts';
import { percentile, setVersions, timed } from './set-versions.ts';

const pipelines = 50;
const reportsEach = 20;
const environments = ['production', 'staging', 'test', 'development'];
const everyMs = 60_000 / reportsEach;
const setVersionsIdle = 500;

async function main() {
  const world = await startBenchWorld(fileURLToPath(import.meta.url), [
    { ...smallSize, gatherJobs: 100, scrapeJobs: 1_000, rules: 10, alertConfigs: 1_000 },
  ]);
  try {
    const { items: jobs } = await world.api.call('listScrapeJobs', {
      query: { parser_type: 'manual', limit: 100 },
    });
    const ids = jobs.map(({ id }) => id);
    const { items: gatherJobs } = await world.api.call('listGatherJobs', { query: { limit: pipelines } });
    const { items: rules } = await world.api.call('listRules', { query: { limit: 1 } });
    await world.api.call('putOrgOverride', {
      path: { key: 'default_rule_id' },
      body: { value: rules[0]!.id },
    });
    const keys = await Promise.all(
      gatherJobs.map(({ id }) =>
        world.api.call('createAPIKey', { body: { name: `Pipeline ${id}`, role: 'reporter' } }),
      ),
    );
    const before = await countDeployments();
    await setVersions(world, ids, { count: setVersionsIdle });
    const idle = await setVersions(world, ids, { count: setVersionsIdle });
    let isOver = false;
    const busy = setVersions(world, ids, { until: () => isOver });
    const times = (
      await Promise.all(keys.map(({ key }, pipeline) => reportAll(key, pipeline, gatherJobs[pipeline]!.id)))
    ).flat();
    isOver = true;
    const meanwhile = await busy;
    idle.push(...(await setVersions(world, ids, { count: setVersionsIdle })));
    const lost = times.length - ((await countDeployments()) - before);
    const round = (value: number) => Number(value.toPrecision(3));
    const ratio = (of: (all: readonly number[]) => number) => round(of(meanwhile) / of(idle));
    console.table([
      { what: `reports lost, of ${times.length}`, value: lost, goal: 0 },
      { what: 'report, ms: median', value: round(median(times)) },
      { what: 'report, ms: p99', value: round(percentile(times, 0.99)) },
      { what: 'set-version, ms: median of the idle server', value: round(median(idle)) },
      { what: 'set-version meanwhile: median by idle', value: ratio(median), goal: 1.3 },
      { what: 'set-version meanwhile: p99 by idle', value: ratio((all) => percentile(all, 0.99)) },
    ]);
  } finally {
    await world.stop();
  }

  /**
   * Counts the deployments in the database, because the total of the API's list is exact only up to 10,000.
   */
  async function countDeployments(): Promise<number> {
    const { rows } = await sql<{ total: number }>`SELECT count(*) AS total FROM deployments`.execute(
      world.db,
    );
    return rows[0]!.total;
  }

  /** Returns the duration of each report of a pipeline, in ms. */
  async function reportAll(key: string, pipeline: number, gatherJobId: number): Promise<number[]> {
    const times: number[] = [];
    await sleep((pipeline / pipelines) * everyMs);
    const startedAt = performance.now();
    for (let number = 0; number < reportsEach; number++) {
      await sleep(Math.max(0, startedAt + number * everyMs - performance.now()));
      const { ms, result } = await timed(async () => {
        const response = await request(`${world.url}/api/v1/client/deployments`, {
          method: 'POST',
          headers: { 'x-api-key': key, 'content-type': 'application/json' },
          body: JSON.stringify({
            service: `service-${pipeline}`,
            environment: environments[number % environments.length],
            version: `1.${number}.0`,
            gather_job_id: gatherJobId,
            labels: { team: `team-${pipeline % 8}` },
          }),
        });
        await response.body.dump();
        return response.statusCode;
      });
      if (result >= 300) throw new Error(`a report returned ${result}`);
      times.push(ms);
    }
    return times;
  }
}

const [role, databaseUrl, dataDir] = process.argv.slice(2);
if (role === 'server') await serveBench(databaseUrl!, dataDir!);
else await main();
