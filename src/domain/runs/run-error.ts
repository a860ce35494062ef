import { type RunErrorCode, runErrorCodes } from './run-error-codes.ts';

/** Reason for a failed run: a code that users can look up and a sentence about the specific case. */
export class RunError extends Error {
  readonly code: RunErrorCode;
  /** True if a retry can succeed. */
  readonly isRetryable: boolean;
  /** Earliest time for a retry. Only for `rate_limited`. */
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
