import type { ReceivedWebhook, WebhookResponse } from './webhook-inbox.ts';

/** Documented rate limit of a platform: at most `count` messages in any window of `windowMs`. */
interface Limit {
  count: number;
  windowMs: number;
}

/** A fake of a platform that limits its rate. */
export interface RateLimitedReceiver {
  /** Bodies of the accepted messages, in the order of their arrival. */
  accepted: string[];
  /** Number of requests that were rejected because they exceeded the limit. */
  rejected: number;
  /** Time of the last accepted message. */
  lastAtMs: number;
  answer(request: Pick<ReceivedWebhook, 'body'>): WebhookResponse;
}

export const rateLimitedPlatforms = ['slack', 'discord', 'telegram', 'teams', 'pagerduty'] as const;
export type RateLimitedPlatform = (typeof rateLimitedPlatforms)[number];

/**
 * The documented limits: Slack, one message per second and channel; Discord, five per two seconds and webhook;
 * Telegram, twenty per minute and group; Teams, four per second; PagerDuty, 120 per minute and integration.
 */
const limits: Readonly<Record<RateLimitedPlatform, Limit>> = {
  slack: { count: 1, windowMs: 1_000 },
  discord: { count: 5, windowMs: 2_000 },
  telegram: { count: 20, windowMs: 60_000 },
  teams: { count: 4, windowMs: 1_000 },
  pagerduty: { count: 120, windowMs: 60_000 },
};

/** Responses of the platforms to an accepted message and to one that exceeds the limit. */
const responses: Readonly<
  Record<
    RateLimitedPlatform,
    { accept: WebhookResponse; reject(waitMs: number, isShort: boolean): WebhookResponse }
  >
> = {
  slack: {
    accept: { status: 200, body: 'ok' },
    reject: (waitMs, isShort) => ({
      status: 429,
      headers: { 'retry-after': seconds(waitMs, isShort) },
      body: JSON.stringify({ ok: false, error: 'ratelimited' }),
    }),
  },
  discord: {
    accept: { status: 204 },
    reject: (waitMs) => ({
      status: 429,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': (waitMs / 1_000).toFixed(3) },
      body: JSON.stringify({
        message: 'You are being rate limited.',
        retry_after: waitMs / 1_000,
        global: false,
      }),
    }),
  },
  telegram: {
    accept: { status: 200, body: JSON.stringify({ ok: true, result: {} }) },
    reject: (waitMs, isShort) => ({
      status: 429,
      body: JSON.stringify({
        ok: false,
        error_code: 429,
        description: 'Too Many Requests: retry later',
        parameters: { retry_after: Number(seconds(waitMs, isShort)) },
      }),
    }),
  },
  teams: {
    accept: { status: 200, body: '1' },
    reject: () => ({
      status: 200,
      body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with ContextId 1.',
    }),
  },
  pagerduty: {
    accept: { status: 202, body: JSON.stringify({ status: 'success', message: 'Event processed' }) },
    reject: () => ({
      status: 429,
      body: JSON.stringify({
        status: 'throttle exceeded',
        message: 'Requests for this service are too fast',
      }),
    }),
  },
};

/**
 * Formats a wait in whole seconds, as the platforms do. Windows that are shortened for tests require fractions of a
 * second.
 */
function seconds(waitMs: number, isShort: boolean): string {
  return String(isShort ? waitMs / 1_000 : Math.ceil(waitMs / 1_000));
}

/**
 * Creates a fake of a platform.
 * @param options.speed Factor by which the windows are shortened, for tests that can't wait for minutes.
 * @param options.clock Returns the time in milliseconds. Simulations pass their own clock.
 */
export function createRateLimitedReceiver(
  platform: RateLimitedPlatform,
  { speed = 1, clock = () => performance.now() }: { speed?: number; clock?: () => number } = {},
): RateLimitedReceiver {
  const { count, windowMs } = limits[platform];
  const window = windowMs / speed;
  const { accept, reject } = responses[platform];
  const times: number[] = [];
  const receiver: RateLimitedReceiver = {
    accepted: [],
    rejected: 0,
    lastAtMs: 0,
    answer(request) {
      const now = clock();
      while (times.length > 0 && times[0]! <= now - window) times.shift();
      if (times.length >= count) {
        receiver.rejected += 1;
        return reject(times[0]! + window - now, speed > 1);
      }
      times.push(now);
      receiver.accepted.push(request.body);
      receiver.lastAtMs = now;
      return accept;
    },
  };
  return receiver;
}
