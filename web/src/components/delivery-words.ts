import type { Schemas } from '../../../src/generated/client-api.ts';

type ErrorCode = Schemas['DeliveryErrorCode'];

/** Why an attempt, a delivery or a channel ended as it did: what happened, and what to do about it. */
const errorWords: Record<ErrorCode, readonly [happened: string, remedy: string]> = {
  http_status: ['The target answered with a status that is no success.', 'Look at what it answered.'],
  redirect: ['The target answered with a redirect, which is never followed.', 'Use the final address.'],
  gone: ['The target answered 410: it wants no more.', 'Correct the address and turn the channel on again.'],
  timeout: ['The target did not answer in time.', 'It should answer first and work later.'],
  connection_failed: ['The target could not be reached.', 'Check that it runs and listens.'],
  name_not_found: ['The name of the target could not be resolved.', 'Check the host name.'],
  tls_failed: ['The encrypted connection failed.', 'Check the certificate of the target.'],
  invalid_response: ['The target answered with something that is no HTTP.', 'Check the address and port.'],
  target_not_allowed: [
    'The address may not be reached.',
    'An operator can allow a private range with PACEKEEPER_EGRESS_ALLOW.',
  ],
  expired: ['It was not delivered within the time of the schedule.', 'Retry it when the target is well.'],
  template_failed: [
    'The template failed, so the default message was sent instead.',
    'Correct the template; its preview shows where it fails.',
  ],
  worker_lost: [
    'The server stopped while it sent this.',
    'Nothing to do: it is sent again under the same id.',
  ],
  channel_inactive: ['The channel is turned off.', 'Turn it on and retry the delivery.'],
  channel_deleted: ['The channel was deleted.', 'Choose another channel in the notification rule.'],
  alert_deleted: ['The alert was deleted.', 'Nothing to do.'],
  no_channel: [
    'No notification rule matched and there is no default channel.',
    'Set a default channel or make a notification rule.',
  ],
  snoozed: ['The alert is snoozed.', 'Unsnooze it to hear of it again.'],
};

/** What happened, in a sentence. */
export function deliveryErrorInWords(code: ErrorCode): string {
  return errorWords[code][0];
}

/** What to do about it, in a sentence. */
export function deliveryRemedy(code: ErrorCode): string {
  return errorWords[code][1];
}
