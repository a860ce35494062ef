import { randomBytes } from 'node:crypto';
import { type DeliveryErrorCode, deliveryCodes } from '../../../../domain/channels/delivery-codes.ts';
import { maxRateLimitMs } from '../../../../domain/channels/receiver-rate-limit.ts';
import type { EventType } from '../../../../domain/routing/notification-event.ts';
import { parseRetryAfter } from '../../../../domain/scheduling/retry-schedule.ts';
import { cleanLine } from '../../../../domain/templates/clean-text.ts';
import type { TicketContent } from '../../../../domain/tickets/render-ticket.ts';
import type { TrackerType } from '../../../../domain/tickets/trackers.ts';
import type { Database } from '../../../../platform/database/index.ts';
import { OutboundError } from '../../../../platform/outbound/index.ts';
import {
  beginTicket,
  deleteTicketRecord,
  findTicket,
  recordTicket,
  recordTicketEnd,
  type StoredTicket,
  type TicketKey,
} from '../model/ticket-queries.ts';
import { createSecretFinder, maskSpans, type SecretFinder } from '../secrets/find-secrets.ts';
import { encodingsOf } from '../secrets/secret-forms.ts';
import { githubHeaders, githubIssues } from '../trackers/github-issues.ts';
import { gitlabHeaders, gitlabIssues } from '../trackers/gitlab-issues.ts';
import { jira, jiraHeaders } from '../trackers/jira.ts';
import {
  createRequests,
  type RequestContext,
  type SendRequest,
  type Tracker,
  TrackerError,
  type TrackerTarget,
  type TrackerTicket,
  toSentence,
} from '../trackers/tracker.ts';
import { maxStoredBytes, type SendResult } from './send-answer.ts';
import { deliveryErrorCodes } from './send-webhook.ts';

/** A channel that creates tickets, with its token. */
export interface TicketChannel extends Omit<TrackerTarget, 'project'> {
  name: string;
  type: TrackerType;
  project: string;
  labels: readonly string[];
  /** Origin of the channel's URL. */
  target: string;
  /** Secrets to mask in stored responses. */
  hidden: readonly string[];
}

export interface TicketRequest {
  channel: TicketChannel;
  ticket: TicketKey | null;
  eventType: EventType;
  /** Body created by `renderOnce`. */
  body: string;
  at: Date;
}

type SendContext = Omit<RequestContext, 'headers' | 'problemName'>;

/**
 * Events that create a ticket for an open alert. If the opening isn't routed to the channel, an escalation or
 * a reminder can be the first event.
 */
const openingEvents: ReadonlySet<EventType> = new Set(['alert.created', 'alert.escalated', 'alert.reminder']);

/**
 * Creates or closes the ticket of an alert, as the event requires. At most one ticket per alert stays open:
 * the marker is stored before a ticket is created, and each attempt after the first searches for a ticket
 * with the marker. Tickets are never changed except to close them, and never reopened. Rejects only if
 * `signal` aborts it.
 */
export async function sendTicket(
  db: Database,
  context: SendContext,
  { channel, ticket, eventType, body, at }: TicketRequest,
): Promise<SendResult> {
  return toSendAnswer(channel, context, at, async (send) => {
    if (ticket === null) return nothing;
    if (openingEvents.has(eventType)) return openTicket(db, send, channel, ticket, body, at);
    if (eventType === 'alert.resolved') return closeTicket(db, send, channel, ticket, at);
    return nothing;
  });
}

/** Checks the token and the project without changing anything. */
export function checkTracker(context: SendContext, channel: TicketChannel, at: Date): Promise<SendResult> {
  return toSendAnswer(channel, context, at, async (send) => ({
    text: await trackerOf(channel, channel.project, send, at).check(),
    reason: null,
  }));
}

interface TicketResult {
  /** The completed action, as a sentence. */
  text: string;
  reason: DeliveryErrorCode | null;
}

const nothing: TicketResult = { text: deliveryCodes.no_ticket[0], reason: 'no_ticket' };

async function openTicket(
  db: Database,
  send: SendRequest,
  channel: TicketChannel,
  ticket: TicketKey,
  body: string,
  at: Date,
): Promise<TicketResult> {
  const begun = await beginTicket(db, ticket, {
    channelName: channel.name,
    channelType: channel.type,
    target: channel.target,
    project: channel.project,
    // The marker has 128 random bits, so no one can guess it and create text that is mistaken for a ticket.
    marker: randomBytes(16).toString('hex'),
  });
  if (begun === null) return nothing;
  if (begun.target !== channel.target) throw new TrackerError('ticket_elsewhere', null);
  const tracker = trackerOf(channel, begun.project, send, at);
  const known = begun.opening_count > 1 ? await findOne(tracker, begun) : null;
  if (known !== null) {
    await recordTicket(db, ticket, known);
    return { text: `Found ${known.key}: ${known.url}`, reason: null };
  }
  const { title, body: text } = JSON.parse(body) as TicketContent;
  const content = { title, body: text, labels: channel.labels, marker: begun.marker };
  const created = await tracker.create(content).catch(async (error: unknown) => {
    // Delete the record, so that the next attempt doesn't need to search for a ticket and uses the current project and
    // URL, which may have been corrected.
    if (isRejection(error)) await deleteTicketRecord(db, ticket, begun.marker);
    throw error;
  });
  if (!(await recordTicket(db, ticket, created))) {
    await tracker.close(created.id, begun.marker);
    return { text: `Another ticket was created first; closed ${created.key}.`, reason: null };
  }
  // A ticket from an earlier interrupted attempt may have been created in the meantime.
  if (begun.opening_count > 1) await findOne(tracker, begun);
  return { text: `Created ${created.key}: ${created.url}`, reason: null };
}

/** Errors after which no ticket can have been created. */
const refusals: ReadonlySet<DeliveryErrorCode> = new Set([
  'ticket_login_failed',
  'ticket_forbidden',
  'ticket_project_not_found',
  'ticket_rejected',
  'ticket_limited',
  'name_not_found',
  'tls_failed',
  'target_not_allowed',
]);

function isRejection(error: unknown): boolean {
  if (error instanceof TrackerError) return refusals.has(error.code);
  return error instanceof OutboundError && refusals.has(deliveryErrorCodes[error.code]);
}

/** Returns the first ticket with the marker, and closes later ones that are still open. */
async function findOne(
  tracker: Tracker,
  { marker, started_at }: StoredTicket,
): Promise<TrackerTicket | null> {
  const [first, ...later] = await tracker.find(marker, started_at);
  for (const { id } of later.filter(({ isOpen }) => isOpen)) await tracker.close(id, marker);
  return first ?? null;
}

async function closeTicket(
  db: Database,
  send: SendRequest,
  channel: TicketChannel,
  ticket: TicketKey,
  at: Date,
): Promise<TicketResult> {
  const stored = await findTicket(db, ticket);
  if (stored === null || stored.state === 'missing') return nothing;
  if (stored.target !== channel.target) throw new TrackerError('ticket_elsewhere', null);
  const tracker = trackerOf(channel, stored.project, send, at);
  let id = stored.ticket_id;
  if (id === null) {
    const known = await findOne(tracker, stored);
    if (known === null) return nothing;
    await recordTicket(db, ticket, known);
    id = known.id;
  }
  const state = await tracker.close(id, stored.marker);
  await recordTicketEnd(db, ticket, state);
  const text =
    state === 'closed'
      ? 'The ticket is closed.'
      : "The ticket was deleted, or moved to where the token can't change it; nothing to close.";
  if (stored.ticket_id === null || stored.opening_count === 1) return { text, reason: null };
  // Search last, because months of issues can be too many to list within the timeout.
  const isSearched = await findOne(tracker, stored).then(
    () => true,
    (error: unknown) => {
      if (error instanceof TrackerError && error.code === 'ticket_search_incomplete') return false;
      throw error;
    },
  );
  const note = ' The tracker lists too many issues to check for a second ticket.';
  return { text: isSearched ? text : text + note, reason: null };
}

function trackerOf(channel: TicketChannel, project: string, send: SendRequest, now: Date): Tracker {
  const target = { ...channel, project };
  switch (channel.type) {
    case 'github_issues':
      return githubIssues(target, send, now);
    case 'gitlab_issues':
      return gitlabIssues(target, send, now);
    case 'jira':
      return jira(target, send, now);
  }
}

const problemNames = {
  github_issues: 'github_problem',
  gitlab_issues: 'gitlab_problem',
  jira: 'jira_problem',
} as const satisfies Record<TrackerType, RequestContext['problemName']>;

const headersOf: Readonly<Record<TrackerType, (target: TrackerTarget) => Record<string, string>>> = {
  github_issues: githubHeaders,
  gitlab_issues: gitlabHeaders,
  jira: jiraHeaders,
};

async function toSendAnswer(
  channel: TicketChannel,
  context: SendContext,
  at: Date,
  act: (send: SendRequest) => Promise<TicketResult>,
): Promise<SendResult> {
  const startedAt = performance.now();
  // Mask before truncating, because an incomplete secret isn't detected.
  let finder: SecretFinder | null = null;
  const mask = (text: string) => {
    finder ??= createSecretFinder(channel.hidden, encodingsOf);
    const read = text.slice(0, readChars + finder.longest);
    return maskSpans(read, finder.find(read, readChars), readChars);
  };
  let status: number | null = null;
  const requests = createRequests({
    ...context,
    headers: headersOf[channel.type](channel),
    problemName: problemNames[channel.type],
  });
  const send: SendRequest = async (request) => {
    const response = await requests(request);
    status = response.status;
    return response;
  };
  const answer = (rest: Pick<SendResult, 'status' | 'body' | 'error'> & Partial<SendResult>): SendResult => ({
    retryAfter: null,
    durationMs: Math.round(performance.now() - startedAt),
    ...rest,
  });
  try {
    const { text, reason } = await act(send);
    return answer({ status, body: cut(cleanLine(mask(text), maxStoredBytes)), error: null, reason });
  } catch (error) {
    if (context.signal?.aborted) throw error;
    if (error instanceof TrackerError) {
      const body = error.body === null ? null : cut(mask(error.body));
      const { code, retryAfter, detail } = error;
      const message = detail === null ? error.message : `${error.message} ${toSentence(mask(detail))}`;
      const waitMs = parseRetryAfter(retryAfter, at);
      const rateLimit =
        code === 'ticket_limited'
          ? { waitMs: waitMs === null ? null : Math.min(waitMs, maxRateLimitMs), isRate: true }
          : null;
      return answer({ status: error.status, body, retryAfter, rateLimit, error: { code, message } });
    }
    if (error instanceof OutboundError) {
      const message = mask(error.message);
      return answer({ status: null, body: null, error: { code: deliveryErrorCodes[error.code], message } });
    }
    throw error;
  }
}

/** Maximum number of characters to mask. It exceeds the stored length, because masking shortens the text. */
const readChars = 64 * 1024;

/**
 * Cuts a text to the maximum number of stored bytes without splitting a character, and replaces NUL, which
 * PostgreSQL can't store.
 */
function cut(text: string): string {
  const bytes = Buffer.from(text.replaceAll('\0', '\uFFFD')).subarray(0, maxStoredBytes);
  return new TextDecoder().decode(bytes, { stream: true });
}
