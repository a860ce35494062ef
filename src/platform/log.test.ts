import { expect, test } from 'vitest';
import { createLog, type Log } from './log.ts';

/** Returns the output of the log as text. */
function written(
  write: (log: Log) => void,
  options: { format?: 'json' | 'pretty'; level?: string } = {},
): string {
  const lines: string[] = [];
  write(
    createLog({
      level: options.level ?? 'info',
      format: options.format ?? 'json',
      destination: { write: (line: string) => void lines.push(line) },
    }),
  );
  return lines.join('');
}

test('a line is JSON with the name of its level and its time in UTC', () => {
  const line = JSON.parse(
    written((log) => log.child({ part: 'deliveries' }).info({ count: 3 }, 'sent')),
  ) as object;
  expect(line).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
    part: 'deliveries',
    count: 3,
    msg: 'sent',
  });
});

test('lines below the level are not written', () => {
  expect(written((log) => log.info('quiet'), { level: 'warn' })).toBe('');
});

test('the pretty format is readable and not JSON', () => {
  const text = written((log) => log.info({ count: 3 }, 'sent'), { format: 'pretty' });
  expect(text).toContain('sent');
  expect(text).not.toContain('{"');
});

test('the default format is pretty on a terminal and JSON otherwise', () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  for (const isTerminal of [true, false])
    createLog({ level: 'info', format: null, destination, isTerminal }).info('sent');
  expect(lines.map((line) => line.startsWith('{'))).toEqual([false, true]);
});

test.each<[string, object]>([
  ['at the top level', { password: 'hunter2' }],
  ['in a request', { req: { headers: { authorization: 'Bearer hunter2', 'x-api-key': 'hunter2' } } }],
  [
    'under a name in any letter case',
    { req: { headers: { Authorization: 'hunter2', 'Set-Cookie': ['hunter2'] } } },
  ],
  [
    'in a cookie',
    { res: { headers: { 'set-cookie': ['hunter2'] } }, req: { headers: { cookie: 'hunter2' } } },
  ],
  ['in a list', { channels: [{ signing_secret: 'hunter2' }, { secret: 'hunter2' }] }],
  ['deep in an object', { a: { b: { c: { d: { token: 'hunter2' } } } } }],
  ['in an object', { key: { type: 'hmac', value: 'hunter2' } }],
  ['below the depth limit', { a: { b: { c: { d: { e: { f: { g: { h: { token: 'hunter2' } } } } } } } } }],
  ['in an error', { err: Object.assign(new Error('refused'), { headers: { authorization: 'hunter2' } }) }],
])('a secret %s is redacted in a log line and in a child logger', (_, fields) => {
  const line = written((log) => log.error(fields, 'failed'));
  const childLine = written((log) => log.child(fields).error('failed'));
  for (const text of [line, childLine]) {
    expect(text).toContain('failed');
    expect(text).not.toContain('hunter2');
  }
});

test('redaction leaves the logged object unchanged', () => {
  const fields = { req: { headers: { cookie: 'session=1' } } };
  written((log) => log.info(fields, 'seen'));
  expect(fields.req.headers.cookie).toBe('session=1');
});
