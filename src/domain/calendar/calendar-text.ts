import { withoutTrailing } from '../text/trailing.ts';

/** Calendar event of RFC 5545, without a duration or for a whole day. */
export interface CalendarEvent {
  /** Globally unique identifier that stays the same for the same event. */
  readonly uid: string;
  readonly atMs: number;
  /** True if the event lasts for the whole UTC day of `atMs`. */
  readonly isAllDay?: boolean;
  readonly summary: string;
  readonly description: string;
  readonly category: string;
  readonly url: string;
}

/**
 * Returns the part after `@` in the UIDs of an installation: its host and its base path. Several
 * installations can share a host.
 */
export function uidDomain(baseUrl: string): string {
  const { hostname, pathname } = new URL(baseUrl);
  return hostname + withoutTrailing(pathname, '/');
}

/**
 * Formats a calendar for clients that subscribe to it.
 *
 * @param stampedAtMs Time at which the events were read.
 */
export function calendarText(name: string, events: readonly CalendarEvent[], stampedAtMs: number): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Pacekeeper//Forecast//EN',
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${escapeText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...(events.length === 0 ? timeZone : events.flatMap((event) => eventLines(event, stampedAtMs))),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join('');
}

function eventLines(event: CalendarEvent, stampedAtMs: number): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${escapeText(event.uid)}`,
    `DTSTAMP:${toTime(stampedAtMs)}`,
    event.isAllDay ? `DTSTART;VALUE=DATE:${toTime(event.atMs).slice(0, 8)}` : `DTSTART:${toTime(event.atMs)}`,
    `SUMMARY:${escapeText(event.summary)}`,
    `DESCRIPTION:${escapeText(event.description)}`,
    `CATEGORIES:${escapeText(event.category)}`,
    `URL:${event.url}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/** Component for a calendar without events, because a calendar must contain at least one component. */
const timeZone = [
  'BEGIN:VTIMEZONE',
  'TZID:UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
];

/** Formats a time as `20260330T101200Z`. Calendars use whole seconds. */
function toTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/**
 * Escapes a value of type TEXT. Line breaks of any kind become `\n`, and other control characters become
 * spaces because they aren't allowed.
 */
function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r\n|[\n\r\u0085\u2028\u2029]/g, String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, ' ');
}

const maxOctets = 75;

/** Folds a line after at most 75 octets. Continuation lines start with a space. Characters aren't split. */
function foldLine(line: string): string {
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const size = octetsOf(character);
    if (octets + size > maxOctets) {
      folded += '\r\n ';
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded;
}

/** Returns the length of a character in UTF-8. */
function octetsOf(character: string): number {
  const code = character.codePointAt(0)!;
  return code < 0x80 ? 1 : code < 0x8_00 ? 2 : code < 0x1_00_00 ? 3 : 4;
}
