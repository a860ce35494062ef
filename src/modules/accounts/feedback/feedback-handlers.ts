import { type Database, transaction } from '../../../platform/database/index.ts';
import { ApiError } from '../../../platform/errors.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import { countRecentFeedback, insertFeedback } from './feedback-queries.ts';

/**
 * Maximum number of messages per hour from a person or key. Messages are limited because they are kept for a
 * year. Concurrent requests can exceed the limit slightly.
 */
const perHour = 20;

export function feedbackHandlers({ db }: { db: Database }): Handlers<'createFeedback'> {
  return {
    async createFeedback({ caller, body }) {
      if ((await countRecentFeedback(db, caller.organizationId, caller.actor)) >= perHour)
        throw new ApiError('rate_limited', `Limit of ${perHour} messages per hour reached.`, {
          retryAfterSeconds: 600,
        });
      const { id, created_at } = await transaction(db, (tx) =>
        insertFeedback(tx, caller.organizationId, {
          actor: caller.actor,
          message: body.message,
          category: body.category ?? null,
          page: body.page ?? null,
        }),
      );
      return { status: 201, body: { id, created_at: created_at.toISOString() } };
    },
  };
}
