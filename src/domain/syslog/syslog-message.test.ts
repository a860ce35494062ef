import { expect, test } from 'vitest';
import {
  asciiJson,
  formatSyslogMessage,
  frameSyslogMessage,
  headerField,
  structuredData,
} from './syslog-message.ts';

test('a message has the format of RFC 5424, and its frame starts with the number of octets', () => {
  const message = formatSyslogMessage(
    { hostname: 'pacekeeper.example.com', software: 'Pacekeeper', version: '0.1.0' },
    { timestamp: '2026-11-21T05:10:00.000Z', messageId: 'rule.updated', body: { name: 'café\n' } },
  );
  expect(message).toBe(
    '<110>1 2026-11-21T05:10:00.000Z pacekeeper.example.com pacekeeper - rule.updated [origin software="Pacekeeper" swVersion="0.1.0"] {"name":"caf\\u00e9\\n"}',
  );
  expect(frameSyslogMessage(message)).toBe(`${Buffer.byteLength(message)} ${message}`);
});

test.each<[string, string, string]>([
  ['a quotation mark', 'a"b', 'a\\"b'],
  ['a backslash', 'a\\b', 'a\\\\b'],
  ['a bracket', 'a]b', 'a\\]b'],
  ['text that looks like the end of the element', '"] [x y="', '\\"\\] [x y=\\"'],
  ['a line break', 'a\r\nb', 'a??b'],
  ['NUL', 'a\0b', 'a?b'],
  ['non-ASCII characters', 'é😀', '???'],
])('a structured data value with %s is escaped', (_, value, expected) => {
  expect(structuredData('origin', { software: value })).toBe(`[origin software="${expected}"]`);
});

test.each<[string, string, string]>([
  ['an empty string', '', '-'],
  ['a space', 'a b', 'a_b'],
  ['a line break', 'a\nb', 'a_b'],
  ['NUL', 'a\0', 'a_'],
  ['non-ASCII characters', 'hé', 'h_'],
  ['a value that is too long', 'abcdefghij', 'abcdefgh'],
])('a header field is valid for this value: %s', (_, value, expected) => {
  expect(headerField(value, 8)).toBe(expected);
});

test.each<[string, string]>([
  ['line breaks', 'a\r\n\u2028\u2029b'],
  ['control characters', '\u0000\u0001\u001b[31m\u007f\u0085\u009f'],
  ['quotation marks and brackets', '"] \\ <110>1'],
  ['non-Latin text and emoji', 'é漢字😀'],
  ['an unpaired surrogate', '\ud800'],
  ['a byte order mark', '\ufeff{}'],
])('JSON with %s becomes printable ASCII and parses to the same value', (_, text) => {
  const json = asciiJson({ text });
  expect(json).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(json)).toEqual({ text });
});
