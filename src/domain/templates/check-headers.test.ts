import { expect, test } from 'vitest';
import { checkHeaders } from './check-headers.ts';

function check(headers: Record<string, unknown>, wrong: (string | null)[]) {
  expect(checkHeaders(headers).map(({ name }) => name)).toEqual(wrong);
}

test.each<[string, Record<string, unknown>]>([
  ['no headers', {}],
  ['a token', { Authorization: 'Bearer abc.def' }],
  ['a name with every allowed character', { "a!#$%&'*+-.^_`|~1": 'x' }],
  ['spaces inside a value', { 'X-A': 'a  b' }],
  ['a value of 4 KiB', { 'X-A': 'a'.repeat(4_096) }],
  ['twenty headers', Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`X-${index}`, 'a']))],
  [
    'names that only resemble forbidden ones',
    { 'X-Host': 'a', Hostess: 'a', 'X-Webhook-Id': 'a', Contented: 'a' },
  ],
])('headers are accepted: %s', (_name, headers) => check(headers, []));

test.each<[string, unknown]>([
  ['', 'a'],
  ['a b', 'a'],
  ['a:', 'a'],
  ['ä', 'a'],
  ['a\r\nb', 'a'],
  ['x'.repeat(201), 'a'],
  ...[
    'Host',
    'HOST',
    'Cookie',
    'Content-Type',
    'Content-Length',
    'content-encoding',
    'Transfer-Encoding',
    'Connection',
    'Keep-Alive',
  ].map((name): [string, string] => [name, 'a']),
  ...[
    'TE',
    'Trailer',
    'Upgrade',
    'Expect',
    'Proxy-Authorization',
    'Proxy-Connection',
    'Webhook-Id',
    'webhook-signature',
  ].map((name): [string, string] => [name, 'a']),
  ['X-A', ''],
  ['X-A', ' a'],
  ['X-A', 'a '],
  ['X-A', 'a\r\nX-B: c'],
  ['X-A', 'a\tb'],
  ['X-A', 'a\u0000'],
  ['X-A', 'ä'],
  ['X-A', 'a'.repeat(4_097)],
  ['X-A', 1],
  ['X-A', null],
])('the header %j: %j is rejected', (name, value) => check({ [name]: value }, [name]));

test('two header names that differ only in case are rejected', () =>
  check({ 'X-A': 'a', 'x-a': 'b' }, ['x-a']));

test('more than 20 headers are rejected', () => {
  check(Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`X-${index}`, 'a'])), [null]);
});

test('an error never contains the header value', () => {
  expect(JSON.stringify(checkHeaders({ 'X-A': 's3cret\n', Host: 's3cret' }))).not.toContain('s3cret');
});
