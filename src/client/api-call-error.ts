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
  /** The base URL of a call without a usable response, else null. */
  readonly server: string | null;

  constructor(
    code: ApiCallError['code'],
    detail: string,
    answer: {
      status: number | null;
      requestId: string | null;
      retryAfterSeconds?: number | null;
      body?: ErrorResponse | null;
      server?: string;
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
    this.server = answer.server ?? null;
    this.errors = answer.body?.errors ?? [];
  }
}

/** For a response that isn't a success. @param body whatever was read of it */
export function answeredError(response: Response, body: unknown): ApiCallError {
  const requestId = response.headers.get('x-request-id');
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const answer = {
    status: response.status,
    requestId,
    retryAfterSeconds: Number.isFinite(retryAfter) ? Math.max(0, retryAfter) : null,
  };
  if (isErrorResponse(body)) return new ApiCallError(body.code, body.detail, { ...answer, body });
  return new ApiCallError('no_api', foreignResponse(response, body), answer);
}

/** What a response means that Pacekeeper can't have sent: from a proxy, a login page, or another program. */
function foreignResponse({ status, url, headers }: Response, body: unknown): string {
  const { origin, host, pathname, search } = new URL(url);
  const location = headers.get('location');
  if (status >= 300 && status < 400 && location !== null && URL.canParse(location, url)) {
    const { href } = new URL(location, url);
    const path = pathname.slice(Math.max(0, pathname.indexOf('/api/v1/'))) + search;
    // Only when the path stays is it the same server by another URL, and not a login page.
    return href.endsWith(path)
      ? `${origin} redirects to ${href.slice(0, -path.length)}. Use that URL as the server URL.`
      : `${origin} redirects to ${href}. A login page or a proxy may have responded; check the server URL.`;
  }
  if (status === 400 && url.startsWith('http:') && /https/i.test(String(body)))
    return `${origin} requires HTTPS. Use https://${host} as the server URL.`;
  if (status === 502 || status === 503 || status === 504)
    return `A proxy at ${origin} returned ${status}: it can't reach the server.`;
  return `${origin} returned an unexpected ${status} response. Check the server URL.`;
}

export function unansweredError(baseUrl: string, cause: unknown): ApiCallError {
  const isTimeout = cause instanceof Error && cause.name === 'TimeoutError';
  const happened = isTimeout ? "didn't respond in time" : `can't be reached${reason(cause)}`;
  return new ApiCallError('no_answer', `The server at ${baseUrl || 'this address'} ${happened}.`, {
    status: null,
    requestId: null,
    server: baseUrl,
    cause,
  });
}

/** A success without what the contract promises: a proxy or another program responded. */
export function unreadableError(baseUrl: string, cause?: unknown): ApiCallError {
  const sentence = `The server at ${baseUrl || 'this address'} returned an unexpected response. A proxy or a login page may have responded; check the server URL.`;
  return new ApiCallError('no_api', sentence, { status: null, requestId: null, server: baseUrl, cause });
}

/** fetch reports only that it failed; the reason is in the cause. */
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
