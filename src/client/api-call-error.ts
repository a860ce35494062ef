import type { Schemas } from '../generated/client-api.ts';

/** What every error of the contract says. */
type ErrorResponse = Schemas['ErrorResponse'];

/** The one error of the client: the server refused, or there was no answer. */
export class ApiCallError extends Error {
  /** Of the answer; null when there was none. */
  readonly status: number | null;
  /** A code of the contract; `no_answer` when the server could not be reached or was too slow, `no_api` when what answered is not Pacekeeper. */
  readonly code: ErrorResponse['code'] | 'no_answer' | 'no_api';
  /** What happened this time, for people. */
  readonly detail: string;
  /** To be named when asking for help; null without an answer. */
  readonly requestId: string | null;
  /** The fields that are wrong, with `validation_failed`. */
  readonly errors: NonNullable<ErrorResponse['errors']>;
  /** The seconds that the server asks to wait. */
  readonly retryAfterSeconds: number | null;
  /** The answer as it came, with members that only some errors have. */
  readonly body: ErrorResponse | null;

  constructor(
    code: ApiCallError['code'],
    detail: string,
    answer: {
      status: number | null;
      requestId: string | null;
      retryAfterSeconds?: number | null;
      body?: ErrorResponse | null;
      cause?: unknown;
    },
  ) {
    super(detail, answer.cause === undefined ? undefined : { cause: answer.cause });
    this.name = 'ApiCallError';
    this.status = answer.status;
    this.code = code;
    this.detail = detail;
    this.requestId = answer.requestId;
    this.retryAfterSeconds = answer.retryAfterSeconds ?? null;
    this.body = answer.body ?? null;
    this.errors = answer.body?.errors ?? [];
  }
}

/** For an answer that is no success. @param body of the answer: whatever was read of it. */
export function answeredError(response: Response, body: unknown): ApiCallError {
  const requestId = response.headers.get('x-request-id');
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const answer = {
    status: response.status,
    requestId,
    retryAfterSeconds: Number.isFinite(retryAfter) ? Math.max(0, retryAfter) : null,
  };
  if (isErrorResponse(body)) return new ApiCallError(body.code, body.detail, { ...answer, body });
  return new ApiCallError(
    'no_api',
    `${new URL(response.url).origin} returned an unexpected ${response.status} response. Check the server URL.`,
    answer,
  );
}

export function unansweredError(baseUrl: string, cause: unknown): ApiCallError {
  const isTimeout = cause instanceof Error && cause.name === 'TimeoutError';
  // A success that is not JSON: a proxy or another program answered.
  const isNotJson = cause instanceof SyntaxError;
  const happened = isTimeout
    ? "didn't respond in time"
    : isNotJson
      ? 'returned an unexpected response'
      : "can't be reached";
  const sentence = `The server at ${baseUrl || 'this address'} ${happened}${reason(cause)}.`;
  return new ApiCallError(isNotJson ? 'no_api' : 'no_answer', sentence, {
    status: null,
    requestId: null,
    cause,
  });
}

/** fetch says only that it failed; why stands in the cause. */
function reason(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? ` (${code})` : '';
}

function isErrorResponse(body: unknown): body is ErrorResponse {
  if (typeof body !== 'object' || body === null) return false;
  return (
    'code' in body && typeof body.code === 'string' && 'detail' in body && typeof body.detail === 'string'
  );
}
