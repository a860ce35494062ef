import {
  type Database,
  hasSqlState,
  isDatabaseUnavailable,
  isStatementTimeout,
  type Tx,
  transaction,
} from '../../platform/database/index.ts';
import { ApiError } from '../../platform/errors.ts';
import { type Caller, type EditContext, isAllowed } from '../../platform/http/index.ts';
import type { Log } from '../../platform/log.ts';
import { findCurrentRole, findIssuer, type Issuer } from '../accounts/index.ts';
import {
  type ApplyError,
  failApply,
  type HeldApply,
  interruptedApplyError,
  renewApply,
  succeedApply,
} from './apply-queries.ts';
import { type ApplyStepsDeps, applySteps, StepError } from './apply-steps.ts';
import type { PlannedStep } from './planned-steps.ts';

/** Maximum number of configurations that a server applies at the same time. */
const maxApplies = 4;
const renewEveryMs = 1_000;

/** Applies configurations in the background, after the response is sent. */
export interface ConfigurationApplies {
  /**
   * Reserves an apply for an organization. Only one is possible at a time, so that an organization can't use up the
   * capacity of the server.
   *
   * @throws ApiError 409 if a configuration of the organization is being planned or applied, 503 if too many
   * configurations are being applied. The caller retries.
   */
  reserve(organizationId: number): void;
  /** Releases a reservation that wasn't used. */
  releaseReservation(organizationId: number): void;
  /** Applies the steps in the background and stores the result. */
  start(held: HeldApply, context: EditContext, steps: readonly PlannedStep[]): void;
  /** Stops all applies and rolls them back. */
  stop(): Promise<void>;
}

class InterruptedError extends Error {}

export function createConfigurationApplier(
  deps: ApplyStepsDeps & { db: Database; log: Log },
): ConfigurationApplies {
  const running = new Set<Promise<void>>();
  const reserved = new Set<number>();
  let isStopping = false;

  return {
    reserve(organizationId) {
      if (reserved.has(organizationId)) throw applyInProgressError(null);
      if (reserved.size >= maxApplies || isStopping)
        throw new ApiError('unavailable', 'The server is applying too many configurations.', {
          retryAfterSeconds: 5,
        });
      reserved.add(organizationId);
    },
    releaseReservation(organizationId) {
      reserved.delete(organizationId);
    },
    start(held, context, steps) {
      const work = run(held, context, steps).finally(() => {
        reserved.delete(held.organizationId);
        running.delete(work);
      });
      running.add(work);
    },
    async stop() {
      isStopping = true;
      await Promise.all(running);
    },
  };

  async function run(held: HeldApply, context: EditContext, steps: readonly PlannedStep[]): Promise<void> {
    const { db, log } = deps;
    let done = 0;
    let isLost = false;
    let timer: NodeJS.Timeout | undefined;
    const renew = () => {
      renewApply(db, held, done).then(
        (isHeld) => (isLost ||= !isHeld),
        (error: unknown) => log.debug({ err: error }, 'renewing the lease of an apply failed'),
      );
    };
    try {
      const issuer = await findIssuer(db, context.caller);
      await transaction(db, async (tx) => {
        done = 0;
        // Stop the timer of the previous attempt, because the transaction is retried after a deadlock.
        clearInterval(timer);
        timer = setInterval(renew, renewEveryMs);
        const pending = await applySteps(tx, deps, context, steps, (count) => {
          if (isStopping || isLost) throw new InterruptedError();
          done += count;
        });
        clearInterval(timer);
        await assertStillAllowed(tx, context, issuer, steps);
        if (!(await succeedApply(tx, held, pending))) throw new InterruptedError();
      });
    } catch (error) {
      const reason = errorOf(error);
      if (reason.code === 'internal')
        log.error({ err: error, organization_id: held.organizationId }, 'applying a configuration failed');
      await failApply(db, held, reason).catch((failure: unknown) =>
        log.warn({ err: failure }, 'storing the result of an apply failed; its lease will expire'),
      );
    } finally {
      clearInterval(timer);
    }
  }
}

/**
 * Throws if the caller couldn't make the changes with individual requests. Only changes to settings and templates
 * require a higher role than applying a configuration.
 */
export function requireRole(caller: Caller, steps: readonly PlannedStep[]): void {
  const needsAdmin = steps.some(({ work }) => work.action === 'set' || work.action === 'unset');
  if (needsAdmin && !isAllowed({ role: 'admin', keyRoles: [] }, caller))
    throw new ApiError('forbidden', 'Changes to settings and templates require the admin role.');
}

/** Throws if the caller has lost access since the apply started, which can be minutes ago. */
async function assertStillAllowed(
  tx: Tx,
  { caller }: EditContext,
  issuer: Issuer | null,
  steps: readonly PlannedStep[],
): Promise<void> {
  const role = await findCurrentRole(tx, caller, issuer);
  if (role === null || !isAllowed({ role: 'member', keyRoles: [] }, { ...caller, role }))
    throw new ApiError(
      'forbidden',
      'The API key or session that applied the configuration lost access to the organization. Nothing was changed.',
    );
  requireRole({ ...caller, role }, steps);
}

/** @param id The ID of the apply in progress, or null while a configuration is still being planned. */
export function applyInProgressError(id: number | null): ApiError {
  if (id === null)
    return new ApiError(
      'conflict',
      'Pacekeeper is already planning a configuration to apply. Repeat the request in a moment.',
      { retryAfterSeconds: 1 },
    );
  return new ApiError(
    'conflict',
    `Another configuration is being applied (apply ${id}). Wait until it has finished.`,
    { extra: { configuration_apply_id: id } },
  );
}

function errorOf(error: unknown): ApplyError {
  const cause = error instanceof StepError ? error.cause : error;
  if (cause instanceof InterruptedError) return interruptedApplyError;
  const place = error instanceof StepError ? error.shown : { section: null, index: null };
  const at = { section: place.section, index: place.index };
  if (cause instanceof ApiError) return { code: cause.code, message: cause.message, ...at };
  if (isDatabaseUnavailable(cause) || isStatementTimeout(cause)) {
    const { code, message } = new ApiError('unavailable');
    return { code, message, ...at };
  }
  // These errors are conflicts: in every attempt, other requests created, updated, or deleted resources that the apply
  // requires.
  const isConflict = hasSqlState(cause, '23505', '23503', '40001', '40P01');
  const { code, message } = new ApiError(isConflict ? 'conflict' : 'internal');
  return { code, message, ...at };
}
