import { sql } from 'kysely';
import type { Actor } from '../../../domain/audit/actor.ts';
import type { Database } from '../../../platform/database/index.ts';

export type FeedbackCategory = 'bug' | 'idea' | 'other';

export interface FeedbackRow {
  id: number;
  organization_id: number;
  organization_name: string;
  actor_name: string;
  message: string;
  category: FeedbackCategory | null;
  page: string | null;
  created_at: Date;
}

export async function insertFeedback(
  db: Database,
  organizationId: number,
  feedback: { actor: Actor; message: string; category: FeedbackCategory | null; page: string | null },
): Promise<{ id: number; created_at: Date }> {
  const { actor, message, category, page } = feedback;
  return db
    .insertInto('feedback')
    .values({
      organization_id: organizationId,
      actor_type: actor.type,
      actor_id: actor.id,
      actor_name: actor.name,
      message,
      category,
      page,
    })
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow();
}

/** Counts the feedback that a person or key submitted within the last hour. */
export async function countRecentFeedback(
  db: Database,
  organizationId: number,
  actor: Actor,
): Promise<number> {
  const { count } = await db
    .selectFrom('feedback')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('actor_type', '=', actor.type)
    .where('actor_id', '=', actor.id)
    .where(sql<boolean>`created_at > pacekeeper_now() - interval '1 hour'`)
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns the feedback of all organizations, newest first, for the operators of the service. */
export async function listFeedbackAcrossOrganizations(db: Database, limit: number): Promise<FeedbackRow[]> {
  return db
    .selectFrom('feedback')
    .innerJoin('organizations', 'organizations.id', 'feedback.organization_id')
    .select(['feedback.id', 'feedback.organization_id', 'organizations.name as organization_name'])
    .select(['feedback.actor_name', 'feedback.message', 'feedback.page', 'feedback.created_at'])
    .select(sql<FeedbackCategory | null>`feedback.category`.as('category'))
    .orderBy('feedback.created_at', 'desc')
    .orderBy('feedback.id', 'desc')
    .limit(limit)
    .execute();
}
