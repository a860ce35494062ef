import { parseRetryAfter } from '../scheduling/retry-schedule.ts';
import { memberOf } from './receiver-answer.ts';

/** A receiver's request to send more slowly. */
export interface RateLimit {
  /** Requested wait in milliseconds, at most an hour. `null` if the response doesn't contain one. */
  waitMs: number | null;
  /** True if the receiver limits the rate of messages. False if it is unavailable for the wait. */
  isRate: boolean;
}

/** The parts of a response that can contain a rate limit. Names of headers are lowercase. */
export interface LimitedResponse {
  status: number;
  headers: Readonly<Record<string, string | undefined>>;
  /** The body if it is JSON, otherwise `null`. */
  json: unknown;
  now: Date;
}

/** Longest wait that is honored. A receiver that asks for more gets its next request after this time. */
export const maxRateLimitMs = 3_600_000;

/**
 * Shortest pause for a receiver that is unavailable. Such attempts aren't counted and don't change the learned rate, so
 * nothing else would space them.
 */
const minUnavailableMs = 60_000;

/**
 * Returns the rate limit of a rejected message, or `null` if it was rejected for another reason. Status 429 is
 * always a rate limit. A 503 is one only if it contains a wait, because it otherwise means a failure.
 */
export function rateLimitOf(response: LimitedResponse): RateLimit | null {
  const { status } = response;
  if (status === 429) return { waitMs: askedWaitMs(response), isRate: true };
  if (status !== 503) return null;
  const waitMs = askedWaitMs(response);
  return waitMs === null ? null : { waitMs: Math.max(waitMs, minUnavailableMs), isRate: false };
}

/**
 * Longest wait that is honored after an accepted message. Longer windows usually allow other requests too, and a
 * rejected request states the wait exactly.
 */
const maxProactiveMs = 60_000;

/**
 * Returns the wait after which the receiver accepts another message, if its response to an accepted message
 * states that the limit is used up, otherwise `null`.
 */
export function usedUpWaitMs(response: LimitedResponse): number | null {
  const { headers } = response;
  const remaining = headers['x-ratelimit-remaining'] ?? headers['ratelimit-remaining'];
  if (remaining?.trim() !== '0') return null;
  const waitMs = resetWaitMs(response);
  return waitMs === null || waitMs > maxProactiveMs ? null : waitMs;
}

/** Returns the longest of the waits that a response contains, because a receiver can have several limits. */
function askedWaitMs({ status, headers, json, now }: LimitedResponse): number | null {
  const retryAfter =
    parseRetryAfter(headers['retry-after'] ?? null, now) ?? secondsMs(headers['retry-after']);
  // Other headers describe a limit of the receiver that isn't the reason for a 503.
  const reset = status === 503 ? null : resetWaitMs({ status, headers, json, now });
  const waits = [retryAfter ?? reset, bodyWaitMs(json)].filter((wait) => wait !== null);
  return waits.length === 0 ? null : Math.min(Math.max(...waits), maxRateLimitMs);
}

/**
 * Returns the wait in headers with the end of the limit. Discord and the IETF draft send seconds. `X-RateLimit-Reset`
 * is a Unix time in most APIs (GitHub, Discord) and a number of seconds in others.
 */
function resetWaitMs({ headers, now }: LimitedResponse): number | null {
  const after = secondsMs(headers['x-ratelimit-reset-after']) ?? secondsMs(headers['ratelimit-reset']);
  if (after !== null) return Math.min(after, maxRateLimitMs);
  const reset = headers['x-ratelimit-reset'];
  const date = parseRetryAfter(/[a-z]/iu.test(reset ?? '') ? (reset ?? null) : null, now);
  if (date !== null) return Math.min(date, maxRateLimitMs);
  const valueMs = secondsMs(reset);
  if (valueMs === null) return null;
  // Values from 10^9 seconds (2001) are Unix times, and values from 10^12 are in milliseconds.
  const waitMs =
    valueMs >= 1e15 ? valueMs / 1_000 - now.getTime() : valueMs >= 1e12 ? valueMs - now.getTime() : valueMs;
  return waitMs > 0 ? Math.min(Math.ceil(waitMs), maxRateLimitMs) : null;
}

/** Converts a positive number of seconds, with or without decimals, to milliseconds. */
function secondsMs(value: string | undefined): number | null {
  const text = value?.trim() ?? '';
  if (!/^\d{1,16}(\.\d{1,9})?$/u.test(text)) return null;
  const ms = Math.ceil(Number(text) * 1_000);
  return ms > 0 ? ms : null;
}

/**
 * Returns the wait in a JSON body: `retry_after` in seconds, at the top level (Discord) or in `parameters`
 * (Telegram).
 */
function bodyWaitMs(json: unknown): number | null {
  const seconds = retryAfterOf(json) ?? retryAfterOf(memberOf(json, 'parameters'));
  if (seconds === null || !Number.isFinite(seconds) || seconds <= 0) return null;
  return Math.min(Math.ceil(seconds * 1_000), maxRateLimitMs);
}

function retryAfterOf(value: unknown): number | null {
  const seconds = memberOf(value, 'retry_after');
  if (typeof seconds === 'number') return seconds;
  return typeof seconds === 'string' && /^\d{1,9}(\.\d{1,9})?$/u.test(seconds) ? Number(seconds) : null;
}
