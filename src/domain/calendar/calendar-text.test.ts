import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readCalendar } from '../../../tests/helpers/read-calendar.ts';
import { type CalendarEvent, calendarText, uidDomain } from './calendar-text.ts';

const stampedAtMs = Date.parse('2026-03-15T09:30:00.123Z');
const event: CalendarEvent = {
  uid: 'alert-config-31-high@pacekeeper.example.com',
  atMs: Date.parse('2026-03-30T10:12:00.999Z'),
  summary: 'Traefik: high',
  description: 'v3.1.2 is deployed.',
  category: 'high',
  url: 'https://pacekeeper.example.com/alert-configs/31',
};

it('a calendar has the format of RFC 5545', () => {
  expect(calendarText('Forecast', [event], stampedAtMs)).toBe(
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Pacekeeper//Forecast//EN',
      'CALSCALE:GREGORIAN',
      'X-WR-CALNAME:Forecast',
      'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
      'X-PUBLISHED-TTL:PT1H',
      'BEGIN:VEVENT',
      'UID:alert-config-31-high@pacekeeper.example.com',
      'DTSTAMP:20260315T093000Z',
      'DTSTART:20260330T101200Z',
      'SUMMARY:Traefik: high',
      'DESCRIPTION:v3.1.2 is deployed.',
      'CATEGORIES:high',
      'URL:https://pacekeeper.example.com/alert-configs/31',
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n'),
  );
});

it('a calendar without events contains one component', () => {
  expect(readCalendar(calendarText('Forecast', [], stampedAtMs))).toMatchObject({
    components: [{ name: 'VTIMEZONE' }],
  });
});

it('a strict parser finds the exact name and description of any event, and no other content', () => {
  const unit = fc.oneof(
    fc.constantFrom('\r\n', '\n', '\r', '\\', '\\n', ';', ',', ':', '"', ' ', '\u2028', '\u0000', '\t'),
    fc.constantFrom('END:VEVENT', 'BEGIN:VALARM', 'ATTACH:https://evil.example', '🦑', '日本', 'é', '\uD800'),
    fc.string(),
  );
  const text = fc.array(unit, { maxLength: 60 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, (summary, description) => {
      const calendar = calendarText('Forecast', [{ ...event, summary, description }], stampedAtMs);
      const { components } = readCalendar(calendar);
      expect(components).toHaveLength(1);
      expect(components[0]!.components).toEqual([]);
      expect([...components[0]!.properties.keys()]).toEqual(
        'UID DTSTAMP DTSTART SUMMARY DESCRIPTION CATEGORIES URL TRANSP'.split(' '),
      );
      expect(components[0]!.properties.get('SUMMARY')).toBe(plain(summary));
      expect(components[0]!.properties.get('DESCRIPTION')).toBe(plain(description));
    }),
    { numRuns: 500 },
  );
});

function plain(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n|[\n\r\u0085\u2028\u2029]/g, '\n')
    .replaceAll(/[^\P{Cc}\n]/gu, ' ');
}

it('installations under different base paths of a host have different UIDs', () => {
  expect(uidDomain('https://acme.example:8443')).toBe('acme.example');
  expect(uidDomain('https://acme.example/')).toBe('acme.example');
  expect(uidDomain('https://acme.example/a')).toBe('acme.example/a');
  expect(uidDomain('https://acme.example/b')).toBe('acme.example/b');
});
