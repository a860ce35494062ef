import type { Database } from '../../platform/database/index.ts';
import type { Handlers } from '../../platform/http/index.ts';
import { listAuditLog } from './audit-log.ts';

export function auditHandlers({ db }: { db: Database }): Handlers<'listAuditLog'> {
  return {
    async listAuditLog({ caller, query }) {
      const page = await listAuditLog(db, caller.organizationId, query, query);
      const items = page.items.map(({ actor_type, actor_id, actor_name, changes, created_at, ...row }) => ({
        ...row,
        changes: Object.entries(changes ?? {}).map(([field, { from, to, is_secret = false }]) => ({
          field,
          from,
          to,
          is_secret,
        })),
        actor: { type: actor_type, id: actor_id, name: actor_name },
        created_at: created_at.toISOString(),
        updated_at: created_at.toISOString(),
      }));
      return { status: 200, body: { ...page, items } };
    },
  };
}
