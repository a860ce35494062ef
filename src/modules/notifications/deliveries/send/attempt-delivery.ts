import type { OutboundClient } from '../../../../platform/outbound/index.ts';
import type { DeliveryLease } from '../claim/pick-deliveries.ts';
import { webhookId } from '../plan/event-data.ts';
import { type PreparedMessage, signingSecrets } from '../render/prepare-message.ts';
import { secretValues, tokensIn } from '../secrets/secret-values.ts';
import type { AttemptResult } from '../settle/record-attempts.ts';
import { sendWebhook } from './send-webhook.ts';

export interface AttemptTools {
  outbound: OutboundClient;
  /** Of Pacekeeper, for `User-Agent`. */
  version: string;
  /** Ends the request when the server has to stop. */
  signal: AbortSignal;
}

/** Sends one message, and tells what came of it. Stores nothing. */
export async function attemptDelivery(
  { outbound, version, signal }: AttemptTools,
  { start, body, secrets, settings }: PreparedMessage,
  lease: DeliveryLease,
): Promise<AttemptResult> {
  const { delivery } = start;
  const answer = await sendWebhook(outbound, {
    url: secrets.url,
    headers: secrets.headers,
    webhookId: webhookId(delivery.event.eventId),
    body,
    at: lease.startedAt,
    signingSecrets: signingSecrets(secrets, delivery.channel.has_previous_secret),
    hidden: [...secretValues(secrets), ...tokensIn(body)],
    timeoutMs: settings.timeoutSeconds * 1_000,
    version,
    signal,
  }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return null;
  });
  const series = {
    attemptCount: delivery.seriesAttemptCount + 1,
    startedAt: delivery.seriesStartedAt,
    retryScheduleSeconds: settings.retryScheduleSeconds,
    timeoutSeconds: settings.timeoutSeconds,
  };
  return { delivery, lease, series, answer };
}
