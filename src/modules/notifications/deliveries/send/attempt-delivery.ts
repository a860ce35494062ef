import { type DeliveryErrorCode, deliveryCodes } from '../../../../domain/channels/delivery-codes.ts';
import { findRejection, skipsEvent } from '../../../../domain/templates/presets.ts';
import { isTracker } from '../../../../domain/tickets/trackers.ts';
import { type Database, isDatabaseUnavailable } from '../../../../platform/database/index.ts';
import type { Mail, Mailer } from '../../../../platform/email/index.ts';
import type { Log } from '../../../../platform/log.ts';
import type { createRateLimitedLog } from '../../../../platform/log-sparingly.ts';
import type { OutboundClient } from '../../../../platform/outbound/index.ts';
import type { Sandbox } from '../../../../platform/sandbox/index.ts';
import { encodeBody } from '../message/channel-request.ts';
import { type PreparedMessage, signingSecrets } from '../message/prepare-message.ts';
import { webhookId } from '../model/event-data.ts';
import type { DeliveryLease, DueDelivery } from '../model/pick-deliveries.ts';
import { findAcknowledgeTokens, secretValues } from '../secrets/secret-values.ts';
import type { AttemptSeries } from './attempt-outcome.ts';
import { countUnreachedRecipients, refundEmailsAcrossOrganizations } from './email-budget.ts';
import { requestBuildFailure, type SendResult } from './send-answer.ts';
import { sendEmail } from './send-email.ts';
import { sendTicket } from './send-ticket.ts';
import { sendWebhook } from './send-webhook.ts';
import { toTicketChannel } from './ticket-channel.ts';

/** A finished attempt with any result. */
export interface AttemptResult {
  delivery: DueDelivery;
  lease: DeliveryLease;
  series: AttemptSeries;
  /**
   * `null` if the server stopped or the database was unavailable during the attempt. The delivery is retried
   * immediately.
   */
  answer: SendResult | null;
}

export interface AttemptTools {
  db: Database;
  log: Log;
  logSparingly: ReturnType<typeof createRateLimitedLog>;
  outbound: OutboundClient;
  /** Sandbox that parses large responses of receivers. */
  responseSandbox: Pick<Sandbox, 'run'>;
  /** `null` if the operator hasn't configured a mail server. */
  mailer: Mailer | null;
  /** Pacekeeper version for `User-Agent`. */
  version: string;
  /** Public URL of the server, without a trailing slash. */
  baseUrl: string;
  /** Aborts the request when the server must stop. */
  signal: AbortSignal;
}

/**
 * Sends one message and returns the result without storing it. Never rejects, so that an error doesn't affect
 * other deliveries of the pass.
 */
export async function attemptDelivery(
  tools: AttemptTools,
  message: PreparedMessage,
  lease: DeliveryLease,
): Promise<AttemptResult> {
  const { delivery } = message.start;
  const { settings } = message;
  const startedAt = performance.now();
  const answer = await attemptOf(delivery.channel.channel_type)(tools, message, lease).catch(
    (error: unknown): SendResult | null => {
      // A database outage isn't a failure of the receiver.
      if (tools.signal.aborted || isDatabaseUnavailable(error)) return null;
      tools.logSparingly({ err: error, delivery_id: delivery.deliveryId }, 'sending failed; will retry', {
        level: 'error',
      });
      const durationMs = Math.round(performance.now() - startedAt);
      const failure = { code: 'worker_lost', message: failedWithin } as const;
      return { status: null, body: null, retryAfter: null, durationMs, error: failure };
    },
  );
  const series = {
    attemptCount: delivery.seriesAttemptCount + 1,
    startedAt: delivery.seriesStartedAt,
    retryScheduleSeconds: settings.retryScheduleSeconds,
    timeoutSeconds: settings.timeoutSeconds,
    rateLimitWaitMs: delivery.rateLimitWaitMs,
    dueAt: delivery.dueAt,
  };
  return { delivery, lease, series, answer };
}

/** Message of an internal error, which is retried like an attempt that a server shutdown interrupts. */
const failedWithin = "Sending failed because of an internal error. The server's log contains the cause.";

type Attempt = (tools: AttemptTools, message: PreparedMessage, lease: DeliveryLease) => Promise<SendResult>;

function attemptOf(type: DueDelivery['channel']['channel_type']): Attempt {
  if (type === 'email') return attemptEmail;
  return isTracker(type) ? attemptTicket : attemptWebhook;
}

async function attemptTicket(
  { db, outbound, responseSandbox, version, signal }: AttemptTools,
  { start, body, secrets, settings }: PreparedMessage,
  lease: DeliveryLease,
): Promise<SendResult> {
  const { organizationId, channelId, channelName, alertId, channel, event } = start.delivery;
  return sendTicket(
    db,
    {
      outbound,
      sandbox: responseSandbox,
      organizationId,
      version,
      signal,
      timeoutMs: settings.timeoutSeconds * 1_000,
    },
    {
      channel: toTicketChannel(channelName, channel, secrets),
      ticket: alertId === null ? null : { organizationId, alertId, channelId },
      eventType: event.eventType,
      body,
      at: lease.startedAt,
    },
  );
}

async function attemptWebhook(
  { outbound, version, signal }: AttemptTools,
  { start, body, target, secrets, settings }: PreparedMessage,
  lease: DeliveryLease,
): Promise<SendResult> {
  const { delivery } = start;
  const { channel, event } = delivery;
  if (channel.template === null && skipsEvent(channel.preset, event.eventType)) return nothingSent;
  const { method, address } = target;
  if (!address.ok) return requestBuildFailure(address.message);
  return sendWebhook(outbound, {
    url: address.url,
    method,
    headers: secrets.headers,
    webhookId: webhookId(delivery.event.eventId),
    ...encodeBody(channel, method, body),
    at: lease.startedAt,
    signingSecrets: signingSecrets(secrets, delivery.channel.has_previous_secret),
    hidden: [...secretValues({ ...secrets, url: address.url }), ...findAcknowledgeTokens(body)],
    timeoutMs: settings.timeoutSeconds * 1_000,
    version,
    findRejection: (received) =>
      findRejection(delivery.channel.preset, delivery.channel.success_condition, received),
    signal,
  });
}

const nothingSent: SendResult = {
  status: null,
  body: deliveryCodes.no_incident[0],
  retryAfter: null,
  durationMs: 0,
  error: null,
  reason: 'no_incident',
};

async function attemptEmail(
  { db, mailer, baseUrl, signal }: AttemptTools,
  { start, body, settings }: PreparedMessage,
  lease: DeliveryLease,
): Promise<SendResult> {
  const { organizationId, channelId, channel, event, acceptedRecipients } = start.delivery;
  const answer = await sendEmail(db, mailer, organizationId, {
    ...(mailer === null ? { messageId: '', inReplyTo: null } : messageIds(mailer, start.delivery)),
    body,
    recipients: channel.recipients,
    acceptedRecipients,
    unsubscribeUrl: event.eventType === 'digest' ? `${baseUrl}/notification-channels/${channelId}` : null,
    at: lease.startedAt,
    timeoutMs: settings.timeoutSeconds * 1_000,
    signal,
  });
  // The attempt failed before the mail server received any recipient, so it doesn't count toward the budget.
  if (answer.error !== null && unreachable.has(answer.error.code))
    await refundEmailsAcrossOrganizations(
      db,
      'message',
      new Map([[organizationId, countUnreachedRecipients(start.delivery)]]),
    );
  return answer;
}

const unreachable: ReadonlySet<DeliveryErrorCode> = new Set([
  ...(['email_unavailable', 'recipients_not_allowed', 'mail_login_failed', 'connection_failed'] as const),
  ...(['name_not_found', 'tls_failed'] as const),
]);

/**
 * Returns message IDs. The first message about an alert starts a thread for all later ones. Retries have the
 * same ID.
 */
function messageIds(
  mailer: Mailer,
  { organizationId, channelId, event: { eventId, eventType, data } }: DueDelivery,
): Pick<Mail, 'messageId' | 'inReplyTo'> {
  const own = mailer.messageIdOf(`event ${eventId} ${channelId}`);
  if (!('alert' in data)) return { messageId: own, inReplyTo: null };
  const thread = mailer.messageIdOf(`alert ${organizationId} ${data.alert.id} ${channelId}`);
  return eventType === 'alert.created'
    ? { messageId: thread, inReplyTo: null }
    : { messageId: own, inReplyTo: thread };
}
