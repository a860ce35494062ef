import { type DeliveryErrorCode, deliveryCodes } from '../../../../domain/channels/delivery-codes.ts';
import { cleanLine } from '../../../../domain/templates/clean-text.ts';
import type { OutboundClient } from '../../../../platform/outbound/index.ts';

/** A ticket in an external tracker. */
export interface TrackerTicket {
  /** ID of the ticket within its tracker. */
  id: string;
  /** Display form of the ticket ID, such as `acme/platform#12`. */
  key: string;
  url: string;
  isOpen: boolean;
}

export interface NewTicket {
  title: string;
  body: string;
  labels: readonly string[];
  marker: string;
}

/** Requests to a tracker. Each method throws `TrackerError` or `OutboundError`. */
export interface Tracker {
  /** Checks the token and the project without changing anything, and returns a sentence about the result. */
  check(): Promise<string>;
  /** Returns all open and closed tickets with this marker that were created after `since`, oldest first. */
  find(marker: string, since: Date): Promise<TrackerTicket[]>;
  create(ticket: NewTicket): Promise<TrackerTicket>;
  /**
   * Closes an open ticket, even if it was moved. Returns `missing` if the ticket was deleted, or moved to a
   * project where the token can't see or change it.
   */
  close(id: string, marker: string): Promise<'closed' | 'missing'>;
}

/** Location of a tracker, and the credentials for it. */
export interface TrackerTarget {
  url: string;
  project: string;
  token: string;
  issueType: string | null;
  accountEmail: string | null;
}

/** Allowed difference between the clocks of Pacekeeper and the tracker. */
export const clockToleranceMs = 15 * 60_000;

export class TrackerError extends Error {
  readonly code: DeliveryErrorCode;
  /** Untruncated message of the tracker, so that all secrets in it can be masked. */
  readonly detail: string | null;
  readonly status: number | null;
  readonly retryAfter: string | null;
  /** Response body of the tracker. Only its start is stored. */
  readonly body: string | null;

  constructor(
    code: DeliveryErrorCode,
    detail: string | null,
    {
      status = null,
      retryAfter = null,
      body = null,
    }: { status?: number | null; retryAfter?: string | null; body?: string | null } = {},
  ) {
    super(deliveryCodes[code][0]);
    this.name = 'TrackerError';
    this.code = code;
    this.detail = detail;
    this.status = status;
    this.retryAfter = retryAfter;
    this.body = body;
  }
}

export interface TrackerRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH';
  url: string;
  json?: unknown;
  followRedirects?: number;
}

export interface TrackerResponse {
  status: number;
  headers: Readonly<Record<string, string | undefined>>;
  /** Final URL, after redirects. */
  url: string;
  text: string;
  /** Parsed body, or null if the body isn't JSON. */
  json: unknown;
}

export type SendRequest = (request: TrackerRequest) => Promise<TrackerResponse>;

export interface RequestContext {
  outbound: OutboundClient;
  headers: Readonly<Record<string, string>>;
  /** Total time limit of all requests of an attempt. */
  timeoutMs: number;
  version: string;
  signal?: AbortSignal | undefined;
}

/**
 * Maximum size of a response. More than 50 issues with long texts fit. Parsing 16 MiB can take 400 MB of
 * memory, and a channel can have several responses at a time.
 */
const maxBytes = 4 * 1024 * 1024;

/** Returns a function that sends requests with a shared deadline. */
export function createRequests({
  outbound,
  headers,
  timeoutMs,
  version,
  signal,
}: RequestContext): SendRequest {
  const endsAt = performance.now() + timeoutMs;
  return async ({ method = 'GET', url, json, followRedirects = 0 }) => {
    const response = await outbound.request({
      url,
      purpose: 'webhook',
      method,
      headers: {
        accept: 'application/json',
        ...(json !== undefined && { 'content-type': 'application/json' }),
        'user-agent': `Pacekeeper/${version}`,
        ...headers,
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      timeoutMs: Math.max(1, Math.ceil(endsAt - performance.now())),
      maxBytes,
      followRedirects,
      sameOriginHeaders: Object.keys(headers),
      ...(signal && { signal }),
    });
    const text = new TextDecoder().decode(response.body);
    const { status, headers: responseHeaders, url: finalUrl } = response;
    return { status, headers: responseHeaders, url: finalUrl, text, json: parse(text) };
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Converts a response with a non-success status to an error.
 *
 * @param detail The tracker's description of the error.
 */
export function errorOf(
  { status, headers, text }: TrackerResponse,
  detail: string | null,
  now: Date,
): TrackerError {
  const retryAfter = retryAfterOf(headers, now);
  const rest = { status, body: text, retryAfter };
  const isLimited =
    status === 429 ||
    (status === 403 &&
      (headers['retry-after'] !== undefined ||
        headers['x-ratelimit-remaining'] === '0' ||
        /rate limit/i.test(detail ?? '')));
  if (isLimited) return new TrackerError('ticket_limited', detail, rest);
  if (status === 401) return new TrackerError('ticket_login_failed', detail, rest);
  if (status === 403) return new TrackerError('ticket_forbidden', detail, rest);
  if (status === 404) return new TrackerError('ticket_project_not_found', detail, rest);
  if (status >= 300 && status < 400)
    return new TrackerError('ticket_project_not_found', 'It was renamed or moved.', rest);
  if (status === 400 || status === 410 || status === 422)
    return new TrackerError('ticket_rejected', detail, rest);
  return new TrackerError('http_status', `Status ${status}.`, rest);
}

/**
 * Returns the seconds until the rate limit resets. GitHub and GitLab send the reset time as a Unix timestamp.
 */
function retryAfterOf(headers: TrackerResponse['headers'], now: Date): string | null {
  const given = headers['retry-after'];
  if (given !== undefined) return given;
  const isUsedUp = headers['x-ratelimit-remaining'] === '0' || headers['ratelimit-remaining'] === '0';
  const resetAt = Number(headers['x-ratelimit-reset'] ?? headers['ratelimit-reset']);
  if (!isUsedUp || !Number.isSafeInteger(resetAt)) return null;
  return String(Math.max(1, resetAt - Math.floor(now.getTime() / 1_000)));
}

export function invalid(response: TrackerResponse): TrackerError {
  return new TrackerError('invalid_response', null, { status: response.status, body: response.text });
}

/** Converts a text to one line of about 300 characters that PostgreSQL can store. */
export function toSentence(text: string): string {
  const line = cleanLine(text, 300);
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}
