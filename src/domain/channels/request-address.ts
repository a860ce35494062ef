import type { EventData } from '../routing/notification-event.ts';
import { nearestName } from '../text/nearest-name.ts';

/**
 * Variables that a URL can contain. Every event has these variables, and they're never empty. An empty value
 * could result in the same URL for two events, or in the URL of a whole collection.
 */
const variablesOfAllEvents = [
  'event',
  'event_id',
  'idempotency_key',
  'timestamp',
  'organization.name',
] as const;
/**
 * Additional variables that the closing path can contain. Only `alert.resolved` events are sent to it, and
 * they always have an alert.
 */
const variablesOfAlerts = [
  'alert.id',
  'alert.config_name',
  'alert.rule_name',
  'alert.rule_type',
  'alert.severity',
  'alert.artifact_name',
] as const;

export type AddressPart = 'url' | 'closing_path';

const namesOf: Readonly<Record<AddressPart, readonly string[]>> = {
  url: variablesOfAllEvents,
  closing_path: [...variablesOfAllEvents, ...variablesOfAlerts],
};

/** Maximum length of a URL after variables are replaced. Longer URLs are rejected by many servers. */
const maxLength = 8_192;
const placeholder = /\{\{([^{}]*)\}\}/g;
/** Scheme and host of a URL, and the character after them. */
const originPrefix = /^https?:\/\/[^/?#{}]+[/?#]/i;

/** Replaces each variable with a letter, so that the rest can be checked like a URL without variables. */
export function withoutVariables(address: string): string {
  return address.replace(placeholder, 'x');
}

/** Returns why the variables of a URL or path aren't allowed, as a sentence without its subject, or `null`. */
export function findVariableIssue(part: AddressPart, address: string): string | null {
  const rest = withoutVariables(address);
  if (/\{\{|\}\}|\{%|%\}/.test(rest))
    return 'can contain variables, such as {{ event_id }}, but no tags. Write each variable in {{ and }}';
  const names = Array.from(address.matchAll(placeholder), ([, name]) => (name ?? '').trim());
  if (names.length === 0) return null;
  if (part === 'url' && !originPrefix.test(address.slice(0, address.indexOf('{{'))))
    return 'can contain variables only after the host, because the host must be the same for all messages';
  for (const name of names) {
    const issue = findNameIssue(part, name);
    if (issue !== null) return issue;
  }
  return null;
}

function findNameIssue(part: AddressPart, name: string): string | null {
  const allowed = namesOf[part];
  if (allowed.includes(name)) return null;
  if (name.includes('|'))
    return `can't contain the filter in {{ ${name} }}. Values are percent-encoded automatically, so use only the variable`;
  const list = allowed.map((each) => `{{ ${each} }}`).join(', ');
  if (namesOf.closing_path.includes(name))
    return `can't contain {{ ${name} }}, because events other than alerts don't have it. Use one of: ${list}`;
  const nearest = nearestName(name, allowed);
  const hint = nearest === null ? `Use one of: ${list}` : `Did you mean {{ ${nearest} }}?`;
  return `can't contain {{ ${name} }}. ${hint}`;
}

/**
 * Returns the reason why a closing path isn't valid, as a sentence without its subject, or `null`. A path to
 * another host isn't valid, because that host would receive the channel's headers.
 */
export function findClosingPathIssue(path: string): string | null {
  const issue = findVariableIssue('closing_path', path);
  if (issue !== null) return issue;
  const plain = withoutVariables(path);
  if (/[\s\p{Cc}\\#]/u.test(plain)) return 'must not contain spaces, backslashes, or #';
  const isOnHost = /^\/(?!\/)/.test(plain) && URL.parse(plain, probeOrigin)?.origin === probeOrigin;
  return isOnHost
    ? null
    : 'must be a path that starts with one slash, such as /v2/alerts/{{ alert.id }}/close';
}

const probeOrigin = 'https://receiver.example';

export type ExpandedAddress = { ok: true; url: string } | { ok: false; message: string };

/** Replaces the variables of a URL with the values of an event, percent-encoded. */
export function expandUrl(url: string, event: EventData): ExpandedAddress {
  if (!url.includes('{{')) return { ok: true, url };
  const missing = new Set<string>();
  const expanded = url.replace(placeholder, (_, name: string) => {
    const value = valueOf(event, name.trim());
    if (value === '') missing.add(name.trim());
    return encodeValue(value);
  });
  const [first] = missing;
  if (first !== undefined) return { ok: false, message: `{{ ${first} }} has no value for this event.` };
  if (expanded.length > maxLength)
    return {
      ok: false,
      message: `The URL exceeds ${maxLength} characters after its variables are replaced.`,
    };
  return { ok: true, url: expanded };
}

/**
 * Returns the URL that closes the receiver's item for an alert: the closing path on the host of the channel's
 * URL.
 */
export function expandClosingUrl(url: string, path: string, event: EventData): ExpandedAddress {
  const expanded = expandUrl(path, event);
  return expanded.ok ? { ok: true, url: new URL(url).origin + expanded.url } : expanded;
}

function valueOf(event: EventData, name: string): string {
  let value: unknown = event;
  for (const member of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return '';
    value = value[member as keyof typeof value];
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/**
 * Encodes a value for a path or a query. In a path, `..` would remove the segment before it, even
 * percent-encoded, so the dots of a value that consists only of dots are replaced.
 */
function encodeValue(value: string): string {
  if (/^\.+$/.test(value)) return '_'.repeat(value.length);
  return encodeURIComponent(value.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
