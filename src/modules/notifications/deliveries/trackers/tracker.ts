import { type DeliveryErrorCode, deliveryCodes } from '../../../../domain/channels/delivery-codes.ts';
import { cleanLine } from '../../../../domain/templates/clean-text.ts';
import { createTurnScheduler, type TurnScheduler } from '../../../../platform/fairness/index.ts';
import type { OutboundClient } from '../../../../platform/outbound/index.ts';
import {
  readUntrustedJson,
  type Sandbox,
  SandboxError,
  SandboxJobError,
  SandboxMemoryError,
  SandboxTimeoutError,
  type UntrustedJsonReader,
} from '../../../../platform/sandbox/index.ts';
import {
  type IssueQuery,
  readTrackerResponse,
  type TrackerResponseBody,
  type TrackerResponseInput,
  type TrackerResponseName,
} from './tracker-responses.ts';

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
  /**
   * Returns all open and closed tickets with this marker that were created after `since`, oldest first.
   * Throws `ticket_search_incomplete` if there are too many other issues to read.
   */
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

export interface TrackerRequest<Name extends TrackerResponseName> {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH';
  url: string;
  json?: unknown;
  followRedirects?: number;
  /** Expected form of a successful response. `null` if only the status matters. */
  answer: Name | null;
  /** Issues to find in a page. */
  query?: IssueQuery;
}

export interface TrackerResponse<T = unknown> {
  status: number;
  headers: Readonly<Record<string, string | undefined>>;
  /** Final URL, after redirects. */
  url: string;
  /** Body. At most 64 KiB are read, unless the request succeeded and its response is parsed. */
  text: string;
  /** Parsed body of a successful response, or `null` if the body has another form. */
  answer: T | null;
  /** The tracker's description of an error. */
  problem: string | null;
}

export type SendRequest = <Name extends TrackerResponseName>(
  request: TrackerRequest<Name>,
) => Promise<TrackerResponse<TrackerResponseBody<Name>>>;

export interface RequestContext {
  outbound: OutboundClient;
  /**
   * Sandbox that parses large responses. It's separate from the sandbox that renders messages, so it can't delay them.
   */
  sandbox: Pick<Sandbox, 'run'>;
  organizationId: number;
  headers: Readonly<Record<string, string>>;
  /** Name of the parser for the tracker's error responses. */
  problemName: TrackerResponseName & `${string}_problem`;
  /** Total time limit of all requests of an attempt. */
  timeoutMs: number;
  version: string;
  signal?: AbortSignal | undefined;
}

const kibibyte = 1024;

/**
 * Maximum size of a response if only its status or its error description is used. The rest of a longer error page is
 * skipped, up to a limit.
 */
const maxOtherBytes = 64 * kibibyte;
const maxSkippedBytes = 1024 * kibibyte;

/**
 * Maximum size of each response. The largest expected ones fit: a page of 50 issues with long texts, a Jira
 * project with thousands of versions, and a GitLab issue with the longest description.
 */
const maxAnswerBytes: Readonly<Record<TrackerResponseName, number>> = {
  github_repository: 256 * kibibyte,
  github_issue: 1024 * kibibyte,
  github_issues: 4096 * kibibyte,
  github_problem: maxOtherBytes,
  gitlab_project: 256 * kibibyte,
  gitlab_issue: 4096 * kibibyte,
  gitlab_issues: 4096 * kibibyte,
  gitlab_moved_issues: 4096 * kibibyte,
  gitlab_problem: maxOtherBytes,
  jira_issue_types: 2048 * kibibyte,
  jira_permissions: 256 * kibibyte,
  jira_status: 256 * kibibyte,
  jira_key: maxOtherBytes,
  jira_issues: 512 * kibibyte,
  jira_transition: 2048 * kibibyte,
  jira_problem: maxOtherBytes,
};

/**
 * Limits of all requests of one attempt. A search reads at most `maxPages` pages, and closing a ticket takes three
 * requests.
 */
const maxBytesOfAttempt = 16 * 1024 * kibibyte;
const maxRequests = 60;
/** Number of issues per page, and maximum number of pages of a search. */
export const issuesPerPage = 50;
export const maxPages = 20;

/**
 * Turns in which organizations read large responses, by the sandbox that parses the responses. Without turns,
 * decoding, copying, and parsing megabytes for many requests at the same time would leave no CPU time for
 * other work. The process of the sandbox has a low priority, so turns and the pauses between them are longer
 * while the server is busy.
 */
const turnsOfSandboxes = new WeakMap<Pick<Sandbox, 'run'>, TurnScheduler>();

function turnsOf(sandbox: Pick<Sandbox, 'run'>): TurnScheduler {
  const turns = turnsOfSandboxes.get(sandbox) ?? createTurnScheduler({ atOnce: 1, pauseFactor: 3 });
  turnsOfSandboxes.set(sandbox, turns);
  return turns;
}

const answerReader: UntrustedJsonReader<TrackerResponseInput, unknown> = {
  read: readTrackerResponse,
  moduleUrl: new URL('./tracker-responses.ts', import.meta.url),
  exportName: 'readTrackerResponse',
};

/**
 * Returns a function that sends requests with a shared deadline and shared limits. If a response can't be
 * read, its `answer` is `null`, regardless of what the tracker sent.
 */
export function createRequests(context: RequestContext): SendRequest {
  const { outbound, headers, timeoutMs, version, signal, problemName } = context;
  const endsAt = performance.now() + timeoutMs;
  let bytesLeft = maxBytesOfAttempt;
  let requestsLeft = maxRequests;

  /**
   * Reads a body of at most `maxBytes`, and keeps its first `keepBytes`. Calls `beginTurn` before it reads
   * more bytes than a small response contains.
   */
  async function readBody(
    body: AsyncIterable<Uint8Array>,
    { maxBytes, keepBytes, beginTurn }: { maxBytes: number; keepBytes: number; beginTurn(): Promise<void> },
  ) {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    let isLarge = false;
    for await (const chunk of body) {
      if (!isLarge && bytes + chunk.byteLength > maxOtherBytes) {
        isLarge = true;
        await beginTurn();
      }
      if (bytes < keepBytes) chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes > maxBytes) break;
    }
    bytesLeft -= bytes;
    if (bytes > maxBytes)
      throw new TrackerError('invalid_response', `The response is larger than ${toKibibytes(maxBytes)}.`);
    return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, keepBytes));
  }

  async function read(name: TrackerResponseName, text: string, query: IssueQuery | null): Promise<unknown> {
    const input = { name, query, text };
    try {
      return await readUntrustedJson(context.sandbox, answerReader, input, String(context.organizationId));
    } catch (error) {
      if (!(error instanceof SandboxError) || error instanceof SandboxJobError) throw error;
      if (error instanceof SandboxTimeoutError || error instanceof SandboxMemoryError) return null;
      throw new TrackerError('timeout', 'The server is reading too many large responses.');
    }
  }

  return async function send<Name extends TrackerResponseName>(request: TrackerRequest<Name>) {
    const { method = 'GET', url, json, followRedirects = 0, answer: name, query = null } = request;
    requestsLeft -= 1;
    if (requestsLeft < 0 || bytesLeft <= 0)
      throw new TrackerError(
        'invalid_response',
        `The tracker requires more than ${maxRequests} requests or ${toKibibytes(maxBytesOfAttempt)} for one message.`,
      );
    const response = await outbound.stream({
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
      // `readBody` applies the limits, because they depend on the status.
      maxBytes: maxBytesOfAttempt,
      followRedirects,
      sameOriginHeaders: Object.keys(headers),
      ...(signal && { signal }),
    });
    const { status, headers: responseHeaders, url: finalUrl, body } = response;
    const isAnswer = name !== null && status >= 200 && status < 300;
    const maxBytes = Math.min(isAnswer ? maxAnswerBytes[name] : maxSkippedBytes, bytesLeft);
    let endTurn: (() => void) | undefined;
    try {
      const text = await readBody(body, {
        maxBytes,
        keepBytes: isAnswer ? maxBytes : maxOtherBytes,
        async beginTurn() {
          endTurn = await turnsOf(context.sandbox).begin(context.organizationId, signal);
        },
      });
      // The parser `name` returns a value of this type.
      const answer = isAnswer ? ((await read(name, text, query)) as TrackerResponseBody<Name> | null) : null;
      const problem = status >= 400 ? ((await read(problemName, text, null)) as string | null) : null;
      return { status, headers: responseHeaders, url: finalUrl, text, answer, problem };
    } finally {
      endTurn?.();
    }
  };
}

function toKibibytes(bytes: number): string {
  return `${(bytes / kibibyte).toLocaleString('en-US')} KiB`;
}

/** Converts a response with a non-success status to an error. */
export function toTrackerError(
  { status, headers, text, problem: detail }: TrackerResponse,
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

/**
 * Returns the error of a search that found no ticket in the pages that it reads, although more pages exist.
 */
export function searchIncompleteError(since: Date): TrackerError {
  const count = (maxPages * issuesPerPage).toLocaleString('en-US');
  const from = since.toISOString();
  return new TrackerError(
    'ticket_search_incomplete',
    `More than ${count} issues were created since ${from}.`,
  );
}

export function invalidTrackerResponse(response: TrackerResponse): TrackerError {
  return new TrackerError('invalid_response', null, { status: response.status, body: response.text });
}

/** Converts a text to one line of about 300 characters that PostgreSQL can store. */
export function toSentence(text: string): string {
  const line = cleanLine(text, 300);
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}
