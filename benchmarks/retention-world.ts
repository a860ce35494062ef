import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { versionScheme } from '../src/domain/versions/versions.ts';
import { completeTasks } from '../src/modules/agents/complete-tasks.ts';
import { jobKinds } from '../src/modules/agents/index.ts';
import { createReleaseCache, startEvaluationLoop } from '../src/modules/monitoring/index.ts';
import { claimRunsAcrossOrganizations } from '../src/modules/runs/index.ts';
import {
  connectDatabase,
  type Database,
  migrateDatabase,
  startEmbeddedPostgres,
  transaction,
} from '../src/platform/database/index.ts';
import { createSilentLog } from '../src/platform/log.ts';
import { housekeepingTasks } from '../src/server/housekeeping-tasks.ts';
import { createDeliveryWorld, type DeliveryWorld } from '../tests/helpers/delivery-world.ts';
import { waitUntilNothingIsDue } from './evaluation-world.ts';

const organizationCount = 4;
const channelsEach = 4;
/** Retention in days for everything except rule matches, which are kept for eight days. */
export const keptDays = 100;
const retentionTasks = [
  'delete-old-deliveries',
  'archive-rule-matches',
  'delete-old-alerts',
  'delete-old-audit-entries',
  'delete-old-audit-log',
  'delete-old-runs',
];

export interface RetentionWorld {
  db: Database;
  /**
   * Simulates the next day. Each job runs once. Every version differs from that of the day before, so that
   * the alert of each configuration opens on one day and is resolved on the next. Due configurations are
   * evaluated, due deliveries are sent, and expired rows are deleted.
   */
  simulateDay(): Promise<void>;
  /** Duration of each retention transaction in milliseconds, by task. */
  turns: Map<string, number[]>;
  stop(): Promise<void>;
}

/** Starts an installation whose data is as old as its retention allows, and in which a day takes seconds. */
export async function startRetentionWorld(jobsEach: number): Promise<RetentionWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'pacekeeper-bench-'));
  chmodSync(folder, 0o711);
  const log = createSilentLog();
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log });
  const { connection } = postgres;
  const db = await connectDatabase({ connection, log, poolSize: 10, statementTimeoutMs: 0 });
  await migrateDatabase(db);
  await sql`ALTER SYSTEM SET autovacuum_naptime = '1s'`.execute(db);
  await sql`SELECT pg_reload_conf()`.execute(db);
  const target = createServer((request, response) => request.resume().on('end', () => response.end('ok')));
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  const { port } = target.address() as AddressInfo;
  const deliveries = createDeliveryWorld({ db, connection, log });
  const { wakeUps } = deliveries;
  const agentId = await createInstallation(deliveries, jobsEach, `http://127.0.0.1:${port}/`);
  const parts = { db, log };
  const loops = [
    jobKinds.scrape.startSchedules(parts),
    jobKinds.gather.startSchedules(parts),
    startEvaluationLoop({ ...parts, releaseCache: createReleaseCache() }),
    deliveries.startLoop(),
  ];
  const tasks = housekeepingTasks({ onRun: () => {}, log: createSilentLog() }).filter(({ name }) =>
    retentionTasks.includes(name),
  );
  await sql`INSERT INTO housekeeping_tasks (name) SELECT unnest(${retentionTasks}::text[])`.execute(db);
  const turns = new Map<string, number[]>(retentionTasks.map((name) => [name, []]));

  let day = 0;
  async function simulateDay(): Promise<void> {
    day++;
    await setDay(db, day);
    for (const topic of ['scrape_jobs', 'gather_jobs']) wakeUps.wake(topic);
    await doRuns(day % 2 === 0 ? '2.0.0' : '1.0.0');
    await waitUntilNothingIsDue(db, 20);
    await untilDelivered(db);
    for (const task of tasks) {
      for (let outcome = 'more'; outcome === 'more'; ) {
        const startedAt = performance.now();
        outcome = await transaction(db, (tx) => task.run(tx));
        turns.get(task.name)!.push(performance.now() - startedAt);
      }
    }
  }

  /**
   * Completes the due runs like an agent that finds the given version in every file, and nothing new in any
   * source.
   */
  async function doRuns(version: string): Promise<void> {
    const agent = { organizationId: 1, id: agentId, kind: 'embedded' } as const;
    const capabilities = ['scrape', 'gather:github_releases'];
    for (;;) {
      const runs = await claimRunsAcrossOrganizations(db, agent, { capabilities, max: 100 });
      await completeTasks(
        { db, onRun: () => {}, findVersions: () => Promise.reject(new Error('no releases')) },
        agent,
        runs.map(({ id, kind, lease_token }) => ({
          task_id: id,
          lease_token,
          ...(kind === 'scrape' && { item: { version, raw_version: version, commit_sha: 'c'.repeat(40) } }),
          summary: {
            not_modified: kind !== 'scrape',
            is_complete_list: true,
            validators: null,
            found: 1,
            skipped: 0,
            skipped_examples: [],
            requests: 1,
            waited_ms: 0,
          },
        })),
      );
      if (runs.length === 0 && (await isAllRun(db))) return;
    }
  }

  await simulateDay();
  await simulateDay();
  // Fill the remaining days of the retention period with copies of the first two days.
  await repeatTheFirstTwoDays(db);
  day = keptDays;
  await sql`VACUUM ANALYZE`.execute(db);
  for (const of of turns.values()) of.length = 0;
  return {
    db,
    simulateDay,
    turns,
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
      await deliveries.close();
      await db.destroy();
      await postgres.stop();
      target.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Creates the organizations with their jobs, rules, and channels, and one agent.
 * @returns The ID of the agent.
 */
async function createInstallation(world: DeliveryWorld, jobsEach: number, url: string): Promise<number> {
  const { db } = world;
  for (const what of ['runs_days', 'deliveries_days', 'resolved_alerts_days'])
    await world.setSetting(1, `retention.${what}`, keptDays);
  const scheme = versionScheme('auto');
  const [older, newer] = ['1.0.0', '2.0.0'].map((version) => scheme.sortKey(scheme.parse(version)!));
  for (let organization = 0; organization < organizationCount; organization++) {
    const organizationId = await world.createOrganization();
    for (let channel = 0; channel < channelsEach; channel++) {
      const channelId = await world.createChannel(organizationId, { url });
      const matchers = [{ label: 'channel', operator: '=', value: String(channel) }];
      await sql`
        INSERT INTO notification_rules (organization_id, name, label_matchers, channel_ids)
        VALUES (${organizationId}, 'Rule', ${JSON.stringify(matchers)}::jsonb, ${[channelId]})`.execute(db);
    }
    await sql`
      WITH rule AS (
        INSERT INTO rules (organization_id, name, rule_type, threshold_moderate)
        VALUES (${organizationId}, 'One major', 'majors_behind', 1) RETURNING id
      ), gather AS (
        INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme, cron_expression,
          latest_version, latest_stable_version, release_count, stable_count, last_success_at, due_at)
        SELECT ${organizationId}, 'Tool ' || n, 'github_releases', 'github.com/acme/tool-' || n, 'auto', '@daily', '2.0.0',
          '2.0.0', 2, 2, pacekeeper_now(), pacekeeper_now() + interval '1 day'
        FROM generate_series(1, ${jobsEach}::integer / 5) n RETURNING id
      ), released AS (
        INSERT INTO releases (organization_id, gather_job_id, tag, version, sort_key, is_prerelease)
        SELECT ${organizationId}, gather.id, version, version, sort_key, false
        FROM gather, (VALUES ('1.0.0', ${older}), ('2.0.0', ${newer})) AS release (version, sort_key)
      ), scrape AS (
        INSERT INTO scrape_jobs (organization_id, name, parser_type, repository_url, target_file, parse_expression,
          cron_expression, due_at)
        SELECT ${organizationId}, 'Service ' || n, 'yq', 'https://git.example.org/acme/service-' || n, 'deploy/values.yaml',
          '.image.tag', '@daily', pacekeeper_now() + interval '1 day'
        FROM generate_series(1, ${jobsEach}::integer) n RETURNING id
      )
      INSERT INTO alert_configs (organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, labels,
        due_at, requested_seq)
      SELECT ${organizationId}, 'Service ' || scrape.id, scrape.id, ${organizationId}, gather.id, rule.id,
        jsonb_build_object('channel', (scrape.id % ${channelsEach})::text), 'infinity', 0
      FROM rule, (SELECT id, row_number() OVER (ORDER BY id) AS n FROM scrape) AS scrape
      JOIN (SELECT id, row_number() OVER (ORDER BY id) AS n FROM gather) AS gather ON gather.n = 1 + scrape.n % (${jobsEach}::integer / 5)`.execute(
      db,
    );
  }
  const { rows } = await sql<{ id: number }>`
    INSERT INTO agents (organization_id, name, kind, hostname, version, capabilities, credential_names, last_heartbeat_at)
    VALUES (1, 'agent', 'embedded', 'bench', '1', '{}', '{}', pacekeeper_now()) RETURNING id`.execute(db);
  return rows[0]!.id;
}

/** ID columns of each copied table, with the table that each refers to. */
const copied = {
  runs: { id: 'runs', last_run_id: 'runs' },
  versions: { id: 'versions' },
  alerts: { id: 'alerts' },
  audit_entries: { id: 'audit_entries', alert_id: 'alerts' },
  notification_deliveries: {
    id: 'notification_deliveries',
    alert_id: 'alerts',
    audit_entry_id: 'audit_entries',
  },
  delivery_attempts: { notification_delivery_id: 'notification_deliveries' },
  notification_rule_matches: { id: 'notification_rule_matches' },
} as const satisfies Record<string, Record<string, string>>;

/**
 * Copies the rows of the first two days with later times and new IDs, in the order in which production would
 * create them.
 */
async function repeatTheFirstTwoDays(db: Database): Promise<void> {
  const counts = new Map<string, number>();
  for (const [table, ids] of Object.entries(copied)) {
    if (!('id' in ids)) continue;
    const { rows } = await sql<{ max: number }>`SELECT max(id) AS max FROM ${sql.table(table)}`.execute(db);
    counts.set(table, rows[0]!.max);
  }
  for (let time = 1; time < keptDays / 2; time++) {
    for (const [table, ids] of Object.entries(copied) as [string, Record<string, string>][]) {
      // Only the last eight days of matches are kept.
      if (table === 'notification_rule_matches' && time * 2 < keptDays - 8) continue;
      const { rows: columns } = await sql<{ name: string; type: string }>`
        SELECT column_name AS name, data_type AS type FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name = ${table} AND is_generated = 'NEVER'`.execute(db);
      const values = columns.map(({ name, type }) => {
        const column = sql.ref(name);
        const idOf = ids[name];
        if (idOf !== undefined) return sql`${column} + ${sql.lit(time * counts.get(idOf)!)}`;
        if (type.startsWith('timestamp')) return sql`${column} + ${sql.lit(time * 2)} * interval '1 day'`;
        if (name === 'event_id') return sql`md5(${column}::text || ${sql.lit(String(time))})::uuid`;
        return column;
      });
      const [id, idTable] = Object.entries(ids)[0]!;
      await sql`
        INSERT INTO ${sql.table(table)} (${sql.join(columns.map(({ name }) => sql.ref(name)))})
        OVERRIDING SYSTEM VALUE
        SELECT ${sql.join(values)} FROM ${sql.table(table)} WHERE ${sql.ref(id)} <= ${counts.get(idTable)!}
        ORDER BY ${sql.ref(id)}`.execute(db);
    }
  }
  await sql`
    UPDATE scrape_jobs s SET unchanged_count = (SELECT count(*) FROM versions v
      WHERE v.organization_id = s.organization_id AND v.scrape_job_id = s.id AND NOT v.is_change)`.execute(
    db,
  );
  for (const table of counts.keys()) {
    await sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), (SELECT max(id) FROM ${sql.table(table)}))`.execute(
      db,
    );
  }
}

/** Moves the database clock `day` days ahead of the real time. */
async function setDay(db: Database, day: number): Promise<void> {
  await sql
    .raw(
      `CREATE OR REPLACE FUNCTION pacekeeper_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
       AS $$ SELECT date_trunc('milliseconds', statement_timestamp() + interval '${day} days') $$`,
    )
    .execute(db);
}

async function isAllRun(db: Database): Promise<boolean> {
  await sleep(20);
  const { rows } = await sql<{ is_over: boolean }>`
    SELECT NOT EXISTS (SELECT FROM scrape_jobs WHERE due_at <= pacekeeper_now())
      AND NOT EXISTS (SELECT FROM gather_jobs WHERE due_at <= pacekeeper_now())
      AND NOT EXISTS (SELECT FROM runs WHERE status IN ('queued', 'in_progress')) AS is_over`.execute(db);
  return rows[0]!.is_over;
}

async function untilDelivered(db: Database): Promise<void> {
  for (; ; await sleep(20)) {
    const { rows } = await sql<{ is_open: boolean }>`
      SELECT EXISTS (SELECT FROM notification_deliveries WHERE status IN ('pending', 'failed', 'in_progress')) AS is_open`.execute(
      db,
    );
    if (!rows[0]!.is_open) return;
  }
}
