import type { Database } from '../../platform/database/index.ts';
import type { Handlers } from '../../platform/http/index.ts';
import { listAuditLog, toAuditLogEntry } from './audit-log.ts';

export function auditHandlers({ db }: { db: Database }): Handlers<'listAuditLog'> {
  return {
    async listAuditLog({ caller, query }) {
      const page = await listAuditLog(db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toAuditLogEntry) } };
    },
  };
}
