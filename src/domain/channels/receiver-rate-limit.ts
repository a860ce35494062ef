import { parseRetryAfter } from '../scheduling/retry-schedule.ts';
import { readJsonMember } from './receiver-response.ts';

/** A receiver's request to send more slowly. */
export interface RateLimit {
  /** Requested wait in milliseconds, at most an hour. `null` if the response doesn't contain one. */
  waitMs: number | null;
  /** True if the message exceeded a rate limit. False if the receiver is temporarily unavailable. */
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

/** Longest wait that is honored. A receiver that requests a longer wait gets its next request after this time. */
export const maxRateLimitMs = 3_600_000;

/**
 * Shortest pause for a receiver that is temporarily unavailable. Attempts during the outage aren't counted and don't
 * change the learned rate, so only this pause limits their frequency.
 */
const minUnavailableMs = 60_000;

/**
 * Returns the rate limit that caused a rejection, or `null` if the message was rejected for another reason.
 * Status 429 is always a rate limit. Status 503 is a rate limit only if the response requests a wait;
 * otherwise, it's a failure.
 */
export function rateLimitOf(response: LimitedResponse): RateLimit | null {
  const { status } = response;
  if (status === 429) return { waitMs: askedWaitMs(response), isRate: true };
  if (status !== 503) return null;
  const waitMs = askedWaitMs(response);
  return waitMs === null ? null : { waitMs: Math.max(waitMs, minUnavailableMs), isRate: false };
}

/**
 * Longest wait that is honored after an accepted message. If the limit resets later than that, the next
 * message is sent without waiting, because the receiver often accepts it anyway. If not, its response states
 * the exact wait.
 */
const maxProactiveMs = 60_000;

/**
 * Returns the wait until the receiver accepts another message, if its response to an accepted message states that the
 * limit is used up. Otherwise, returns `null`.
 */
export function limitResetWaitMs(response: LimitedResponse): number | null {
  const { headers } = response;
  const remaining = headers['x-ratelimit-remaining'] ?? headers['ratelimit-remaining'];
  if (remaining?.trim() !== '0') return null;
  const waitMs = resetWaitMs(response);
  return waitMs === null || waitMs > maxProactiveMs ? null : waitMs;
}

/** Returns the longest wait in a response, because a response can describe several limits. */
function askedWaitMs({ status, headers, json, now }: LimitedResponse): number | null {
  const retryAfter =
    parseRetryAfter(headers['retry-after'] ?? null, now) ?? secondsMs(headers['retry-after']);
  // A 503 isn't caused by the rate limit that the other headers describe, so ignore them.
  const reset = status === 503 ? null : resetWaitMs({ status, headers, json, now });
  const waits = [retryAfter ?? reset, bodyWaitMs(json)].filter((wait) => wait !== null);
  return waits.length === 0 ? null : Math.min(Math.max(...waits), maxRateLimitMs);
}

/**
 * Returns the wait from the headers that state when the limit resets. Discord and the IETF draft send seconds.
 * `X-RateLimit-Reset` is a Unix time in most APIs (GitHub, Discord) and a number of seconds in others.
 */
function resetWaitMs({ headers, now }: LimitedResponse): number | null {
  const after = secondsMs(headers['x-ratelimit-reset-after']) ?? secondsMs(headers['ratelimit-reset']);
  if (after !== null) return Math.min(after, maxRateLimitMs);
  const reset = headers['x-ratelimit-reset'];
  const date = parseRetryAfter(/[a-z]/iu.test(reset ?? '') ? (reset ?? null) : null, now);
  if (date !== null) return Math.min(date, maxRateLimitMs);
  const valueMs = secondsMs(reset);
  if (valueMs === null) return null;
  // Values from 10^9 (the year 2001 in seconds) are Unix times, and values from 10^12 are Unix times in milliseconds.
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
  const seconds = retryAfterOf(json) ?? retryAfterOf(readJsonMember(json, 'parameters'));
  if (seconds === null || !Number.isFinite(seconds) || seconds <= 0) return null;
  return Math.min(Math.ceil(seconds * 1_000), maxRateLimitMs);
}

function retryAfterOf(value: unknown): number | null {
  const seconds = readJsonMember(value, 'retry_after');
  if (typeof seconds === 'number') return seconds;
  return typeof seconds === 'string' && /^\d{1,9}(\.\d{1,9})?$/u.test(seconds) ? Number(seconds) : null;
}
