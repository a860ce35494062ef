import type { Schemas } from '../../generated/agent-api.ts';
import {
  afterCommit,
  changeTopic,
  type Database,
  listen,
  type Tx,
  topicNames,
  transaction,
  wake,
} from '../../platform/database/index.ts';
import { Alarm } from '../../platform/due-rows/index.ts';
import { ApiError, invalidField, notFound } from '../../platform/errors.ts';
import { createFairLimit } from '../../platform/fairness/index.ts';
import {
  type AgentOperations,
  type ApiRequest,
  acquireAllLimits,
  type Caller,
  createConcurrencyLimit,
  type Handlers,
  jsonTextOf,
} from '../../platform/http/index.ts';
import { onRightsChange } from '../accounts/index.ts';
import {
  assertTaskFetches,
  findMissingRecords,
  listFetchedPackages,
  listScoredCves,
} from '../reference/index.ts';
import {
  type ClaimedRun,
  claimChecksAcrossOrganizations,
  claimRunsAcrossOrganizations,
  failRun,
  findHeldChecksAcrossOrganizations,
  findOrganizationOfRunAcrossOrganizations,
  giveRowsToChecks,
  isRelevantWakeUp,
  jobKey,
  type LeaseHolder,
  lockHeldChecksAcrossOrganizations,
  lockHeldRun,
  nextCheckInMsAcrossOrganizations,
  renewRunLease,
  stagePart,
} from '../runs/index.ts';
import { readLimit, readSettings } from '../settings/index.ts';
import { findKindOfAgent, hasAgent, listAgents, recordHeartbeat } from './agent-queries.ts';
import { completeTask, completeTasks, type TaskDeps } from './complete-tasks.ts';
import { checkedJobKinds, jobKinds } from './job-kinds.ts';

/**
 * Interval at which a long poll checks for runs, in case a wake-up was lost or a paused run has become due.
 */
const pollIntervalMs = 2_000;
/** Shortest pause before a long poll checks for jobs that become due. The actual pause is up to twice as long. */
const minPauseMs = 250;

/**
 * Maximum number of waiting claims of one agent. An agent has two lanes, each with one waiting claim. The
 * other two claims allow for broken connections that haven't been detected yet.
 */
const pollsOfAgent = 4;

/**
 * Maximum number of tasks whose parts are applied at the same time, in total and per organization. Each of
 * them holds a database connection.
 */
const completionLimits = { max: 4, maxPerKey: 2 };

export function agentHandlers(deps: TaskDeps): Handlers<keyof AgentOperations | 'listAgents'> {
  const { db } = deps;
  const openOfAgents = createConcurrencyLimit('waiting claims of one agent');
  const completions = createFairLimit(completionLimits);
  const openOfOrganizations = createConcurrencyLimit('waiting claims of one organization');
  return {
    async sendHeartbeat({ caller, body }) {
      const isEmbedded = caller.via === 'embedded_agent';
      const agent = await recordHeartbeat(db, caller.organizationId, {
        name: body.name,
        kind: kindOf(caller),
        apiKeyId: caller.apiKeyId,
        limits: caller.agentLimits ?? null,
        hostname: body.hostname,
        version: body.version,
        capabilities: within(body.capabilities, caller.agentLimits?.capabilities),
        credentialNames: within(body.credential_names, caller.agentLimits?.credentialNames),
        credentialNamesByOrganization: isEmbedded ? (body.credential_names_by_organization ?? {}) : {},
      });
      if (!agent) {
        const kind = await findKindOfAgent(db, caller.organizationId, body.name);
        if (kind === 'embedded') throw invalidField('name', 'belongs to an embedded agent');
        if (kind === 'remote')
          throw invalidField(
            'name',
            'belongs to an agent whose API key has different limits. Use another name, or revoke that key',
          );
        const maxAgents = await readLimit(db, 'limits.agents');
        throw new ApiError(
          'conflict',
          `An organization can have at most ${maxAgents} agents (limits.agents). Reuse the name of an agent you no longer need, or wait until it has been offline for an hour.`,
        );
      }
      const { leaseSeconds } = await leaseSettings(db, caller);
      return {
        status: 200,
        body: { agent_id: agent.id, server_time: agent.now.toISOString(), lease_seconds: leaseSeconds },
      };
    },

    async claimTasks(request) {
      const { caller, body, signal } = request;
      // Return an error instead of an empty list. Otherwise, agents would poll a server that is shutting down in a
      // tight loop.
      if (signal.aborted)
        throw new ApiError('unavailable', 'The server is shutting down.', { retryAfterSeconds: 5 });
      const agent = { organizationId: caller.organizationId, id: body.agent_id, kind: kindOf(caller) };
      // Only claims that wait are limited, because they query the database repeatedly.
      const forget = body.wait_seconds > 0 ? await countPoll(caller, body.agent_id) : null;
      let isKnown = false;
      const claimed = await waitForRuns(request, async () => {
        const options = {
          capabilities: within(body.capabilities, caller.agentLimits?.capabilities),
          // The agent ID in the request may belong to an agent of another key, so the limits of this key apply.
          credentialNames: caller.agentLimits?.credentialNames ?? null,
          max: body.max,
          exceptOrganizations: body.except_organizations ?? [],
        };
        const queued = await claimRunsAcrossOrganizations(db, agent, options);
        const checks = await claimChecksAcrossOrganizations(db, checkedJobKinds, agent, {
          ...options,
          max: body.max - queued.length,
        });
        const runs = [...queued, ...checks];
        // Only registered agents get runs, so a claim that returned runs needs no further check.
        isKnown ||= runs.length > 0 || (await hasAgent(db, agent));
        if (!isKnown) throw notFound();
        return runs;
      }).finally(() => forget?.());
      return { status: 200, body: { tasks: await describeTasksAcrossOrganizations(db, claimed) } };
    },

    async renewTask({ caller, path, body }) {
      const { leaseSeconds } = await leaseSettings(db, caller);
      const until = await transaction(db, async (tx) => {
        await giveRowToCheck(tx, caller, path.id, body.lease_token);
        return renewRunLease(tx, caller, path.id, body.lease_token, leaseSeconds);
      });
      return { status: 200, body: { lease_expires_at: until.toISOString() } };
    },

    async submitTaskResults({ caller, path, body }) {
      await transaction(db, async (tx) => {
        await giveRowToCheck(tx, caller, path.id, body.lease_token);
        const run = await lockHeldRun(tx, caller, path.id, body.lease_token);
        const items = jsonTextOf(body.items);
        if (
          items.count > 0 &&
          !jobKinds[run.kind].resultFields.some((name) => items.commonFields.includes(name))
        )
          throw invalidField('items', `must contain results of a ${run.kind} task`);
        await stagePart(tx, run, body.lease_token, body.sequence, items.json);
      });
      return { status: 204 };
    },

    async listTaskPackages({ caller, path, body }) {
      await assertTaskFetches(db, 'vulnerabilities', caller, path.id, body.lease_token);
      return { status: 200, body: await listFetchedPackages(db) };
    },

    async listTaskCves({ caller, path, body }) {
      await assertTaskFetches(db, 'epss', caller, path.id, body.lease_token);
      return { status: 200, body: { cves: await listScoredCves(db) } };
    },

    async findMissingRecords({ caller, path, body }) {
      await assertTaskFetches(db, 'vulnerabilities', caller, path.id, body.lease_token);
      return { status: 200, body: { records: await findMissingRecords(db, body.packages) } };
    },

    async completeTask({ caller, path, body }) {
      const work = () => completeTask(deps, caller, path.id, body);
      if (body.parts === 0) await work();
      else await completions.run(await completionKey(caller, path.id), work);
      return { status: 204 };
    },

    async completeTasks({ caller, body: { tasks } }) {
      if (new Set(tasks.map((task) => task.task_id)).size < tasks.length)
        throw invalidField('tasks', 'must list each task only once');
      const work = () => completeTasks(deps, caller, tasks);
      const hasReleases = tasks.some(({ releases }) => releases !== undefined);
      const body = hasReleases ? await completions.run(String(caller.organizationId), work) : await work();
      return { status: 200, body };
    },

    async failTask({ caller, path, body }) {
      await transaction(db, async (tx) => {
        await giveRowToCheck(tx, caller, path.id, body.lease_token);
        const run = await lockHeldRun(tx, caller, path.id, body.lease_token);
        const { 'task.max_attempts': maxAttempts } = await readSettings(tx, run.organization_id);
        const failure = {
          code: body.error.code,
          message: body.error.message,
          isRetryable: body.retryable,
          retryAt: body.retry_at ? new Date(body.retry_at) : null,
        };
        const hasFailed = await failRun(tx, jobKinds[run.kind], run, failure, maxAttempts);
        afterCommit(tx, () => deps.onRun(run.kind, hasFailed ? 'failed' : 'put_off'));
        wake(tx, changeTopic(run.organization_id, `${run.kind}_job`, run.job_id));
      });
      return { status: 204 };
    },

    async listAgents({ caller, query }) {
      return { status: 200, body: await listAgents(db, caller.organizationId, query) };
    },
  };

  /**
   * Returns the organization whose limit a completion counts toward. For the embedded agent, which works for
   * all organizations, this is the organization of the run. For any other agent, it's the organization of the
   * agent, which can't complete tasks of other organizations, whatever run ID it sends.
   */
  async function completionKey({ via, organizationId }: Caller, runId: number): Promise<string> {
    if (via !== 'embedded_agent') return String(organizationId);
    return String(await findOrganizationOfRunAcrossOrganizations(db, runId));
  }

  /**
   * Counts a waiting claim, and returns a function to call when it no longer waits. Throws 429 if too many
   * claims are waiting. The embedded agent is part of the server and isn't limited.
   */
  async function countPoll({ via, organizationId }: Caller, agentId: number): Promise<(() => void) | null> {
    if (via === 'embedded_agent') return null;
    // Allows for the two lanes of every agent that an organization can have.
    const pollsOfOrganization = 2 * (await readLimit(db, 'limits.agents'));
    return acquireAllLimits([
      [openOfOrganizations, String(organizationId), pollsOfOrganization],
      [openOfAgents, `${organizationId}/${agentId}`, pollsOfAgent],
    ]);
  }

  /**
   * Claims runs immediately or when some become available, until the wait time ends or the agent disconnects.
   */
  async function waitForRuns(
    { caller, body, signal }: ApiRequest<'claimTasks'>,
    claim: () => Promise<ClaimedRun[]>,
  ): Promise<ClaimedRun[]> {
    const until = performance.now() + body.wait_seconds * 1_000;
    const alarm = new Alarm();
    const stop = () => alarm.stop();
    const waiting = {
      organizationId: caller.via === 'embedded_agent' ? null : caller.organizationId,
      capabilities: body.capabilities,
    };
    const unsubscribe = listen(db, topicNames.runs, (detail) => {
      if (isRelevantWakeUp(detail, waiting)) alarm.wake();
    });
    // If the caller's permissions change, end the claim without claiming more runs. If the key was revoked,
    // the agent's next claim is rejected.
    const stopListening = onRightsChange(db, caller, stop);
    signal.addEventListener('abort', stop);
    try {
      // Don't claim runs for a disconnected agent. They would be stuck until their leases expire.
      while (!signal.aborted && !alarm.isStopped) {
        alarm.reset();
        const runs = await claim();
        const remainingMs = until - performance.now();
        if (runs.length > 0 || remainingMs <= 0) return runs;
        const agent = { kind: kindOf(caller), organizationId: caller.organizationId };
        const nextMs = await nextCheckInMsAcrossOrganizations(db, checkedJobKinds, agent, body.capabilities);
        // Jobs that become due one after another are claimed together.
        const pauseMs = Math.max(minPauseMs * (1 + Math.random()), nextMs ?? pollIntervalMs);
        await alarm.sleep(Math.min(remainingMs, pollIntervalMs, pauseMs));
      }
      return [];
    } finally {
      unsubscribe();
      stopListening();
      signal.removeEventListener('abort', stop);
    }
  }
}

/**
 * Gives a scheduled check in progress a row in `runs`, because its agent reports something other than its end. Has no
 * effect on other runs and on lost leases.
 */
async function giveRowToCheck(tx: Tx, holder: LeaseHolder, runId: number, leaseToken: string): Promise<void> {
  const leases = [{ runId, leaseToken }];
  const [check] = await findHeldChecksAcrossOrganizations(tx, checkedJobKinds, holder, leases);
  if (!check) return;
  const kind = jobKinds[check.kind];
  await giveRowsToChecks(tx, kind, await lockHeldChecksAcrossOrganizations(tx, kind, holder, leases));
}

/** Returns the names that the agent's API key allows. */
function within(names: string[], limit: readonly string[] | null | undefined): string[] {
  return limit ? names.filter((name) => limit.includes(name)) : names;
}

function kindOf(caller: Caller): 'embedded' | 'remote' {
  return caller.via === 'embedded_agent' ? 'embedded' : 'remote';
}

async function leaseSettings(db: Database, caller: Caller): Promise<{ leaseSeconds: number }> {
  const { 'task.lease_seconds': leaseSeconds } = await readSettings(db, caller.organizationId);
  return { leaseSeconds };
}

/** Builds the tasks of claimed runs, with one statement for each kind. */
export async function describeTasksAcrossOrganizations(
  db: Database,
  runs: readonly ClaimedRun[],
): Promise<Schemas['ClaimTasksResponse']['tasks']> {
  const byKind = new Map(
    await Promise.all(
      [...Map.groupBy(runs, ({ kind }) => kind)].map(
        async ([kind, ofKind]) => [kind, await jobKinds[kind].describe(db, ofKind)] as const,
      ),
    ),
  );
  // Skip runs without a job, because deleting a job also deletes its runs.
  return runs.flatMap((run): Schemas['ClaimTasksResponse']['tasks'] => {
    const body = byKind.get(run.kind)?.get(jobKey(run.organization_id, run.job_id));
    if (!body) return [];
    return [
      {
        task_id: run.id,
        organization_id: run.organization_id,
        lease_token: run.lease_token,
        lease_expires_at: run.lease_until.toISOString(),
        ...body,
      },
    ];
  });
}
