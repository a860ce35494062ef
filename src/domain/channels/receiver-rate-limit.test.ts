import { describe, expect, test } from 'vitest';
import { limitResetWaitMs, rateLimitOf } from './receiver-rate-limit.ts';

const now = new Date('2026-03-15T10:00:00Z');
const nowSeconds = now.getTime() / 1_000;

function check(
  { status = 429, headers = {}, json }: { status?: number; headers?: Record<string, string>; json?: unknown },
  expected: number | null | 'none',
) {
  const limit = rateLimitOf({ status, headers, json, now });
  expect(limit === null ? 'none' : limit.waitMs).toBe(expected);
}

describe('the wait that a receiver requests', () => {
  test('is read from Retry-After, in seconds or as a date', () => {
    check({ headers: { 'retry-after': '35' } }, 35_000);
    check({ headers: { 'retry-after': '0.35' } }, 350);
    check({ headers: { 'retry-after': 'Sun, 15 Mar 2026 10:00:13 GMT' } }, 13_000);
  });

  test('is read from rate limit headers, as a number of seconds, a Unix time, or a date', () => {
    check({ headers: { 'x-ratelimit-reset-after': '1.337' } }, 1_337);
    check({ headers: { 'ratelimit-reset': '7' } }, 7_000);
    check({ headers: { 'x-ratelimit-reset': String(nowSeconds + 20) } }, 20_000);
    check({ headers: { 'x-ratelimit-reset': String(nowSeconds + 20.5) } }, 20_500);
    check({ headers: { 'x-ratelimit-reset': String((nowSeconds + 20) * 1_000) } }, 20_000);
    check({ headers: { 'x-ratelimit-reset': '20' } }, 20_000);
    check({ headers: { 'x-ratelimit-reset': 'Sun, 15 Mar 2026 10:00:13 GMT' } }, 13_000);
  });

  test('is read from the body, as Telegram and Discord send it', () => {
    check({ json: { ok: false, parameters: { retry_after: 35 } } }, 35_000);
    check({ json: { message: 'You are being rate limited.', retry_after: 25.5, global: false } }, 25_500);
    check({ json: { retry_after: '5' } }, 5_000);
  });

  test('is the longest wait in the response, but at most an hour', () => {
    check({ headers: { 'retry-after': '2' }, json: { retry_after: 2.5 } }, 2_500);
    check({ headers: { 'retry-after': '3600' } }, 3_600_000);
    check({ headers: { 'retry-after': '86400' } }, 3_600_000);
    check({ json: { retry_after: 1e12 } }, 3_600_000);
  });

  test.each(['', '0', '-5', 'soon', '1e9', 'Sun, 15 Mar 2020 10:00:00 GMT'])(
    'is unknown for “%s”',
    (value) => {
      check({ headers: { 'retry-after': value } }, null);
      check({ headers: { 'x-ratelimit-reset': value } }, null);
      check({ json: { retry_after: value } }, null);
      check({ status: 503, headers: { 'retry-after': value } }, 'none');
    },
  );

  test.each([null, undefined, [], 'text', 5, { parameters: null }, { retry_after: {} }, { retry_after: -1 }])(
    'is unknown for the body %j',
    (json) => {
      check({ json }, null);
    },
  );
});

describe('a rejection', () => {
  test('with status 503 is a rate limit only if it requests a wait', () => {
    check({ status: 503 }, 'none');
    check({ status: 503, headers: { 'retry-after': '90' } }, 90_000);
    check({ status: 503, headers: { 'x-ratelimit-reset': String(nowSeconds + 20) } }, 'none');
  });

  test.each(['0.001', '1', '30'])(
    'with status 503 pauses the channel for at least a minute, even if it requests a wait of %s s',
    (wait) => {
      check({ status: 503, headers: { 'retry-after': wait } }, 60_000);
      check({ status: 503, json: { retry_after: wait } }, 60_000);
    },
  );

  test.each([400, 401, 403, 404, 410, 500, 502, 504])(
    'with status %i is a failure, even if it requests a wait',
    (status) => {
      check({ status, headers: { 'retry-after': '30' }, json: { retry_after: 30 } }, 'none');
    },
  );
});

describe('an accepted message', () => {
  const used = (headers: Record<string, string>) =>
    limitResetWaitMs({ status: 204, headers, json: undefined, now });

  test('pauses the channel if the response states that the limit is used up', () => {
    expect(used({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': '1.5' })).toBe(1_500);
    expect(used({ 'x-ratelimit-remaining': '3', 'x-ratelimit-reset-after': '1.5' })).toBeNull();
    expect(used({ 'x-ratelimit-remaining': '0' })).toBeNull();
  });

  test('doesn’t pause the channel if the limit resets in an hour', () => {
    expect(used({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': '3600' })).toBeNull();
  });
});
