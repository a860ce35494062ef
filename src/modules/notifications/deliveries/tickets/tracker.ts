import { type DeliveryErrorCode, deliveryCodes } from '../../../../domain/channels/delivery-codes.ts';
import { cleanLine } from '../../../../domain/templates/clean-text.ts';
import type { OutboundClient } from '../../../../platform/outbound/index.ts';

/** A ticket as a tracker knows it. */
export interface TrackerTicket {
  /** The number or key within its tracker. */
  id: string;
  /** As people write it, such as `acme/platform#12`. */
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

/** The requests that a tracker offers. Each throws `TrackerError` or `OutboundError`. */
export interface Tracker {
  /** Whether the token and the project work, as a sentence. Changes nothing. */
  check(): Promise<string>;
  /** All tickets with this marker that were created since then, open or not, the oldest first. */
  find(marker: string, since: Date): Promise<TrackerTicket[]>;
  create(ticket: NewTicket): Promise<TrackerTicket>;
  /**
   * Closes an open ticket, even if it was moved. `missing`: it was deleted, or moved to where the token can't
   * see or change it.
   */
  close(id: string, marker: string): Promise<'closed' | 'missing'>;
}

/** Where a tracker is, and who asks. */
export interface TrackerTarget {
  url: string;
  project: string;
  token: string;
  issueType: string | null;
  accountEmail: string | null;
}

/** The clocks of servers differ. */
export const clockToleranceMs = 15 * 60_000;

export class TrackerError extends Error {
  readonly code: DeliveryErrorCode;
  /** The tracker's own message, not truncated, so that secrets in it can be masked completely. */
  readonly detail: string | null;
  readonly status: number | null;
  readonly retryAfter: string | null;
  /** What the tracker responded, of which the start is kept. */
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
  /** After redirects. */
  url: string;
  text: string;
  /** Null if it isn't JSON. */
  json: unknown;
}

export type SendRequest = (request: TrackerRequest) => Promise<TrackerResponse>;

export interface RequestContext {
  outbound: OutboundClient;
  headers: Readonly<Record<string, string>>;
  /** For all requests of an attempt together. */
  timeoutMs: number;
  version: string;
  signal?: AbortSignal | undefined;
}

/** More than 50 issues with long texts. Parsed, a reply of 16 MiB can take 400 MB, and a channel has several at a time. */
const maxBytes = 4 * 1024 * 1024;

/** Requests that share one deadline. */
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
 * What a status that isn't success means.
 *
 * @param detail what the tracker says about it
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

/** GitHub and GitLab name the second in which the limit is renewed. */
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

/** One line of about 300 characters, which PostgreSQL can hold. */
export function sentenceOf(text: string): string {
  const line = cleanLine(text, 300);
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}
