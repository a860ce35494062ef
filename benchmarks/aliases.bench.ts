/**
 * Measures changes of an artifact alias with 5,000 gather jobs below its prefix: the time of each request,
 * and the time until all jobs have been updated. Goal: a request takes well under a second, even while jobs
 * are still being updated after an earlier change. Run with `node benchmarks/aliases.bench.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { serveBench, startBenchWorld } from './evaluation-world.ts';
import { smallSize } from './generate-installation.ts';

const jobCount = 5_000;
const prefix = 'harbor.acme.dev/hub/';

async function main() {
  const { db, api, organizationIds, stop } = await startBenchWorld(fileURLToPath(import.meta.url), [
    smallSize,
  ]);
  try {
    const organizationId = organizationIds[0]!;
    await sql`
      INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme, is_active)
      SELECT ${organizationId}, 'app-' || n, 'oci_registry', ${`${prefix}library/app-`} || n, 'auto', false
      FROM generate_series(1, ${jobCount}::integer) AS n`.execute(db);
    const table: object[] = [];
    const measure = async <T>(change: string, request: () => Promise<T>): Promise<T> => {
      const startedAt = performance.now();
      const result = await request();
      const requestMs = performance.now() - startedAt;
      const followedInRequest = await countFollowed();
      while (await isInProgress()) await sleep(50);
      const totalMs = performance.now() - startedAt;
      table.push({
        change,
        'request, ms': Math.round(requestMs),
        'until all have followed, ms': Math.round(totalMs),
        'mirrors after the request': followedInRequest,
        'mirrors at the end': await countFollowed(),
      });
      return result;
    };
    const { id } = await measure('create', () =>
      api.call('createArtifactAlias', { body: { name: 'Hub', prefix, upstream_prefix: 'docker.io' } }),
    );
    const update = (upstream_prefix: string) =>
      api.call('updateArtifactAlias', { path: { id }, body: { upstream_prefix } });
    await measure('update', () => update('quay.io'));
    await update('docker.io');
    await sleep(3_000);
    await measure('update while jobs follow an earlier one', () => update('quay.io'));
    await measure('delete', () => api.call('deleteArtifactAlias', { path: { id } }));
    console.table(table);

    async function isInProgress(): Promise<boolean> {
      const { rows } = await sql`SELECT FROM alias_changes WHERE organization_id = ${organizationId}`.execute(
        db,
      );
      return rows.length > 0;
    }

    async function countFollowed(): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        SELECT count(mirror_of) AS count FROM gather_jobs WHERE organization_id = ${organizationId}`.execute(
        db,
      );
      return rows[0]!.count;
    }
  } finally {
    await stop();
  }
}

const [role, databaseUrl, dataDir] = process.argv.slice(2);
if (role === 'server') await serveBench(databaseUrl!, dataDir!);
else await main();
