import type { Schemas } from '../../../generated/client-api.ts';
import type { Database } from '../../../platform/database/index.ts';
import { notFound } from '../../../platform/errors.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import { scopeOf } from '../job-scope.ts';
import { findRelease, listReleases, type ReleaseRow, summarizeReleases } from './release-queries.ts';

type ReleaseOperations = 'listReleases' | 'getRelease' | 'getReleaseSummary';

export function releaseHandlers({ db }: { db: Database }): Handlers<ReleaseOperations> {
  return {
    async listReleases({ caller, query }) {
      const page = await listReleases(db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toRelease) } };
    },

    async getRelease({ caller, path }) {
      const row = await findRelease(db, caller.organizationId, path.id);
      if (!row) throw notFound();
      const { notes, ...release } = row;
      return { status: 200, body: { ...toRelease(release), notes } };
    },

    async getReleaseSummary({ caller, query }) {
      const page = await summarizeReleases(db, caller.organizationId, query, query);
      const items = page.items.map(({ organization_id, ...row }) => ({
        ...row,
        scope: scopeOf(organization_id),
        latest_released_at: row.latest_released_at?.toISOString() ?? null,
        first_released_at: row.first_released_at?.toISOString() ?? null,
      }));
      return { status: 200, body: { ...page, items } };
    },
  };
}

function toRelease({ moved_from, move_noticed_at, move_habit, ...row }: ReleaseRow): Schemas['Release'] {
  // A release never changes from a commit to a digest or back, so its current value replaced the previous
  // one.
  const to = row.commit ?? row.digest;
  return {
    ...row,
    move:
      moved_from === null || move_noticed_at === null || to === null
        ? null
        : { from: moved_from, to, noticed_at: move_noticed_at.toISOString(), habit: move_habit },
    released_at: row.released_at?.toISOString() ?? null,
    discovered_at: row.discovered_at.toISOString(),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
