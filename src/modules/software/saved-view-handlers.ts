import { sql } from 'kysely';
import type { Schemas } from '../../generated/client-api.ts';
import { type Database, hasSqlState, type Tx, transaction } from '../../platform/database/index.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import type { Caller, Handlers } from '../../platform/http/index.ts';
import { recordEdit } from '../audit/index.ts';

type SavedView = Schemas['SavedView'];

/** Maximum number of views per user, and of shared views per organization. */
const maxViews = 100;

/**
 * Creates the handlers for saved views. A view contains the filters, the order, and the columns of a page,
 * and belongs to a user or is shared with the organization. Only shared views are in the audit log.
 */
export function savedViewHandlers({
  db,
}: {
  db: Database;
}): Handlers<'listSavedViews' | 'createSavedView' | 'deleteSavedView'> {
  return {
    async listSavedViews({ caller, query }) {
      const items = await selectViews(db, caller)
        .$if(query.page !== undefined, (views) => views.where('page', '=', query.page!))
        .orderBy(sql`user_id IS NOT NULL`)
        .orderBy(sql`lower(name)`)
        .execute();
      return { status: 200, body: { items: items.map(toSavedView) } };
    },

    async createSavedView(request) {
      const { caller, body } = request;
      const { page, name, is_shared, search } = body;
      if (is_shared) assertCanShare(caller);
      const userId = is_shared ? null : caller.userId;
      try {
        const view = await transaction(db, async (tx) => {
          // The lock serializes concurrent requests, so that they can't exceed the limit.
          await sql`SELECT FROM organizations WHERE id = ${caller.organizationId} FOR NO KEY UPDATE`.execute(
            tx,
          );
          const { count } = await tx
            .selectFrom('saved_views')
            .select((eb) => eb.fn.countAll<number>().as('count'))
            .where('organization_id', '=', caller.organizationId)
            .where('user_id', 'is not distinct from', userId)
            .executeTakeFirstOrThrow();
          if (count >= maxViews)
            throw new ApiError('conflict', `You can have ${maxViews} views. Delete one first.`);
          const created = await tx
            .insertInto('saved_views')
            .values({
              organization_id: caller.organizationId,
              user_id: userId,
              page,
              name,
              search: JSON.stringify(search),
            })
            .returning(columnsOfView)
            .executeTakeFirstOrThrow();
          const view = toSavedView(created);
          if (is_shared) await recordEdit(tx, request, 'saved_view', { after: view });
          return view;
        });
        return { status: 201, body: view };
      } catch (error) {
        if (hasSqlState(error, '23505'))
          throw new ApiError(
            'conflict',
            'A view with this name already exists. Choose another name or delete it.',
          );
        throw error;
      }
    },

    async deleteSavedView(request) {
      const { caller, path } = request;
      await transaction(db, async (tx) => {
        const found = await selectViews(tx, caller).where('id', '=', path.id).forUpdate().executeTakeFirst();
        if (!found) throw notFound();
        if (found.user_id === null) assertCanShare(caller);
        await tx
          .deleteFrom('saved_views')
          .where('organization_id', '=', caller.organizationId)
          .where('id', '=', path.id)
          .execute();
        if (found.user_id === null)
          await recordEdit(tx, request, 'saved_view', { before: toSavedView(found) });
      });
      return { status: 204 };
    },
  };
}

const columnsOfView = [
  'id',
  'user_id',
  'name',
  'created_at',
  sql<SavedView['page']>`page`.as('page'),
  sql<SavedView['search']>`search`.as('search'),
] as const;

/** Selects the shared views and the views of the caller. */
function selectViews(db: Database | Tx, { organizationId, userId }: Caller) {
  return db
    .selectFrom('saved_views')
    .select(columnsOfView)
    .where('organization_id', '=', organizationId)
    .where((eb) =>
      eb.or([eb('user_id', 'is', null), ...(userId === null ? [] : [eb('user_id', '=', userId)])]),
    );
}

function assertCanShare(caller: Caller): void {
  if (caller.role === 'viewer') throw new ApiError('forbidden', 'Shared views require the member role.');
}

function toSavedView({
  user_id,
  created_at,
  ...view
}: Omit<SavedView, 'is_shared' | 'created_at'> & { user_id: number | null; created_at: Date }): SavedView {
  return { ...view, is_shared: user_id === null, created_at: created_at.toISOString() };
}
