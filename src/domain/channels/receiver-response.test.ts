import { expect, test } from 'vitest';
import { checkSuccessCondition, findOkRejection, rejection } from './receiver-response.ts';

test.each(['ratelimited', 'rate_limited', 'Microsoft Teams endpoint returned HTTP error 429 with ContextId'])(
  'the text “%s” without a code is a rate limit',
  (text) => {
    expect(rejection(text).isRateLimit).toBe(true);
    expect(findOkRejection({ ok: false, error: text }, ['error'])?.isRateLimit).toBe(true);
    const answer = { text, json: { error: text } };
    expect(checkSuccessCondition({ path: 'ok', equals: true }, answer)?.isRateLimit).toBe(true);
  },
);

test.each([
  'The alert 429 has no channel',
  'invalid blocks: "rate limit exceeded" in the title',
  'Too many requests failed on api-gateway',
  'HTTP error 400: the name is ratelimited',
])('the text "%s" mentions a rate limit but does not report one', (text) => {
  expect(rejection(text)).toEqual({ message: text, isRateLimit: false });
  expect(findOkRejection({ ok: false, error: text }, ['error'])?.isRateLimit).toBe(false);
});

test('an error code determines whether a rejection is a rate limit, regardless of the text', () => {
  expect(rejection('HTTP error 429', 400).isRateLimit).toBe(false);
  expect(rejection('Bad Request', 429).isRateLimit).toBe(true);
  const answer = { text: '', json: { errcode: 40001, errmsg: 'ratelimited' } };
  expect(checkSuccessCondition({ path: 'errcode', equals: 0 }, answer)?.isRateLimit).toBe(false);
  expect(
    checkSuccessCondition({ path: 'errcode', equals: 0 }, { text: '', json: { errcode: 130101 } })
      ?.isRateLimit,
  ).toBe(true);
});
