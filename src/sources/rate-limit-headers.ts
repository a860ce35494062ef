type Headers = Readonly<Record<string, string | undefined>>;

/**
 * Returns the time at which a host that rejected a request accepts the next one, or `null` if the host
 * doesn't report it. Reads `Retry-After` (seconds or a date) and the rate limit headers of GitHub
 * (`X-RateLimit-*`), GitLab (`RateLimit-*`), and registries. The time is at least a second after `now`, and at most an
 * hour, or a day if the host reports when its limit resets.
 */
export function readRetryTime(headers: Headers, now: Date): Date | null {
  const resetAt = isLimitExhausted(headers) ? readReset(headers, now) : null;
  return readRetryAfter(headers, now) ?? resetAt;
}

/**
 * Returns the time of the next allowed request if the response used up the limit. Otherwise returns `null`.
 */
export function readNextAllowedTime(headers: Headers, now: Date): Date | null {
  return isLimitExhausted(headers) ? readReset(headers, now) : null;
}

export function isLimitExhausted(headers: Headers): boolean {
  const remaining =
    headers['x-ratelimit-remaining'] ??
    headers['ratelimit-remaining'] ??
    limitParameter(headers, 'remaining', 'r');
  // Registries append the length of the time window, as in `0;w=21600`.
  return remaining !== undefined && /^\s*0\s*(?:;|$)/u.test(remaining);
}

/**
 * Returns a parameter of the combined `RateLimit` header, as in `limit=100, remaining=0, reset=30` or, in later drafts,
 * `"default";r=0;t=30`.
 */
function limitParameter(headers: Headers, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = new RegExp(`(?:^|[;,\\s])${name}\\s*=\\s*(\\d+)`, 'u').exec(headers['ratelimit'] ?? '');
    if (found) return found[1];
  }
  return undefined;
}

function readRetryAfter(headers: Headers, now: Date): Date | null {
  const value = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,10}(?:\.\d+)?$/u.test(value)) return readSeconds(Number(value), headers, now, hourMs);
  const time = value === '' ? Number.NaN : Date.parse(value);
  return Number.isNaN(time) ? null : bound(time - clockOf(headers, now).getTime(), now, hourMs);
}

function readReset(headers: Headers, now: Date): Date | null {
  const value =
    headers['x-ratelimit-reset'] ?? headers['ratelimit-reset'] ?? limitParameter(headers, 'reset', 't') ?? '';
  return /^\s*\d{1,10}(?:\.\d+)?\s*$/u.test(value) ? readSeconds(Number(value), headers, now, dayMs) : null;
}

/** Converts a number of seconds to a time. Some hosts send seconds since 1970 in either header. */
function readSeconds(seconds: number, headers: Headers, now: Date, maxMs: number): Date {
  const isInstant = seconds > 1_000_000_000;
  const delayMs = isInstant ? seconds * 1_000 - clockOf(headers, now).getTime() : seconds * 1_000;
  return bound(delayMs, now, maxMs);
}

/**
 * Returns the time of the host's clock, because its headers refer to this clock and it can differ from the
 * local one.
 */
function clockOf(headers: Headers, now: Date): Date {
  const time = Date.parse(headers['date'] ?? '');
  return Number.isNaN(time) ? now : new Date(time);
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

function bound(delayMs: number, now: Date, maxMs: number): Date {
  return new Date(now.getTime() + Math.min(Math.max(delayMs, 1_000), maxMs));
}
