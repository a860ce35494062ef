import { type RawBuilder, sql } from 'kysely';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { jobKinds } from '../modules/agents/index.ts';
import { freshnessMetricsText } from '../modules/freshness/index.ts';
import { createFleetMetrics } from '../modules/monitoring/index.ts';
import { longestQueuedSinceAcrossOrganizations, type RunAttemptListener } from '../modules/runs/index.ts';
import { type Database, isDatabaseUnavailable, poolStatistics } from '../platform/database/index.ts';
import type { BodyBudget } from '../platform/http/index.ts';

type RunOutcome = Parameters<RunAttemptListener>[1];
type DeliveryOutcome = 'succeeded' | 'failed' | 'dead_letter';

export interface Metrics {
  onAnswered(request: { route: string; method: string; status: number; durationMs: number }): void;
  onDelivery(outcome: DeliveryOutcome, durationMs: number): void;
  onRun: RunAttemptListener;
  /** Returns the metrics in the Prometheus text format, in pieces. Concurrent calls share one computation. */
  text(): Promise<readonly Buffer[]>;
}

/**
 * Creates the metrics of Pacekeeper. Metrics that count rows are queried on each scrape instead of being kept
 * up to date.
 */
export function createMetrics(db: Database, bodyBudget: BodyBudget): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // Remove these gauges, because their names have the suffix of counters. The library reports the same
  // numbers by type under names without this suffix.
  for (const name of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`nodejs_active_${name}_total`);
  const registers = [registry];

  const requests = new Histogram({
    name: 'pacekeeper_http_request_duration_seconds',
    help: 'Requests by route, method, and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const deliveries = new Counter({
    name: 'pacekeeper_delivery_attempts_total',
    help: 'Delivery attempts by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const attemptDuration = new Histogram({
    name: 'pacekeeper_delivery_attempt_duration_seconds',
    help: 'Duration of delivery attempts.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 30],
    registers,
  });
  const runs = new Counter({
    name: 'pacekeeper_run_attempts_total',
    help: 'Run attempts by job kind and outcome.',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  const leaseLosses = new Counter({
    name: 'pacekeeper_lease_losses_total',
    help: 'Leases that expired before the work finished, by kind.',
    labelNames: ['kind'],
    registers,
  });
  // Counters start at 0, because Prometheus can't detect an increase if the first sample is 1.
  leaseLosses.inc({ kind: 'run' }, 0);
  for (const outcome of deliveryOutcomes) deliveries.inc({ outcome }, 0);
  for (const kind of Object.keys(jobKinds)) {
    for (const outcome of runOutcomes) runs.inc({ kind, outcome }, 0);
  }
  new Gauge({
    name: 'pacekeeper_database_connections',
    help: 'Database connections by state, including waiting callers.',
    labelNames: ['state'],
    registers,
    collect() {
      const { total, idle, waiting } = poolStatistics(db);
      this.set({ state: 'busy' }, total - idle);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  new Gauge({
    name: 'pacekeeper_request_body_bytes',
    help: 'Request body bytes in memory (declared size until read).',
    registers,
    collect() {
      this.set(bodyBudget.bytesInFlight());
    },
  });
  /**
   * Returns the rows of a gauge. While the database is unavailable, the gauge has no samples, and the other
   * metrics are still reported.
   */
  const readRows = async <Row>(gauge: Gauge<string>, query: RawBuilder<Row>): Promise<Row[]> => {
    gauge.reset();
    try {
      return (await query.execute(db)).rows;
    } catch (error) {
      if (isDatabaseUnavailable(error)) return [];
      throw error;
    }
  };
  new Gauge({
    name: 'pacekeeper_database_up',
    help: "Whether the database is reachable. Row-based metrics are omitted when it isn't.",
    registers,
    async collect() {
      const rows = await readRows(this, sql`SELECT 1`);
      this.set(rows.length);
    },
  });
  new Gauge({
    name: 'pacekeeper_due_rows_age_seconds',
    help: 'Age of the oldest due row, by kind. 0 if nothing is due.',
    labelNames: ['kind'],
    registers,
    async collect() {
      const rows = await readRows(
        this,
        sql<{ kind: string; age: number }>`
        SELECT kind, greatest(0, extract(epoch FROM pacekeeper_now() - oldest))::float8 AS age FROM (
          SELECT 'evaluation' AS kind, min(due_at) AS oldest FROM alert_configs WHERE due_at < 'infinity'
          UNION ALL SELECT 'delivery', min(due_at) FROM notification_channels WHERE due_at < 'infinity'
          UNION ALL SELECT 'silence_end', min(due_at) FROM silenced_alerts WHERE due_at < 'infinity'
          UNION ALL SELECT 'fan_out', min(due_at) FROM release_fan_outs WHERE due_at < 'infinity'
          UNION ALL SELECT 'digest_fan_out', min(due_at) FROM digest_fan_outs WHERE due_at < 'infinity'
          UNION ALL SELECT 'moved_releases', min(due_at) FROM release_moves WHERE due_at < 'infinity'
          UNION ALL SELECT 'run', ${longestQueuedSinceAcrossOrganizations}
        ) AS queues`,
      );
      for (const { kind, age } of rows) this.set({ kind }, age ?? 0);
    },
  });
  new Gauge({
    name: 'pacekeeper_open',
    help: 'Open alerts without those in sample data, dead letters (24 h), failed runs (1 h), and online agents.',
    labelNames: ['what'],
    registers,
    async collect() {
      const rows = await readRows(
        this,
        sql<{ what: string; count: number }>`
        SELECT 'alerts' AS what, count(*) AS count FROM alerts
        WHERE resolved_at IS NULL AND organization_id NOT IN (SELECT id FROM organizations WHERE sample_user_id IS NOT NULL)
        UNION ALL SELECT 'dead_letters', count(dead.id) FROM organizations o
          LEFT JOIN notification_deliveries dead ON dead.organization_id = o.id
            AND dead.status = 'dead_letter' AND dead.created_at > pacekeeper_now() - interval '1 day'
        UNION ALL SELECT 'failed_runs', count(*) FROM runs
          WHERE status = 'failed' AND created_at > pacekeeper_now() - interval '1 hour'
        UNION ALL SELECT 'agents', count(*) FROM agents
          WHERE last_heartbeat_at > pacekeeper_now() - interval '60 seconds'`,
      );
      for (const { what, count } of rows) this.set({ what }, count);
    },
  });

  const fleet = createFleetMetrics(db);
  const readAll = async () => [
    Buffer.from(await registry.metrics()),
    ...(await fleet.read()),
    Buffer.from(await freshnessMetricsText(db)),
  ];
  let inFlight: Promise<readonly Buffer[]> | null = null;

  return {
    onAnswered: ({ route, method, status, durationMs }) =>
      requests.observe({ route, method, status: String(status) }, durationMs / 1_000),
    onDelivery(outcome, durationMs) {
      deliveries.inc({ outcome });
      attemptDuration.observe(durationMs / 1_000);
    },
    onRun(kind, outcome) {
      runs.inc({ kind, outcome });
      if (outcome === 'lost') leaseLosses.inc({ kind: 'run' });
    },
    text() {
      inFlight ??= readAll().finally(() => (inFlight = null));
      return inFlight;
    },
  };
}

const runOutcomes = ['succeeded', 'unchanged', 'failed', 'put_off', 'lost'] as const satisfies RunOutcome[];
const deliveryOutcomes = ['succeeded', 'failed', 'dead_letter'] as const satisfies DeliveryOutcome[];
