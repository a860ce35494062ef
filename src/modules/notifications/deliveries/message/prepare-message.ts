import {
  digestCauses,
  type EventData,
  type SingleEventData,
} from '../../../../domain/routing/notification-event.ts';
import { alertSeverities } from '../../../../domain/rules/severity.ts';
import { maxAttempts } from '../../../../domain/scheduling/retry-schedule.ts';
import type { Sandbox } from '../../../../platform/sandbox/sandbox.ts';
import type { SecretBox, SecretContext, TokenSigner } from '../../../../platform/secrets/index.ts';
import type { AlertNotes } from '../../../notes/index.ts';
import type { DeliverySettings } from '../model/delivery-settings.ts';
import { toEventData, webhookId } from '../model/event-data.ts';
import type { AttemptStart, DueDelivery } from '../model/pick-deliveries.ts';
import type { StoredEvent } from '../model/stored-events.ts';
import { type ChannelSecrets, unsealChannelSecrets } from '../secrets/channel-secrets.ts';
import { findSpansToMask } from '../secrets/hidden-in-body.ts';
import { type RequestTarget, requestTarget } from './channel-request.ts';
import { chatRealm, createChatButtons } from './chat-button.ts';
import { renderOnce } from './render-once.ts';

/** Dependencies for creating messages, except the database. */
export interface MessageTools {
  secretBox: SecretBox;
  sandbox: Sandbox;
  acknowledgeSigner: TokenSigner;
  /** Signs the buttons of messages. */
  buttonSigner: TokenSigner;
  /** Public URL of the server, without a trailing slash. */
  baseUrl: string;
}

export interface PreparedMessage {
  start: AttemptStart;
  body: string;
  /** URL and method of the request that sends the message as a webhook. */
  target: RequestTarget;
  secrets: ChannelSecrets;
  settings: DeliverySettings;
}

/** Time that a lease outlives the request timeout, so that no other worker takes over a slow attempt. */
const leaseMarginMs = 30_000;

/**
 * Creates the message of a delivery, or returns the message stored at its first attempt.
 * @throws SecretBoxError, SandboxBusyError Both are retried later.
 */
export async function prepareMessage(
  { secretBox, sandbox, acknowledgeSigner, buttonSigner, baseUrl }: MessageTools,
  delivery: DueDelivery,
  digestEvents: readonly StoredEvent[],
  settings: DeliverySettings,
  notes: ReadonlyMap<number, AlertNotes>,
  incidentHost: string | null,
): Promise<PreparedMessage> {
  const { organizationId, organizationName, channelId, channel, bodySealed } = delivery;
  const secrets = unsealChannelSecrets(secretBox, organizationId, channelId, channel);
  const start = {
    delivery,
    maxAttempts: maxAttempts(settings.retryScheduleSeconds),
    leaseMs: settings.timeoutSeconds * 1_000 + leaseMarginMs,
  };
  const messageContext = {
    organizationId,
    organizationName,
    channelId,
    timezone: channel.timezone,
    baseUrl,
    acknowledgeSigner,
    notes,
    sentAt: delivery.seriesStartedAt,
  };
  const toData = (event: StoredEvent) => toEventData(event, messageContext);
  const getEvent = (): EventData =>
    delivery.event.eventType === 'digest'
      ? digestData(delivery, digestEvents.map(toData))
      : toData(delivery.event);
  const target = requestTarget(secrets, channel, delivery.event.eventType, getEvent);
  const context = bodyContext(organizationId, delivery.deliveryId);
  if (bodySealed !== null) {
    return {
      start: { ...start, body: null },
      body: secretBox.openText(bodySealed, context),
      target,
      secrets,
      settings,
    };
  }
  const event = getEvent();
  const buttons = createChatButtons(buttonSigner, event, {
    organizationId,
    channelId,
    eventAt: delivery.event.at,
    realm: chatRealm(channelId, channel.preset, secrets),
  });
  const templates = { ...channel, presetOptions: secrets.presetOptions, buttons, incidentHost };
  const rendered = await renderOnce(sandbox, organizationId, event, templates, settings.templates);
  const { body, usedTemplate, failure } = rendered;
  const sealed = secretBox.seal(body, context);
  // The positions of secrets are stored with the body, so that they stay masked even if the channel's secrets
  // change or the channel is deleted.
  const hidden = findSpansToMask(rendered, secrets.presetOptions);
  return {
    start: { ...start, body: { sealed, hidden, usedTemplate, hasFailed: failure !== null } },
    body,
    target,
    secrets,
    settings,
  };
}

/** Returns the secret context of a delivery body. */
export function bodyContext(organizationId: number, deliveryId: number): SecretContext {
  return { organizationId, table: 'notification_deliveries', rowId: deliveryId, column: 'body_sealed' };
}

/** Returns the secret context of an attempt's response. */
export function responseContext(organizationId: number, deliveryId: number, number: number): SecretContext {
  return {
    organizationId,
    table: 'delivery_attempts',
    rowId: `${deliveryId}/${number}`,
    column: 'response_body_sealed',
  };
}

/** Returns the current signing secret, and the previous one for 24 hours after a change. */
export function signingSecrets(secrets: ChannelSecrets, hasPrevious: boolean): string[] {
  const { signingSecret, previousSigningSecret } = secrets;
  return [signingSecret, hasPrevious ? previousSigningSecret : null].filter((secret) => secret !== null);
}

/** Sorts events by severity, the most severe first. Events of equal severity stay in chronological order. */
function mostSevereFirst(events: readonly SingleEventData[]): SingleEventData[] {
  const rank = (event: SingleEventData) =>
    'alert' in event ? alertSeverities.indexOf(event.alert.severity) : -1;
  return events.toSorted((a, b) => rank(b) - rank(a));
}

function digestData({ event, organizationName, channel }: DueDelivery, events: SingleEventData[]): EventData {
  const cause = digestCauses.find((each) => 'cause' in event.data && event.data.cause === each) ?? null;
  return {
    event: 'digest',
    event_id: event.eventId,
    sequence: null,
    timestamp: event.at.toISOString(),
    timezone: channel.timezone,
    idempotency_key: webhookId(event.eventId),
    acknowledge_url: null,
    is_acknowledged: false,
    actor: { name: null },
    organization: { name: organizationName },
    cause,
    events: cause === 'opened_together' ? mostSevereFirst(events) : events,
  };
}
