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
  /**
   * Connection to the server. A remote agent has an API key. The embedded agent has a token that no API can
   * issue.
   */
  connection: { serverUrl: string; apiKey: string } | { serverUrl: string; token: string };
  /** Distinguishes this agent from the others in its organization. */
  name: string;
  version: string;
  /** Types of tasks that the agent can run, as in the contract. */
  capabilities: readonly string[];
  /** Credentials of the agent. The list can change while the agent runs. */
  credentials: readonly AnyCredential[];
  runners: TaskRunners;
  log: Log;
  /** Stops the agent: it claims no more tasks and has 20 s to finish those that are running. */
  signal: AbortSignal;
  limits?: Partial<AgentLimits>;
}

export interface AgentLimits {
  /** Maximum number of release lists that are read concurrently. */
  maxGathers: number;
  /**
   * Maximum number of repositories and Helm indexes that are read concurrently. Each can use a full CPU and a
   * lot of memory.
   */
  maxReads: number;
  /** Time limit for a run. Without it, a source that sends slowly could occupy a slot forever. */
  maxRunMs: number;
  /** Time for finishing in-flight tasks when the agent stops. */
  stopMs: number;
  /** Maximum time that a claim waits for a task. */
  claimWaitSeconds: number;
}

/**
 * Maximum share of the embedded agent's capacity for one organization, so that ten slow sources of one
 * organization leave capacity for the others.
 */
const maxOrganizationShare = 2 / 3;

const defaultLimits: AgentLimits = {
  maxGathers: 48,
  maxReads: 6,
  maxRunMs: 15 * 60_000,
  stopMs: 20_000,
  claimWaitSeconds: 30,
};

/**
 * Runs tasks until the signal is aborted, and resolves when no task is in flight. While the server is
 * unavailable, retries with increasing delays. Rejects with an AgentRefusedError if the server rejects the
 * agent's first heartbeat.
 */
export async function runAgent(options: AgentOptions): Promise<void> {
  const { connection, log, signal, runners } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const isCompressed = !isLoopback(connection.serverUrl);
  const api = createApiClient({
    baseUrl: connection.serverUrl,
    ...keyOf(connection),
    // A server on the same machine shouldn't compress its responses, because that takes longer than sending
    // them.
    headers: isCompressed ? {} : { 'accept-encoding': 'identity' },
  });
  const running = new Map<number, HeldTask>();
  const completions = createBatchCompletions(api, {
    countHeld: () => running.size,
    isCompressed,
  });
  const forceStop = new AbortController();
  const presence = createPresence(api, { ...options, isEmbedded: 'token' in connection }, running);

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
      releaseTask: (held) => held.fail(new AgentStoppedError()),
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
              credential_names: options.credentials.map((credential) => credential.name),
              max,
              except_organizations: exceptOrganizations.slice(0, 1_000),
              wait_seconds: isWaiting ? limits.claimWaitSeconds : 0,
            },
            signal,
            timeoutMs: (limits.claimWaitSeconds + 15) * 1_000,
          });
          backOff.reset();
          // The server returns only tasks for the requested capabilities, so the agent knows the type of each
          // task.
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
      stopped: forceStop.signal,
      isCompressed,
      rejectedCode: runners.rejectedCode(task),
      log,
      onEnd: () => running.delete(task.task_id),
    });
    running.set(task.task_id, held);
    return held;
  }

  const gathers = options.capabilities.filter((name) => name.startsWith('gather:'));
  const reads = options.capabilities.filter((name) => !name.startsWith('gather:'));
  // A remote agent serves a single organization or only global jobs, so it needs no limit for each
  // organization.
  const share = 'token' in connection ? maxOrganizationShare : 1;
  const lanes = Promise.all([
    startLane(gathers, {
      maxRunning: limits.maxGathers,
      maxHeld: 200,
      maxGroups: 200,
      maxClaimed: 100,
      share,
      isCollecting: false,
      ...runners,
    }),
    startLane(reads, {
      maxRunning: limits.maxReads,
      // A thousand jobs of one repository require only one fetch, so the agent can hold many tasks. If the
      // tasks belong to many repositories, `maxGroups` leaves some of the repositories to other agents.
      maxHeld: 2_000,
      maxGroups: limits.maxReads * 4,
      // A claim requests up to four times this number while tasks are collected. The server allows at most 200.
      maxClaimed: 50,
      share,
      isCollecting: true,
      ...runners,
    }),
  ]);

  await pauseUntil(signal);
  const timer = setTimeout(() => forceStop.abort(new AgentStoppedError()), limits.stopMs);
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
