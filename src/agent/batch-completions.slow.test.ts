import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { collectGarbage } from '../../tests/helpers/collect-garbage.ts';
import {
  type FakeAgentInterface,
  startFakeAgentInterface,
} from '../../tests/helpers/fake-agent-interface.ts';
import { createSilentLog } from '../platform/log.ts';
import { runAgent } from './agent-loop.ts';
import type { HeldTask, TaskOf } from './agent-task.ts';

let service: FakeAgentInterface;
const closers: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  service = await startFakeAgentInterface();
  closers.push(() => service.close());
});

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const summary = {
  not_modified: true,
  is_complete_list: false,
  validators: null,
  found: 0,
  skipped: 0,
  skipped_examples: [],
  requests: 1,
  waited_ms: 0,
};

const found = { ...summary, not_modified: false, found: 1 };
const itemOf = (id: number) => ({
  raw_version: `1.${id}.0`,
  version: `v1.${id}.0`,
  commit_sha: 'a'.repeat(40),
});

const releasesOf = (id: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    tag: `v1.${id}.${index}`,
    app_version: null,
    released_at: null,
    is_prerelease: false,
    is_yanked: false,
    url: null,
    notes: null,
  }));

/**
 * Starts an agent that finds a version in every file. Each source has as many new releases as `countReleases` returns,
 * or is unmodified if this number is 0.
 */
function start(
  onTask: (held: HeldTask) => void = () => {},
  countReleases: (taskId: number) => number = () => 0,
) {
  const stopping = new AbortController();
  const ended = runAgent({
    connection: { serverUrl: service.url, apiKey: 'pk_1_secret' },
    name: 'runner-7',
    version: '1.2.3',
    capabilities: ['gather:github_releases', 'scrape'],
    credentials: [],
    log: createSilentLog(),
    signal: stopping.signal,
    runners: {
      groupKey: (task) => (task.kind === 'gather' ? String(task.task_id) : ''),
      rejectedCode: ({ kind }) => (kind === 'scrape' ? 'parse_failed' : 'invalid_index'),
      async runGroup(tasks) {
        for (const held of tasks) {
          const { kind, task_id: taskId } = held.task;
          if (kind === 'scrape') {
            await held.complete(found, { item: itemOf(taskId) });
            continue;
          }
          onTask(held);
          const releases = releasesOf(taskId, countReleases(taskId));
          await (releases.length > 0 ? held.complete(found, { releases }) : held.complete(summary));
        }
      },
    },
  });
  const stop = async () => {
    stopping.abort();
    await ended;
  };
  closers.push(stop);
  return { stop };
}

function addTasks(count: number): void {
  for (let index = 0; index < count; index++) {
    const id = service.tasks.size + 1;
    service.add({
      task_id: id,
      organization_id: 2,
      lease_token: `lease-${id}`,
      lease_expires_at: '2026-11-21T05:11:00.000Z',
      kind: 'gather',
      spec: {
        gather_job_id: id,
        source_type: 'github_releases',
        artifact_name: 'github.com/acme/app',
        source_options: {},
        version_pattern: null,
        version_scheme: 'auto',
        include_prereleases: true,
        credential_name: null,
        validators: null,
        is_full: false,
        share_key: String(id),
      },
    });
  }
}

function addScrapes(count: number): void {
  for (let index = 0; index < count; index++) {
    const id = service.tasks.size + 1;
    const spec: TaskOf<'scrape'>['spec'] = {
      scrape_job_id: id,
      repository_url: 'https://git.example.org/a',
      ref: 'HEAD',
      target_file: 'a.yaml',
      parser_type: 'yq',
      parse_expression: '.tag',
      version_transform: 'none',
      credential_name: null,
    };
    service.add({
      task_id: id,
      organization_id: 2,
      lease_token: `lease-${id}`,
      lease_expires_at: '2026-11-21T05:11:00.000Z',
      kind: 'scrape',
      spec,
    });
  }
}

const states = () => [...service.tasks.values()].map((entry) => entry.state);

describe('tasks without parts', () => {
  test('are completed in batches', async () => {
    addTasks(500);
    start();
    await service.ended();
    expect(new Set(states())).toEqual(new Set(['completed']));
    expect(service.tasks.get(1)?.summary).toEqual(summary);
    expect(service.callsTo('/complete-batch').length).toBeLessThan(50);
    expect(service.callsTo('/complete')).toEqual([]);
  });

  test('are completed in batches with the versions that they found', async () => {
    addScrapes(500);
    start();
    await service.ended();
    expect(new Set(states())).toEqual(new Set(['completed']));
    for (const id of [1, 250, 500]) {
      const task = service.tasks.get(id)!;
      expect([...task.parts.values(), task.summary]).toEqual([[itemOf(id)], found]);
    }
    expect(service.callsTo('/complete-batch').length).toBeLessThan(50);
    expect([...service.callsTo('/complete'), ...service.callsTo('/results')]).toEqual([]);
  });

  test('are completed in batches with their releases, separately from tasks without releases', async () => {
    addTasks(300);
    start(undefined, (id) => (id % 3 === 0 ? 0 : 30));
    await service.ended();
    expect(new Set(states())).toEqual(new Set(['completed']));
    expect([...service.tasks.get(2)!.parts.values()]).toEqual([releasesOf(2, 30)]);
    expect(service.tasks.get(3)).toMatchObject({ summary, parts: new Map() });
    const batches = service
      .callsTo('/complete-batch')
      .map(({ body }) => body['tasks'] as { releases?: [] }[]);
    expect(batches.length).toBeLessThan(50);
    for (const batch of batches) {
      expect(new Set(batch.map(({ releases }) => releases === undefined)).size).toBe(1);
      expect(batch.reduce((sum, { releases = [] }) => sum + releases.length, 0)).toBeLessThanOrEqual(1_000);
    }
    expect([...service.callsTo('/complete'), ...service.callsTo('/results')]).toEqual([]);
  });

  test('fail individually when the service rejects a result, while the others complete', async () => {
    service.isUnfit = (item) => (item as { raw_version: string }).raw_version === '1.2.0';
    addScrapes(3);
    start();
    await service.ended();
    expect(states()).toEqual(['completed', 'failed', 'completed']);
    const message = 'The server rejected the result: The fake does not take it.';
    expect(service.tasks.get(2)).toMatchObject({
      error: { code: 'parse_failed', message },
      retryable: false,
    });
  });

  test('fail individually when one of them causes a service error, while the others complete', async () => {
    service.refuse = (path) => {
      const { tasks = [] } = service.calls.at(-1)!.body as { tasks?: { task_id: number }[] };
      const isFailing = path === '/tasks/complete-batch' && tasks.some(({ task_id }) => task_id === 2);
      return isFailing ? { status: 500, code: 'internal' } : null;
    };
    addTasks(5);
    start();
    await service.ended();
    expect(states()).toEqual(['completed', 'failed', 'completed', 'completed', 'completed']);
    expect(service.tasks.get(2)).toMatchObject({ error: { code: 'internal' }, retryable: true });
  });

  test('are all completed even if the agent stops right after they start', async () => {
    addTasks(3);
    let begun = 0;
    const agent = start(() => (begun += 1));
    while (begun < 3) await new Promise((done) => setTimeout(done, 1));
    await agent.stop();
    expect(states()).toEqual(['completed', 'completed', 'completed']);
  });

  test('complete even if the lease of one of them is lost', async () => {
    addTasks(3);
    const lost: HeldTask[] = [];
    start((held) => {
      if (held.task.task_id !== 2) return;
      lost.push(held);
      const entry = service.tasks.get(2)!;
      // The server changes the lease token when it assigns the task to another agent.
      entry.task = { ...entry.task, lease_token: 'of another agent' };
    });
    while (states().filter((state) => state === 'completed').length < 2) {
      await new Promise((done) => setTimeout(done, 5));
    }
    await lost[0]!.ended;
    expect(states()).toEqual(['completed', 'claimed', 'completed']);
    expect(lost[0]!.signal.aborted).toBe(true);
    expect(service.callsTo('/fail')).toEqual([]);
  });

  test('are completed one by one if the service rejects batches', async () => {
    service.refuse = (path) => (path.endsWith('/complete-batch') ? { status: 404, code: 'not_found' } : null);
    addTasks(5);
    addScrapes(5);
    start(undefined, (id) => (id === 3 ? 2 : 0));
    await service.ended();
    expect(new Set(states())).toEqual(new Set(['completed']));
    expect(service.callsTo('/complete')).toHaveLength(10);
    expect([...service.tasks.get(3)!.parts.values()]).toEqual([releasesOf(3, 2)]);
    expect([...service.tasks.get(7)!.parts.values()]).toEqual([[itemOf(7)]]);
  });

  test('are completed when the service is available again', async () => {
    let failures = 2;
    service.refuse = (path) =>
      path.endsWith('/complete-batch') && failures-- > 0 ? { status: 503, code: 'unavailable' } : null;
    addTasks(5);
    start();
    await service.ended();
    expect(new Set(states())).toEqual(new Set(['completed']));
  });

  test("don't remain in the agent's memory after they end", async () => {
    const seen: WeakRef<HeldTask>[] = [];
    start((held) => {
      // Like a real runner, add an abort listener that references the task.
      held.signal.addEventListener('abort', () => void held.task.spec);
      seen.push(new WeakRef(held));
    });
    addTasks(200);
    await service.ended();
    addTasks(1);
    await service.ended();
    for (let turn = 0; turn < 5; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      collectGarbage();
    }
    expect(seen.filter((each) => each.deref() !== undefined).length).toBeLessThan(20);
  });
});
