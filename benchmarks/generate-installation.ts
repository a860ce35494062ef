/**
 * Fills an installation with the amount of data that a benchmark needs, from real release histories if they
 * are available. `node benchmarks/generate-installation.ts` fills the database of DATABASE_URL with the
 * largest size: a million rows in each of the big tables. Never use it on a database that you want to keep:
 * it drops and recreates indexes and doesn't check foreign keys.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { parserVersion, versionScheme } from '../src/domain/versions/versions.ts';
import { createOrganization } from '../src/modules/accounts/index.ts';
import { organizationJobKinds } from '../src/modules/agents/index.ts';
import { recountRows } from '../src/modules/counts/index.ts';
import { repairLabeledConfigRows } from '../src/modules/monitoring/index.ts';
import { repairSoftwareRows } from '../src/modules/software/index.ts';
import {
  connectDatabase,
  type Database,
  migrateDatabase,
  type Tx,
  transaction,
} from '../src/platform/database/index.ts';
import { createSilentLog } from '../src/platform/log.ts';
import { createSecretBox } from '../src/platform/secrets/index.ts';
import { hasTestData, testDataPath } from '../tests/helpers/test-data.ts';

/**
 * Size of one organization. Every configuration compares a scrape job with a gather job, and the versions of
 * the scrape job come from the release history of that gather job.
 */
export interface OrganizationSize {
  /** Number of gather jobs. Each gets the release history of one tool, limited to the newest 1,000 releases. */
  gatherJobs: number;
  scrapeJobs: number;
  /** Number of versions of each scrape job. */
  versionsEach: number;
  /** Number of finished runs of each job. */
  runsEach: number;
  rules: number;
  alertConfigs: number;
  /** Number of resolved alerts of each configuration. Every second configuration also has an open alert. */
  resolvedAlertsEach: number;
  channels: number;
  auditLog: number;
}

export const ownerPassword = 'a password for benchmarks';

export const smallSize: OrganizationSize = {
  gatherJobs: 40,
  scrapeJobs: 100,
  versionsEach: 10,
  runsEach: 3,
  rules: 20,
  alertConfigs: 200,
  resolvedAlertsEach: 5,
  channels: 5,
  auditLog: 1_000,
};

/** A million each of releases, versions, deployments, alerts, audit entries, deliveries, and audit log lines. */
export const millionSize: OrganizationSize = {
  gatherJobs: 5_500,
  scrapeJobs: 100_000,
  versionsEach: 10,
  runsEach: 2,
  rules: 500,
  alertConfigs: 200_000,
  resolvedAlertsEach: 5,
  channels: 50,
  auditLog: 1_000_000,
};

/**
 * Creates organizations of the given sizes. Their owners are `owner-1@example.org` and so on, with the
 * password `ownerPassword`. `secretKey` is the key of the server that will use the database.
 *
 * @returns The IDs of the organizations.
 */
export async function generateInstallation(
  db: Database,
  organizations: readonly OrganizationSize[],
  secretKey: Buffer,
): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < organizations.length) ids.push(await createNumbered(db, ids.length + 1));
  await fillIn(db, secretKey, (tx) =>
    withoutIndexes(tx, async () => {
      for (const [index, size] of organizations.entries()) await fillOrganization(tx, ids[index]!, size);
    }),
  );
  await sql`SET statement_timeout = 0`.execute(db);
  await sql`VACUUM ANALYZE`.execute(db);
  return ids;
}

/**
 * Adds one organization, whose owner is `owner-<number>@example.org`. As in production, the indexes exist
 * while the rows are inserted, and the table statistics aren't updated afterwards.
 */
export async function addOrganization(
  db: Database,
  number: number,
  size: OrganizationSize,
  secretKey: Buffer,
): Promise<number> {
  const organizationId = await createNumbered(db, number);
  await fillIn(db, secretKey, (tx) => fillOrganization(tx, organizationId, size));
  return organizationId;
}

async function createNumbered(db: Database, number: number): Promise<number> {
  const { organizationId } = await createOrganization(db, {
    name: `Organization ${number}`,
    owner: { email: `owner-${number}@example.org`, password: ownerPassword },
  });
  return organizationId;
}

async function fillIn(db: Database, secretKey: Buffer, fill: (tx: Tx) => Promise<void>): Promise<void> {
  await transaction(db, async (tx) => {
    // References are valid by construction, and checking each one would take longer than writing it.
    await sql`SET LOCAL session_replication_role = replica`.execute(tx);
    await sql`SET LOCAL maintenance_work_mem = '256MB'`.execute(tx);
    await sql`SET LOCAL statement_timeout = 0`.execute(tx);
    await createHistories(tx);
    await fill(tx);
    // Update the derived counts, because no trigger ran for the inserted rows.
    for (const { id } of await tx.selectFrom('organizations').select('id').execute()) {
      await recountRows(tx, id, organizationJobKinds);
      await repairLabeledConfigRows(tx, id);
      await repairSoftwareRows(tx, id);
    }
    await sealChannels(tx, secretKey);
  });
}

interface HistoryRow {
  tool: number;
  place: number;
  version: string;
  sort_key: string | null;
  released_at: string;
  is_prerelease: boolean;
}

/** Creates a temporary table with the releases of each tool. `place` 1 is the newest release. */
async function createHistories(tx: Tx): Promise<void> {
  await sql`
    CREATE TEMPORARY TABLE histories (tool integer, place integer, version text, sort_key text, released_at timestamptz,
      is_prerelease boolean, PRIMARY KEY (tool, place)) ON COMMIT DROP`.execute(tx);
  const rows = readHistories();
  for (let start = 0; start < rows.length; start += 20_000) {
    await sql`
      INSERT INTO histories SELECT * FROM json_populate_recordset(NULL::histories,
        ${JSON.stringify(rows.slice(start, start + 20_000))}::json)`.execute(tx);
  }
  await sql`CREATE TEMPORARY TABLE tools ON COMMIT DROP AS SELECT tool, count(*)::int AS count FROM histories GROUP BY tool`.execute(
    tx,
  );
  await sql`CREATE UNIQUE INDEX ON tools (tool)`.execute(tx);
  await sql`ANALYZE histories, tools`.execute(tx);
}

function readHistories(): HistoryRow[] {
  const scheme = versionScheme('auto');
  const histories = hasTestData ? realHistories() : inventedHistories();
  return histories.flatMap((releases, tool) =>
    releases.slice(-1_000).map(({ version, released_at, is_prerelease }, index, kept) => {
      const parsed = scheme.parse(version);
      const sort_key = parsed && scheme.sortKey(parsed);
      return { tool, place: kept.length - index, version, sort_key, released_at, is_prerelease };
    }),
  );
}

type History = Pick<HistoryRow, 'version' | 'released_at' | 'is_prerelease'>[];

function realHistories(): History[] {
  const lines = readFileSync(testDataPath('release-history/mise-versions.jsonl'), 'utf8').trim().split('\n');
  return lines.flatMap((line) => {
    const { versions = [] } = JSON.parse(line) as {
      versions?: { version: string; created_at?: string; prerelease?: boolean }[];
    };
    const seen = new Map(versions.map((each) => [each.version, each]));
    if (seen.size < 20) return [];
    return [
      [...seen.values()].map(({ version, created_at = '2020-01-01T00:00:00Z', prerelease = false }) => ({
        version,
        released_at: created_at,
        is_prerelease: prerelease,
      })),
    ];
  });
}

/** Replaces real data if none is available: 100 tools with up to 400 releases each. */
function inventedHistories(): History[] {
  return Array.from({ length: 100 }, (_, tool) =>
    Array.from({ length: 20 + ((tool * 37) % 380) }, (__, n) => ({
      version: `${Math.floor(n / 40)}.${Math.floor(n / 5) % 8}.${n % 5}${n % 11 === 10 ? '-rc.1' : ''}`,
      released_at: new Date(Date.UTC(2020, 0, 1 + n * 5 + (tool % 5))).toISOString(),
      is_prerelease: n % 11 === 10,
    })),
  );
}

const bigTables = [
  'releases',
  'versions',
  'deployments',
  'runs',
  'scrape_jobs',
  'alert_configs',
  'alerts',
  'audit_entries',
  'audit_log',
  'notification_deliveries',
];

/**
 * Runs `work` without the indexes of the big tables. Building an index once is several times faster than
 * maintaining it for a million rows.
 */
async function withoutIndexes(tx: Tx, work: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{ name: string; definition: string }>`
    SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
    FROM pg_index i
    WHERE i.indrelid::regclass::text = ANY(${bigTables}::text[])
      AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)`.execute(tx);
  for (const { name } of rows) await sql`DROP INDEX ${sql.ref(name)}`.execute(tx);
  await work();
  for (const { definition } of rows) await sql.raw(definition).execute(tx);
}

/**
 * Creates all data of one organization. IDs of each kind are consecutive, so that the ID of a row follows
 * from its number.
 */
async function fillOrganization(tx: Tx, organizationId: number, size: OrganizationSize): Promise<void> {
  const { gatherJobs, scrapeJobs, versionsEach, runsEach, rules, alertConfigs, channels, auditLog } = size;
  const { rows: toolRows } = await sql<{ count: number }>`SELECT count(*) AS count FROM tools`.execute(tx);
  const tools = toolRows[0]!.count;
  const o = sql.lit(organizationId);
  const minutesAgo = (minutes: string) =>
    sql.raw(`date_trunc('milliseconds', pacekeeper_now() - (${minutes}) * interval '1 minute')`);

  const gather = await firstId(tx, 'gather_jobs');
  await sql`
    INSERT INTO gather_jobs (organization_id, id, name, source_type, artifact_name, version_scheme, cron_expression, is_active,
      latest_version, latest_stable_version, latest_released_at, first_released_at, release_count, stable_count,
      last_success_at, created_at, updated_at)
    OVERRIDING SYSTEM VALUE
    SELECT ${o}, ${gather} + n, 'Job ' || md5(n::text), 'github_releases', 'github.com/tool-' || tool || '/fork-' || n, 'auto',
      '@daily', false, newest.version, newest.version, newest.released_at, newest.released_at, tools.count, tools.count,
      pacekeeper_now(), ${minutesAgo('n')}, ${minutesAgo('n')}
    FROM generate_series(0, ${gatherJobs - 1}) n
    JOIN tools ON tools.tool = n % ${tools}
    JOIN histories newest USING (tool) WHERE newest.place = 1`.execute(tx);
  await sql`
    INSERT INTO releases (organization_id, gather_job_id, tag, version, sort_key, released_at, is_prerelease, url,
      discovered_at, created_at, updated_at)
    SELECT ${o}, ${gather} + job, version, version, sort_key, released_at, is_prerelease,
      'https://example.org/releases/' || version, ${minutesAgo('place')}, ${minutesAgo('place')}, ${minutesAgo('place')}
    FROM generate_series(0, ${gatherJobs - 1}) job JOIN histories h ON h.tool = job % ${tools}`.execute(tx);

  await sql`
    WITH sync AS (
      INSERT INTO helm_sync_jobs (organization_id, name, repository_url, is_active, chart_count)
      VALUES (${o}, 'Charts', 'https://charts.example.org', false, 500) RETURNING id
    )
    INSERT INTO helm_charts (organization_id, helm_sync_job_id, name, latest_version, version_count, last_seen_at)
    SELECT ${o}, sync.id, 'chart-' || n, '1.0.0', 20, pacekeeper_now() FROM sync, generate_series(1, 500) n`.execute(
    tx,
  );
  await sql`
    INSERT INTO discovery_jobs (organization_id, name, kind, repository_url, ref, is_active)
    SELECT ${o}, 'Repository ' || n, 'git_repository', 'https://git.example.org/repository-' || n, 'main', false
    FROM generate_series(1, 20) n`.execute(tx);
  const scrape = await firstId(tx, 'scrape_jobs');
  // The deployed version is a few releases behind, and the distance grows with the job number.
  const deployed = (n: string, before: string) =>
    sql.raw(
      `1 + (${n} * 7 / ${gatherJobs} + ${before}) % (SELECT count FROM tools WHERE tool = (${n}) % ${gatherJobs} % ${tools})`,
    );
  await sql`
    INSERT INTO scrape_jobs (organization_id, id, name, parser_type, repository_url, ref, target_file, parse_expression,
      latest_version, latest_version_at, last_success_at, last_read_at, last_outcome, unchanged_count, is_active, created_at, updated_at)
    OVERRIDING SYSTEM VALUE
    SELECT ${o}, ${scrape} + n, 'Service ' || md5(n::text), CASE WHEN n % 4 = 0 THEN 'manual' ELSE 'yq' END,
      CASE WHEN n % 4 = 0 THEN NULL ELSE 'https://git.example.org/team-' || n % 40 || '/service-' || n END, 'main',
      'deploy/values.yaml', '.image.tag', h.version, pacekeeper_now(), pacekeeper_now(), pacekeeper_now(), CASE WHEN n % 4 = 0 THEN 'succeeded' ELSE 'none' END,
      ${versionsEach - Math.ceil(versionsEach / 4)}, n % 10 > 0,
      ${minutesAgo('n')}, ${minutesAgo('n')}
    FROM generate_series(0, ${scrapeJobs - 1}) n
    JOIN histories h ON h.tool = n % ${gatherJobs} % ${tools} AND h.place = ${deployed('n', '0')}`.execute(
    tx,
  );
  await sql`
    INSERT INTO versions (organization_id, scrape_job_id, version, raw_version, version_transform, source, is_change,
      discovered_at, created_at, updated_at)
    SELECT ${o}, ${scrape} + job, h.version, h.version, 'none', CASE WHEN job % 4 = 0 THEN 'manual' ELSE 'agent' END, step % 4 = 0,
      ${minutesAgo('step * 1440')}, ${minutesAgo('step * 1440')}, ${minutesAgo('step * 1440')}
    FROM generate_series(${versionsEach - 1}, 0, -1) step
    CROSS JOIN generate_series(0, ${scrapeJobs - 1}) job
    JOIN histories h ON h.tool = job % ${gatherJobs} % ${tools} AND h.place = ${deployed('job', 'step')}`.execute(
    tx,
  );
  // The triggers that write these rows are disabled. Every twentieth period has a gap in its middle.
  await sql`
    INSERT INTO exposures (organization_id, scrape_job_id, version, source, first_seen_at, ended_at)
    SELECT organization_id, scrape_job_id, version, CASE source WHEN 'manual' THEN 'manual' ELSE 'git' END, discovered_at,
      lead(discovered_at) OVER (PARTITION BY scrape_job_id ORDER BY id)
    FROM versions WHERE organization_id = ${o} AND is_change`.execute(tx);
  await sql`
    INSERT INTO reading_gaps (organization_id, scrape_job_id, started_at, ended_at, reason)
    SELECT organization_id, scrape_job_id, first_seen_at + (ended_at - first_seen_at) / 3,
      ended_at - (ended_at - first_seen_at) / 3, 'read_failed'
    FROM exposures WHERE organization_id = ${o} AND ended_at > first_seen_at AND id % 20 = 0`.execute(tx);
  await sql`
    INSERT INTO deployments (organization_id, scrape_job_id, service, environment, version, artifact, commit_sha, labels,
      deployed_at, is_late, actor_type, actor_name, created_at)
    SELECT ${o}, ${scrape} + job, 'service-' || job / 3, (ARRAY['prod', 'staging', 'test'])[1 + job % 3], h.version,
      'ghcr.io/acme/service-' || job / 3, md5(job::text), '{}', ${minutesAgo('step * 1440 + job')}, step % 10 = 9, 'api_key', 'CI',
      ${minutesAgo('step * 1440 + job')}
    FROM generate_series(${versionsEach - 1}, 0, -1) step
    CROSS JOIN generate_series(0, ${scrapeJobs - 1}) job
    JOIN histories h ON h.tool = job % ${gatherJobs} % ${tools} AND h.place = ${deployed('job', 'step')}`.execute(
    tx,
  );
  await fillRuns(tx, organizationId, { gather, gatherJobs, scrape, scrapeJobs, runsEach });

  const rule = await firstId(tx, 'rules');
  await sql`
    INSERT INTO rules (organization_id, id, name, rule_type, threshold_moderate, threshold_high, threshold_critical,
      days_basis, created_at, updated_at)
    OVERRIDING SYSTEM VALUE
    SELECT ${o}, ${rule} + n, 'Rule ' || n, type, 1 + n % 30, 40, 90,
      CASE type WHEN 'days_behind' THEN 'deployed_release' END, ${minutesAgo('n')}, ${minutesAgo('n')}
    FROM generate_series(0, ${rules - 1}) n
    CROSS JOIN LATERAL (SELECT (ARRAY['days_behind', 'majors_behind', 'minors_behind'])[1 + n % 3] AS type) AS t`.execute(
    tx,
  );
  const config = await firstId(tx, 'alert_configs');
  const labels = sql`jsonb_build_object('team', 'team-' || ${o} || '-' || n % 40,
    'stage', (ARRAY['production', 'staging', 'test'])[1 + n % 3])`;
  await sql`
    INSERT INTO alert_configs (organization_id, id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, ordinal, labels,
      effective_labels, state, severity, crossed_at, deployed_version, latest_version, behind_by, last_evaluated_at, version_reading, due_at, requested_seq, is_active,
      created_at, updated_at)
    OVERRIDING SYSTEM VALUE
    SELECT ${o}, ${config} + n, 'Configuration ' || md5(n::text), ${scrape} + n % ${scrapeJobs}, ${o},
      ${gather} + n % ${scrapeJobs} % ${gatherJobs}, ${rule} + n % ${rules}, n / ${leastCommonMultiple(scrapeJobs, rules)},
      ${labels}, ${labels},
      CASE WHEN n % 2 = 0 THEN 'alerting' WHEN n % 50 = 1 THEN 'stale' ELSE 'ok' END,
      CASE WHEN n % 2 = 0 THEN ${severityOf('n')} END, CASE WHEN n % 2 = 0 THEN ${minutesAgo('n * 7919 % 1000003')} END, '1.0.0', '2.0.0', n % 200, ${minutesAgo('n % 10000')}, ${parserVersion}, 'infinity', 0,
      n % 20 > 0, ${minutesAgo('n')}, ${minutesAgo('n')}
    FROM generate_series(0, ${alertConfigs - 1}) n`.execute(tx);
  await fillAlerts(tx, organizationId, { config, rule, size });

  await sql`
    INSERT INTO audit_log (organization_id, action, resource, resource_id, resource_name, actor_type, actor_id, actor_name,
      created_at)
    SELECT ${o}, resource || '.updated', resource, n, 'Thing ' || n, 'user', 1 + n % 20, 'Person ' || n % 20,
      ${minutesAgo(`${auditLog} - n`)}
    FROM generate_series(1, ${auditLog}) n
    CROSS JOIN LATERAL (SELECT CASE WHEN n % 10000 = 0 THEN 'member' WHEN n % 3 = 0 THEN 'rule' ELSE 'alert_config' END AS resource) AS r`.execute(
    tx,
  );
  await fillDeliveries(tx, organizationId, channels);
  for (const table of ['gather_jobs', 'scrape_jobs', 'rules', 'alert_configs', 'notification_channels']) {
    await sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), (SELECT max(id) FROM ${sql.table(table)}))`.execute(
      tx,
    );
  }
}

function severityOf(n: string) {
  return sql.raw(
    `CASE WHEN ${n} % 100 = 0 THEN 'critical' WHEN ${n} % 10 = 0 THEN 'high' ELSE 'moderate' END`,
  );
}

async function fillRuns(
  tx: Tx,
  organizationId: number,
  jobs: { gather: number; gatherJobs: number; scrape: number; scrapeJobs: number; runsEach: number },
): Promise<void> {
  const fill = (kind: 'gather' | 'scrape', first: number, count: number, where: string) => sql`
    INSERT INTO runs (organization_id, kind, ${sql.ref(`${kind}_job_id`)}, job_id, status, trigger, capability, attempt, started_at,
      finished_at, error_code, error_message, created_at, updated_at)
    SELECT ${organizationId}, ${kind}, ${first} + job, ${first} + job, status, 'schedule', ${kind}, 1, at, at + interval '1 second',
      CASE status WHEN 'failed' THEN 'not_found' END, CASE status WHEN 'failed' THEN 'Not there.' END, at, at
    FROM generate_series(${jobs.runsEach}, 1, -1) step
    CROSS JOIN generate_series(0, ${count - 1}) job
    CROSS JOIN LATERAL (
      SELECT date_trunc('milliseconds', pacekeeper_now() - step * interval '1 day') AS at,
        CASE WHEN job % 1000 = 3 THEN 'failed' ELSE 'succeeded' END AS status
    ) AS r
    WHERE ${sql.raw(where)}`;
  await fill('gather', jobs.gather, jobs.gatherJobs, 'true').execute(tx);
  await fill('scrape', jobs.scrape, jobs.scrapeJobs, 'job % 4 > 0').execute(tx);
  for (const table of ['gather_jobs', 'scrape_jobs'] as const) {
    const kind = table === 'gather_jobs' ? 'gather' : 'scrape';
    await sql`
      UPDATE ${sql.table(table)} AS jobs SET last_outcome = newest.status, last_outcome_at = newest.finished_at
      FROM (
        SELECT DISTINCT ON (job_id) job_id, status, finished_at FROM runs
        WHERE organization_id = ${organizationId} AND kind = ${kind} ORDER BY job_id, id DESC
      ) AS newest
      WHERE jobs.organization_id = ${organizationId} AND jobs.id = newest.job_id`.execute(tx);
  }
}

async function fillAlerts(
  tx: Tx,
  organizationId: number,
  { config, rule, size }: { config: number; rule: number; size: OrganizationSize },
): Promise<void> {
  // The last alert of every second configuration is open.
  await sql`
    INSERT INTO alerts (organization_id, alert_config_id, rule_id, rule_type, severity, reason, discovered_version,
      latest_version, behind_by, behind_since, crossed_at, artifact_name, labels, acknowledged_at, acknowledged_by_type,
      acknowledged_by_name, resolved_at, resolution, last_sequence, created_at, updated_at)
    SELECT ${organizationId}, ${config} + c, ${rule} + c % ${size.rules}, type, ${severityOf('c')}, 'behind', '1.0.0', '2.0.0',
      CASE WHEN type <> 'days_behind' THEN c % 40 END,
      CASE WHEN type = 'days_behind' THEN at - (c % 400) * interval '1 day' END, at - c * 7919 % 1000 * interval '1 hour', 'github.com/tool/' || c,
      jsonb_build_object('team', 'team-' || ${sql.lit(organizationId)} || '-' || c % 40), CASE WHEN c % 6 = 0 THEN at END, CASE WHEN c % 6 = 0 THEN 'user' END,
      CASE WHEN c % 6 = 0 THEN 'Person' END, CASE WHEN step > 0 THEN at + interval '2 hours' END,
      CASE WHEN step > 0 THEN 'caught_up' END, 2, at, at
    FROM generate_series(${size.resolvedAlertsEach}, 0, -1) step
    CROSS JOIN generate_series(0, ${size.alertConfigs - 1}) c
    CROSS JOIN LATERAL (
      SELECT date_trunc('milliseconds', pacekeeper_now() - step * interval '20 days' - c * interval '1 minute') AS at,
        (ARRAY['days_behind', 'majors_behind', 'minors_behind'])[1 + c % ${size.rules} % 3] AS type
    ) AS a
    WHERE step > 0 OR c % 2 = 0`.execute(tx);
  // Every alert has a `created` audit entry.
  await sql`
    INSERT INTO audit_entries (organization_id, alert_id, action, event_type, event_id, sequence, actor_type, actor_name,
      to_value, data, created_at)
    SELECT organization_id, id, 'created', 'alert.created', gen_random_uuid(), 1, 'system', 'Pacekeeper', severity, '{}', created_at
    FROM alerts WHERE organization_id = ${organizationId}`.execute(tx);
}

async function sealChannels(tx: Tx, secretKey: Buffer): Promise<void> {
  const secretBox = createSecretBox({ current: secretKey });
  const rows = await tx.selectFrom('notification_channels').select(['organization_id', 'id']).execute();
  for (const { organization_id, id } of rows) {
    const context = {
      organizationId: organization_id,
      table: 'notification_channels',
      rowId: id,
      column: 'url_sealed',
    };
    const sealed = secretBox.seal(`https://hooks.example.org/${id}`, context);
    await sql`UPDATE notification_channels SET url_sealed = ${sealed} WHERE organization_id = ${organization_id} AND id = ${id}`.execute(
      tx,
    );
  }
}

/** Creates the channels and one delivery per event. */
async function fillDeliveries(tx: Tx, organizationId: number, channels: number): Promise<void> {
  const channel = await firstId(tx, 'notification_channels');
  await sql`
    INSERT INTO notification_channels (organization_id, id, name, url_sealed, url_masked)
    OVERRIDING SYSTEM VALUE
    SELECT ${organizationId}, ${channel} + n, 'Channel ' || n, '', 'https://hooks.example.org/…'
    FROM generate_series(0, ${channels - 1}) n`.execute(tx);
  await sql`
    INSERT INTO notification_deliveries (organization_id, channel_id, channel_name, alert_id, audit_entry_id, event_id,
      event_type, sequence, status, attempt_count, max_attempts, response_status, completed_at, created_at, updated_at)
    SELECT organization_id, ${channel} + id % ${channels}, 'Channel', alert_id, id, event_id, event_type, sequence,
      CASE WHEN id % 1000 = 0 THEN 'dead_letter' ELSE 'succeeded' END, 1, 10, 200, created_at, created_at, created_at
    FROM audit_entries WHERE organization_id = ${organizationId}`.execute(tx);
}

/**
 * Returns the number of steps after which two counters with the periods `a` and `b` are both back at their
 * start.
 */
function leastCommonMultiple(a: number, b: number): number {
  let [divisor, rest] = [a, b];
  while (rest > 0) [divisor, rest] = [rest, divisor % rest];
  return (a / divisor) * b;
}

async function firstId(tx: Tx, table: string): Promise<number> {
  const { rows } = await sql<{
    id: number;
  }>`SELECT coalesce(max(id), 0) + 1 AS id FROM ${sql.table(table)}`.execute(tx);
  return rows[0]!.id;
}

if (import.meta.main) {
  const connection = process.env['DATABASE_URL'];
  if (connection === undefined) throw new Error('Name the database to fill in DATABASE_URL.');
  const db = await connectDatabase({ connection, log: createSilentLog(), poolSize: 1 });
  const startedAt = performance.now();
  await migrateDatabase(db);
  await generateInstallation(db, [millionSize], randomBytes(32));
  const { rows } = await sql`
    SELECT relname AS table, reltuples::bigint AS rows, pg_size_pretty(pg_total_relation_size(oid)) AS size
    FROM pg_class WHERE relkind = 'r' AND reltuples >= 1000 AND relnamespace = 'public'::regnamespace ORDER BY 2 DESC`.execute(
    db,
  );
  console.table(rows);
  console.log(`${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  await db.destroy();
}
