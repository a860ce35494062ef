import type { Database } from '../../../platform/database/index.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import { insertFeedback } from './feedback-queries.ts';

export function feedbackHandlers({ db }: { db: Database }): Handlers<'createFeedback'> {
  return {
    async createFeedback({ caller, body }) {
      const { id, created_at } = await insertFeedback(db, caller.organizationId, {
        actor: caller.actor,
        message: body.message,
        category: body.category ?? null,
        page: body.page ?? null,
      });
      return { status: 201, body: { id, created_at: created_at.toISOString() } };
    },
  };
}
