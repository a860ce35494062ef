import type { EventData } from '../routing/notification-event.ts';

/**
 * Returns the data of an event for templates. Missing labels are `null`, so that one template works for alerts with
 * different labels. Any other missing variable is an error.
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

/**
 * True if `key` is a label that the alert doesn't have. `size` isn't treated as a label, because Liquid defines it for
 * maps.
 */
function isMissingLabel(labels: object, key: PropertyKey): boolean {
  return typeof key === 'string' && key !== 'size' && !Object.hasOwn(labels, key);
}
