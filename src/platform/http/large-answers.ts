import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { ApiError } from '../errors.ts';
import { createFairLimit } from '../fairness/index.ts';

/** Limits for large responses that are built or sent in parallel, per server and per organization. */
const answersAtOnce = { max: 8, maxPerKey: 2 };
const maxWaiting = 1_000;
/** Time after which a response to a slow client no longer blocks waiting requests. */
const longestSendMs = 10_000;
/**
 * Maximum number of an organization's responses that stay in memory because their clients read slowly. One
 * more closes the oldest.
 */
const maxSlowPerKey = 4;

/**
 * Queues operations that send several megabytes or can scan a large table, such as a search in the audit log
 * (`x-large-answer` in the contract), so that one organization can't use all database connections.
 */
export interface LargeResponseQueue {
  /**
   * Waits for a slot of the organization, which is released when the response is sent.
   *
   * @throws ApiError 503 if too many requests are waiting.
   */
  takeTurn(organizationId: number, reply: Pick<FastifyReply, 'raw'>): Promise<void>;
}

/**
 * Creates a queue for large responses.
 *
 * @param options.slowAfterMs Time after which a client is considered slow. Only tests change it.
 */
export function createLargeResponseQueue({ slowAfterMs = longestSendMs } = {}): LargeResponseQueue {
  const limit = createFairLimit({ ...answersAtOnce, maxWaiting });
  const slow = new Map<string, Set<ServerResponse>>();

  function keepSlow(key: string, raw: ServerResponse): void {
    const ofKey = slow.get(key) ?? new Set();
    slow.set(key, ofKey.add(raw));
    raw.once('close', () => {
      ofKey.delete(raw);
      if (ofKey.size === 0 && slow.get(key) === ofKey) slow.delete(key);
    });
    const [oldest] = ofKey;
    if (!oldest || ofKey.size <= maxSlowPerKey) return;
    // Remove the response now. Until its `close` event, the next slow response would otherwise destroy the same one
    // again.
    ofKey.delete(oldest);
    oldest.destroy();
  }

  return {
    async takeTurn(organizationId, { raw }) {
      const key = String(organizationId);
      const end = await limit.enter(key).catch(() => {
        throw new ApiError('unavailable', 'Too many large responses are being sent.', {
          retryAfterSeconds: 2,
        });
      });
      if (raw.destroyed || raw.closed) {
        end();
        throw new ApiError('unavailable', 'The client disconnected.');
      }
      const finish = () => {
        clearTimeout(timer);
        raw.off('finish', finish).off('close', finish);
        end();
      };
      const timer = setTimeout(() => {
        finish();
        keepSlow(key, raw);
      }, slowAfterMs).unref();
      raw.once('finish', finish).once('close', finish);
    },
  };
}
