import type { EventData, NotificationTemplateCategory } from '../routing/notification-event.ts';
import { outputLimitBytes } from './render-budget.ts';
import { utf8Length } from './utf8-length.ts';

/**
 * Default template of every category: an envelope around all variables of the event. Users can start a custom
 * template from it.
 */
const envelope = `{
  "type": {{ event | json }},
  "timestamp": {{ timestamp | json }},
  "data": {
    "event": {{ event | json }},
    "event_id": {{ event_id | json }},
    "sequence": {{ sequence | json }},
    "timestamp": {{ timestamp | json }},
    "timezone": {{ timezone | json }},
    "idempotency_key": {{ idempotency_key | json }},
    "alert": {{ alert | json }},
    "acknowledge_url": {{ acknowledge_url | json }},
    "is_acknowledged": {{ is_acknowledged | json }},
    "actor": {{ actor | json }},
    "organization": {{ organization | json }}
  }
}
`;

/** Templates that apply if no custom template is set. */
export const defaultTemplates: Readonly<Record<NotificationTemplateCategory, string>> = {
  new_alert: envelope,
  acknowledged: envelope,
  resolved: envelope,
};

/**
 * Renders the output of the default templates without a template engine, for every event type. This can't
 * fail, so a message is never lost because of an invalid template. In a digest, each event looks the same as
 * in a separate message. Events beyond 64 KiB are omitted, and `omitted_events` contains their number.
 */
export function renderDefaultBody(event: EventData): string {
  if (event.event !== 'digest') return toBody(asMessage(event));
  const whole = toBody(digestMessage(event, event.events.length));
  if (utf8Length(whole) <= outputLimitBytes) return whole;
  let fits = 0;
  let tooMany = event.events.length;
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (utf8Length(toBody(digestMessage(event, middle))) <= outputLimitBytes) fits = middle;
    else tooMany = middle;
  }
  return toBody(digestMessage(event, fits));
}

function asMessage<Event extends EventData>(event: Event) {
  return { type: event.event, timestamp: event.timestamp, data: event };
}

function digestMessage(digest: Extract<EventData, { event: 'digest' }>, count: number) {
  const omitted = digest.events.length - count;
  const { type, timestamp, data } = asMessage(digest);
  const events = digest.events.slice(0, count).map(asMessage);
  return { type, timestamp, data: { ...data, events, ...(omitted > 0 ? { omitted_events: omitted } : {}) } };
}

function toBody(message: object): string {
  return JSON.stringify(message);
}
