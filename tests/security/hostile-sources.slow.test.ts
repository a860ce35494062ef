import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Schemas } from '../../src/generated/client-api.ts';
import { isLong } from '../helpers/long-tests.ts';
import { startTestServer, type TestOrganization } from '../helpers/test-server.ts';

/**
 * Number of threads started since the test file was loaded. The embedded agent starts one, and another if
 * that one exits.
 */
let threads = 0;
process.on('worker', () => (threads += 1));

const hosts = Array.from({ length: 8 }, (_, index) => `127.0.0.${index + 1}`);
const server = await startTestServer({
  PACEKEEPER_EMBEDDED_AGENT: 'true',
  PACEKEEPER_EGRESS_ALLOW: '127.0.0.0/8',
  PACEKEEPER_INSECURE_HOSTS: hosts.join(','),
});

type Run = NonNullable<Schemas['GatherJob']['last_run']>;

/** 6.4 MB of small objects, with almost the maximum number of values. */
const smallObjects = `[${'{"v":"1.0"},'.repeat(490_000)}{"v":"1.1"}]`;
/** About 1 MB of nothing but brackets. */
const brackets = `[${'[],'.repeat(330_000)}[]]`;
/** One long key with many values. Repeating the key for each value would take more than 1 TB. */
const longKey = `{"${'k'.repeat(3_000_000)}":[${'"a",'.repeat(400_000)}"a"]}`;
/** A deeply nested YAML flow map. */
const deepYaml = `entries: ${'{a: '.repeat(100_000)}`;
/** Aliases as keys. Resolving each alias searches everything before it. */
const aliasYaml = `entries:\n  app:\n${Array.from(
  { length: 500 },
  (_, index) => `  - &a version: 1.${index}.0\n${'    ? *a\n    : x\n'.repeat(900)}`,
).join('')}`;

const routes: Record<string, (response: ServerResponse) => void> = {
  '/objects': (response) => response.end(smallObjects),
  '/brackets': (response) => response.end(brackets),
  '/long-key': (response) => response.end(longKey),
  '/deep/index.yaml': (response) => response.end(deepYaml),
  '/alias/index.yaml': (response) => response.end(aliasYaml),
  '/slow': () => undefined,
  '/good': (response) => response.end('["1.0.0","1.1.0"]'),
};
const upstream = createServer((request, response) => {
  const path = (request.url ?? '').split('?')[0]!;
  (routes[path] ?? ((answer) => answer.writeHead(404).end()))(response);
});
let host = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, '0.0.0.0', resolve));
  host = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
});
afterAll(() => {
  upstream.close();
  upstream.closeAllConnections();
});

async function createJob(
  { api }: TestOrganization,
  path: string,
  more: Partial<Schemas['CreateGatherJobRequest']> = {},
): Promise<number> {
  const { id } = await api.call('createGatherJob', {
    body: {
      name: path,
      source_type: 'http_json',
      artifact_name: `http://${host}/${path}`,
      source_options: { version_path: '[*].v' },
      ...more,
    },
  });
  return id;
}

async function runOf({ api }: TestOrganization, id: number): Promise<Run | null> {
  return (await api.call('getGatherJob', { path: { id } })).last_run;
}

const isOpen = (run: Run | null) => run === null || run.status === 'queued' || run.status === 'in_progress';

async function untilEnded(organization: TestOrganization, id: number): Promise<Run> {
  for (;;) {
    const run = await runOf(organization, id);
    if (run && !isOpen(run)) return run;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('sources of one organization that try to exhaust memory', () => {
  test('affect only the runs of that organization', async () => {
    const [attacker, victim] = await Promise.all([server.createOrganization(), server.createOrganization()]);
    const before = threads;
    const attack = await Promise.all([
      ...Array.from({ length: isLong ? 6 : 1 }, (_, index) => createJob(attacker, `objects?${index}`)),
      createJob(attacker, 'brackets'),
      createJob(attacker, 'long-key', { source_options: { version_path: '[*][*]', date_path: '[*][*]' } }),
      createJob(attacker, 'deep/app', {
        source_type: 'helm_repository',
        artifact_name: `${host}/deep/app`,
        source_options: {},
      }),
      createJob(attacker, 'alias/app', {
        source_type: 'helm_repository',
        artifact_name: `${host}/alias/app`,
        source_options: {},
      }),
    ]);
    const good = await createJob(victim, 'good', { source_options: { version_path: '.' } });
    const run = await untilEnded(victim, good);
    expect(run).toMatchObject({ status: 'succeeded', attempt: 1, summary: { found: 2 } });
    const open = (await Promise.all(attack.map((id) => runOf(attacker, id)))).filter(isOpen);
    expect(open.length).toBeGreaterThan(0);

    // Each run ends on its first attempt, either with results or with a read error.
    const ended = await Promise.all(attack.map((id) => untilEnded(attacker, id)));
    for (const { attempt, status, error } of ended) {
      expect(attempt).toBe(1);
      expect([null, 'too_large', 'invalid_index']).toContain(error?.code ?? null);
      expect(status).toBe(error ? 'failed' : 'succeeded');
    }
    expect(threads).toBe(before);

    // The next run of the attacker succeeds.
    const next = await createJob(attacker, 'good', { source_options: { version_path: '.' } });
    expect(await untilEnded(attacker, next)).toMatchObject({ status: 'succeeded', attempt: 1 });
  }, 240_000);
});

describe('sources of one organization that never respond', () => {
  test('leave capacity for other organizations', async () => {
    const [attacker, victim] = await Promise.all([server.createOrganization(), server.createOrganization()]);
    const attack = await Promise.all(
      Array.from({ length: 80 }, (_, index) => createJob(attacker, `slow?${index}`, ofOtherHost(index))),
    );
    // Wait until the agent runs as many of these runs as its limits allow.
    while ((await countRunning(attacker, attack)) < 32)
      await new Promise((resolve) => setTimeout(resolve, 100));
    const good = await createJob(victim, 'good', { source_options: { version_path: '.' } });
    expect(await untilEnded(victim, good)).toMatchObject({ status: 'succeeded', attempt: 1 });
    // None of these runs has timed out. A run that timed out would be queued again with an error.
    const runs = await Promise.all(attack.map((id) => runOf(attacker, id)));
    expect(runs.filter((run) => !isOpen(run) || run?.error)).toEqual([]);
  });

  /** Spreads the jobs over several hosts, because each host gets only a few requests at the same time. */
  function ofOtherHost(index: number): Partial<Schemas['CreateGatherJobRequest']> {
    const [, port = ''] = host.split(':');
    return { artifact_name: `http://127.0.0.${(index % 8) + 1}:${port}/slow?${index}` };
  }

  async function countRunning(organization: TestOrganization, ids: readonly number[]): Promise<number> {
    const runs = await Promise.all(ids.map((id) => runOf(organization, id)));
    return runs.filter((run) => run?.status === 'in_progress').length;
  }
});
