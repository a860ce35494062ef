import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { startTestServer, type TestOrganization } from '../../../tests/helpers/test-server.ts';
import { type ApiClient, createApiClient } from '../../client/api-client.ts';
import { createSystemKey } from '../accounts/index.ts';

const server = await startTestServer();
const capabilities = ['gather:github_releases', 'scrape', 'helm_sync'];

interface TestAgent {
  api: ApiClient;
  id: number;
  credentials: string[];
}

async function agentClient({ owner }: TestOrganization): Promise<ApiClient> {
  const { key } = await owner.call('createAPIKey', { body: { name: 'agent', role: 'agent' } });
  return createApiClient({ baseUrl: server.url, apiKey: key });
}

async function heartbeat(
  api: ApiClient,
  { name = 'runner', credentials = [] as string[] } = {},
): Promise<TestAgent> {
  const { agent_id } = await api.call('sendHeartbeat', {
    body: {
      name,
      hostname: 'host',
      version: '0.1.0',
      capabilities,
      credential_names: credentials,
      running: [],
    },
  });
  return { api, id: agent_id, credentials };
}

async function startAgent(
  organization: TestOrganization,
  options: Parameters<typeof heartbeat>[1] = {},
): Promise<TestAgent> {
  return heartbeat(await agentClient(organization), options);
}

async function claim(
  { api, id, credentials }: TestAgent,
  {
    max = 10,
    wait_seconds = 0,
    can = capabilities,
    signal,
  }: { max?: number; wait_seconds?: number; can?: typeof capabilities; signal?: AbortSignal } = {},
) {
  const { tasks } = await api.call('claimTasks', {
    ...(signal && { signal }),
    body: { agent_id: id, capabilities: can, credential_names: credentials, max, wait_seconds },
  });
  return tasks;
}

function createJob({ api }: TestOrganization, credential_name: string | null = null) {
  return api.call('createScrapeJob', {
    body: {
      name: 'web',
      parser_type: 'yq',
      repository_url: 'https://git.example.org/acme/deploy',
      target_file: 'values.yaml',
      parse_expression: '.tag',
      credential_name,
    },
  });
}

type Task = Awaited<ReturnType<typeof claim>>[number];

const scrapeItem = (version: string) => ({ raw_version: version, version, commit_sha: 'a'.repeat(40) });
const releaseItem = (tag: string) => ({
  tag,
  app_version: null,
  released_at: null,
  is_prerelease: false,
  is_yanked: false,
  url: null,
  notes: null,
});
const summary = {
  not_modified: false,
  is_complete_list: false,
  validators: null,
  found: 1,
  skipped: 0,
  skipped_examples: [],
  requests: 1,
  waited_ms: 0,
};

async function complete({ api }: TestAgent, task: Task, version = '1.2.3'): Promise<void> {
  const path = { id: task.task_id };
  const { lease_token } = task;
  await api.call('submitTaskResults', {
    path,
    body: { lease_token, sequence: 1, items: [scrapeItem(version)] },
  });
  await api.call('completeTask', { path, body: { lease_token, parts: 1, summary } });
}

/** Moves the lease and the due time of a run back, as if the given time had passed. */
async function passTime(runId: number, interval: string): Promise<void> {
  await sql`
    UPDATE runs SET lease_until = lease_until - ${interval}::interval, due_at = due_at - ${interval}::interval
    WHERE id = ${runId}`.execute(server.db);
}

const lateAnswer = { status: 409, code: 'lease_lost' };

describe('a task', () => {
  test('keeps its lease after a rejected result, and can be failed with the reason', async () => {
    const organization = await server.createOrganization();
    const agent = await startAgent(organization);
    const job = await createJob(organization);
    const [task] = await claim(agent);
    const path = { id: task!.task_id };
    const { lease_token } = task!;
    const reason = 'A scrape task must be completed with a version.';
    const empty = { lease_token, parts: 0, summary };
    await expect(agent.api.call('completeTask', { path, body: empty })).rejects.toMatchObject({
      status: 409,
      code: 'conflict',
      detail: reason,
    });
    const error = { code: 'parse_failed' as const, message: reason };
    await agent.api.call('failTask', {
      path,
      body: { lease_token, error, retryable: false, retry_at: null },
    });
    const { last_run } = await organization.api.call('getScrapeJob', { path: { id: job.id } });
    expect(last_run).toMatchObject({ status: 'failed', error });
  });

  test('fails with a reason if the fetched reference data contains no records', async () => {
    const { key } = await createSystemKey(server.db, { name: 'fetcher', role: 'agent' });
    const agent = await heartbeat(createApiClient({ baseUrl: server.url, apiKey: key }));
    const lease_token = crypto.randomUUID();
    const { rows } = await sql<{ id: number }>`
      INSERT INTO runs (organization_id, kind, reference_source_id, trigger, capability, status, agent_organization_id,
        agent_id, lease_token, lease_until, started_at)
      SELECT 1, 'reference', id, 'schedule', 'reference:' || name, 'in_progress', 1, ${agent.id}, ${lease_token},
        pacekeeper_now() + interval '1 hour', pacekeeper_now()
      -- Scores of vulnerabilities might be missing, because no vulnerability is stored.
      FROM reference_sources WHERE name <> 'epss' RETURNING id`.execute(server.db);
    for (const { id } of rows) {
      const body = { lease_token, parts: 0, summary: { ...summary, as_of: '2026-11-01T00:00:00Z' } };
      await agent.api.call('completeTask', { path: { id }, body });
    }
    const ended = await sql`
      SELECT status, error_code, error_message FROM runs WHERE kind = 'reference'`.execute(server.db);
    const failure = {
      status: 'failed',
      error_code: 'invalid_index',
      error_message: 'The source returned an unexpected format. It contains no data.',
    };
    expect(ended.rows).toEqual(rows.map(() => failure));
  });

  test('is claimed, completed, and applied', async () => {
    const organization = await server.createOrganization();
    const agent = await startAgent(organization);
    const job = await createJob(organization);
    const [task] = await claim(agent);
    expect(task).toMatchObject({
      kind: 'scrape',
      spec: {
        scrape_job_id: job.id,
        repository_url: job.repository_url,
        ref: 'HEAD',
        target_file: 'values.yaml',
        parser_type: 'yq',
      },
    });
    const path = { id: job.id };
    expect(await organization.api.call('getScrapeJob', { path })).toMatchObject({
      status: 'in_progress',
      waiting_for: null,
    });
    expect((await organization.api.call('listAgents', {})).items).toMatchObject([
      {
        id: agent.id,
        status: 'online',
        running: [{ task_id: task!.task_id, kind: 'scrape', job_id: job.id, job_name: 'web' }],
      },
    ]);
    await complete(agent, task!);
    const done = await organization.api.call('getScrapeJob', { path });
    expect(done).toMatchObject({
      status: 'completed',
      latest_version: '1.2.3',
      last_run: { status: 'succeeded', attempt: 1, agent_id: agent.id },
    });
    expect((await organization.api.call('listScrapeJobVersions', { path, query: {} })).items).toMatchObject([
      { version: '1.2.3', source: 'agent', commit_sha: 'a'.repeat(40) },
    ]);
    await expect(complete(agent, task!)).rejects.toMatchObject(lateAnswer);
  });

  test('is claimed by only one of several agents that claim at the same time', async () => {
    const organization = await server.createOrganization();
    const agents = [];
    for (const name of ['a', 'b', 'c']) agents.push(await startAgent(organization, { name }));
    for (let count = 0; count < 12; count++) await createJob(organization);
    const seen: number[] = [];
    for (let round = 0; round < 20 && seen.length < 12; round++) {
      const claimed = await Promise.all(agents.map((agent) => claim(agent, { max: 3 })));
      seen.push(...claimed.flat().map((task) => task.task_id));
    }
    expect(seen).toHaveLength(12);
    expect(new Set(seen).size).toBe(12);
  });

  test('wakes a waiting agent', async () => {
    const organization = await server.createOrganization();
    const agent = await startAgent(organization);
    const waiting = claim(agent, { wait_seconds: 30 });
    await new Promise((resolve) => setTimeout(resolve, 200));
    await createJob(organization);
    expect(await waiting).toHaveLength(1);
  });

  test("doesn't wake an agent that can't claim it, because the agent belongs to another organization or lacks the capability", async () => {
    const organization = await server.createOrganization();
    const [agent, other] = [
      await startAgent(organization),
      await startAgent(await server.createOrganization()),
    ];
    const searchesDuring = async (work: () => Promise<unknown>) =>
      (await server.statementsOf(work)).filter((text) => text.includes('open_queues'));
    const aMoment = () => new Promise((resolve) => setTimeout(resolve, 100));
    const end = new AbortController();
    const waiting = Promise.allSettled([
      claim(other, { wait_seconds: 30, signal: end.signal }),
      claim(agent, {
        wait_seconds: 30,
        can: ['gather:github_releases', 'helm_sync'],
        signal: end.signal,
      }),
    ]);
    // Each of the two claims searches once before it waits.
    for (let count = 0; count < 2; ) count += (await searchesDuring(aMoment)).length;
    const searches = await searchesDuring(async () => {
      await createJob(organization);
      await aMoment();
    });
    expect(searches).toEqual([]);
    end.abort();
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  test("can't be read or changed by another organization, even with guessed IDs", async () => {
    const [own, other] = [await server.createOrganization(), await server.createOrganization()];
    const [mine, theirs] = [await startAgent(own), await startAgent(other)];
    await createJob(other);
    expect(await claim(mine)).toEqual([]);
    await expect(claim({ ...mine, id: theirs.id })).rejects.toMatchObject({ status: 404 });
    const [task] = await claim(theirs);
    const path = { id: task!.task_id };
    const body = { lease_token: task!.lease_token };
    await expect(mine.api.call('renewTask', { path, body })).rejects.toMatchObject({ status: 404 });
    await expect(
      mine.api.call('completeTask', { path, body: { ...body, parts: 0, summary } }),
    ).rejects.toMatchObject({ status: 404 });
    expect((await own.api.call('listAgents', {})).items.map((agent) => agent.id)).toEqual([mine.id]);
  });

  test('is claimed only by an agent that has the required credential', async () => {
    const organization = await server.createOrganization();
    const [without, having] = [
      await startAgent(organization, { name: 'without' }),
      await startAgent(organization, { name: 'having', credentials: ['deploy-key'] }),
    ];
    await createJob(organization, 'deploy-key');
    expect(await claim(without)).toEqual([]);
    expect(await claim(having)).toMatchObject([{ spec: { credential_name: 'deploy-key' } }]);
  });

  test('is claimed only by an agent with the required capability, and is reported as waiting for an agent until then', async () => {
    const organization = await server.createOrganization();
    const agent = await startAgent(organization, { name: 'x' });
    await sql`UPDATE agents SET capabilities = '{helm_sync}' WHERE id = ${agent.id}`.execute(server.db);
    const job = await createJob(organization);
    expect(job.waiting_for).toBe('agent');
    expect(await claim(agent, { can: ['helm_sync'] })).toEqual([]);
    expect(await claim(agent)).toHaveLength(1);
  });

  test('contains the known tags only if they let the agent stop early, which excludes full reads of a forge or a changelog and sources that return a single list', async () => {
    const organization = await server.createOrganization();
    const agent = await startAgent(organization);
    const can = ['gather:github_releases', 'gather:git_tags', 'gather:oci_registry'];
    const [github, tags, changelog, image] = await Promise.all(
      [
        { source_type: 'github_releases', artifact_name: 'github.com/acme/app' } as const,
        { source_type: 'git_tags', artifact_name: 'git.example.org/acme/app' } as const,
        { source_type: 'git_tags', artifact_name: 'github.com/acme/other', changelog_path: 'NEWS' } as const,
        { source_type: 'oci_registry', artifact_name: 'ghcr.io/acme/app' } as const,
      ].map((body) =>
        organization.api.call('createGatherJob', {
          body: { name: 'app', cron_expression: '@daily', ...body },
        }),
      ),
    );
    await sql`
      INSERT INTO releases (organization_id, gather_job_id, tag, version, released_at, is_prerelease)
      SELECT organization_id, id, 'v1', '1', pacekeeper_now(), false FROM gather_jobs
      WHERE organization_id = ${organization.id}`.execute(server.db);
    const hints = async () => {
      const tasks = await claim(agent, { can });
      return new Map(
        tasks.flatMap((task) =>
          task.kind === 'gather' ? [[task.spec.gather_job_id, task.spec.known_hint?.tags]] : [],
        ),
      );
    };
    expect(await hints()).toEqual(
      new Map([
        [github!.id, undefined],
        [tags!.id, undefined],
        [changelog!.id, undefined],
        [image!.id, ['v1']],
      ]),
    );
    await sql`UPDATE gather_jobs SET last_full_at = pacekeeper_now() WHERE organization_id = ${organization.id}`.execute(
      server.db,
    );
    await sql`
      UPDATE runs SET status = 'queued', trigger = 'schedule', lease_token = NULL, lease_until = NULL
      WHERE organization_id = ${organization.id}`.execute(server.db);
    expect(await hints()).toEqual(
      new Map([
        [github!.id, ['v1']],
        [tags!.id, undefined],
        [changelog!.id, ['v1']],
        [image!.id, ['v1']],
      ]),
    );
  });

  test('contains a few tags without a date, always including the highest ones, once a day unless dates were found', async () => {
    const organization = await server.createOrganization();
    const agent = await startAgent(organization);
    const image = await organization.api.call('createGatherJob', {
      body: { name: 'app', source_type: 'oci_registry', artifact_name: 'ghcr.io/acme/app' },
    });
    await sql`
      INSERT INTO releases (organization_id, gather_job_id, tag, version, sort_key, variant, released_at, is_prerelease)
      SELECT ${organization.id}, ${image.id}, '1.' || n || '.0', '1.' || n || '.0', lpad(n::text, 3, '0'), '',
        CASE WHEN n = 50 THEN pacekeeper_now() END, false
      FROM generate_series(1, 50) AS n`.execute(server.db);
    const undated = async () => {
      const [task] = await claim(agent, { can: ['gather:oci_registry'] });
      await sql`
        UPDATE runs SET status = 'queued', lease_token = NULL, lease_until = NULL
        WHERE organization_id = ${organization.id}`.execute(server.db);
      return task?.kind === 'gather' ? task.spec.undated_tags : null;
    };
    const first = await undated();
    expect(first?.slice(0, 5).toSorted()).toEqual(['1.45.0', '1.46.0', '1.47.0', '1.48.0', '1.49.0']);
    expect(new Set(first).size).toBe(10);
    expect(await undated()).toBeUndefined();
    await sql`UPDATE gather_jobs SET dates_due_at = dates_due_at - interval '1 day' WHERE id = ${image.id}`.execute(
      server.db,
    );
    const later = await undated();
    expect(later).toHaveLength(10);
    expect(later?.toSorted()).not.toEqual(first?.toSorted());
  });

  test('reads the full list once a day, even if a limit ends every full read early', async () => {
    const organization = await server.createOrganization();
    const agent = await startAgent(organization);
    const { id } = await organization.api.call('createGatherJob', {
      body: {
        name: 'app',
        cron_expression: '@daily',
        source_type: 'github_releases',
        artifact_name: 'github.com/acme/app',
      },
    });
    const aDayLater = () =>
      sql`UPDATE gather_jobs SET last_full_at = last_full_at - interval '25 hours' WHERE id = ${id}`.execute(
        server.db,
      );
    const readOnce = async (tag: string, { meanwhile = async () => {} } = {}): Promise<boolean> => {
      const [task] = await claim(agent, { can: ['gather:github_releases'] });
      if (task?.kind !== 'gather') throw new Error('nothing to gather');
      await meanwhile();
      const path = { id: task.task_id };
      const { lease_token } = task;
      await agent.api.call('submitTaskResults', {
        path,
        body: { lease_token, sequence: 1, items: [releaseItem(tag)] },
      });
      await agent.api.call('completeTask', { path, body: { lease_token, parts: 1, summary } });
      await sql`
        UPDATE runs SET status = 'queued', trigger = 'schedule', lease_token = NULL, lease_until = NULL, finished_at = NULL
        WHERE organization_id = ${organization.id}`.execute(server.db);
      return task.spec.is_full;
    };
    expect(await readOnce('1.0.0')).toBe(true);
    expect(await readOnce('1.1.0')).toBe(false);
    // A partial read that was claimed just before the day ended isn't considered a full read.
    const justBefore = () =>
      sql`UPDATE gather_jobs SET last_full_at = pacekeeper_now() - interval '1 day' WHERE id = ${id}`.execute(
        server.db,
      );
    expect(await readOnce('1.1.1', { meanwhile: async () => void (await justBefore()) })).toBe(false);
    expect(await readOnce('1.2.0')).toBe(true);
    await aDayLater();
    expect(await readOnce('1.2.1')).toBe(true);
    // A partial list doesn't withdraw the releases that it doesn't contain.
    const { items } = await organization.api.call('listReleases', { query: { gather_job_id: id } });
    expect(items.map(({ tag, is_withdrawn }) => [tag, is_withdrawn])).toEqual([
      ['1.2.1', false],
      ['1.2.0', false],
      ['1.1.1', false],
      ['1.1.0', false],
      ['1.0.0', false],
    ]);
  });

  test('reads the full list if the releases were cleared during a partial read', async () => {
    const organization = await server.createOrganization();
    const agent = await startAgent(organization);
    const { id } = await organization.api.call('createGatherJob', {
      body: { name: 'app', source_type: 'github_releases', artifact_name: 'github.com/acme/app' },
    });
    const hasFullReadAt = async () => {
      const { rows } = await sql<{ is_known: boolean }>`
        SELECT last_full_at IS NOT NULL AS is_known FROM gather_jobs WHERE id = ${id}`.execute(server.db);
      return rows[0]!.is_known;
    };
    const readOnce = async ({ is_complete_list = false, isCleared = false } = {}): Promise<boolean> => {
      const [task] = await claim(agent, { can: ['gather:github_releases'] });
      if (task?.kind !== 'gather') throw new Error('nothing to gather');
      // Simulates that the releases were cleared before the hook requested this run, so the clearing transaction found
      // no run to cancel.
      if (isCleared) {
        await sql`DELETE FROM releases WHERE gather_job_id = ${id}`.execute(server.db);
        await sql`UPDATE gather_jobs SET validators = NULL, last_full_at = NULL WHERE id = ${id}`.execute(
          server.db,
        );
      }
      const path = { id: task.task_id };
      const { lease_token } = task;
      await agent.api.call('submitTaskResults', {
        path,
        body: { lease_token, sequence: 1, items: [releaseItem('1.0.0')] },
      });
      await agent.api.call('completeTask', {
        path,
        body: { lease_token, parts: 1, summary: { ...summary, is_complete_list } },
      });
      await sql`
        UPDATE runs SET status = 'queued', trigger = 'hook', lease_token = NULL, lease_until = NULL, finished_at = NULL
        WHERE organization_id = ${organization.id}`.execute(server.db);
      return task.spec.is_full;
    };
    expect([await readOnce({ is_complete_list: true }), await hasFullReadAt()]).toEqual([true, true]);
    for (const is_complete_list of [false, true]) {
      expect([await readOnce({ is_complete_list, isCleared: true }), await hasFullReadAt()]).toEqual([
        false,
        false,
      ]);
      expect([await readOnce(), await hasFullReadAt()]).toEqual([true, true]);
    }
    expect(await readOnce()).toBe(false);
  });

  test('can be completed only with all its parts, without a gap, and applies them in sequence order', async () => {
    const organization = await server.createOrganization();
    const agent = await startAgent(organization);
    await createJob(organization);
    const [task] = await claim(agent);
    const path = { id: task!.task_id };
    const { lease_token } = task!;
    const send = (sequence: number, raw_version: string) =>
      agent.api.call('submitTaskResults', {
        path,
        body: { lease_token, sequence, items: [scrapeItem(raw_version)] },
      });
    const finish = (parts: number) =>
      agent.api.call('completeTask', { path, body: { lease_token, parts, summary } });
    await expect(finish(1)).rejects.toMatchObject({ status: 409, code: 'conflict' });
    await send(2, '2.0.0');
    await expect(finish(1)).rejects.toMatchObject({ status: 409, code: 'conflict' });
    await send(1, '0.9.0');
    await send(1, '1.0.0');
    await finish(2);
    expect((await organization.api.call('listVersions', {})).items).toMatchObject([{ version: '1.0.0' }]);
  });
});

describe('tasks completed together', () => {
  const unchanged = { ...summary, not_modified: true, found: 0 };

  /** Completes each task successfully: a gather with no new releases, and a scrape with a version. */
  const end = ({ api }: TestAgent, tasks: readonly Task[], versionOf = (_task: Task) => '1.2.3') =>
    api.call('completeTasks', {
      body: {
        tasks: tasks.map((task) => ({
          task_id: task.task_id,
          lease_token: task.lease_token,
          ...(task.kind === 'scrape'
            ? { summary, item: scrapeItem(versionOf(task)) }
            : { summary: unchanged }),
        })),
      },
    });
  const allWell = { lost: [], refused: [] };

  async function claimGathers(organization: TestOrganization, agent: TestAgent, count: number) {
    for (let index = 0; index < count; index++) {
      await organization.api.call('createGatherJob', {
        body: {
          name: 'app',
          source_type: 'github_releases',
          artifact_name: `github.com/acme/app-${index}`,
        },
      });
    }
    const tasks = await claim(agent, { max: 50, can: ['gather:github_releases'] });
    expect(tasks).toHaveLength(count);
    return tasks;
  }

  async function claimScrapes(organization: TestOrganization, agent: TestAgent, count: number) {
    for (let index = 0; index < count; index++) await createJob(organization);
    const tasks = await claim(agent, { max: 50, can: ['scrape'] });
    expect(tasks).toHaveLength(count);
    return tasks;
  }

  /** Runs the jobs of these tasks again and claims the new tasks. */
  async function claimAgain(organization: TestOrganization, agent: TestAgent, tasks: readonly Task[]) {
    for (const task of tasks) await organization.api.call('runScrapeJob', { path: { id: jobOf(task) } });
    const again = await claim(agent, { max: 50, can: ['scrape'] });
    return tasks.map((task) => again.find((other) => jobOf(other) === jobOf(task))!);
  }

  const jobOf = (task: Task) =>
    task.kind === 'scrape' ? task.spec.scrape_job_id : task.kind === 'gather' ? task.spec.gather_job_id : 0;
  const versionsOf = async ({ api }: TestOrganization, task: Task) =>
    (await api.call('listScrapeJobVersions', { path: { id: jobOf(task) } })).items.map(
      (item) => `${item.version}${item.is_change ? '*' : ''}`,
    );

  async function createConfigs({ api }: TestOrganization, tasks: readonly Task[]): Promise<number[]> {
    const gather = await api.call('createGatherJob', {
      body: {
        name: 'app',
        source_type: 'github_releases',
        artifact_name: 'github.com/acme/app',
        is_active: false,
      },
    });
    const rule = await api.call('createRule', {
      body: { name: 'far', rule_type: 'majors_behind', thresholds: { high: 1 } },
    });
    const ids = [];
    for (const task of tasks) {
      const body = { name: 'web', scrape_job_id: jobOf(task), gather_job_id: gather.id, rule_id: rule.id };
      ids.push((await api.call('createAlertConfig', { body })).id);
    }
    await settled(ids);
    return ids;
  }

  async function settled(ids: readonly number[]): Promise<void> {
    await expect
      .poll(async () => {
        const { rows } = await sql<{ open: number }>`
          SELECT count(*)::integer AS open FROM alert_configs
          WHERE id = ANY(${[...ids]}::bigint[]) AND requested_seq <> processed_seq`.execute(server.db);
        return rows[0]!.open;
      })
      .toBe(0);
  }

  async function wantedOf(ids: readonly number[]): Promise<number[]> {
    const { rows } = await sql<{ requested_seq: number }>`
      SELECT requested_seq::integer FROM alert_configs WHERE id = ANY(${[...ids]}::bigint[]) ORDER BY id`.execute(
      server.db,
    );
    return rows.map((row) => row.requested_seq);
  }

  test('require no more statements than one task, whether or not they found something new', async () => {
    const organization = await server.createOrganization();
    const agent = await startAgent(organization);
    const gathers = await claimGathers(organization, agent, 21);
    const scrapes = await claimScrapes(organization, agent, 21);
    for (const tasks of [gathers, scrapes]) {
      const ending = (some: readonly Task[]) => async () => expect(await end(agent, some)).toEqual(allWell);
      // Statements are counted by their text, because background loops can add statements at any time.
      const countOf = async (some: readonly Task[]) => {
        const texts = (await server.statementsOf(ending(some))).filter(
          (text) =>
            /api_keys|FROM unnest\(|JOIN ended|scrape_jobs|gather_jobs/.test(text) &&
            !/due_at <= pacekeeper_now\(\)|due_in_ms|"api_keys"/.test(text),
        );
        return new Map(
          [...Map.groupBy(texts, (text) => text)].map(([text, { length }]) => [text, length] as const),
        );
      };
      // On a busy machine, the schedule queues some jobs before the agent claims them, and these have rows in `runs`.
      const { rows } = await sql<{ id: number }>`
        SELECT id FROM runs WHERE id = ANY(${tasks.map(({ task_id }) => task_id)}::bigint[])`.execute(
        server.db,
      );
      const queued = new Set(rows.map(({ id }) => id));
      for (const isQueued of [true, false]) {
        const [first, ...others] = tasks.filter(({ task_id }) => queued.has(task_id) === isQueued);
        if (first === undefined) continue;
        const ofOne = await countOf([first]);
        expect(ofOne.size).toBeGreaterThan(2);
        const ofMany = others.length > 0 ? await countOf(others) : [];
        for (const [text, count] of ofMany) expect(count, text).toBeLessThanOrEqual(ofOne.get(text) ?? 1);
      }
    }
    const { items } = await organization.api.call('listGatherJobs', { query: { limit: 50 } });
    expect(new Set(items.map((job) => job.status))).toEqual(new Set(['completed']));
    expect(items[0]!.last_run).toMatchObject({
      status: 'succeeded',
      agent_id: agent.id,
      summary: { not_modified: true, requests: 1 },
    });
    expect(items[0]!.last_run!.summary).not.toHaveProperty('validators');
    const scraped = (await organization.api.call('listScrapeJobs', { query: { limit: 50 } })).items;
    expect(new Set(scraped.map((job) => `${job.status} ${job.latest_version}`))).toEqual(
      new Set(['completed 1.2.3']),
    );
  });

  test('store one snapshot each, and trigger an evaluation only for jobs whose version changed', async () => {
    const organization = await server.createOrganization();
    const agent = await startAgent(organization);
    const first = await claimScrapes(organization, agent, 3);
    const configs = await createConfigs(organization, first);
    const before = await wantedOf(configs);
    const versionOf = (task: Task) => `1.${jobOf(task)}.0`;
    expect(await end(agent, first, versionOf)).toEqual(allWell);
    expect(await wantedOf(configs)).toEqual(before.map((wanted) => wanted + 1));
    await settled(configs);

    const again = await claimAgain(organization, agent, first);
    const changed = (task: Task) => (jobOf(task) === jobOf(first[1]!) ? '9.0.0' : versionOf(task));
    expect(await end(agent, again, changed)).toEqual(allWell);
    expect(await wantedOf(configs)).toEqual(before.map((wanted, index) => wanted + (index === 1 ? 2 : 1)));
    expect(await Promise.all(first.map((task) => versionsOf(organization, task)))).toEqual([
      [versionOf(first[0]!), `${versionOf(first[0]!)}*`],
      ['9.0.0*', `${versionOf(first[1]!)}*`],
      [versionOf(first[2]!), `${versionOf(first[2]!)}*`],
    ]);
    const { items } = await organization.api.call('listVersions', {});
    expect(items).toHaveLength(6);
    expect(items[0]).toMatchObject({ source: 'agent', commit_sha: 'a'.repeat(40) });
  });

  test('respect the history limit of each job', async () => {
    const organization = await server.createOrganization();
    const agent = await startAgent(organization);
    let tasks = await claimScrapes(organization, agent, 2);
    await organization.api.call('updateScrapeJob', {
      path: { id: jobOf(tasks[0]!) },
      body: { history_limit: 1 },
    });
    for (const version of ['1', '1', '1', '2']) {
      expect(await end(agent, tasks, () => version)).toEqual(allWell);
      tasks = await claimAgain(organization, agent, tasks);
    }
    expect(await versionsOf(organization, tasks[0]!)).toEqual(['2*', '1', '1*']);
    expect(await versionsOf(organization, tasks[1]!)).toEqual(['2*', '1', '1', '1*']);
  });

  test("are listed as lost if their lease has expired or they belong to another organization or don't exist, and the others are stored", async () => {
    const [own, other] = [await server.createOrganization(), await server.createOrganization()];
    const [agent, next, stranger] = [
      await startAgent(own),
      await startAgent(own, { name: 'next' }),
      await startAgent(other),
    ];
    const [late, held] = await claimGathers(own, agent, 2);
    const [lateScrape, heldScrape] = await claimScrapes(own, agent, 2);
    const [theirs] = await claimScrapes(other, stranger, 1);
    const mine = [late!, held!, lateScrape!, heldScrape!];
    expect(await end(stranger, [...mine, theirs!])).toEqual({
      lost: mine.map((task) => task.task_id),
      refused: [],
    });
    expect((await own.api.call('listVersions', {})).total).toBe(0);
    expect(await versionsOf(other, theirs!)).toEqual(['1.2.3*']);

    for (const task of [late!, lateScrape!]) await passTime(task.task_id, '2 minutes');
    const unknown = { ...heldScrape!, task_id: 9_000_000_000_007 };
    const guessed = { ...heldScrape!, lease_token: late!.lease_token };
    expect(await end(agent, [late!, unknown, lateScrape!, guessed, held!])).toEqual({
      lost: [late!, unknown, lateScrape!, guessed].map((task) => task.task_id),
      refused: [],
    });
    expect(await end(agent, [lateScrape!, heldScrape!])).toEqual({
      lost: [lateScrape!.task_id],
      refused: [],
    });
    expect(await versionsOf(own, lateScrape!)).toEqual([]);
    expect(await versionsOf(own, heldScrape!)).toEqual(['1.2.3*']);
    const path = { id: jobOf(late!) };
    const readRun = async () => (await own.api.call('listGatherJobRuns', { path })).items[0];
    expect(await readRun()).toMatchObject({ finished_at: null, summary: null });
    // Housekeeping requeues expired runs and may already have done so.
    await sql`
      UPDATE runs SET status = 'queued', lease_token = NULL
      WHERE id IN (${late!.task_id}, ${lateScrape!.task_id})`.execute(server.db);
    const again = await claim(next);
    expect(again.map((task) => task.task_id).toSorted()).toEqual(
      [late!.task_id, lateScrape!.task_id].toSorted(),
    );
    expect((await end(agent, [late!, held!, lateScrape!])).lost).toEqual(
      [late!, held!, lateScrape!].map((task) => task.task_id),
    );
    expect(await end(next, again, () => '2.0.0')).toEqual(allWell);
    expect(await readRun()).toMatchObject({ status: 'succeeded', agent_id: next.id });
    expect(await versionsOf(own, lateScrape!)).toEqual(['2.0.0*']);
  });

  test("update the row of each job only once, before the run's row, even for the first success of the job", async () => {
    const organization = await server.createOrganization();
    const agent = await startAgent(organization);
    const [alone, ...together] = await claimScrapes(organization, agent, 3);
    await complete(agent, alone!);
    expect(await end(agent, together)).toEqual(allWell);
    // `xmin` and `cmin` identify the transaction and the command that last wrote a row.
    const { rows } = await sql`
      SELECT last_outcome, jobs.xmin = runs.xmin AS is_together, jobs.cmin::text::integer < runs.cmin::text::integer AS is_earlier
      FROM scrape_jobs AS jobs JOIN runs ON runs.organization_id = jobs.organization_id AND runs.scrape_job_id = jobs.id
      WHERE jobs.organization_id = ${organization.id}`.execute(server.db);
    const once = { last_outcome: 'succeeded', is_together: true, is_earlier: true };
    expect(rows).toEqual([once, once, once]);
  });

  test('keep the lease of each rejected task, and the others are completed', async () => {
    const organization = await server.createOrganization();
    const agent = await startAgent(organization);
    const [fine, noVersion, withoutItem, unmodified] = await claimScrapes(organization, agent, 4);
    const [gather, changed, withItem] = await claimGathers(organization, agent, 3);
    const part = (task: Task, more: object) => ({
      task_id: task.task_id,
      lease_token: task.lease_token,
      summary,
      ...more,
    });
    const answer = await agent.api.call('completeTasks', {
      body: {
        tasks: [
          part(noVersion!, { item: scrapeItem('1.0\u0007') }),
          part(fine!, { item: scrapeItem('1.0.0') }),
          part(withoutItem!, {}),
          part(unmodified!, { item: scrapeItem('1.0.0'), summary: unchanged }),
          part(changed!, {}),
          part(withItem!, { item: scrapeItem('1.0.0'), summary: unchanged }),
          part(gather!, { summary: unchanged }),
        ],
      },
    });
    const bad = [noVersion!, withoutItem!, unmodified!, changed!, withItem!];
    expect(answer.lost).toEqual([]);
    expect(answer.refused.map((each) => each.task_id).toSorted()).toEqual(
      bad.map((task) => task.task_id).toSorted(),
    );
    expect(answer.refused.find((each) => each.task_id === noVersion!.task_id)?.message).toMatch(
      /^The version /,
    );
    expect(await versionsOf(organization, fine!)).toEqual(['1.0.0*']);
    for (const task of [noVersion!, withoutItem!, unmodified!])
      expect(await versionsOf(organization, task)).toEqual([]);
    const statusOf = async (task: Task) =>
      (await organization.api.call('getScrapeJob', { path: { id: jobOf(task) } })).status;
    expect(await statusOf(noVersion!)).toBe('in_progress');
    await complete(agent, noVersion!);
    expect(await statusOf(noVersion!)).toBe('completed');
    const { items } = await organization.api.call('listGatherJobRuns', { path: { id: jobOf(gather!) } });
    expect(items[0]).toMatchObject({ status: 'succeeded' });
  });

  test('store short lists of releases with their own jobs, with a limited number of statements', async () => {
    const [own, other] = [await server.createOrganization(), await server.createOrganization()];
    const agent = await startAgent(own);
    const [first, ...rest] = await claimGathers(own, agent, 12);
    const [ofOther] = await claimGathers(other, await startAgent(other), 1);
    await sql`
      UPDATE runs SET agent_organization_id = ${own.id}, agent_id = ${agent.id}
      WHERE id = ${ofOther!.task_id}`.execute(server.db);
    const endWith = (tasks: readonly Task[]) =>
      server.queriesOf(async () => {
        const answer = await agent.api.call('completeTasks', {
          body: {
            tasks: tasks.map((task, index) => ({
              task_id: task.task_id,
              lease_token: task.lease_token,
              releases: [
                releaseItem(`1.${task.task_id}.0`),
                releaseItem(`1.${task.task_id}.1`),
                releaseItem('1.0\x07'),
              ],
              summary: {
                ...summary,
                is_complete_list: index % 2 === 0,
                found: 3,
                validators: {
                  etag: `"${task.task_id}"`,
                  last_modified: null,
                  fingerprint: 'f',
                },
              },
            })),
          },
        });
        expect(answer).toEqual(allWell);
      });
    const isOwn = ({ text }: { text: string }) =>
      !/due_at <= pacekeeper_now\(\)|due_in_ms|"api_keys"/.test(text);
    const ofOne = (await endWith([first!])).filter(isOwn);
    const ofMany = (await endWith([...rest, ofOther!])).filter(isOwn);
    // Each statement runs once per group of lists, and there are three groups: the complete lists of one organization,
    // its partial lists, and the lists of the other organization.
    expect(ofMany.length).toBeLessThan(ofOne.length * 3);
    for (const [organization, task] of [
      ...[first!, ...rest].map((each) => [own, each] as const),
      [other, ofOther!] as const,
    ]) {
      const path = { id: jobOf(task) };
      const { items } = await organization.api.call('listReleases', { query: { gather_job_id: path.id } });
      expect(items.map(({ tag }) => tag).toSorted()).toEqual([`1.${task.task_id}.0`, `1.${task.task_id}.1`]);
      const { items: runs } = await organization.api.call('listGatherJobRuns', { path });
      expect(runs[0]).toMatchObject({ status: 'succeeded', summary: { found: 3, added: 2, skipped: 1 } });
      const { rows } = await sql<{ etag: string }>`
        SELECT validators ->> 'etag' AS etag FROM gather_jobs WHERE id = ${path.id}`.execute(server.db);
      expect(rows).toEqual([{ etag: `"${task.task_id}"` }]);
    }
  });

  test('are rejected if they contain more than a thousand releases in total, and keep their leases', async () => {
    const organization = await server.createOrganization();
    const agent = await startAgent(organization);
    const tasks = await claimGathers(organization, agent, 11);
    const endWith = (count: number) => {
      const releases = Array.from({ length: 100 }, (_, index) => releaseItem(`1.0.${index}`));
      return agent.api.call('completeTasks', {
        body: {
          tasks: tasks.slice(0, count).map(({ task_id, lease_token }) => ({
            task_id,
            lease_token,
            releases,
            summary,
          })),
        },
      });
    };
    await expect(endWith(11)).rejects.toMatchObject({ status: 413, code: 'payload_too_large' });
    expect(await endWith(10)).toEqual(allWell);
  });

  test('keep the lease of each task whose releases are rejected, and the others are completed', async () => {
    const organization = await server.createOrganization();
    const agent = await startAgent(organization);
    const [fine, unmodified, withBoth, nothingNew] = await claimGathers(organization, agent, 4);
    const [scrape] = await claimScrapes(organization, agent, 1);
    const part = (task: Task, more: object) => ({
      task_id: task.task_id,
      lease_token: task.lease_token,
      summary,
      ...more,
    });
    const releases = [releaseItem('1.0.0')];
    const answer = await agent.api.call('completeTasks', {
      body: {
        tasks: [
          part(unmodified!, { releases, summary: unchanged }),
          part(withBoth!, { releases, item: scrapeItem('1.0.0') }),
          part(scrape!, { releases }),
          part(fine!, { releases }),
          part(nothingNew!, { summary: unchanged }),
        ],
      },
    });
    expect(answer.lost).toEqual([]);
    expect(answer.refused.map(({ task_id }) => task_id).toSorted()).toEqual(
      [unmodified!, withBoth!, scrape!].map(({ task_id }) => task_id).toSorted(),
    );
    expect((await organization.api.call('listReleases', {})).items).toMatchObject([{ tag: '1.0.0' }]);
    for (const task of [fine!, nothingNew!]) {
      const { items } = await organization.api.call('listGatherJobRuns', { path: { id: jobOf(task) } });
      expect(items[0]).toMatchObject({ status: 'succeeded' });
    }
    expect((await organization.api.call('getGatherJob', { path: { id: jobOf(unmodified!) } })).status).toBe(
      'in_progress',
    );
  });

  test('are lost if their job was deleted or changed, and the others are stored', async () => {
    const organization = await server.createOrganization();
    const agent = await startAgent(organization);
    const [deleted, changed, kept] = await claimScrapes(organization, agent, 3);
    await organization.api.call('deleteScrapeJob', { path: { id: jobOf(deleted!) } });
    await organization.api.call('updateScrapeJob', {
      path: { id: jobOf(changed!) },
      body: { target_file: 'other.yaml' },
    });
    expect(await end(agent, [deleted!, changed!, kept!])).toEqual({
      lost: [deleted!.task_id, changed!.task_id],
      refused: [],
    });
    expect(await versionsOf(organization, kept!)).toEqual(['1.2.3*']);
    expect((await organization.api.call('listVersions', {})).total).toBe(1);
  });

  test('are either stored or lost, each as a whole, if their jobs are changed or deleted at the same time', async () => {
    const organization = await server.createOrganization();
    const agent = await startAgent(organization);
    const tasks = await claimScrapes(organization, agent, 20);
    const remove = (task: Task) => organization.api.call('deleteScrapeJob', { path: { id: jobOf(task) } });
    const change = (task: Task) =>
      organization.api.call('updateScrapeJob', {
        path: { id: jobOf(task) },
        body: { target_file: 'other.yaml' },
      });
    const [half, otherHalf] = [tasks.slice(0, 10), tasks.slice(10).toReversed()];
    const [answer] = await Promise.all([
      end(agent, [...half.toReversed(), ...otherHalf]),
      ...half.slice(0, 5).map(remove),
      ...otherHalf.slice(0, 5).map(change),
    ]);
    expect(answer.refused).toEqual([]);
    const gone = new Set(half.slice(0, 5));
    const stored = await Promise.all(
      tasks.filter((task) => !gone.has(task)).map((task) => versionsOf(organization, task)),
    );
    const lost = new Set(answer.lost);
    expect(stored).toEqual(
      tasks.filter((task) => !gone.has(task)).map((task) => (lost.has(task.task_id) ? [] : ['1.2.3*'])),
    );
    expect(stored.filter((versions) => versions.length === 1).length).toBeGreaterThanOrEqual(10);
  });

  test('are stored in their own organizations if the embedded agent completes them for several organizations', async () => {
    const organizations = [await server.createOrganization(), await server.createOrganization()];
    const tasks: Task[] = [];
    const agent = await startAgent(organizations[0]!);
    for (const organization of organizations) {
      const own = organization === organizations[0] ? agent : await startAgent(organization);
      tasks.push(...(await claimScrapes(organization, own, 2)));
    }
    // Assigns all tasks to one agent, as if an agent that serves both organizations had claimed them.
    await sql`
      UPDATE runs SET agent_organization_id = ${organizations[0]!.id}, agent_id = ${agent.id}
      WHERE id = ANY(${tasks.map((task) => task.task_id)}::bigint[])`.execute(server.db);
    expect(await end(agent, tasks, (task) => `1.${task.organization_id}.0`)).toEqual(allWell);
    for (const [index, organization] of organizations.entries()) {
      const { items } = await organization.api.call('listVersions', {});
      expect(items.map((item) => item.scrape_job_id).toSorted()).toEqual(
        tasks
          .slice(index * 2, index * 2 + 2)
          .map(jobOf)
          .toSorted(),
      );
      expect(new Set(items.map((item) => item.version))).toEqual(new Set([`1.${organization.id}.0`]));
    }
  });

  test('are rejected if one of them is listed twice', async () => {
    const organization = await server.createOrganization();
    const agent = await startAgent(organization);
    const [task] = await claimScrapes(organization, agent, 1);
    await expect(end(agent, [task!, task!])).rejects.toMatchObject({
      status: 400,
      errors: [expect.objectContaining({ field: 'tasks' })],
    });
    expect(await end(agent, [task!])).toEqual(allWell);
  });
});

test('metrics count the outcomes of runs and the lost leases', async () => {
  const { key } = await createSystemKey(server.db, { name: 'metrics', role: 'admin' });
  const counted = async (sample: string) => {
    const answer = await fetch(`${server.url}/metrics`, { headers: { 'x-api-key': key } });
    const line = (await answer.text()).split('\n').find((each) => each.startsWith(`${sample} `));
    return Number(line?.slice(sample.length) ?? 0);
  };
  const outcome = (name: string) => `pacekeeper_run_attempts_total{kind="scrape",outcome="${name}"}`;
  const samples = [
    ...['succeeded', 'put_off', 'failed', 'lost'].map(outcome),
    'pacekeeper_lease_losses_total{kind="run"}',
  ];
  const countAll = () => Promise.all(samples.map(counted));
  const before = await countAll();

  const organization = await server.createOrganization();
  const agent = await startAgent(organization);
  for (let count = 0; count < 4; count++) await createJob(organization);
  const [done, again, wrong, late] = await claim(agent);
  await complete(agent, done!);
  for (const [task, retryable] of [[again!, true] as const, [wrong!, false] as const]) {
    await agent.api.call('failTask', {
      path: { id: task.task_id },
      body: { lease_token: task.lease_token, error: { code: 'timeout', message: 'Slow.' }, retryable },
    });
  }
  await passTime(late!.task_id, '2 minutes');
  await sql`UPDATE housekeeping_tasks SET due_at = pacekeeper_now() WHERE name = 'requeue-expired-runs'`.execute(
    server.db,
  );
  await sql`SELECT pg_notify('pacekeeper_wake', 'housekeeping_tasks')`.execute(server.db);
  await expect
    .poll(async () => (await countAll()).map((count, index) => count - before[index]!))
    .toEqual([1, 1, 1, 1, 1]);
});

test('a result for another kind of task is rejected', async () => {
  const organization = await server.createOrganization();
  const agent = await startAgent(organization);
  await createJob(organization);
  const [task] = await claim(agent);
  const release = {
    tag: '1.0.0',
    app_version: null,
    released_at: null,
    is_prerelease: false,
    is_yanked: false,
    url: null,
    notes: null,
  };
  const body = { lease_token: task!.lease_token, sequence: 1, items: [release] };
  await expect(
    agent.api.call('submitTaskResults', { path: { id: task!.task_id }, body }),
  ).rejects.toMatchObject({
    status: 400,
    errors: [expect.objectContaining({ field: 'items' })],
  });
});

describe('a lease', () => {
  test('can be renewed only by its holder', async () => {
    const organization = await server.createOrganization();
    const agent = await startAgent(organization);
    await createJob(organization);
    const [task] = await claim(agent);
    const path = { id: task!.task_id };
    const { lease_expires_at } = await agent.api.call('renewTask', {
      path,
      body: { lease_token: task!.lease_token },
    });
    expect(Date.parse(lease_expires_at)).toBeGreaterThanOrEqual(Date.parse(task!.lease_expires_at));
    await expect(
      agent.api.call('renewTask', { path, body: { lease_token: 'guessed' } }),
    ).rejects.toMatchObject(lateAnswer);
  });

  test("passes the task to the next agent when it expires, and the former holder can't change anything", async () => {
    const organization = await server.createOrganization();
    const [first, second] = [
      await startAgent(organization, { name: 'first' }),
      await startAgent(organization, { name: 'second' }),
    ];
    const job = await createJob(organization);
    const [task] = await claim(first);
    await passTime(task!.task_id, '10 minutes');
    await expect(
      first.api.call('renewTask', { path: { id: task!.task_id }, body: { lease_token: task!.lease_token } }),
    ).rejects.toMatchObject(lateAnswer);
    const again = await claim(second, { wait_seconds: 20 });
    expect(again).toMatchObject([{ task_id: task!.task_id }]);
    await expect(complete(first, task!, '6.6.6')).rejects.toMatchObject(lateAnswer);
    await complete(second, again[0]!, '1.0.0');
    expect(await organization.api.call('getScrapeJob', { path: { id: job.id } })).toMatchObject({
      latest_version: '1.0.0',
      last_run: { attempt: 2, agent_id: second.id },
    });
  });

  test('is reported as lost, not as unknown, after an agent of another organization claimed the task', async () => {
    const organization = await server.createOrganization();
    const agent = await startAgent(organization);
    await createJob(organization);
    const [task] = await claim(agent);
    await sql`
      UPDATE runs SET agent_organization_id = 1, agent_id = 1, lease_token = gen_random_uuid() WHERE id = ${task!.task_id}`.execute(
      server.db,
    );
    await expect(complete(agent, task!)).rejects.toMatchObject(lateAnswer);
  });

  test('is lost when the target file of the job changes', async () => {
    const organization = await server.createOrganization();
    const agent = await startAgent(organization);
    const job = await createJob(organization);
    const [task] = await claim(agent);
    await organization.api.call('updateScrapeJob', {
      path: { id: job.id },
      body: { target_file: 'other.yaml' },
    });
    await expect(complete(agent, task!, '6.6.6')).rejects.toMatchObject(lateAnswer);
    expect(await claim(agent)).toMatchObject([{ spec: { target_file: 'other.yaml' } }]);
  });
});

describe('a failed task', () => {
  async function failed(
    error: { code: 'unreachable' | 'rate_limited' | 'file_not_found'; message: string },
    retryable: boolean,
    retry_at?: string,
  ) {
    const organization = await server.createOrganization();
    const agent = await startAgent(organization);
    const job = await createJob(organization);
    const fail = async () => {
      const [task] = await claim(agent);
      const body = { lease_token: task!.lease_token, error, retryable, ...(retry_at && { retry_at }) };
      await agent.api.call('failTask', { path: { id: task!.task_id }, body });
      return task!.task_id;
    };
    const read = () => organization.api.call('getScrapeJob', { path: { id: job.id } });
    return { agent, fail, read };
  }

  test('is retried after a pause, with three attempts in total', async () => {
    const { agent, fail, read } = await failed({ code: 'unreachable', message: 'no answer' }, true);
    for (const attempt of [1, 2]) {
      const runId = await fail();
      expect(await read()).toMatchObject({
        status: 'pending',
        waiting_for: 'time',
        waiting_until: expect.stringMatching(/^20\d\d-.*Z$/),
        last_run: { status: 'queued', attempt, error: { code: 'unreachable', message: 'no answer' } },
      });
      expect(await claim(agent)).toEqual([]);
      await passTime(runId, '10 minutes');
    }
    await fail();
    expect(await read()).toMatchObject({
      status: 'failed',
      waiting_for: null,
      waiting_until: null,
      last_run: { status: 'failed', attempt: 3 },
    });
  });

  test("isn't retried after a permanent failure", async () => {
    const { fail, read } = await failed({ code: 'file_not_found', message: 'there is no such file' }, false);
    await fail();
    expect(await read()).toMatchObject({
      status: 'failed',
      last_run: { attempt: 1, error: { code: 'file_not_found' } },
    });
  });

  test('waits until the time that a rate-limited host requires, without using an attempt', async () => {
    const retryAt = new Date(Date.now() + 3_600_000).toISOString();
    const { fail, read } = await failed({ code: 'rate_limited', message: 'at most 60' }, true, retryAt);
    for (let count = 0; count < 4; count++) {
      const runId = await fail();
      expect(await read()).toMatchObject({
        waiting_for: 'host_limit',
        waiting_until: retryAt,
        last_run: { status: 'queued', attempt: 0 },
      });
      await passTime(runId, '2 hours');
    }
  });

  test("at a host with a rate limit makes jobs of every type show when the limit ends, and doesn't block other organizations", async () => {
    const [organization, other] = [await server.createOrganization(), await server.createOrganization()];
    const can = ['gather:github_releases', 'helm_sync', 'discovery', 'scrape'];
    const retryAt = new Date(Date.now() + 1_800_000).toISOString();
    const createAll = async ({ api }: TestOrganization) => {
      const gather = await api.call('createGatherJob', {
        body: { name: 'web', source_type: 'github_releases', artifact_name: 'acme/web' },
      });
      const sync = await api.call('createHelmSyncJob', {
        body: { name: 'charts', repository_url: 'https://charts.example.org' },
      });
      const discovery = await api.call('createDiscoveryJob', {
        body: {
          name: 'deploy',
          kind: 'git_repository',
          repository_url: 'https://git.example.org/acme/deploy',
        },
      });
      const scrape = await createJob({ api } as TestOrganization);
      return async () =>
        Promise.all([
          api.call('getGatherJob', { path: { id: gather.id } }),
          api.call('getHelmSyncJob', { path: { id: sync.id } }),
          api.call('getDiscoveryJob', { path: { id: discovery.id } }),
          api.call('getScrapeJob', { path: { id: scrape.id } }),
        ]);
    };
    const [read, readOther] = [await createAll(organization), await createAll(other)];
    const agent = await startAgent(organization);
    const tasks = await claim(agent, { can });
    expect(tasks).toHaveLength(4);
    for (const { task_id, lease_token } of tasks) {
      const error = { code: 'rate_limited' as const, message: 'at most 60' };
      const body = { lease_token, error, retryable: true, retry_at: retryAt };
      await agent.api.call('failTask', { path: { id: task_id }, body });
    }
    const states = (jobs: Awaited<ReturnType<typeof read>>) =>
      jobs.map(({ waiting_for, waiting_until }) => [waiting_for, waiting_until]);
    expect(states(await read())).toEqual(Array.from({ length: 4 }, () => ['host_limit', retryAt]));
    expect(states(await readOther())).toEqual(Array.from({ length: 4 }, () => ['agent', null]));
    expect(await claim(await startAgent(other), { can })).toHaveLength(4);
  });
});

describe('the embedded agent', () => {
  test("can't be impersonated with an API key, not even with a system key", async () => {
    const organization = await server.createOrganization();
    await createJob(organization);
    const { rows } = await sql<{ id: number }>`
      INSERT INTO agents (organization_id, name, kind, hostname, version, capabilities, credential_names, last_heartbeat_at)
      VALUES (1, 'embedded', 'embedded', 'host', '0.1.0', ${capabilities}, '{}', pacekeeper_now()) RETURNING id`.execute(
      server.db,
    );
    const { key } = await createSystemKey(server.db, { name: 'agent of the system', role: 'agent' });
    const api = createApiClient({ baseUrl: server.url, apiKey: key });
    await expect(claim({ api, id: rows[0]!.id, credentials: [] })).rejects.toMatchObject({ status: 404 });
    await expect(heartbeat(api, { name: 'embedded' })).rejects.toMatchObject({ status: 400 });
    const own = await heartbeat(api, { name: 'own' });
    expect(await claim(own)).toEqual([]);
    await sql`DELETE FROM agents WHERE kind = 'embedded'`.execute(server.db);
  });
});

describe('a limited key', () => {
  const clusterCapabilities = ['discovery:kubernetes', 'scrape'];

  async function start() {
    const organization = await server.createOrganization();
    const { owner, api } = organization;
    const clusters = [];
    for (const name of ['eu', 'us'])
      clusters.push(
        await api.call('createDiscoveryJob', {
          body: { name, kind: 'kubernetes_cluster', cluster_name: name, credential_name: name },
        }),
      );
    /** @param name The name of the agent. */
    const connect = async (name: string, limits: object) => {
      const { key, api_key } = await owner.call('createAPIKey', {
        body: { name: 'key', role: 'agent', ...limits },
      });
      const client = createApiClient({ baseUrl: server.url, apiKey: key });
      const { agent_id } = await client.call('sendHeartbeat', {
        body: {
          name,
          hostname: 'host',
          version: '0.1.0',
          capabilities: clusterCapabilities,
          credential_names: ['eu', 'us'],
          running: [],
        },
      });
      return { client, agentId: agent_id, apiKey: api_key };
    };
    const claimAs = async ({ client, agentId }: { client: ApiClient; agentId: number }) => {
      const body = {
        agent_id: agentId,
        capabilities: clusterCapabilities,
        credential_names: ['eu', 'us'],
        max: 10,
        wait_seconds: 0,
      };
      const { tasks } = await client.call('claimTasks', { body });
      return tasks.map(({ spec }) => ('credential_name' in spec ? spec.credential_name : null));
    };
    return { ...organization, connect, claimAs };
  }

  const ofEu = { agent_capabilities: ['discovery:kubernetes'], agent_credential_names: ['eu'] };

  test('claims only the tasks of its cluster', async () => {
    const world = await start();
    const eu = await world.connect('eu', ofEu);
    expect(eu.apiKey).toMatchObject(ofEu);
    expect(await world.claimAs(eu)).toEqual(['eu']);
    expect(await world.claimAs(eu)).toEqual([]);
    expect(await world.claimAs(await world.connect('all', {}))).toEqual(['us']);
  });

  test("can't claim tasks in the name of another agent", async () => {
    const world = await start();
    const us = await world.connect('us', { ...ofEu, agent_credential_names: ['us'] });
    const eu = await world.connect('eu', ofEu);
    expect(await world.claimAs({ client: eu.client, agentId: us.agentId })).toEqual([]);
    expect(await world.claimAs(us)).toEqual(['us']);
  });

  test('claims only tasks within its capabilities, and also tasks that require no credential', async () => {
    const world = await start();
    await createJob(world);
    const eu = await world.connect('eu', ofEu);
    expect(await world.claimAs(eu)).toEqual(['eu']);
    const scraper = await world.connect('scraper', { agent_credential_names: [] });
    expect(await world.claimAs(scraper)).toEqual([null]);
    expect(await world.claimAs(scraper)).toEqual([]);
  });

  test("can't take over the agent of a key with more permissions", async () => {
    const world = await start();
    const all = await world.connect('eu', {});
    const listed = async () => (await world.api.call('listAgents', { query: {} })).items;
    const taken = {
      status: 400,
      errors: [
        {
          field: 'name',
          message: expect.stringMatching(/^belongs to an agent whose API key has different limits/),
        },
      ],
    };
    await expect(world.connect('eu', ofEu)).rejects.toMatchObject(taken);
    await expect(world.connect('eu', { agent_credential_names: ['eu'] })).rejects.toMatchObject(taken);
    expect(await listed()).toMatchObject([
      { id: all.agentId, capabilities: clusterCapabilities, credential_names: ['eu', 'us'] },
    ]);
    // The limited key can connect an agent with another name. After the unlimited key is revoked, the
    // limited key can also connect the agent `eu`.
    await world.connect('other', ofEu);
    await world.owner.call('deactivateAPIKey', { path: { id: all.apiKey.id } });
    expect((await world.connect('eu', ofEu)).agentId).toBe(all.agentId);
  });

  test('can be replaced by a key with the same limits, wider limits, or no limits', async () => {
    const world = await start();
    const { agentId } = await world.connect('eu', ofEu);
    expect((await world.connect('eu', ofEu)).agentId).toBe(agentId);
    expect((await world.connect('eu', { agent_credential_names: ['us', 'eu'] })).agentId).toBe(agentId);
    expect((await world.connect('eu', {})).agentId).toBe(agentId);
  });

  test("can't act on a task that it couldn't claim, even with the lease", async () => {
    const world = await start();
    const us = await world.connect('us', { ...ofEu, agent_credential_names: ['us'] });
    const { client } = await world.connect('eu', ofEu);
    const claim = { capabilities: clusterCapabilities, credential_names: ['us'], max: 1, wait_seconds: 0 };
    const { tasks } = await us.client.call('claimTasks', { body: { agent_id: us.agentId, ...claim } });
    const { task_id: id, lease_token } = tasks[0]!;
    const failure = {
      lease_token,
      retryable: false,
      retry_at: null,
      error: {
        code: 'upstream_error' as const,
        message: 'x',
      },
    };
    const lost = { status: 409, code: 'lease_lost' };
    await expect(client.call('failTask', { path: { id }, body: failure })).rejects.toMatchObject(lost);
    await expect(client.call('renewTask', { path: { id }, body: { lease_token } })).rejects.toMatchObject(
      lost,
    );
    await us.client.call('renewTask', { path: { id }, body: { lease_token } });
    await us.client.call('failTask', { path: { id }, body: failure });
  });

  test('limits the capabilities and credentials that are listed for its agent', async () => {
    const world = await start();
    await world.connect('eu', ofEu);
    const { items } = await world.api.call('listAgents', { query: {} });
    expect(items).toMatchObject([{ capabilities: ['discovery:kubernetes'], credential_names: ['eu'] }]);
  });

  test.each([
    ['agent_capabilities', ['scrape']],
    ['agent_credential_names', []],
  ])('requires the agent role: %s for another role is rejected', async (field, value) => {
    const { owner } = await server.createOrganization();
    const body = { name: 'key', role: 'reporter' as const, [field]: value };
    await expect(owner.call('createAPIKey', { body })).rejects.toMatchObject({ errors: [{ field }] });
  });
});
