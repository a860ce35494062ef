import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { ApiCallError, type ApiClient } from '../../src/client/api-client.ts';
import type { Schemas as AgentSchemas } from '../../src/generated/agent-api.ts';
import type { Schemas } from '../../src/generated/client-api.ts';
import { setClockOffset } from '../helpers/database.ts';
import type { SharedTestServer } from '../helpers/test-server.ts';
import type { ReceivedWebhook, WebhookInbox } from '../helpers/webhook-inbox.ts';

/** A release as listed by an upstream source. */
export interface ListedRelease {
  tag: string;
  /** RFC 3339 time, or `null` if the source has no date. */
  at?: string | null;
  isPrerelease?: boolean;
  isYanked?: boolean;
}

/** A webhook as its receiver parsed it. */
export interface ReceivedEvent {
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
 * Creates an organization on a running server, with a default channel on a separate path of the inbox and an
 * agent that the test controls. The agent uses the agent protocol and returns the results that the test sets.
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

  /** Creates a configuration. Several configurations can use the same jobs and rule. */
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

  /**
   * Creates everything that one alert requires: releases, a manual job, a rule, and the evaluated
   * configuration.
   */
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

  /** Sets a version. The response arrives before the evaluation; `settled` waits for the evaluation. */
  function setVersion(scrapeJobId: number, version: string): Promise<Schemas['Version']> {
    return api.call('setScrapeJobVersion', { path: { id: scrapeJobId }, body: { version } });
  }

  /** Waits until this organization has no due, leased, or pending work. */
  async function settled(timeoutMs = 60_000): Promise<void> {
    for (const deadline = performance.now() + timeoutMs; ; await sleep(10)) {
      const { rows } = await sql<{ what: string; count: number }>`
        SELECT 'configurations' AS what, count(*)::integer AS count FROM alert_configs
        WHERE organization_id = ${organizationId} AND (due_at <= pacekeeper_now() OR requested_seq > processed_seq OR lease_token IS NOT NULL)
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

  /** Returns the events that the channel has received so far, in order. */
  function receivedEvents(): ReceivedEvent[] {
    return inbox.requests.filter((request) => request.path === channelPath).map(readEvent);
  }

  function heardTypes(): string[] {
    return receivedEvents().map((event) => event.type);
  }

  async function openAlert(): Promise<Schemas['Alert'] | undefined> {
    const { items } = await api.call('listAlerts');
    if (items.length > 1) throw new Error(`${items.length} alerts are open`);
    return items[0];
  }

  async function trail(alertId: number): Promise<string[]> {
    const { items } = await api.call('listAlertActions', { path: { id: alertId }, query: { limit: 200 } });
    // Exclude `notified` entries. Notifications are sent asynchronously, so the position of these entries varies.
    return items
      .filter((entry) => entry.action !== 'notified')
      .toSorted((a, b) => a.id - b.id)
      .map((entry) => entry.action);
  }

  const agent = createControlledAgent(api);
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
    receivedEvents,
    heardTypes,
    openAlert,
    trail,
  };
}

/** Creates an agent in the organization of the key. The agent acts only when the test calls it. */
export function createControlledAgent(api: ApiClient) {
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

  /** Claims tasks until the task of this job is among them. */
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

    /** Runs a gather job whose upstream source lists these releases. */
    async gather(
      jobId: number,
      releases: readonly ListedRelease[],
      { isCompleteList = true } = {},
    ): Promise<void> {
      await api.call('runGatherJob', { path: { id: jobId } });
      await finish(await claim('gather', jobId), releases.map(toItem), isCompleteList);
    },

    /** Runs a scrape job whose file contains this version. */
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

/**
 * Creates an object that controls the clock of a running server. The clock only moves forward, so tests that
 * move it need a separate server.
 */
export function createClock(server: SharedTestServer) {
  let offsetMs = 0;
  const now = () => Date.now() + offsetMs;
  return {
    /** Returns the time this number of days ago, on the moved clock. */
    daysAgo: (days: number) => new Date(now() - days * dayMs).toISOString(),
    inMinutes: (minutes: number) => new Date(now() + minutes * 60_000).toISOString(),

    /** Moves the clock forward and wakes the loops immediately. */
    async pass(minutes: number): Promise<void> {
      offsetMs += minutes * 60_000;
      await setClockOffset(server.db, `${offsetMs} milliseconds`);
      await wakeLoops(server);
    },

    /**
     * Advances the clock in steps that are too small to count as jumps, for work that runs only while the clock is
     * stable. Waits after each step until the server has checked the clock.
     */
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
    'release_moves',
    'notification_channels',
    'housekeeping_tasks',
    'gather_jobs',
    'scrape_jobs',
    'reference_sources',
  ];
  await sql`SELECT pg_notify('pacekeeper_wake', ${topics.join('\n')})`.execute(db);
}

/** Returns the time this number of days ago, on the real clock. */
export function daysAgo(days: number): string {
  return new Date(Date.now() - days * dayMs).toISOString();
}

/** Polls until `ask` returns a value other than `false`, `null`, or `undefined`, and returns that value. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | null | undefined | false>,
  timeoutMs = 60_000,
): Promise<T> {
  for (const deadline = performance.now() + timeoutMs; ; await sleep(20)) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadline) throw new Error(`${what}: not within ${timeoutMs} ms`);
  }
}

/** Returns the status with which a call is rejected. */
export async function rejectionStatus(call: Promise<unknown>): Promise<number | null> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiCallError) return error.status;
    throw error;
  }
  throw new Error('it was not refused');
}

export function readEvent(request: ReceivedWebhook): ReceivedEvent {
  const body = JSON.parse(request.body) as ReceivedEvent['body'];
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
