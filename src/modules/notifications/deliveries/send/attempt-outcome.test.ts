import { describe, expect, test } from 'vitest';
import type { DeliveryErrorCode } from '../../../../domain/channels/delivery-codes.ts';
import type { RateLimit } from '../../../../domain/channels/receiver-rate-limit.ts';
import { attemptOutcome } from './attempt-outcome.ts';

const now = new Date('2026-03-15T10:00:00Z');
const schedule = [10, 30, 60];
const dueAt = new Date('2026-03-15T09:59:55Z');

interface Case {
  code: DeliveryErrorCode | null;
  attemptCount?: number;
  retryAfter?: string;
  ageSeconds?: number;
  hasReached?: boolean;
  rateLimit?: RateLimit;
  rateLimitWaitMs?: number;
}

function check(
  {
    code,
    attemptCount = 1,
    retryAfter,
    ageSeconds = 0,
    hasReached = false,
    rateLimit,
    rateLimitWaitMs = 0,
  }: Case,
  expected: string,
) {
  const outcome = attemptOutcome(
    {
      error: code === null ? null : { code, message: '' },
      retryAfter: retryAfter ?? null,
      hasReached,
      rateLimit: rateLimit ?? null,
    },
    {
      attemptCount,
      startedAt: new Date(now.getTime() - ageSeconds * 1_000),
      retryScheduleSeconds: schedule,
      timeoutSeconds: 15,
      rateLimitWaitMs,
      dueAt,
    },
    now,
    0.5,
  );
  const shown =
    outcome.status === 'failed'
      ? `failed, again in ${(outcome.nextAttemptAt.getTime() - now.getTime()) / 1_000} s`
      : outcome.status === 'dead_letter'
        ? `dead_letter: ${outcome.reason}`
        : [outcome.status, outcome.reason].filter(Boolean).join(': ');
  expect(shown).toBe(expected);
}

describe('the state of a delivery after an attempt', () => {
  test('success is final regardless of earlier attempts', () => {
    check({ code: null }, 'succeeded');
    check({ code: null, attemptCount: 4, ageSeconds: 1e6 }, 'succeeded');
  });

  test('a temporary failure is retried on schedule, then becomes a dead letter', () => {
    check({ code: 'http_status' }, 'failed, again in 10 s');
    check({ code: 'timeout', attemptCount: 2 }, 'failed, again in 30 s');
    check({ code: 'connection_failed', attemptCount: 3 }, 'failed, again in 60 s');
    check({ code: 'redirect' }, 'failed, again in 10 s');
    check({ code: 'http_status', attemptCount: 4 }, 'dead_letter: http_status');
  });

  test('a receiver that returns 410 or is not allowed makes the delivery a dead letter immediately', () => {
    check({ code: 'gone' }, 'dead_letter: gone');
    check({ code: 'target_not_allowed' }, 'dead_letter: target_not_allowed');
  });

  test('a deferred email is retried, and a rejected email is not', () => {
    check({ code: 'mail_deferred' }, 'failed, again in 10 s');
    check({ code: 'mail_login_failed' }, 'failed, again in 10 s');
    check({ code: 'email_unavailable' }, 'failed, again in 10 s');
    check({ code: 'mail_rejected' }, 'dead_letter: mail_rejected');
    check({ code: 'recipients_not_allowed' }, 'dead_letter: recipients_not_allowed');
  });

  test('an email that reached a recipient never becomes a dead letter', () => {
    const hasReached = true;
    check({ code: 'mail_deferred', hasReached, attemptCount: 2 }, 'failed, again in 30 s');
    check({ code: 'mail_deferred', hasReached, attemptCount: 4 }, 'succeeded: recipients_skipped');
    check({ code: 'mail_rejected', hasReached }, 'succeeded: recipients_skipped');
    check({ code: 'recipients_skipped', hasReached }, 'succeeded: recipients_skipped');
    check({ code: 'timeout', hasReached, ageSeconds: 1_000 }, 'succeeded: recipients_skipped');
  });

  test('a delivery that is older than its retry schedule expires even if attempts remain', () => {
    check({ code: 'http_status', ageSeconds: 100 }, 'failed, again in 10 s');
    check({ code: 'http_status', ageSeconds: 1_000 }, 'dead_letter: expired');
  });

  test('a rejection because of a rate limit uses no attempt and keeps the position of the delivery in its channel', () => {
    const rateLimit = { waitMs: 30_000, isRate: true };
    check({ code: 'http_status', rateLimit }, 'failed, again in -5 s');
    check({ code: 'http_status', rateLimit, attemptCount: 400 }, 'failed, again in -5 s');
    check({ code: 'http_status', rateLimit: { waitMs: null, isRate: true } }, 'failed, again in -5 s');
  });

  test('waits after rejections because of a rate limit extend the deadline of the delivery by up to three days', () => {
    const rateLimit = { waitMs: 30_000, isRate: true };
    check({ code: 'http_status', rateLimit, ageSeconds: 1_000 }, 'failed, again in -5 s');
    check({ code: 'http_status', rateLimit, ageSeconds: 3 * 86_400 }, 'failed, again in -5 s');
    check({ code: 'timeout', ageSeconds: 1_000 }, 'dead_letter: expired');
    check({ code: 'timeout', ageSeconds: 1_000, rateLimitWaitMs: 900_000 }, 'failed, again in 10 s');
    const rateLimitWaitMs = 30 * 86_400_000;
    check(
      { code: 'http_status', rateLimit, ageSeconds: 4 * 86_400, rateLimitWaitMs },
      'dead_letter: expired',
    );
  });

  test('Retry-After is respected up to twice the scheduled delay', () => {
    check({ code: 'http_status', retryAfter: '15' }, 'failed, again in 15 s');
    check({ code: 'http_status', retryAfter: '3600' }, 'failed, again in 20 s');
    check({ code: 'http_status', retryAfter: 'Sun, 15 Mar 2026 10:00:13 GMT' }, 'failed, again in 13 s');
    check({ code: 'http_status', retryAfter: 'Sun, 15 Mar 2126 10:00:00 GMT' }, 'failed, again in 20 s');
    check({ code: 'http_status', retryAfter: '-5' }, 'failed, again in 10 s');
    check({ code: 'http_status', retryAfter: 'soon' }, 'failed, again in 10 s');
  });
});
