import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { ApiCallError, type ApiClient } from '../../src/client/api-client.ts';
import type { Schemas as AgentSchemas } from '../../src/generated/agent-api.ts';
import type { Schemas } from '../../src/generated/client-api.ts';
import { setClockOffset } from '../helpers/database.ts';
import type { SharedTestServer } from '../helpers/test-server.ts';
import type { ReceivedWebhook, WebhookInbox } from '../helpers/webhook-inbox.ts';

/** A release as an upstream would list it. */
export interface ListedRelease {
  tag: string;
  /** RFC 3339; null: the source does not say. */
  at?: string | null;
  isPrerelease?: boolean;
  isYanked?: boolean;
}

/** A webhook as its receiver reads it. */
export interface HeardEvent {
  id: string;
  type: string;
  severity: string;
  discoveredVersion: string;
  body: {
    type: string;
    timestamp: string;
    data: { alert: Record<string, unknown> } & Record<string, unknown>;
  };
}

export type PipelineWorld = Awaited<ReturnType<typeof createPipelineWorld>>;

/**
 * An organization of its own on a whole server, its default channel on a path of the inbox, and an agent that is moved
 * by hand: it speaks the agent protocol, and what it finds is what the test says.
 */
export async function createPipelineWorld(server: SharedTestServer, inbox: WebhookInbox) {
  const organization = await server.createOrganization();
  const { api, owner, id: organizationId } = organization;
  const channelPath = `/organization-${organizationId}`;
  const channel = await api.call('createNotificationChannel', {
    body: { name: 'Operations', url: new URL(channelPath, inbox.url).href },
  });
  await owner.call('updateNotificationSettings', { body: { default_channel_id: channel.id } });

  async function createGatherJob(releases: readonly ListedRelease[], fields: Partial<GatherJobFields> = {}) {
    const job = await api.call('createGatherJob', {
      body: {
        name: 'nginx',
        source_type: 'github_releases',
        artifact_name: `github.com/acme/nginx-${organizationId}`,
        ...fields,
      },
    });
    await agent.gather(job.id, releases);
    return job.id;
  }

  async function createManualJob(
    fields: { name?: string; version_transform?: Transform } = {},
  ): Promise<number> {
    const body = { name: 'by hand', parser_type: 'manual', ...fields } as const;
    return (await api.call('createScrapeJob', { body })).id;
  }

  async function createRule(fields: Partial<RuleFields> = {}): Promise<number> {
    const body = {
      name: 'Not too old',
      rule_type: 'majors_behind',
      thresholds: { moderate: 1 },
      ...fields,
    } as const;
    return (await api.call('createRule', { body })).id;
  }

  let configCount = 0;

  /** Several may compare the same parts. */
  async function createConfig(
    parts: { scrapeJobId: number; gatherJobId: number; ruleId: number },
    fields: Partial<ConfigFields> = {},
  ): Promise<number> {
    const { scrapeJobId, gatherJobId, ruleId } = parts;
    const body = {
      name: 'nginx',
      scrape_job_id: scrapeJobId,
      gather_job_id: gatherJobId,
      rule_id: ruleId,
      ordinal: configCount++,
      ...fields,
    };
    return (await api.call('createAlertConfig', { body })).id;
  }

  /** Everything that one alert takes: releases, a manual job, a rule and the configuration, evaluated. */
  async function createWatched(given: {
    releases: readonly ListedRelease[];
    rule?: Partial<RuleFields>;
    version?: string;
    config?: Partial<ConfigFields>;
  }) {
    const gatherJobId = await createGatherJob(given.releases);
    const scrapeJobId = await createManualJob();
    const ruleId = await createRule(given.rule);
    const configId = await createConfig({ scrapeJobId, gatherJobId, ruleId }, given.config);
    if (given.version !== undefined) await setVersion(scrapeJobId, given.version);
    await settled();
    return { gatherJobId, scrapeJobId, ruleId, configId };
  }

  /** The answer is there before the evaluation is; `settled` waits for that. */
  function setVersion(scrapeJobId: number, version: string): Promise<Schemas['Version']> {
    return api.call('setScrapeJobVersion', { path: { id: scrapeJobId }, body: { version } });
  }

  /** Waits until nothing of this organization is due, in hand, or on its way. */
  async function settled(timeoutMs = 15_000): Promise<void> {
    for (const deadline = performance.now() + timeoutMs; ; await sleep(10)) {
      const { rows } = await sql<{ what: string; count: number }>`
        SELECT 'configurations' AS what, count(*)::integer AS count FROM alert_configs
        WHERE organization_id = ${organizationId} AND (due_at <= pacekeeper_now() OR wanted > done OR lease_token IS NOT NULL)
        UNION ALL SELECT 'fan-outs', count(*)::integer FROM release_fan_outs WHERE due_at < 'infinity' OR lease_token IS NOT NULL
        UNION ALL SELECT 'deliveries', count(*)::integer FROM notification_deliveries
        WHERE organization_id = ${organizationId} AND status IN ('pending', 'failed', 'in_progress')`.execute(
        server.db,
      );
      const left = rows.filter((row) => row.count > 0);
      if (left.length === 0) return;
      if (performance.now() > deadline) throw new Error(`still to be done: ${JSON.stringify(left)}`);
    }
  }

  /** What the channel has heard so far, in order. */
  function heard(): HeardEvent[] {
    return inbox.requests.filter((request) => request.path === channelPath).map(readEvent);
  }

  function heardTypes(): string[] {
    return heard().map((event) => event.type);
  }

  async function openAlert(): Promise<Schemas['Alert'] | undefined> {
    const { items } = await api.call('listAlerts');
    if (items.length > 1) throw new Error(`${items.length} alerts are open`);
    return items[0];
  }

  async function trail(alertId: number): Promise<string[]> {
    const { items } = await api.call('listAlertActions', { path: { id: alertId }, query: { limit: 200 } });
    // What becomes of a notification comes when it comes.
    return items
      .filter((entry) => entry.action !== 'notified')
      .toSorted((a, b) => a.id - b.id)
      .map((entry) => entry.action);
  }

  const agent = createAgentByHand(api);
  return {
    organization,
    organizationId,
    api,
    owner,
    channelId: channel.id,
    channelPath,
    agent,
    createGatherJob,
    createManualJob,
    createRule,
    createConfig,
    createWatched,
    setVersion,
    settled,
    heard,
    heardTypes,
    openAlert,
    trail,
  };
}

/** An agent of the organization of the key that does what it is told and nothing by itself. */
export function createAgentByHand(api: ApiClient) {
  const capabilities = ['gather:github_releases', 'scrape'];
  const held: AgentSchemas['ClaimTasksResponse']['tasks'] = [];
  let agentId: Promise<number> | null = null;

  function heartbeat(): Promise<number> {
    const body = {
      name: 'by hand',
      hostname: 'here',
      version: '0.0.0',
      capabilities,
      credential_names: [],
      running: [],
    };
    return api.call('sendHeartbeat', { body }).then((answer) => answer.agent_id);
  }

  /** Claims tasks until the one of this job is there. */
  async function claim(kind: 'gather' | 'scrape', jobId: number) {
    agentId ??= heartbeat();
    for (let tries = 0; tries < 5; tries++) {
      const index = held.findIndex((task) => task.kind === kind && jobOf(task) === jobId);
      const [found] = index < 0 ? [] : held.splice(index, 1);
      if (found) return found;
      const body = { agent_id: await agentId, capabilities, credential_names: [], max: 50, wait_seconds: 5 };
      held.push(...(await api.call('claimTasks', { body })).tasks);
    }
    throw new Error(`no task of the ${kind} job ${jobId}`);
  }

  async function finish(
    task: { task_id: number; lease_token: string },
    items: Items,
    isCompleteList: boolean,
  ) {
    const path = { id: task.task_id };
    const lease_token = task.lease_token;
    await api.call('submitTaskResults', { path, body: { lease_token, sequence: 1, items } });
    await api.call('completeTask', {
      path,
      body: { lease_token, parts: 1, summary: summary(items.length, isCompleteList) },
    });
  }

  return {
    claim,
    finish,

    /** Runs a gather job; its upstream lists these. */
    async gather(
      jobId: number,
      releases: readonly ListedRelease[],
      { isCompleteList = true } = {},
    ): Promise<void> {
      await api.call('runGatherJob', { path: { id: jobId } });
      await finish(await claim('gather', jobId), releases.map(toItem), isCompleteList);
    },

    /** Runs a scrape job; its file holds this version. */
    async scrape(jobId: number, rawVersion: string): Promise<void> {
      await api.call('runScrapeJob', { path: { id: jobId } });
      const item = { raw_version: rawVersion, version: rawVersion, commit_sha: 'a'.repeat(40) };
      await finish(await claim('scrape', jobId), [item], false);
    },

    async fail(kind: 'gather' | 'scrape', jobId: number): Promise<void> {
      const task = await claim(kind, jobId);
      const error = { code: 'not_found', message: 'It is not there.' } as const;
      await api.call('failTask', {
        path: { id: task.task_id },
        body: { lease_token: task.lease_token, error, retryable: false },
      });
    },
  };
}

/** The clock of a running server, which only goes forward: a server of its own is for tests that move it. */
export function createClock(server: SharedTestServer) {
  let offsetMs = 0;
  const now = () => Date.now() + offsetMs;
  return {
    /** An instant so many days before now. */
    daysAgo: (days: number) => new Date(now() - days * dayMs).toISOString(),
    inMinutes: (minutes: number) => new Date(now() + minutes * 60_000).toISOString(),

    /** Lets so much time pass, and has the loops look at once. */
    async pass(minutes: number): Promise<void> {
      offsetMs += minutes * 60_000;
      await setClockOffset(server.db, `${offsetMs} milliseconds`);
      await wakeLoops(server);
    },

    /** The same for what waits until the clock has been steady: in steps that are no jumps, each of them seen. */
    async passSteadily(minutes: number): Promise<void> {
      for (let left = minutes; left > 0; left -= 45) {
        await this.pass(Math.min(45, left));
        await until('the clock was watched', async () => {
          await wakeLoops(server);
          const { rows } = await sql<{ is_seen: boolean }>`
            SELECT (state->>'seenAt')::timestamptz > pacekeeper_now() - interval '5 minutes' AS is_seen
            FROM housekeeping_tasks WHERE name = 'watch-clock'`.execute(server.db);
          return rows[0]?.is_seen;
        });
      }
    },
  };
}

const dayMs = 86_400_000;

async function wakeLoops({ db }: SharedTestServer): Promise<void> {
  const topics = [
    'alert_configs',
    'release_fan_outs',
    'digest_fan_outs',
    'notification_channels',
    'housekeeping_tasks',
    'gather_jobs',
    'scrape_jobs',
    'reference_sources',
  ];
  await sql`SELECT pg_notify('pacekeeper_wake', ${topics.join('\n')})`.execute(db);
}

/** An instant so many days before now, by the clock that was not moved. */
export function daysAgo(days: number): string {
  return new Date(Date.now() - days * dayMs).toISOString();
}

/** Asks until the answer is there. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | null | undefined | false>,
  timeoutMs = 15_000,
): Promise<T> {
  for (const deadline = performance.now() + timeoutMs; ; await sleep(20)) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadline) throw new Error(`${what}: not within ${timeoutMs} ms`);
  }
}

/** The status with which a call is refused. */
export async function refusal(call: Promise<unknown>): Promise<number | null> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiCallError) return error.status;
    throw error;
  }
  throw new Error('it was not refused');
}

export function readEvent(request: ReceivedWebhook): HeardEvent {
  const body = JSON.parse(request.body) as HeardEvent['body'];
  const alert = body.data.alert as Record<string, unknown> | undefined;
  return {
    id: request.id,
    type: body.type,
    severity: String(alert?.['severity']),
    discoveredVersion: String(alert?.['discovered_version']),
    body,
  };
}

type GatherJobFields = Schemas['CreateGatherJobRequest'];
type RuleFields = Schemas['CreateMonitoringRuleRequest'];
type ConfigFields = Schemas['CreateAlertConfigRequest'];
type Transform = NonNullable<Schemas['CreateScrapeJobRequest']['version_transform']>;
type Items = AgentSchemas['SubmitTaskResultsRequest']['items'];

function jobOf(task: AgentSchemas['ClaimTasksResponse']['tasks'][number]): number {
  switch (task.kind) {
    case 'gather':
      return task.spec.gather_job_id;
    case 'scrape':
      return task.spec.scrape_job_id;
    case 'helm_sync':
      return task.spec.helm_sync_job_id;
    case 'discovery':
      return task.spec.discovery_job_id;
    case 'reference':
      return 0;
  }
}

function toItem({ tag, at = null, isPrerelease = false, isYanked = false }: ListedRelease) {
  return {
    tag,
    app_version: null,
    released_at: at,
    is_prerelease: isPrerelease,
    is_yanked: isYanked,
    url: `https://github.com/acme/nginx/releases/tag/${tag}`,
    notes: null,
  };
}

function summary(found: number, isCompleteList: boolean): AgentSchemas['TaskSummary'] {
  return {
    not_modified: false,
    is_complete_list: isCompleteList,
    validators: null,
    found,
    skipped: 0,
    skipped_examples: [],
    requests: 1,
    waited_ms: 0,
  };
}
