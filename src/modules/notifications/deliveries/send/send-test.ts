import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { deliveryCodes } from '../../../../domain/channels/delivery-codes.ts';
import type { EventData } from '../../../../domain/routing/notification-event.ts';
import { findRejection, renderClosingBody } from '../../../../domain/templates/presets.ts';
import { sampleEvent } from '../../../../domain/templates/sample-events.ts';
import { isTracker } from '../../../../domain/tickets/trackers.ts';
import type { Schemas } from '../../../../generated/client-api.ts';
import type { Database } from '../../../../platform/database/index.ts';
import type { Mailer } from '../../../../platform/email/index.ts';
import { ApiError } from '../../../../platform/errors.ts';
import type { OutboundClient } from '../../../../platform/outbound/index.ts';
import type { Sandbox } from '../../../../platform/sandbox/index.ts';
import { encodeBody, requestTarget } from '../message/channel-request.ts';
import { type MessageTools, signingSecrets } from '../message/prepare-message.ts';
import { renderOnce } from '../message/render-once.ts';
import { deliverySettings, type InstallationDefaults } from '../model/delivery-settings.ts';
import { webhookId } from '../model/event-data.ts';
import type { DueDelivery } from '../model/pick-deliveries.ts';
import { type ChannelSecrets, tryUnsealChannelSecrets } from '../secrets/channel-secrets.ts';
import { maskSpans } from '../secrets/find-secrets.ts';
import { findSpansToMask } from '../secrets/hidden-in-body.ts';
import { secretValues } from '../secrets/secret-values.ts';
import {
  emailsPerHour,
  refundEmailsAcrossOrganizations,
  reserveEmailsAcrossOrganizations,
} from './email-budget.ts';
import { requestBuildFailure, type SendResult } from './send-answer.ts';
import { sendEmail } from './send-email.ts';
import { checkTracker } from './send-ticket.ts';
import { sendWebhook } from './send-webhook.ts';
import { toTicketChannel } from './ticket-channel.ts';

export interface TestDeps extends Pick<MessageTools, 'secretBox' | 'sandbox' | 'baseUrl'> {
  db: Database;
  outbound: OutboundClient;
  responseSandbox: Pick<Sandbox, 'run'>;
  mailer: Mailer | null;
  version: string;
  defaults?: InstallationDefaults;
  signal?: AbortSignal;
}

/**
 * Sends a sample alert to a channel in the same way as a real one, and returns the result. Nothing is stored:
 * no delivery, no attempt, and no failure of the channel. Inactive channels can also be tested.
 * @param options.withBodies True for callers who can see message and response bodies.
 * @returns `null` if the channel doesn't exist.
 */
export async function sendTestNotification(
  deps: TestDeps,
  organizationId: number,
  channelId: number,
  { withBodies }: { withBodies: boolean },
): Promise<Schemas['NotificationChannelTestResult'] | null> {
  const channel = await readChannel(deps.db, organizationId, channelId);
  if (!channel) return null;
  const secrets = tryUnsealChannelSecrets(deps.secretBox, organizationId, channelId, channel);
  if (secrets === null) return unreadableResult;
  const settings = await deliverySettings(deps.db, organizationId, deps.defaults);
  if (isTracker(channel.channel_type))
    return testTracker(deps, organizationId, channel, secrets, settings.timeoutSeconds, withBodies);
  const event = testEvent(deps.baseUrl, channel, channelId);
  const templates = { ...channel, presetOptions: secrets.presetOptions };
  const rendered = await renderOnce(deps.sandbox, organizationId, event, templates, settings.templates);
  const { body } = rendered;
  const timeoutMs = settings.timeoutSeconds * 1_000;
  const send = async (sentEvent: EventData, webhookId: string, sent: string): Promise<SendResult> => {
    const { method, address } = requestTarget(secrets, channel, sentEvent.event, () => sentEvent);
    if (!address.ok) return requestBuildFailure(address.message);
    return sendWebhook(deps.outbound, {
      url: address.url,
      method,
      headers: secrets.headers,
      webhookId,
      ...encodeBody(channel, method, sent),
      at: channel.now,
      signingSecrets: signingSecrets(secrets, channel.has_previous_secret),
      hidden: secretValues({ ...secrets, url: address.url }),
      timeoutMs,
      version: deps.version,
      findRejection: (received) => findRejection(channel.preset, channel.success_condition, received),
      ...(deps.signal && { signal: deps.signal }),
    });
  };
  const answer =
    channel.channel_type === 'email'
      ? await sendTestEmail(deps, organizationId, channel, body, timeoutMs)
      : await send(event, event.idempotency_key, body);
  const end = channel.channel_type === 'webhook' && answer.error === null ? await endOfTest() : null;
  const closing = end && (await send(end.event, end.event.idempotency_key, end.body));
  return {
    success: answer.error === null,
    status_code: answer.status,
    duration_ms: answer.durationMs,
    response_body: withBodies ? answer.body : null,
    error: answer.error,
    request_body: withBodies ? maskSpans(body, findSpansToMask(rendered, secrets.presetOptions)) : null,
    detail:
      closing === null || closing.error === null
        ? null
        : "Pacekeeper couldn't resolve the incident that the test opened. Resolve it in the receiving system.",
  };

  /**
   * Returns the event and the body that close the item that the test opened on the platform, or `null` if it
   * opens none.
   */
  async function endOfTest(): Promise<{ event: EventData; body: string } | null> {
    if (secrets!.closingPath !== null) {
      const resolved = resolvedTest(event);
      const rendering = await renderOnce(
        deps.sandbox,
        organizationId,
        resolved,
        templates,
        settings.templates,
      );
      return { event: resolved, body: rendering.body };
    }
    const end = renderClosingBody(channel!.preset, body);
    return end === null
      ? null
      : { event: { ...event, idempotency_key: `${event.idempotency_key}-end` }, body: end };
  }
}

/** Returns the resolution of the alert of a test, so that the test also sends to the closing path. */
function resolvedTest(test: TestEvent): EventData {
  const sample = sampleEvent('alert.resolved');
  if (sample.event !== 'alert.resolved')
    throw new Error('the sample of a resolved alert is a resolved alert');
  const { channel: _, ...shared } = test;
  return {
    ...sample,
    ...shared,
    event: 'alert.resolved',
    idempotency_key: `${test.idempotency_key}-end`,
    alert: { ...sample.alert, id: test.alert.id, url: test.alert.url, notes_url: test.alert.notes_url },
  };
}

const unreadableResult: Schemas['NotificationChannelTestResult'] = {
  success: false,
  status_code: null,
  duration_ms: 0,
  response_body: null,
  error: { code: 'secrets_unreadable', message: deliveryCodes.secrets_unreadable.join(' ') },
  request_body: null,
  detail: null,
};

/** Checks only the token and the project of a tracker, because users would have to close a test ticket. */
async function testTracker(
  { outbound, responseSandbox, version, signal }: TestDeps,
  organizationId: number,
  channel: ChannelToTest,
  secrets: ChannelSecrets,
  timeoutSeconds: number,
  withBodies: boolean,
): Promise<Schemas['NotificationChannelTestResult']> {
  const context = {
    outbound,
    sandbox: responseSandbox,
    organizationId,
    version,
    signal,
    timeoutMs: timeoutSeconds * 1_000,
  };
  const answer = await checkTracker(context, toTicketChannel(channel.name, channel, secrets), channel.now);
  const isDone = answer.error === null;
  return {
    success: isDone,
    status_code: answer.status,
    duration_ms: answer.durationMs,
    response_body: withBodies && !isDone ? answer.body : null,
    error: answer.error,
    request_body: null,
    detail: isDone ? answer.body : null,
  };
}

/** @throws ApiError If the organization has reached its limit of test emails per hour. */
async function sendTestEmail(
  { db, mailer, signal }: TestDeps,
  organizationId: number,
  { recipients, now }: ChannelToTest,
  body: string,
  timeoutMs: number,
): Promise<SendResult> {
  const grants = await reserveEmailsAcrossOrganizations(
    db,
    'test',
    new Map([[organizationId, recipients.length]]),
  );
  const { granted, renewsAt } = grants.get(organizationId)!;
  if (granted < recipients.length) {
    await refundEmailsAcrossOrganizations(db, 'test', new Map([[organizationId, granted]]));
    const limit = emailsPerHour.test;
    throw new ApiError(
      'rate_limited',
      `Limit of ${limit} test emails per hour reached. Each recipient counts.`,
      {
        retryAfterSeconds: Math.max(1, Math.ceil((renewsAt.getTime() - now.getTime()) / 1_000)),
      },
    );
  }
  const messageId = mailer?.messageIdOf(randomUUID()) ?? '';
  const request = { body, recipients, acceptedRecipients: [], at: now, timeoutMs, signal };
  return sendEmail(db, mailer, organizationId, { ...request, messageId, inReplyTo: null });
}

type TestEvent = Extract<EventData, { event: 'channel.test' }>;

type ChannelToTest = DueDelivery['channel'] & { name: string; organization_name: string; now: Date };

async function readChannel(
  db: Database,
  organizationId: number,
  id: number,
): Promise<ChannelToTest | undefined> {
  const { rows } = await sql<ChannelToTest>`
    SELECT c.name, o.name AS organization_name, c.channel_type, c.recipients, c.timezone, c.url_masked, c.project, c.issue_type, c.account_email,
      c.ticket_labels, c.tracker_sealed, c.url_sealed, c.preset_options_sealed, c.headers_sealed,
      c.signing_secret_sealed, c.previous_signing_secret_sealed, c.template, c.templates, c.preset, c.success_condition,
      c.request_method, c.body_format, c.closing_path_sealed, c.closing_method,
      coalesce(c.previous_signing_secret_until > pacekeeper_now(), false) AS has_previous_secret, pacekeeper_now() AS now
    FROM notification_channels c JOIN organizations o ON o.id = c.organization_id
    WHERE c.organization_id = ${organizationId} AND c.id = ${id}`.execute(db);
  return rows[0];
}

/**
 * Creates the test event. It has no acknowledge link, because no real alert exists. Its other links use the
 * base URL of this installation.
 */
function testEvent(baseUrl: string, channel: ChannelToTest, channelId: number): TestEvent {
  const sample = sampleEvent('channel.test');
  if (sample.event !== 'channel.test') throw new Error('the sample of a test is a test');
  const eventId = randomUUID();
  const url = `${baseUrl}/alerts/${sample.alert.id}`;
  return {
    ...sample,
    event_id: eventId,
    timestamp: channel.now.toISOString(),
    timezone: channel.timezone,
    idempotency_key: webhookId(eventId),
    acknowledge_url: null,
    alert: { ...sample.alert, url, notes_url: `${url}#release-notes` },
    channel: { id: channelId, name: channel.name, reason: null, resolution: null },
    organization: { name: channel.organization_name },
  };
}
