import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { type ApiClient, createApiClient } from '../../src/client/api-client.ts';
import { type Database, hasSqlState } from '../../src/platform/database/index.ts';
import type { TestQuery, TestServer } from '../helpers/test-server.ts';
import { foundVersion, taskSummary } from './world.ts';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: PlanNode[];
}

/** A plan node and the number of rows that it scanned. */
export interface ScannedNode {
  node: string;
  table: string | undefined;
  rows: number;
}

/**
 * Prepared statements of a connection, which keep their original PostgreSQL plan. Only new table statistics
 * cause a new plan.
 */
export class PreparedPlans {
  private readonly names = new Map<string, string>();

  private readonly db: Database;

  /** Requires a `db` with a single connection. */
  constructor(db: Database) {
    this.db = db;
  }

  /** Keeps the plan of a statement if it isn't kept yet, and returns its nodes. Doesn't run the statement. */
  async lookAt(query: TestQuery): Promise<ScannedNode[]> {
    await this.keep(query);
    return (await this.explain(query, 'FORMAT JSON')).map(lookedAt);
  }

  /** Prepares and plans a statement without running it. */
  async keep({ text, parameters }: TestQuery): Promise<void> {
    if (this.names.has(text)) return;
    const name = `kept_${this.names.size + 1}`;
    this.names.set(text, name);
    await sql.raw(`PREPARE ${name} AS ${text}`).execute(this.db);
    await this.explain({ text, parameters }, 'FORMAT JSON');
  }

  /**
   * Runs the kept plan with other values. Returns its nodes, or `undefined` if the statement has no kept
   * plan, or can't run again because it stored unique values, such as the ID of an event.
   */
  async run(query: TestQuery): Promise<ScannedNode[] | undefined> {
    if (!this.names.has(query.text)) return undefined;
    // Roll back all writes of the statement.
    await sql`BEGIN`.execute(this.db);
    try {
      return (await this.explain(query, 'ANALYZE, FORMAT JSON')).map(lookedAt);
    } catch (error) {
      if (hasSqlState(error, '23505')) return undefined;
      throw error;
    } finally {
      await sql`ROLLBACK`.execute(this.db);
    }
  }

  private async explain({ text, parameters }: TestQuery, options: string): Promise<PlanNode[]> {
    const values = parameters.length === 0 ? '' : `(${parameters.map(literal).join(', ')})`;
    const { rows } = await sql
      .raw<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `EXPLAIN (${options}) EXECUTE ${this.names.get(text)!}${values}`,
      )
      .execute(this.db);
    const flat = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flat)];
    return flat(rows[0]!['QUERY PLAN'][0].Plan);
  }
}

function lookedAt(node: PlanNode): ScannedNode {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  return {
    node: `${node['Node Type']} on ${node['Index Name'] ?? node['Relation Name']}`,
    table: node['Relation Name'],
    // A bitmap index scan reads only index entries, so count no rows for it. The node above it reports the
    // rows.
    rows:
      node['Node Type'] === 'Bitmap Index Scan'
        ? 0
        : ((node['Actual Rows'] ?? 0) + removed) * (node['Actual Loops'] ?? 0),
  };
}

/** Formats a value as the database driver sends it. */
function literal(value: unknown): string {
  const text = textOf(value);
  return text === null ? 'NULL' : `'${text.replaceAll("'", "''")}'`;
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (!Array.isArray(value)) return typeof value === 'object' ? JSON.stringify(value) : String(value);
  const elements = value.map((element) => {
    const text = textOf(element);
    return text === null ? 'NULL' : JSON.stringify(text);
  });
  return `{${elements.join(',')}}`;
}

/** True if the statement has a plan. */
export function hasQueryPlan({ text }: TestQuery): boolean {
  return /^\s*(select|with|insert|update|delete)/i.test(text);
}

/**
 * Simulates the daily work of an organization: a version is set and evaluated, a notification is sent, and
 * runs are requested, claimed, and completed. Returns all statements, including those of background loops.
 */
export async function queriesOfWork(server: TestServer, api: ApiClient): Promise<TestQuery[]> {
  const { items } = await api.call('listScrapeJobs', { query: { parser_type: 'manual', limit: 1 } });
  const scrapeJobId = items[0]!.id;
  const configs = await api.call('listAlertConfigs', { query: { scrape_job_id: scrapeJobId } });
  const { id } = configs.items[0]!;
  const channel = await api.call('createNotificationChannel', {
    body: { name: 'nobody', url: 'https://hooks.example.org/' },
  });
  await api.call('updateNotificationSettings', { body: { default_channel_id: channel.id } });
  const fromGit = await api.call('listScrapeJobs', { query: { parser_type: 'yq', limit: 20 } });
  const { key } = await api.call('createAPIKey', { body: { name: 'agent', role: 'agent' } });
  const agent = createApiClient({ baseUrl: server.url, apiKey: key });
  const capabilities = ['scrape'];
  const { agent_id } = await agent.call('sendHeartbeat', {
    body: { name: 'plans', hostname: 'h', version: '1', capabilities, credential_names: [], running: [] },
  });
  const before = (await api.call('getAlertConfig', { path: { id } })).last_evaluated_at;
  return server.queriesOf(async () => {
    await api.call('setScrapeJobVersion', { path: { id: scrapeJobId }, body: { version: '0.0.1' } });
    await vi.waitFor(
      async () => {
        const { last_evaluated_at } = await api.call('getAlertConfig', { path: { id } });
        expect(last_evaluated_at).not.toBe(before);
      },
      { timeout: 60_000, interval: 100 },
    );
    // The first report creates a scrape job, and the second one finds it.
    for (const version of ['1.0.0', '1.1.0'])
      await api.call('reportDeployment', {
        body: { service: 'checkout', environment: 'prod', version, artifact: 'ghcr.io/acme/checkout' },
      });
    for (const job of fromGit.items) await api.call('runScrapeJob', { path: { id: job.id } });
    const { tasks } = await agent.call('claimTasks', {
      body: { agent_id, capabilities, credential_names: [], max: 200, wait_seconds: 0 },
    });
    expect(tasks.length).toBe(Math.min(fromGit.items.length, tasks.length));
    expect(tasks.length).toBeGreaterThanOrEqual(1);
    const ended = tasks.map(({ task_id, lease_token }) => ({
      task_id,
      lease_token,
      summary: taskSummary,
      item: foundVersion,
    }));
    await agent.call('completeTasks', { body: { tasks: ended.slice(0, 100) } });
  });
}
