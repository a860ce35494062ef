import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ApiClient, createApiClient } from '../../src/client/api-client.ts';
import type { Schemas } from '../../src/generated/agent-api.ts';
import { deleteDeadAgentsAcrossOrganizations } from '../../src/modules/agents/index.ts';
import { transaction } from '../../src/platform/database/index.ts';
import { sharedTestServer, type TestOrganization } from '../helpers/test-server.ts';

const server = await sharedTestServer();

async function startAgent({ owner }: TestOrganization) {
  const { key } = await owner.call('createAPIKey', { body: { name: 'agent', role: 'agent' } });
  const agent = createApiClient({ baseUrl: server.url, apiKey: key });
  const beat = (name: string) =>
    agent.call('sendHeartbeat', {
      body: {
        name,
        hostname: 'host',
        version: '1',
        capabilities: ['gather:http_json'],
        credential_names: [],
        running: [],
      },
    });
  return { agent, beat };
}

const status = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error: { status: number; detail: string }) => [error.status, error.detail],
  );

test('an API key can register at most 100 agents, and all of them are listed', async () => {
  const organization = await server.createOrganization();
  const { beat } = await startAgent(organization);
  for (let index = 0; index < 100; index += 1) await beat(`agent-${index}`);
  expect(await status(beat('agent-100'))).toEqual([409, expect.stringContaining('at most 100 agents')]);
  // Registered agents continue to work.
  expect(await status(beat('agent-7'))).toBe(200);
  expect((await organization.api.call('listAgents')).total).toBe(100);

  // A new agent replaces one that has been offline for a long time.
  const past = (name: string, age: string) =>
    sql`UPDATE agents SET last_heartbeat_at = pacekeeper_now() - ${age}::interval
        WHERE organization_id = ${organization.id} AND name = ${name}`.execute(server.db);
  await past('agent-3', '2 hours');
  expect(await status(beat('agent-100'))).toBe(200);
  const { items } = await organization.api.call('listAgents', { query: { limit: 200 } });
  expect(items).toHaveLength(100);
  expect(items.some(({ name }) => name === 'agent-3')).toBe(false);
});

const item = {
  tag: '1.0',
  app_version: null,
  released_at: null,
  is_prerelease: false,
  is_yanked: false,
  url: null,
};

test('the staged results of a task are limited and are deleted with the run', async () => {
  const organization = await server.createOrganization();
  const { agent, beat } = await startAgent(organization);
  const { agent_id } = await beat('one');
  const { id } = await organization.api.call('createGatherJob', {
    body: {
      name: 'job',
      source_type: 'http_json',
      artifact_name: 'https://example.org/v',
      source_options: { version_path: '.' },
    },
  });
  const { tasks } = await agent.call('claimTasks', {
    body: { agent_id, capabilities: ['gather:http_json'], credential_names: [], max: 1, wait_seconds: 5 },
  });
  const { task_id, lease_token } = tasks[0]!;
  const stage = (sequence: number, items: Schemas['GatherResultItem'][] = [{ ...item, notes: null }]) =>
    agent.call('submitTaskResults', { path: { id: task_id }, body: { lease_token, sequence, items } });
  await stage(1);

  // Inserts parts directly, because sending them would take too long.
  const fill = (count: number, bytes: number) =>
    sql`INSERT INTO run_parts (organization_id, run_id, lease_token, sequence, items, bytes)
        SELECT ${organization.id}, ${task_id}, ${lease_token}::uuid, 100 + number, '[]', ${bytes}::integer
        FROM generate_series(1, ${count}) AS number`.execute(server.db);
  const empty = () =>
    sql`DELETE FROM run_parts WHERE organization_id = ${organization.id} AND sequence > 100`.execute(
      server.db,
    );

  await fill(1_999, 10);
  expect(await status(stage(2))).toEqual([413, expect.stringContaining('2000 parts')]);
  expect(await status(stage(1))).toBe(200);
  await empty();

  await fill(1, 256 * 1024 * 1024 - 100);
  expect(await status(stage(2))).toEqual([413, expect.stringContaining('268435456 bytes')]);
  await empty();

  await stage(2);
  const staged = async () => {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::integer AS count FROM run_parts WHERE organization_id = ${organization.id}`.execute(
      server.db,
    );
    return rows[0]!.count;
  };
  expect(await staged()).toBe(2);
  // The run is canceled, because the job now reads another source.
  await organization.api.call('updateGatherJob', {
    path: { id },
    body: { artifact_name: 'https://example.org/w' },
  });
  expect(await staged()).toBe(0);
});

test('all tasks of an organization together can stage at most 1 GiB, and other organizations are not affected', async () => {
  const [organization, other] = [await server.createOrganization(), await server.createOrganization()];
  /** Creates this number of jobs and claims their tasks. */
  async function claimTasks(whose: TestOrganization, count: number) {
    const { agent, beat } = await startAgent(whose);
    const { agent_id } = await beat('one');
    for (let index = 0; index < count; index += 1) {
      await whose.api.call('createGatherJob', {
        body: {
          name: 'job',
          source_type: 'http_json',
          artifact_name: `https://example.org/v${index}`,
          source_options: { version_path: '.' },
        },
      });
    }
    const { tasks } = await agent.call('claimTasks', {
      body: { agent_id, capabilities: ['gather:http_json'], credential_names: [], max: 10, wait_seconds: 5 },
    });
    expect(tasks).toHaveLength(count);
    const stage = ({ task_id, lease_token }: (typeof tasks)[number]) =>
      agent.call('submitTaskResults', {
        path: { id: task_id },
        body: { lease_token, sequence: 1, items: [{ ...item, notes: null }] },
      });
    return { agent, tasks, stage };
  }
  const { agent, tasks, stage } = await claimTasks(organization, 5);
  // Inserts parts directly, because sending them would take too long: 256 MiB for each of the first four
  // tasks, minus 100 bytes in total.
  for (const { task_id, lease_token } of tasks.slice(0, 4)) {
    await sql`INSERT INTO run_parts (organization_id, run_id, lease_token, sequence, items, bytes)
      VALUES (${organization.id}, ${task_id}, ${lease_token}::uuid, 2, '[]', ${256 * 1024 * 1024 - 25})`.execute(
      server.db,
    );
  }
  const last = tasks[4]!;
  expect(await status(stage(last))).toEqual([
    413,
    expect.stringContaining('all tasks of an organization can have at most 1073741824 bytes'),
  ]);
  const stranger = await claimTasks(other, 1);
  expect(await status(stranger.stage(stranger.tasks[0]!))).toBe(200);

  // The space of a finished task becomes available to other tasks.
  await agent.call('failTask', {
    path: { id: tasks[0]!.task_id },
    body: {
      lease_token: tasks[0]!.lease_token,
      error: { code: 'upstream_error', message: 'x' },
      retryable: false,
      retry_at: null,
    },
  });
  expect(await status(stage(last))).toBe(200);
});

test('only agents that have been offline for two weeks are removed', async () => {
  const organization = await server.createOrganization();
  const { beat } = await startAgent(organization);
  for (const name of ['online', 'almost', 'gone']) await beat(name);
  const past = (name: string, age: string) =>
    sql`UPDATE agents SET last_heartbeat_at = pacekeeper_now() - ${age}::interval
        WHERE organization_id = ${organization.id} AND name = ${name}`.execute(server.db);
  await past('almost', '13 days 23 hours');
  await past('gone', '14 days 1 minute');
  // The server may already have deleted the agents automatically.
  await transaction(server.db, deleteDeadAgentsAcrossOrganizations);
  const { items } = await organization.api.call('listAgents');
  expect(items.map(({ name }) => name).toSorted()).toEqual(['almost', 'online']);
});

test('an agent that excludes an organization from a claim receives only tasks of other organizations', async () => {
  const [one, other] = await Promise.all([server.createOrganization(), server.createOrganization()]);
  const { agent, beat } = await startAgent(one);
  const { agent_id } = await beat('one');
  for (const { api } of [one, other]) {
    await api.call('createGatherJob', {
      body: {
        name: 'job',
        source_type: 'http_json',
        artifact_name: 'https://example.org/v',
        source_options: { version_path: '.' },
      },
    });
  }
  const claim = (except: number[]) =>
    agent.call('claimTasks', {
      body: {
        agent_id,
        capabilities: ['gather:http_json'],
        credential_names: [],
        except_organizations: except,
        max: 10,
        wait_seconds: 0,
      },
    });
  expect((await claim([one.id])).tasks).toEqual([]);
  expect((await claim([other.id])).tasks.map((task) => task.organization_id)).toEqual([one.id]);
});

describe('waiting claims', () => {
  const claimBody = { capabilities: ['gather:http_json'], credential_names: [], max: 1 };

  /**
   * Sends waiting claims and collects the errors of rejected claims. The other claims wait until `end` is
   * called or the test finishes.
   */
  function startPolls(agent: ApiClient, agentIds: readonly number[]) {
    const end = new AbortController();
    onTestFinished(() => end.abort());
    const refusals: unknown[] = [];
    for (const agent_id of agentIds) {
      const body = { ...claimBody, agent_id, wait_seconds: 30 };
      void agent.call('claimTasks', { body, signal: end.signal }).catch((error: unknown) => {
        if (!end.signal.aborted) refusals.push(error);
      });
    }
    return { refusals, end: () => end.abort() };
  }

  const refusal = (subject: string) =>
    expect.objectContaining({
      status: 429,
      code: 'rate_limited',
      retryAfterSeconds: 30,
      detail: expect.stringContaining(subject),
    });

  test('are limited to four per agent without affecting other organizations', async () => {
    const [one, other] = await Promise.all([server.createOrganization(), server.createOrganization()]);
    const { agent, beat } = await startAgent(one);
    const { agent_id } = await beat('one');
    const { refusals, end } = startPolls(agent, Array<number>(20).fill(agent_id));
    await expect.poll(() => refusals.length).toBe(16);
    expect(refusals).toEqual(Array(16).fill(refusal('4 waiting claims of one agent')));
    // Claims that don't wait have no additional limit.
    const now = { body: { ...claimBody, agent_id, wait_seconds: 0 } };
    expect((await agent.call('claimTasks', now)).tasks).toEqual([]);

    const stranger = await startAgent(other);
    const { agent_id: strangerId } = await stranger.beat('one');
    const soon = { body: { ...claimBody, agent_id: strangerId, wait_seconds: 1 } };
    expect((await stranger.agent.call('claimTasks', soon)).tasks).toEqual([]);

    // Finished claims no longer count toward the limit.
    end();
    const again = { body: { ...claimBody, agent_id, wait_seconds: 1 } };
    await expect.poll(() => status(agent.call('claimTasks', again))).toBe(200);
  });

  test('are limited to two for each of the 100 possible agents of an organization', async () => {
    const { agent, beat } = await startAgent(await server.createOrganization());
    const agentIds: number[] = [];
    for (let index = 0; index < 51; index += 1) agentIds.push((await beat(`agent-${index}`)).agent_id);
    const { refusals } = startPolls(agent, [...agentIds, ...agentIds, ...agentIds, ...agentIds]);
    await expect.poll(() => refusals.length).toBe(4);
    expect(refusals).toEqual(Array(4).fill(refusal('200 waiting claims of one organization')));
  });
});
