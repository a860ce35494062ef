import { sql } from 'kysely';
import { RE2JS } from 're2js';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createApiClient } from '../../src/client/api-client.ts';
import { startTestServer, type TestOrganization } from '../helpers/test-server.ts';

const server = await startTestServer();

/** A pattern that is among the slowest allowed. */
const slowPattern = '(?:[ab]?){12}[xy]';
const tag = (index: number) => `${index}-${'ab'.repeat(245)}`.slice(0, 490);
const release = (index: number, more: object = {}) => ({
  tag: tag(index),
  app_version: null,
  released_at: null,
  is_prerelease: false,
  is_yanked: false,
  url: null,
  notes: null,
  ...more,
});

async function startAgent({ owner }: TestOrganization, capability: 'gather:http_json' | 'helm_sync') {
  const { key } = await owner.call('createAPIKey', { body: { name: 'agent', role: 'agent' } });
  const agent = createApiClient({ baseUrl: server.url, apiKey: key });
  const beat = { name: 'one', hostname: 'host', version: '1', credential_names: [], running: [] };
  const { agent_id } = await agent.call('sendHeartbeat', { body: { ...beat, capabilities: [capability] } });
  const { tasks } = await agent.call('claimTasks', {
    body: { agent_id, capabilities: [capability], credential_names: [], max: 1, wait_seconds: 5 },
  });
  return { agent, task: tasks[0]! };
}

/** Inserts a part directly into the database, because sending and validating a large one would take too long. */
const stage = (
  organization: TestOrganization,
  task: { task_id: number; lease_token: string },
  items: unknown,
) =>
  sql`INSERT INTO run_parts (organization_id, run_id, lease_token, sequence, items, bytes)
      VALUES (${organization.id}, ${task.task_id}, ${task.lease_token}::uuid, 1, ${JSON.stringify(items)}::jsonb, 1)`.execute(
    server.db,
  );

const complete = ({ agent, task }: Awaited<ReturnType<typeof startAgent>>, found: number) =>
  agent.call('completeTask', {
    path: { id: task.task_id },
    body: {
      lease_token: task.lease_token,
      parts: 1,
      summary: {
        not_modified: false,
        is_complete_list: true,
        validators: null,
        found,
        skipped: 0,
        skipped_examples: [],
        requests: 1,
        waited_ms: 0,
      },
    },
  });

test('a completion is queued for the organization of its caller, even if it names a run of another organization', async () => {
  const [organization, other] = [await server.createOrganization(), await server.createOrganization()];
  await other.api.call('createGatherJob', {
    body: {
      name: 'job',
      source_type: 'http_json',
      artifact_name: 'https://example.org/v',
      source_options: { version_path: '.' },
    },
  });
  const victim = await startAgent(other, 'gather:http_json');
  const { key } = await organization.owner.call('createAPIKey', { body: { name: 'agent', role: 'agent' } });
  const agent = createApiClient({ baseUrl: server.url, apiKey: key });
  const statements = await server.statementsOf(async () => {
    await expect(complete({ agent, task: victim.task }, 1)).rejects.toMatchObject({ status: 404 });
  });
  // The server must not look up the organization of the run, because requests that refer to runs of other
  // organizations would then delay those organizations.
  expect(statements.filter((text) => /^\s*SELECT organization_id FROM runs/.test(text))).toEqual([]);
  await stage(other, victim.task, [release(1)]);
  await complete(victim, 1);
});

describe('the event loop of the server', () => {
  test('isn’t blocked by matching a pattern that is slow on long tags', async () => {
    const organization = await server.createOrganization();
    const { id } = await organization.api.call('createGatherJob', {
      body: {
        name: 'slow',
        source_type: 'http_json',
        artifact_name: 'https://example.org/v',
        source_options: { version_path: '.' },
        version_pattern: slowPattern,
      },
    });
    const items = Array.from({ length: 1_000 }, (_, index) =>
      index === 7 ? release(index, { tag: '1.0-abx' }) : release(index),
    );
    const started = await startAgent(organization, 'gather:http_json');
    await stage(organization, started.task, items);
    const matches = vi.spyOn(RE2JS.prototype, 'matcher');
    onTestFinished(() => matches.mockRestore());
    await complete(started, 1_000);
    // The sandbox matched all of the tags.
    expect(matches).not.toHaveBeenCalled();
    const { last_run } = await organization.api.call('getGatherJob', { path: { id } });
    expect(last_run).toMatchObject({ status: 'succeeded', summary: { found: 1_000, skipped: 999 } });
    const { items: stored } = await organization.api.call('listReleases', { query: { gather_job_id: id } });
    expect(stored.map(({ version }) => version)).toEqual(['abx']);
  });

  test('isn’t blocked by 60,000 releases of a Helm repository in one part', async () => {
    const organization = await server.createOrganization();
    await organization.api.call('createHelmSyncJob', {
      body: { name: 'charts', repository_url: 'https://charts.example.org/stable' },
    });
    const items = Array.from({ length: 60 }, (_, chart) => ({
      chart: {
        name: `chart-${chart}`,
        latest_version: '1.0.0',
        app_version: null,
        description: null,
        deprecated: false,
        version_count: 1_000,
      },
      releases: Array.from({ length: 1_000 }, (_, index) => release(index, { tag: `1.${index}.${chart}` })),
    }));
    const text = JSON.stringify(items);
    expect(text.length).toBeLessThan(8 * 1024 * 1024);
    const started = await startAgent(organization, 'helm_sync');
    await stage(organization, started.task, items);
    const parses = vi.spyOn(JSON, 'parse');
    const stringifies = vi.spyOn(JSON, 'stringify');
    onTestFinished(() => {
      parses.mockRestore();
      stringifies.mockRestore();
    });
    await complete(started, 60_000);
    // Each call that parses or serializes JSON blocks the thread, so none may process a large text.
    expect(Math.max(...parses.mock.calls.map(([json]) => json.length))).toBeLessThan(1_000_000);
    const written = stringifies.mock.results.map(({ value }) => String(value).length);
    expect(Math.max(...written)).toBeLessThan(1_000_000);
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::integer AS count FROM releases WHERE organization_id = ${organization.id}`.execute(
      server.db,
    );
    expect(rows[0]!.count).toBeGreaterThan(50_000);
  });
});
