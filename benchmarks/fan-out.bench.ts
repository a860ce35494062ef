/**
 * Measures a new release of a gather job that 1,000 of 100,000 alert configurations use: the time from the
 * moment when the fan-out is due until all 1,000 are evaluated. The reference is the time if these
 * configurations become due without a fan-out, also after a release was added. Run with `node
 * benchmarks/fan-out.bench.ts`; goal: at most 1.5 times.
 */
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import {
  configCount,
  gatherJobCount,
  median,
  serveBench,
  startEvaluationWorld,
  waitUntilNothingIsDue,
} from './evaluation-world.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 7);

async function main() {
  const { db, organizationIds, stop } = await startEvaluationWorld(fileURLToPath(import.meta.url));
  try {
    const [organizationId] = organizationIds as [number];
    const ofJob = async () => {
      const { rows } = await sql<{ id: number }>`
        SELECT id FROM gather_jobs WHERE organization_id = ${organizationId} ORDER BY id LIMIT 1`.execute(db);
      return rows[0]!.id;
    };
    const jobId = await ofJob();
    let count = 0;
    const addRelease = () => sql`
      WITH job AS (
        UPDATE gather_jobs SET releases_revision = releases_revision + 1
        WHERE organization_id = ${organizationId} AND id = ${jobId}
      )
      INSERT INTO releases (organization_id, gather_job_id, tag, version, released_at, is_prerelease)
      VALUES (${organizationId}, ${jobId}, ${`9999.0.${++count}`}, ${`9999.0.${count}`}, pacekeeper_now(), false)`;
    const timeOf = async (trigger: () => Promise<unknown>) => {
      await addRelease().execute(db);
      const startedAt = performance.now();
      await trigger();
      await waitUntilNothingIsDue(db, 2);
      return performance.now() - startedAt;
    };
    const wake = (topic: string) => sql`SELECT pg_notify('pacekeeper_wake', ${topic})`.execute(db);
    const times: { fanOut: number[]; alone: number[] } = { fanOut: [], alone: [] };
    for (let round = -1; round < rounds; round++) {
      const fanOut = await timeOf(async () => {
        await sql`
          INSERT INTO release_fan_outs (organization_id, gather_job_id, due_at, requested_seq)
          VALUES (${organizationId}, ${jobId}, pacekeeper_now(), 1)
          ON CONFLICT (organization_id, gather_job_id) DO UPDATE
          SET requested_seq = release_fan_outs.requested_seq + 1, due_at = pacekeeper_now()`.execute(db);
        await wake('release_fan_outs');
      });
      const alone = await timeOf(async () => {
        await sql`
          UPDATE alert_configs SET requested_seq = requested_seq + 1, due_at = pacekeeper_now()
          WHERE gather_organization_id = ${organizationId} AND gather_job_id = ${jobId}`.execute(db);
        await wake('alert_configs');
      });
      if (round < 0) continue;
      times.fanOut.push(fanOut);
      times.alone.push(alone);
    }
    const [ours, alone] = [median(times.fanOut), median(times.alone)];
    console.table([
      {
        what: `a release for ${configCount / gatherJobCount} of ${configCount} configurations`,
        'ours, ms': Math.round(ours),
        'those alone, ms': Math.round(alone),
        ratio: Number((ours / alone).toFixed(2)),
        goal: 1.5,
      },
    ]);
  } finally {
    await stop();
  }
}

const [role, databaseUrl, dataDir] = process.argv.slice(2);
if (role === 'server') await serveBench(databaseUrl!, dataDir!);
else await main();
