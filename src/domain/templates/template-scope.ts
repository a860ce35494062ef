import type { EventData } from '../routing/notification-event.ts';

/**
 * The data of an event as a template sees it. A label that an alert does not have reads as `null`:
 * one template serves alerts with other labels. Everything else that does not exist stays an error.
 */
export function templateScope(event: EventData): object {
  if (event.event === 'digest') return { ...event, events: event.events.map(templateScope) };
  if (!('alert' in event)) return { ...event };
  return { ...event, alert: { ...event.alert, labels: anyLabel(event.alert.labels) } };
}

function anyLabel(labels: Readonly<Record<string, string>>): object {
  const own: Record<PropertyKey, string | null> = Object.assign(Object.create(null), labels);
  return new Proxy(own, {
    get: (target, key) => (isMissingLabel(target, key) ? null : target[key]),
    getOwnPropertyDescriptor(target, key) {
      if (!isMissingLabel(target, key)) return Object.getOwnPropertyDescriptor(target, key);
      return { value: null, writable: true, enumerable: false, configurable: true };
    },
  });
}

/** `size` of a map is Liquid's own. */
function isMissingLabel(labels: object, key: PropertyKey): boolean {
  return typeof key === 'string' && key !== 'size' && !Object.hasOwn(labels, key);
}
