import type { Schemas } from '../generated/client-api.ts';

/** Fields of every error in the contract. */
type ErrorResponse = Schemas['ErrorResponse'];

/** The only error that the client throws: the server rejected the request or didn't respond. */
export class ApiCallError extends Error {
  /** Status of the response. Null if there was none. */
  readonly status: number | null;
  /**
   * An error code of the contract. `no_answer` if the server couldn't be reached or was too slow, `no_api` if
   * the response isn't from Pacekeeper.
   */
  readonly code: ErrorResponse['code'] | 'no_answer' | 'no_api';
  /** Description of this error for the user. */
  readonly detail: string;
  /** ID of the request, for support. Null without a response. */
  readonly requestId: string | null;
  /** Invalid fields, with `validation_failed`. */
  readonly errors: NonNullable<ErrorResponse['errors']>;
  /**
   * Delay in seconds that the server requests before the next attempt. Null if the server didn't request one.
   */
  readonly retryAfterSeconds: number | null;
  /**
   * The unchanged response body, including fields that only some errors have. Null if the response isn't an
   * error of the contract.
   */
  readonly body: ErrorResponse | null;
  /** Base URL of a call without a usable response. Null for all other errors. */
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

/**
 * Creates the error for an unsuccessful response.
 * @param body The parsed body, or its text if it isn't JSON.
 */
export function responseError(response: Response, body: unknown): ApiCallError {
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

/** Describes a response that isn't from Pacekeeper, but from a proxy, a login page, or another program. */
function foreignResponse({ status, url, headers }: Response, body: unknown): string {
  const { origin, host, pathname, search } = new URL(url);
  const location = headers.get('location');
  if (status >= 300 && status < 400 && location !== null && URL.canParse(location, url)) {
    const { href } = new URL(location, url);
    const path = pathname.slice(Math.max(0, pathname.indexOf('/api/v1/'))) + search;
    // If the redirect keeps the path, it leads to the same server at a different URL. Otherwise, it can lead
    // to a login page.
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

export function noResponseError(baseUrl: string, cause: unknown): ApiCallError {
  const isTimeout = cause instanceof Error && cause.name === 'TimeoutError';
  const happened = isTimeout ? "didn't respond in time" : `can't be reached${reason(cause)}`;
  return new ApiCallError('no_answer', `The server at ${baseUrl || 'this address'} ${happened}.`, {
    status: null,
    requestId: null,
    server: baseUrl,
    cause,
  });
}

/**
 * Creates the error for a successful response that violates the contract, because a proxy or another program
 * responded.
 */
export function invalidResponseError(baseUrl: string, cause?: unknown): ApiCallError {
  const sentence = `The server at ${baseUrl || 'this address'} returned an unexpected response. A proxy or a login page may have responded; check the server URL.`;
  return new ApiCallError('no_api', sentence, { status: null, requestId: null, server: baseUrl, cause });
}

/** Returns the error code of the cause, because fetch itself reports only that it failed. */
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
