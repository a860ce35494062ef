import { describe, expect, test } from 'vitest';
import {
  createRateLimitedReceiver,
  type RateLimitedPlatform,
  rateLimitedPlatforms,
} from '../../../tests/helpers/rate-limited-receiver.ts';
import { rateLimitOf } from './receiver-rate-limit.ts';
import { isPaced, nextPace, pausedUntil, type SendingPace } from './sending-pace.ts';

const start = Date.parse('2026-03-15T10:00:00Z');
const noPace: SendingPace = {
  nextSendAt: null,
  intervalMs: 0,
  floorMs: 0,
  limitedAt: null,
  acceptedSince: null,
  acceptedCount: 0,
};

/** Sends messages to a fake platform in simulated time, as a channel does. */
function simulate(platform: RateLimitedPlatform, count: number, parallel = 1) {
  let timeMs = 0;
  let pace = noPace;
  const receiver = createRateLimitedReceiver(platform, { clock: () => timeMs });
  const waiting = Array.from({ length: count }, (_, index) => String(index));
  while (waiting.length > 0) {
    const startedAt = new Date(start + timeMs);
    const size = isPaced(pace, startedAt) ? 1 : parallel;
    const limits: { waitMs: number | null; isRate: boolean; startedAt: Date }[] = [];
    const rejected: string[] = [];
    let acceptedCount = 0;
    for (const body of waiting.splice(0, size)) {
      const answer = receiver.answer({ body });
      if ('kind' in answer) throw new Error('a fake always responds');
      const { status, headers = {}, body: text = '' } = answer;
      const isText = text.includes('error 429');
      const json: unknown = text.startsWith('{') ? JSON.parse(text) : undefined;
      const limit = rateLimitOf({
        status: isText ? 429 : status,
        headers: headers as Record<string, string>,
        json,
        now: startedAt,
      });
      if (limit === null) acceptedCount += 1;
      else {
        limits.push({ ...limit, startedAt });
        rejected.push(body);
      }
    }
    waiting.unshift(...rejected);
    // The duration of a request.
    timeMs += 20;
    const now = new Date(start + timeMs);
    if (acceptedCount > 0) {
      const since = pace.acceptedSince;
      const isSame = since !== null && now.getTime() - since.getTime() < 60_000;
      pace = {
        ...pace,
        acceptedSince: pace.acceptedCount > 0 || isSame ? since : now,
        acceptedCount: pace.acceptedCount + acceptedCount,
      };
    }
    if (limits.length > 0 || isPaced(pace, now))
      pace = nextPace(pace, { acceptedCount, usedUpWaitMs: null, limits }, now);
    timeMs = Math.max(timeMs, (pausedUntil(pace, now)?.getTime() ?? 0) - start);
  }
  return { ...receiver, requests: receiver.accepted.length + receiver.rejected };
}

describe('a channel with a rate limit', () => {
  test('sends 40 messages to Slack within a minute, with at most 10 % rejected requests', () => {
    for (const parallel of [1, 4]) {
      const { accepted, rejected, requests, lastAtMs } = simulate('slack', 40, parallel);
      expect(accepted).toHaveLength(40);
      expect(rejected / requests).toBeLessThanOrEqual(0.1);
      expect(lastAtMs).toBeLessThanOrEqual(60_000);
    }
  });

  test.each(rateLimitedPlatforms)('sends every message in order in bursts to %s', (platform) => {
    for (const count of [40, 400, 4_000]) {
      const { accepted, rejected, requests } = simulate(platform, count);
      expect(accepted).toEqual(Array.from({ length: count }, (_, index) => String(index)));
      expect(rejected / requests).toBeLessThanOrEqual(0.1);
    }
  });

  test.each([
    ['slack', 1_000],
    ['discord', 400],
    ['telegram', 3_000],
    ['teams', 250],
    ['pagerduty', 500],
  ] as const)(
    'delivers a burst to %s within 150 % of the time that the rate limit requires',
    (platform, limitMs) => {
      for (const count of [400, 4_000])
        expect(simulate(platform, count).lastAtMs).toBeLessThanOrEqual(1.5 * count * limitMs);
    },
  );
});

describe('a pause', () => {
  const now = new Date(start);
  const limit = (waitMs: number | null, isRate = true) => ({ waitMs, isRate, startedAt: now });
  const after = (pace: SendingPace, waitMs: number | null, isRate = true) =>
    nextPace(pace, { acceptedCount: 0, usedUpWaitMs: null, limits: [limit(waitMs, isRate)] }, now);
  const waitOf = (pace: SendingPace) => (pausedUntil(pace, now)?.getTime() ?? start) - start;

  test.each([35_000, 600_000, 3_600_000])(
    'lasts at least as long as the receiver requests: %i ms',
    (waitMs) => {
      expect(waitOf(after(noPace, waitMs))).toBeGreaterThanOrEqual(waitMs);
      expect(waitOf(after(noPace, waitMs))).toBeLessThanOrEqual(1.1 * waitMs);
    },
  );

  test('isn’t shortened by a message that is accepted or rejected during it', () => {
    const paused = after(noPace, 60_000);
    const accepted = nextPace(paused, { acceptedCount: 1, usedUpWaitMs: null, limits: [] }, now);
    expect(waitOf(accepted)).toBeGreaterThanOrEqual(60_000);
    expect(waitOf(after(paused, 1_000))).toBeGreaterThanOrEqual(60_000);
  });

  test.each([null, 1])(
    'grows to a minute while a receiver rejects everything and requests a wait of %s ms',
    (waitMs) => {
      let pace = noPace;
      let timeMs = start;
      for (let index = 0; index < 20; index++) {
        const at = new Date(timeMs);
        pace = nextPace(
          pace,
          { acceptedCount: 0, usedUpWaitMs: null, limits: [{ waitMs, isRate: true, startedAt: at }] },
          at,
        );
        timeMs = pace.nextSendAt!.getTime();
      }
      expect(pace.nextSendAt!.getTime() - pace.limitedAt!.getTime()).toBeGreaterThanOrEqual(60_000);
      expect(pace.nextSendAt!.getTime() - pace.limitedAt!.getTime()).toBeLessThan(121_000);
    },
  );

  test('for a receiver that is temporarily unavailable does not slow the channel down afterward', () => {
    const pace = after(noPace, 30_000, false);
    expect(waitOf(pace)).toBeGreaterThanOrEqual(30_000);
    expect(isPaced(pace, new Date(start + 31_000))).toBe(false);
  });

  test('that was recorded before the clock was set back is ignored', () => {
    expect(pausedUntil({ nextSendAt: new Date(start + 3 * 3_600_000) }, now)).toBeNull();
    expect(isPaced({ limitedAt: new Date(start + 1_000) }, now)).toBe(false);
  });
});
