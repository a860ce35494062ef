import { ApiError } from '../errors.ts';
import { type Sandbox, SandboxError, SandboxJobError, SandboxMemoryError } from '../sandbox/index.ts';
import type { ContractOperation } from './contract.ts';
import { JsonText } from './json-text.ts';
import type { checkLargeBody, LargeBody } from './large-body-job.ts';

const jobModule = new URL('./large-body-job.ts', import.meta.url);

/** Deadline of a check. The most expensive body takes only a small part of it. */
const deadlineMs = 10_000;

/**
 * Runs `checkBody` in the sandbox. The returned body is valid, and it's cheap to parse in the server's thread, because
 * large fields stay text.
 *
 * @throws ApiError The errors of `checkBody`, and 503 if the sandbox has no capacity.
 */
export async function checkInSandbox(
  sandbox: Pick<Sandbox, 'run'>,
  operation: ContractOperation,
  bytes: Buffer,
  isPacked: boolean,
  path: Readonly<Record<string, unknown>>,
  fairKey: string,
): Promise<unknown> {
  const { interfaceName, operationId } = operation;
  const input: LargeBody = { interfaceName, operationId, bytes, isPacked, path };
  const checked = await sandbox
    .run<LargeBody, ReturnType<typeof checkLargeBody>>(jobModule, 'checkLargeBody', input, {
      deadlineMs,
      fairKey,
    })
    .catch((error: unknown) => {
      if (!(error instanceof SandboxError) || error instanceof SandboxJobError) throw error;
      if (error instanceof SandboxMemoryError)
        throw new ApiError('payload_too_large', 'The request body uses too much memory.', { cause: error });
      throw new ApiError('unavailable', 'The server is checking too many large bodies.', {
        retryAfterSeconds: 2,
        cause: error,
      });
    });
  if (!checked.ok)
    throw new ApiError(checked.code, checked.detail, checked.errors && { errors: checked.errors });
  const body = JSON.parse(checked.json) as Record<string, unknown>;
  for (const [field, text] of Object.entries(checked.textFields)) body[field] = new JsonText(text);
  return body;
}
