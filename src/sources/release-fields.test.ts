import { describe, expect, test } from 'vitest';
import { checkGlob, createChartFilter } from './chart-filter.ts';
import { createPartCollector } from './collect-parts.ts';
import { readNextAllowedTime, readRetryTime } from './rate-limit-headers.ts';
import { readDate, readField, readNotes, readTag, readUrl } from './release-fields.ts';
import { authorizationHeader, isAllowedFor, type SourceCredential } from './source-credential.ts';
import { sourceFingerprint } from './source-fingerprint.ts';

describe('dates', () => {
  test.each<[unknown, string | null]>([
    ['2026-11-21T05:10:00Z', '2026-11-21T05:10:00.000Z'],
    ['2026-11-21T05:10:00.123456789+02:00', '2026-11-21T03:10:00.123Z'],
    ['2025-12-17T14:40:08.026000+00:00', '2025-12-17T14:40:08.026Z'],
    ['2026-11-21T05:10:00+0200', '2026-11-21T03:10:00.000Z'],
    ['2026-11-21 05:10:00 UTC', '2026-11-21T05:10:00.000Z'],
    ['2026-11-21 05:10', '2026-11-21T05:10:00.000Z'],
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
    [1795237800, '2026-11-21T05:10:00.000Z'],
    ['1795237800000', '2026-11-21T05:10:00.000Z'],
    ['0001-01-01T00:00:00Z', null],
    ['1969-12-31T23:59:59Z', null],
    ['1985-10-26T08:15:00.000Z', null],
    ['1994-12-31T23:59:59Z', null],
    ['1995-01-01T00:00:00Z', '1995-01-01T00:00:00.000Z'],
    [315532800, null],
    ['2026-13-01T00:00:00Z', null],
    ['2026-02-30T99:00:00Z', null],
    ['yesterday', null],
    ['2026', null],
    ['', null],
    [-1, null],
    [Number.NaN, null],
    [null, null],
    [{}, null],
    ['2'.repeat(100_000), null],
  ])('%j is read as the expected date or as null', (value, expected) =>
    expect(readDate(value)).toBe(expected),
  );
});

describe('URLs', () => {
  test.each<[unknown, string | null]>([
    ['https://example.com/a b', 'https://example.com/a%20b'],
    ['http://user:pw@example.com/x', 'http://example.com/x'],
    ['app-1.tgz', 'https://charts.example.com/r/app-1.tgz'],
    ['/top.tgz', 'https://charts.example.com/top.tgz'],
    ['//cdn.example.com/x', 'https://cdn.example.com/x'],
    ['javascript:alert(1)', null],
    ['data:text/html,x', null],
    ['oci://example.com/x', null],
    ['https://', null],
    [`https://example.com/${'x'.repeat(3_000)}`, null],
    [7, null],
    [null, null],
  ])('%j is read as the expected URL or as null', (value, expected) =>
    expect(readUrl(value, 'https://charts.example.com/r/index.yaml')).toBe(expected),
  );
});

describe('text fields', () => {
  test('notes are cut at 64 KiB of UTF-8 without splitting a character', () => {
    expect(readNotes('short')).toBe('short');
    expect(Buffer.byteLength(readNotes('é'.repeat(70_000)) ?? '')).toBe(65_536);
    const emoji = readNotes(`x${'😀'.repeat(20_000)}`) ?? '';
    expect(Buffer.byteLength(emoji)).toBe(65_533);
    expect(emoji.isWellFormed()).toBe(true);
    expect(emoji).not.toContain('\ufffd');
  });

  test('notes contain only characters that can be stored', () => {
    expect(readNotes('a\u0000b')).toBe('ab');
    expect(readNotes('a\ud800')).toBe('a\ufffd');
    expect([readNotes(''), readNotes('\u0000'), readNotes(5), readNotes(null)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  test('tags are a single line of 1 to 500 characters', () => {
    expect(readTag(' v1 ')).toBe('v1');
    expect(['', ' ', 'a\nb', 'a\u0000', '\ud800', 'x'.repeat(501), 5, null].map(readTag)).toEqual(
      Array(8).fill(null),
    );
  });

  test('readField reads only own properties', () => {
    expect(readField({ a: 1 }, 'a')).toBe(1);
    expect([readField({}, 'constructor'), readField(null, 'a'), readField('text', 'length')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('rate limit headers', () => {
  const now = new Date('2026-11-21T05:00:00Z');
  const inSeconds = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000);
  const epoch = now.getTime() / 1_000;

  test.each<[Record<string, string>, Date | null]>([
    [{ 'retry-after': '30' }, inSeconds(30)],
    [{ 'retry-after': '0' }, inSeconds(1)],
    [{ 'retry-after': 'Sat, 21 Nov 2026 05:02:00 GMT' }, inSeconds(120)],
    [{ 'retry-after': '99999999' }, inSeconds(3_600)],
    [{ 'retry-after': 'Sun, 22 Nov 2026 05:00:00 GMT' }, inSeconds(3_600)],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(epoch + 999_999) }, inSeconds(86_400)],
    [{ 'retry-after': String(epoch + 60) }, inSeconds(60)],
    [{ 'retry-after': 'soon' }, null],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(epoch + 90) }, inSeconds(90)],
    [{ 'x-ratelimit-remaining': '5', 'x-ratelimit-reset': String(epoch + 90) }, null],
    [{ 'ratelimit-remaining': '0', 'ratelimit-reset': '45' }, inSeconds(45)],
    [{ 'ratelimit-remaining': '0;w=21600' }, null],
    [{}, null],
  ])('%j set the expected retry time', (headers, expected) =>
    expect(readRetryTime(headers, now)).toEqual(expected),
  );

  test('points in time are compared with the clock of the host', () => {
    const headers = {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(epoch + 3_600 + 90),
      date: inSeconds(3_600).toUTCString(),
    };
    expect(readRetryTime(headers, now)).toEqual(inSeconds(90));
    expect(readNextAllowedTime(headers, now)).toEqual(inSeconds(90));
    expect(
      readNextAllowedTime({ 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': String(epoch) }, now),
    ).toBeNull();
  });
});

describe('credentials', () => {
  const pat = (hosts: string[]): SourceCredential => ({ type: 'https_pat', name: 'c', hosts, token: 't' });

  test.each<[string[], string, boolean]>([
    [['example.com'], 'https://example.com/x', true],
    [['example.com'], 'https://EXAMPLE.com:8443/x', true],
    [['example.com:8443'], 'https://example.com:8443/x', true],
    [['example.com:8443'], 'https://example.com/x', false],
    [['example.com:443'], 'https://example.com/x', true],
    [['example.com:443'], 'http://example.com/x', false],
    [['example.com'], 'https://sub.example.com/x', false],
    [['example.com'], 'https://example.com.evil.org/x', false],
    [['github.com'], 'https://api.github.com/x', true],
    [['api.github.com'], 'https://github.com/x', false],
    [['[::1]:3000'], 'http://[::1]:3000/', true],
    [['127.0.0.1'], 'https://0x7f.1/', true],
    [['*'], 'https://example.com/', false],
    [[], 'https://example.com/', false],
  ])('for the hosts %j can be sent to %s: %s', (hosts, url, expected) =>
    expect(isAllowedFor(pat(hosts), new URL(url))).toBe(expected),
  );

  test('are sent in the scheme of the platform', () => {
    const basic = `Basic ${Buffer.from('me:t').toString('base64')}`;
    expect(authorizationHeader(pat([]), 'bearer')).toBe('Bearer t');
    expect(authorizationHeader(pat([]), 'basic')).toBe('Bearer t');
    expect(authorizationHeader({ ...pat([]), username: 'me' } as SourceCredential, 'basic')).toBe(basic);
    expect(authorizationHeader({ ...pat([]), username: 'me' } as SourceCredential, 'bearer')).toBe(
      'Bearer t',
    );
    const registry = { type: 'registry_basic', name: 'r', hosts: [], username: 'me', password: 't' } as const;
    expect(authorizationHeader(registry, 'bearer')).toBe(basic);
    const key = { type: 'ssh_key', name: 'k', hosts: [], privateKey: '', knownHosts: '' } as const;
    expect(authorizationHeader(key, 'basic')).toBeNull();
  });
});

describe('chart filters', () => {
  test.each<[string[], string, boolean]>([
    [[], 'anything', true],
    [['app'], 'app', true],
    [['app'], 'apps', false],
    [['app*'], 'app', true],
    [['*'], '', true],
    [['a?c'], 'abc', true],
    [['a?c'], 'ac', false],
    [['*-operator'], 'redis-operator', true],
    [['a*b*c'], 'aXbXbc', true],
    [['a*b*c'], 'aXbXbd', false],
    [['x', 'y*'], 'yes', true],
    [['a.c'], 'abc', false],
  ])('%j match %s: %s', (globs, chart, expected) => expect(createChartFilter(globs)(chart)).toBe(expected));

  test('are matched in at most quadratic time', () => {
    expect(createChartFilter(['*a'.repeat(100)])(`${'a'.repeat(5_000)}b`)).toBe(false);
  });

  test('reject characters that would never match', () => {
    expect([checkGlob('app-*'), checkGlob('a?')]).toEqual([null, null]);
    expect(
      [checkGlob('[ab]'), checkGlob('{a,b}'), checkGlob('!a')].filter((problem) => problem === null),
    ).toEqual([]);
  });
});

test('a part is full at 1,000 items or 1 MiB, whichever comes first', () => {
  const check = (items: readonly unknown[], expected: number[]): void => {
    const parts = createPartCollector<unknown>();
    const full = items.flatMap((item) => {
      const part = parts.add(item);
      return part ? [part] : [];
    });
    expect([...full, parts.rest()].map(({ length }) => length)).toEqual(expected);
  };
  check([], [0]);
  check(Array(1_000).fill('x'), [1_000]);
  check(Array(2_001).fill('x'), [1_000, 1_000, 1]);
  check(Array(7).fill('x'.repeat(170 * 1024)), [6, 1]);
  // JSON escapes this character as six bytes, and each escaped byte counts.
  check(Array(3).fill('\u0001'.repeat(150_000)), [1, 1, 1]);
  check(['x'.repeat(2 * 1024 * 1024), 'y'], [1, 1]);
});

test('the fingerprint changes with each field that affects the result, and ignores the order of options', () => {
  const job = {
    sourceType: 'http_json',
    artifactName: 'https://e.com/v',
    sourceOptions: { version_path: '.a', date_path: '.b' },
    versionPattern: null,
    includePrereleases: true,
  } as const;
  const same = sourceFingerprint({ ...job, sourceOptions: { date_path: '.b', version_path: '.a' } });
  expect(same).toBe(sourceFingerprint(job));
  const others = [
    { ...job, sourceType: 'git_tags' as const },
    { ...job, artifactName: 'https://e.com/w' },
    { ...job, sourceOptions: { version_path: '.a' } },
    { ...job, versionPattern: '^v' },
    { ...job, includePrereleases: false },
  ].map(sourceFingerprint);
  expect(new Set([sourceFingerprint(job), ...others]).size).toBe(6);
});
