import { toFormBody } from '../../../../domain/channels/form-body.ts';
import {
  type ExpandedAddress,
  expandClosingUrl,
  expandUrl,
} from '../../../../domain/channels/request-address.ts';
import type { ClosingMethod, RequestFormat } from '../../../../domain/channels/request-format.ts';
import type { EventData, EventType } from '../../../../domain/routing/notification-event.ts';
import { type PresetId, presetContentType } from '../../../../domain/templates/presets.ts';
import type { ChannelSecrets } from '../secrets/channel-secrets.ts';

/** URL and method of a request, before the body is added. */
export interface RequestTarget {
  method: ClosingMethod;
  address: ExpandedAddress;
}

/** Returns where a channel sends an event. Resolved alerts go to the closing path, if the channel has one. */
export function requestTarget(
  { url, closingPath }: Pick<ChannelSecrets, 'url' | 'closingPath'>,
  form: RequestFormat,
  eventType: EventType,
  getEvent: () => EventData,
): RequestTarget {
  if (closingPath !== null && eventType === 'alert.resolved')
    return { method: form.closing_method, address: expandClosingUrl(url, closingPath, getEvent()) };
  const address: ExpandedAddress = url.includes('{{') ? expandUrl(url, getEvent()) : { ok: true, url };
  return { method: form.request_method, address };
}

/**
 * Encodes a rendered message for a request. A DELETE request has no body, because many servers reject one.
 */
export function encodeBody(
  { body_format, preset }: RequestFormat & { preset: PresetId },
  method: ClosingMethod,
  message: string,
) {
  const isForm = body_format === 'form';
  return {
    contentType: isForm ? 'application/x-www-form-urlencoded' : presetContentType(preset),
    body: method === 'DELETE' ? '' : isForm ? toFormBody(message) : message,
  };
}
