import { type HttpErrorCode, httpErrorCodes } from './http-error-codes.ts';

export type { HttpErrorCode } from './http-error-codes.ts';

export interface FieldError {
  /** Path of the field in the body, or name of the parameter: `thresholds.high`, `limit`. */
  field: string;
  message: string;
}

interface ApiErrorOptions {
  errors?: FieldError[];
  /** Value of the `Retry-After` header. */
  retryAfterSeconds?: number;
  headers?: Record<string, string>;
  /** Additional fields of the response body, such as the IDs of resources that still use a job. */
  extra?: Record<string, unknown>;
  cause?: unknown;
}

/** An error response of the API. `detail` is for the caller; `cause` is only for the log. */
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

/** Returns a 400 error for one field. */
export function invalidField(field: string, message: string): ApiError {
  return new ApiError('validation_failed', `${field}: ${message}`, { errors: [{ field, message }] });
}

/** Runs checks that can throw a 400 error, and throws one error with the fields of all failed checks. */
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

/** Returns the 401 error for a request without credentials, or with the cookie of an ended session. */
export function missingCredentials(): ApiError {
  return new ApiError(
    'unauthenticated',
    'This requires authentication. Send an API key in X-API-Key, or log in and send the access token as Authorization: Bearer TOKEN.',
  );
}

/** Returns the 404 error for a path that matches neither an operation nor a file. */
export function unknownPath(options?: ApiErrorOptions): ApiError {
  return new ApiError(
    'not_found',
    "This path doesn't exist. See the API description at /api/v1/swagger.",
    options,
  );
}

/**
 * Returns the 404 error, which is the same for a resource that never existed and for one of another
 * organization.
 */
export function notFound(): ApiError {
  return new ApiError('not_found');
}
