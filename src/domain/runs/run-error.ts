import { type RunErrorCode, runErrorCodes } from './run-error-codes.ts';

/** Why a run failed: a code that the user can look up and a sentence about this very case. */
export class RunError extends Error {
  readonly code: RunErrorCode;
  /** Whether trying again later can help. */
  readonly isRetryable: boolean;
  /** Not to be tried before this instant (`rate_limited`). */
  readonly retryAt: Date | null;

  constructor(code: RunErrorCode, message?: string, options: { retryAt?: Date; cause?: unknown } = {}) {
    const [isRetryable, sentence, remedy] = runErrorCodes[code];
    super(
      message ?? `${sentence} ${remedy}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = 'RunError';
    this.code = code;
    this.isRetryable = isRetryable;
    this.retryAt = options.retryAt ?? null;
  }
}
