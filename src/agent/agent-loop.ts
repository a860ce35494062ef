import { ApiCallError, createApiClient } from '../client/api-client.ts';
import type { Log } from '../platform/log.ts';
import type { AnyCredential } from './agent-credential.ts';
import { createPresence, describeCallFailure } from './agent-presence.ts';
import { AgentStoppedError, type AgentTask, type HeldTask } from './agent-task.ts';
import { createBackOff, pause } from './back-off.ts';
import { createBatchCompletions } from './batch-completions.ts';
import { runWithLease } from './hold-task.ts';
import { runLane } from './task-lane.ts';
import type { TaskRunners } from './task-runners.ts';

export interface AgentOptions {
  /** A remote agent has a key; the embedded one a token that no API can issue. */
  connection: { serverUrl: string; apiKey: string } | { serverUrl: string; token: string };
  /** Tells this agent from the others of its organization. */
  name: string;
  version: string;
  /** `gather:` with a source type, `scrape`, `helm_sync`, `discovery`, `reference:` with a source. */
  capabilities: readonly string[];
  credentials: readonly AnyCredential[];
  runners: TaskRunners;
  log: Log;
  /** Stops the agent: it claims no more and has 20 s to finish what it has begun. */
  signal: AbortSignal;
  limits?: Partial<AgentLimits>;
}

export interface AgentLimits {
  /** Lists of releases that are read at the same time. */
  maxGathers: number;
  /** Repositories and Helm indices that are read at the same time: each may take a processor and much memory. */
  maxReads: number;
  /** Limit for a whole run. Otherwise, a source that sends slowly could occupy a slot forever. */
  maxRunMs: number;
  /** For finishing what is in flight when the agent stops. */
  stopMs: number;
  /** How long a claim waits for a task. */
  claimWaitSeconds: number;
}

/** Of the embedded agent, one organization takes so much at most: ten slow sources of one leave room for the others. */
const shareOfOrganization = 2 / 3;

const defaultLimits: AgentLimits = {
  maxGathers: 48,
  maxReads: 6,
  maxRunMs: 15 * 60_000,
  stopMs: 20_000,
  claimWaitSeconds: 30,
};

/**
 * Does tasks until the signal. Resolves when nothing is in flight any more. While the server is away it tries again,
 * ever more rarely. Rejects with an AgentRefusedError when the very first heartbeat is refused.
 */
export async function runAgent(options: AgentOptions): Promise<void> {
  const { connection, log, signal, runners } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const isPacked = !isLoopback(connection.serverUrl);
  const api = createApiClient({
    baseUrl: connection.serverUrl,
    ...keyOf(connection),
    // On the same machine, compressing takes longer than sending.
    headers: isPacked ? {} : { 'accept-encoding': 'identity' },
  });
  const running = new Map<number, HeldTask>();
  const completions = createBatchCompletions(api, { countHeld: () => running.size, isPacked });
  const cut = new AbortController();
  const presence = createPresence(api, { ...options, isEmbedded: 'token' in connection }, running);
  const credentialNames = options.credentials.map((credential) => credential.name);

  await presence.begin();
  if (signal.aborted) return;
  const beating = presence.beat();

  function startLane<Task extends AgentTask>(
    capabilities: string[],
    lane: Pick<
      Parameters<typeof runLane<Task>>[0],
      | 'maxRunning'
      | 'maxHeld'
      | 'maxGroups'
      | 'maxClaimed'
      | 'share'
      | 'isCollecting'
      | 'groupKey'
      | 'runGroup'
    >,
  ): Promise<void> {
    if (capabilities.length === 0) return Promise.resolve();
    const backOff = createBackOff();
    let notBefore = 0;
    return runLane<Task>({
      ...lane,
      // Tasks that run together share requests, so they share a time limit.
      runGroup(tasks) {
        for (const held of tasks) held.limitTime(limits.maxRunMs);
        return lane.runGroup(tasks);
      },
      signal,
      giveBack: (held) => held.fail(new AgentStoppedError()),
      async claim(max, { isWaiting, exceptOrganizations }) {
        const waitMs = notBefore - performance.now();
        if (waitMs > 0) {
          if (!isWaiting) return [];
          await pause(waitMs, signal);
          if (signal.aborted) return [];
        }
        const sentAgentId = presence.agentId();
        try {
          const { tasks } = await api.call('claimTasks', {
            body: {
              agent_id: sentAgentId,
              capabilities,
              credential_names: credentialNames,
              max,
              // An older server does not know it.
              ...(exceptOrganizations.length > 0 && {
                except_organizations: exceptOrganizations.slice(0, 1_000),
              }),
              wait_seconds: isWaiting ? limits.claimWaitSeconds : 0,
            },
            signal,
            timeoutMs: (limits.claimWaitSeconds + 15) * 1_000,
          });
          backOff.reset();
          // The service sends only tasks of the capabilities that were named.
          return tasks.map((task) => hold(task as Task));
        } catch (error) {
          if (signal.aborted) return [];
          if (error instanceof ApiCallError && error.status === 404)
            await presence.renewIdentity(sentAgentId);
          const seconds = error instanceof ApiCallError ? error.retryAfterSeconds : null;
          const delayMs = backOff.nextMs((seconds ?? 0) * 1_000);
          notBefore = performance.now() + delayMs;
          const { fields, sentence } = describeCallFailure(error);
          log.warn({ ...fields, nextInMs: Math.round(delayMs) }, `claiming tasks failed${sentence}`);
          return [];
        }
      },
    });
  }

  function hold<Task extends AgentTask>(task: Task): HeldTask<Task> {
    const held = runWithLease(task, {
      api,
      completions,
      leaseSeconds: presence.leaseSeconds(),
      stopped: cut.signal,
      isPacked,
      log,
      onEnd: () => running.delete(task.task_id),
    });
    running.set(task.task_id, held);
    return held;
  }

  const gathers = options.capabilities.filter((name) => name.startsWith('gather:'));
  const reads = options.capabilities.filter((name) => !name.startsWith('gather:'));
  // A remote agent works for one organization, or for the jobs that all share.
  const share = 'token' in connection ? shareOfOrganization : 1;
  const lanes = Promise.all([
    startLane(gathers, {
      maxRunning: limits.maxGathers,
      maxHeld: 200,
      maxGroups: 200,
      maxClaimed: 100,
      share,
      isCollecting: false,
      groupKey: runners.gatherKey,
      runGroup: runners.runGathers,
    }),
    startLane(reads, {
      maxRunning: limits.maxReads,
      // A thousand jobs of one repository are one fetch; of a thousand repositories others may have some.
      maxHeld: 2_000,
      maxGroups: limits.maxReads * 4,
      // Four times as many, while it collects, is the most that the service gives at once.
      maxClaimed: 50,
      share,
      isCollecting: true,
      groupKey: runners.readKey,
      runGroup: runners.runReads,
    }),
  ]);

  await pauseUntil(signal);
  const timer = setTimeout(() => cut.abort(new AgentStoppedError()), limits.stopMs);
  await lanes;
  await Promise.all([...running.values()].map((held) => held.ended));
  clearTimeout(timer);
  await beating;
  log.info({ agent: options.name }, 'agent stopped');
}

function keyOf(connection: AgentOptions['connection']): { apiKey: string } | { token: string } {
  return 'token' in connection ? { token: connection.token } : { apiKey: connection.apiKey };
}

function isLoopback(serverUrl: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(serverUrl).hostname);
}

function pauseUntil(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
