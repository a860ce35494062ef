import { kinds, type Section } from '../../domain/configuration/kinds.ts';
import type { Schemas } from '../../generated/client-api.ts';
import type { Mailer } from '../../platform/email/index.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import { type ApiRequest, type Caller, type Handlers, jsonTextOf } from '../../platform/http/index.ts';
import {
  type Sandbox,
  SandboxError,
  SandboxJobError,
  SandboxMemoryError,
} from '../../platform/sandbox/index.ts';
import { createUrlPolicy, type UrlPolicyConfig } from '../notifications/index.ts';
import { findApply, findOpenApply, insertApply } from './apply-queries.ts';
import { checkSteps } from './check-steps.ts';
import {
  isPartOfCreation,
  maxProblems,
  type PlanInput,
  type PlannedStep,
  type PlanProblem,
  type PlanResult,
} from './planned-steps.ts';
import { readState, type StateDeps } from './read-state.ts';
import { applyInProgressError, type ConfigurationApplies, requireRole } from './run-applies.ts';

export interface ConfigurationHandlerDeps extends StateDeps {
  sandbox: Sandbox;
  mailer: Mailer | null;
  config: UrlPolicyConfig;
  configurationApplies: ConfigurationApplies;
}

type ConfigurationOperations = 'planConfiguration' | 'applyConfiguration' | 'getConfigurationApply';

const jobModule = new URL('./plan-job.ts', import.meta.url);
/** Deadline for planning. Even the largest configuration takes only a small part of this time. */
const deadlineMs = 60_000;

interface Planned extends Omit<PlanResult, 'problems'> {
  steps: PlannedStep[];
}

export function configurationHandlers(deps: ConfigurationHandlerDeps): Handlers<ConfigurationOperations> {
  const { db, sandbox, configurationApplies } = deps;
  const checkDeps = { ...deps, urlPolicy: createUrlPolicy(deps.config) };
  return {
    async planConfiguration({ caller, query, body }) {
      const { steps, fingerprint, unchanged, notes } = await plan(caller, query, body, {
        showsChanges: true,
      });
      return { status: 200, body: { fingerprint, steps: steps.map(({ shown }) => shown), unchanged, notes } };
    },

    async applyConfiguration({ caller, query, body, requestId }) {
      const { organizationId, actor } = caller;
      // Check this before planning, because a new plan couldn't be applied during another apply.
      const open = await findOpenApply(db, organizationId);
      if (open) return responseDuringApply(open, caller, query);
      configurationApplies.reserve(organizationId);
      let isStarted = false;
      try {
        const planned = await plan(caller, query, body, { showsChanges: false });
        const { steps, fingerprint } = planned;
        if (steps.length > 0 && fingerprint !== query.fingerprint) throw outdatedPlan();
        requireRole(caller, steps);
        const counts = countsOf(steps);
        const held = await insertApply(db, organizationId, { fingerprint, counts, actor });
        if (!held) return responseDuringApply(await findOpenApply(db, organizationId), caller, query);
        if (steps.length > 0) {
          configurationApplies.start(held, { caller, requestId, ifMatch: null }, steps);
          isStarted = true;
        }
        return { status: 202, body: (await findApply(db, organizationId, held.id))! };
      } finally {
        if (!isStarted) configurationApplies.releaseReservation(organizationId);
      }
    },

    async getConfigurationApply({ caller, path }) {
      const apply = await findApply(db, caller.organizationId, path.id);
      if (!apply) throw notFound();
      return { status: 200, body: apply };
    },
  };

  async function plan(
    { organizationId }: Caller,
    query: ApiRequest<'planConfiguration'>['query'],
    body: Schemas['ConfigurationDocument'],
    { showsChanges }: { showsChanges: boolean },
  ): Promise<Planned> {
    const input: PlanInput = {
      settings: body.settings ?? null,
      templates: body.templates ?? null,
      sections: sectionsOf(body),
      state: await readState(deps, organizationId),
      prune: query.prune ?? false,
      updateSecrets: query.update_secrets ?? false,
      showsChanges,
    };
    const steps: PlannedStep[] = [];
    const parts = sandbox.stream<PlanInput, PlannedStep[], PlanResult>(
      jobModule,
      'planInSandbox',
      input,
      [],
      {
        deadlineMs,
        fairKey: String(organizationId),
      },
    );
    const end = await readParts(parts, steps);
    const { problems, ...rest } = end;
    const reported = new Set(problems.map(({ field }) => field));
    const rejected = await checkSteps(checkDeps, organizationId, steps);
    const all = [...problems, ...rejected.filter(({ field }) => !reported.has(field))];
    if (all.length > 0) throw impossiblePlan(all.slice(0, maxProblems));
    return { ...rest, steps };
  }
}

/**
 * Handles a request that is received while an apply is in progress. Returns the running apply if the same
 * caller started it with the same plan, because the first response may have been lost. A fingerprint doesn't
 * include secrets, so a request that updates secrets may differ and is rejected.
 *
 * @throws ApiError 409 for any other request
 */
function responseDuringApply(
  open: Schemas['ConfigurationApply'] | undefined,
  { actor }: Caller,
  query: ApiRequest<'applyConfiguration'>['query'],
): { status: 202; body: Schemas['ConfigurationApply'] } {
  const isSame =
    open?.fingerprint === query.fingerprint &&
    open.actor.type === actor.type &&
    open.actor.id === actor.id &&
    !query.update_secrets;
  if (!isSame) throw applyInProgressError(open?.id ?? null);
  return { status: 202, body: open };
}

function sectionsOf(body: Schemas['ConfigurationDocument']): Partial<Record<Section, string>> {
  return Object.fromEntries(
    kinds.flatMap(({ section }) =>
      body[section] === undefined ? [] : [[section, jsonTextOf(body[section]).json]],
    ),
  );
}

/** Collects the steps as they arrive and returns the result of the plan. */
async function readParts(
  parts: AsyncGenerator<PlannedStep[], PlanResult, undefined>,
  steps: PlannedStep[],
): Promise<PlanResult> {
  try {
    for (;;) {
      const { done, value } = await parts.next();
      if (done) return value;
      steps.push(...value);
    }
  } catch (error) {
    if (!(error instanceof SandboxError) || error instanceof SandboxJobError) throw error;
    if (error instanceof SandboxMemoryError)
      throw new ApiError('payload_too_large', 'The configuration uses too much memory.', { cause: error });
    throw new ApiError('unavailable', 'The server is planning too many configurations.', {
      retryAfterSeconds: 5,
      cause: error,
    });
  }
}

function impossiblePlan(problems: readonly PlanProblem[]): ApiError {
  const [first] = problems;
  return new ApiError('validation_failed', first && `${first.field}: ${first.message}`, {
    errors: [...problems],
  });
}

function outdatedPlan(): ApiError {
  return new ApiError(
    'precondition_failed',
    'The changes differ from the plan. Plan the configuration again.',
  );
}

function countsOf(steps: readonly PlannedStep[]) {
  const changes = steps.filter((step) => !isPartOfCreation(step));
  const count = (...actions: PlannedStep['shown']['action'][]) =>
    changes.filter(({ shown }) => actions.includes(shown.action)).length;
  return {
    total: changes.length,
    created: count('create'),
    updated: count('update', 'set_version'),
    deleted: count('delete'),
  };
}
