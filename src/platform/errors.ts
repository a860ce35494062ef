import { type HttpErrorCode, httpErrorCodes } from './http-error-codes.ts';

export type { HttpErrorCode } from './http-error-codes.ts';

export interface FieldError {
  /** The path of the field in the body, or the name of the parameter: `thresholds.high`, `limit`. */
  field: string;
  message: string;
}

interface ApiErrorOptions {
  errors?: FieldError[];
  /** Answered as `Retry-After`. */
  retryAfterSeconds?: number;
  headers?: Record<string, string>;
  /** Members beside the common ones, such as the ids of what still uses a job. */
  extra?: Record<string, unknown>;
  cause?: unknown;
}

/** An answer to the caller of the API. `detail` is for the caller; `cause` is for the log only. */
export class ApiError extends Error {
  readonly code: HttpErrorCode;
  readonly status: number;
  readonly title: string;
  readonly options: ApiErrorOptions;

  constructor(code: HttpErrorCode, detail?: string, options: ApiErrorOptions = {}) {
    const [status, title, remedy] = httpErrorCodes[code];
    super(detail ?? `${title} ${remedy}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.title = title;
    this.options = options;
  }
}

/** 400 for one field. */
export function invalidField(field: string, message: string): ApiError {
  return new ApiError('validation_failed', `${field}: ${message}`, { errors: [{ field, message }] });
}

/** Runs checks that may throw 400, and throws one error with the fields of all. */
export function runChecks(checks: readonly (() => void)[]): void {
  const rejected = checks.flatMap((check) => {
    try {
      check();
      return [];
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'validation_failed') throw error;
      return error;
    }
  });
  const [first, ...others] = rejected;
  if (!first) return;
  if (others.length === 0) throw first;
  throw new ApiError('validation_failed', first.message, {
    errors: rejected.flatMap(({ options }) => options.errors ?? []),
  });
}

/** 401 for a request without credentials, or with the cookie of a session that has ended. */
export function missingCredentials(): ApiError {
  return new ApiError(
    'unauthenticated',
    'This requires authentication. Send an API key in X-API-Key, or log in and send the access token as Authorization: Bearer TOKEN.',
  );
}

/** 404 for a path that no operation and no file has. */
export function unknownPath(options?: ApiErrorOptions): ApiError {
  return new ApiError(
    'not_found',
    "This path doesn't exist. See the API description at /api/v1/swagger.",
    options,
  );
}

/** 404, the same for what never existed and for what belongs to another organization. */
export function notFound(): ApiError {
  return new ApiError('not_found');
}
