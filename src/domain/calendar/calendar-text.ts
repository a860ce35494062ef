/** An event in a calendar of RFC 5545, without duration or for a whole day. */
export interface CalendarEvent {
  /** Globally unique, and the same as long as it is the same event. */
  readonly uid: string;
  readonly atMs: number;
  /** For the day (UTC) of `atMs`. */
  readonly isAllDay?: boolean;
  readonly summary: string;
  readonly description: string;
  readonly category: string;
  readonly url: string;
}

/** A calendar as clients subscribe to it. @param stampedAtMs when the events were read */
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

/** A calendar has to have at least one component. */
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

/** `20260330T101200Z`; calendars have whole seconds. */
function toTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** A value of type TEXT. Line breaks of any kind become `\n`; no other control character is allowed. */
function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r\n|[\n\r\u0085\u2028\u2029]/g, String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, ' ');
}

const maxOctets = 75;

/** Lines have at most 75 octets; a longer one goes on after a space. Characters aren't split. */
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

/** In UTF-8. */
function octetsOf(character: string): number {
  const code = character.codePointAt(0)!;
  return code < 0x80 ? 1 : code < 0x8_00 ? 2 : code < 0x1_00_00 ? 3 : 4;
}
