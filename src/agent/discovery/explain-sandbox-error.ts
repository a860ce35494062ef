import { RunError } from '../../domain/runs/run-error.ts';
import { SandboxError, SandboxMemoryError, SandboxTimeoutError } from '../../platform/sandbox/index.ts';

/**
 * A failure of the sandbox as what it means for the run. Other errors are returned as they are.
 *
 * @param what `the cluster`
 * @param remedy a sentence
 */
export function explainSandboxError(error: unknown, what: string, remedy: string): unknown {
  if (!(error instanceof SandboxError)) return error;
  if (!(error instanceof SandboxMemoryError || error instanceof SandboxTimeoutError))
    return new RunError('internal', undefined, { cause: error });
  return new RunError('too_large', `Reading ${what} ${error.message}. ${remedy}`, { cause: error });
}
