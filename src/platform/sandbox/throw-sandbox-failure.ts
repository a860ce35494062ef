import { ApiError, invalidField } from '../errors.ts';
import { SandboxError, SandboxJobError, SandboxMemoryError, SandboxTimeoutError } from './sandbox-errors.ts';

/**
 * Responds to a request whose job returned no result: 400 if its input took too much time or memory,
 * otherwise 503, because the sandbox has no capacity. Other errors, such as defects of the job, are rethrown.
 *
 * @param tooCostly The field that caused the error. Without it, the response is always 503.
 */
export function throwSandboxFailure(
  error: unknown,
  { busy, tooCostly }: { busy: string; tooCostly?: { field: string; message: string } },
): never {
  if (!(error instanceof SandboxError) || error instanceof SandboxJobError) throw error;
  const isTooCostly = error instanceof SandboxTimeoutError || error instanceof SandboxMemoryError;
  if (isTooCostly && tooCostly) throw invalidField(tooCostly.field, tooCostly.message);
  throw new ApiError('unavailable', busy, { retryAfterSeconds: 2, cause: error });
}
