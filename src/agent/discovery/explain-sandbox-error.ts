import { RunError } from '../../domain/runs/run-error.ts';
import { SandboxError, SandboxMemoryError, SandboxTimeoutError } from '../../platform/sandbox/index.ts';

/**
 * Converts a sandbox error to a run error. Returns other errors unchanged.
 *
 * @param what The subject that was read, for example `the cluster`.
 * @param remedy A sentence that explains how to fix the problem.
 */
export function explainSandboxError(error: unknown, what: string, remedy: string): unknown {
  if (!(error instanceof SandboxError)) return error;
  if (!(error instanceof SandboxMemoryError || error instanceof SandboxTimeoutError))
    return new RunError('internal', undefined, { cause: error });
  return new RunError('too_large', `Reading ${what} ${error.message}. ${remedy}`, { cause: error });
}
