import { type DeliveryErrorCode, deliveryCodes } from '../../../src/domain/channels/delivery-codes.ts';
import type { Schemas } from '../../../src/generated/client-api.ts';

/** Returns the cause of a failure as a sentence. */
export function formatDeliveryError(code: DeliveryErrorCode): string {
  return deliveryCodes[code][0];
}

/** Returns the remedy for a failure as a sentence. */
export function deliveryRemedy(code: DeliveryErrorCode): string {
  return deliveryCodes[code][1];
}

const waitLabels: Record<Schemas['DeliveryWait'], string> = {
  channel: 'Waiting for its channel to be enabled',
  sending_hours: 'Waiting for the sending hours of its channel',
  email_limit: 'Waiting because the organization reached its hourly email limit',
  rate_limit: "Waiting because of the receiver's rate limit",
  evaluation: 'Waiting until all affected monitors have been evaluated',
};

/** Returns the reason why a delivery has no next attempt yet. */
export function formatWait(wait: Schemas['DeliveryWait']): string {
  return waitLabels[wait];
}
