/**
 * Measures `POST /rules/evaluate` over 100,000 unchanged alert configurations, compared with a minimal implementation:
 * the same reads, the same set-based updates in batches of the same size, and the pure comparison. Run with `node
 * benchmarks/evaluate.bench.ts`; goals: at most twice the time, and at most 300 MB.
 */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { judge } from '../src/domain/rules/judge.ts';
import { prepareReleases, type ReleaseRow, type ReleaseSet } from '../src/domain/rules/release-set.ts';
import type { DaysBasis } from '../src/domain/rules/rule-type.ts';
import type { RuleTypeId } from '../src/domain/rules/rule-types.ts';
import type { Database } from '../src/platform/database/index.ts';
import { configCount, median, serveBench, startEvaluationWorld } from './evaluation-world.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const batchSize = 500;

async function main() {
  const world = await startEvaluationWorld(fileURLToPath(import.meta.url));
  try {
    const [organizationId] = world.organizationIds as [number];
    const memoryOf = async () => {
      world.server.send('memory');
      const [memoryMb] = (await once(world.server, 'message')) as [number];
      return memoryMb;
    };
    const memoryBefore = await memoryOf();
    const times: { ours: number[]; byHand: number[] } = { ours: [], byHand: [] };
    for (let round = 0; round < rounds; round++) {
      const startedAt = performance.now();
      const counts = await world.api.call('evaluateRules');
      times.ours.push(performance.now() - startedAt);
      if (counts.unchanged !== counts.evaluated || counts.remaining > 0)
        throw new Error(`not all were evaluated unchanged: ${JSON.stringify(counts)}`);
      times.byHand.push(await evaluateByHand(world.db, organizationId));
    }
    const [ours, byHand] = [median(times.ours), median(times.byHand)];
    console.table([
      {
        what: `evaluate ${configCount} configurations, nothing changed`,
        'ours, s': Number((ours / 1_000).toFixed(2)),
        'by hand, s': Number((byHand / 1_000).toFixed(2)),
        ratio: Number((ours / byHand).toFixed(2)),
        goal: 2,
        'server before, MB': memoryBefore,
        'server at most, MB': await memoryOf(),
        'goal, MB': 300,
      },
    ]);
  } finally {
    await world.stop();
  }
}

interface Row {
  id: number;
  candidate_pattern: string | null;
  ignored_versions: string[];
  gather_job_id: number;
  version: string | null;
  state: string;
  severity: string | null;
  rule_type: RuleTypeId;
  threshold_moderate: number | null;
  threshold_high: number | null;
  threshold_critical: number | null;
  stable_only: boolean;
  days_basis: DaysBasis | null;
  min_release_age_days: number;
  now: Date;
}

async function evaluateByHand(db: Database, organizationId: number): Promise<number> {
  const startedAt = performance.now();
  const sets = await readReleases(db, organizationId);
  for (let afterId = 0; ; ) {
    const lastId = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<Row>`
        WITH c AS MATERIALIZED (
          SELECT * FROM alert_configs WHERE organization_id = ${organizationId} AND id > ${afterId} AND is_active
          ORDER BY id LIMIT ${sql.lit(batchSize)} FOR UPDATE)
        SELECT c.id, c.candidate_pattern, c.ignored_versions, c.gather_job_id, s.latest_version AS version, c.state, c.severity,
          c.labels, c.deployed_version, c.latest_version, c.latest_stable_version, c.behind_by, c.behind_since,
          r.rule_type, r.threshold_moderate, r.threshold_high, r.threshold_critical, r.stable_only, r.days_basis,
          r.min_release_age_days, g.artifact_name, to_jsonb(a) AS open_alert, pacekeeper_now() AS now
        FROM c
        JOIN rules r ON r.organization_id = c.organization_id AND r.id = c.rule_id
        JOIN scrape_jobs s ON s.organization_id = c.organization_id AND s.id = c.scrape_job_id
        JOIN gather_jobs g ON g.organization_id = c.gather_organization_id AND g.id = c.gather_job_id
        LEFT JOIN alerts a ON a.organization_id = c.organization_id AND a.alert_config_id = c.id AND a.resolved_at IS NULL
        ORDER BY c.id`.execute(tx);
      if (rows.length === 0) return null;
      for (const row of rows) compare(row, sets.get(row.gather_job_id)!);
      await sql`
        UPDATE alert_configs SET last_evaluated_at = pacekeeper_now(), due_at = done.due_at
        FROM unnest(${rows.map((row) => row.id)}::bigint[], ${rows.map(() => 'infinity')}::timestamptz[]) AS done (id, due_at)
        WHERE organization_id = ${organizationId} AND alert_configs.id = done.id`.execute(tx);
      return rows.at(-1)!.id;
    });
    if (lastId === null) return performance.now() - startedAt;
    afterId = lastId;
  }
}

function compare(row: Row, releases: ReleaseSet): void {
  judge({
    rule: {
      type: row.rule_type,
      thresholds: {
        moderate: row.threshold_moderate,
        high: row.threshold_high,
        critical: row.threshold_critical,
      },
      stableOnly: row.stable_only,
      daysBasis: row.days_basis,
      minReleaseAgeDays: row.min_release_age_days,
    },
    options: { candidatePattern: null, ignoredVersions: row.ignored_versions },
    deployedVersion: row.version,
    releases,
    nowMs: row.now.getTime(),
  });
}

async function readReleases(db: Database, organizationId: number): Promise<Map<number, ReleaseSet>> {
  const { rows } = await sql<ReleaseRow & { jobId: number }>`
    SELECT gather_job_id AS "jobId", version, (extract(epoch FROM released_at) * 1000)::float8 AS "releasedAtMs",
      (extract(epoch FROM discovered_at) * 1000)::float8 AS "discoveredAtMs", is_prerelease AS "isPrerelease",
      is_yanked AS "isYanked", is_withdrawn AS "isWithdrawn", url
    FROM releases WHERE organization_id = ${organizationId}`.execute(db);
  return new Map(
    [...Map.groupBy(rows, (row) => row.jobId)].map(([id, ofJob]) => [id, prepareReleases('auto', ofJob)]),
  );
}

const [role, databaseUrl, dataDir] = process.argv.slice(2);
if (role === 'server') await serveBench(databaseUrl!, dataDir!);
else await main();
