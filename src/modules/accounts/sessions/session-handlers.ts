import type { Schemas } from '../../../generated/auth-api.ts';
import { transaction } from '../../../platform/database/index.ts';
import { notFound } from '../../../platform/errors.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import { auditPerson } from '../people/audit-person.ts';
import { announceRightsChange } from '../people/rights-changes.ts';
import { lockUser } from '../people/user-queries.ts';
import { clearLoginCookies } from './login-cookies.ts';
import { endLogin, type LoginParts, requireLogin } from './login-parts.ts';
import { endSessionsExcept, findSession, listSessions, type SessionRow } from './session-queries.ts';

/** Handlers for the sessions of the user who is logged in. Users can't see or end sessions of others. */
export function sessionHandlers({
  db,
  baseUrl,
}: LoginParts): Handlers<'listSessions' | 'endSession' | 'endOtherSessions'> {
  return {
    async listSessions({ caller, query }) {
      const { user, loginId } = await requireLogin(db, caller);
      const page = await listSessions(db, user.id, query);
      return { status: 200, body: { ...page, items: page.items.map((row) => toSession(row, loginId)) } };
    },

    async endSession({ caller, path, http, requestId }) {
      const { user, loginId } = await requireLogin(db, caller);
      const ended = await transaction(db, async (tx) => {
        await lockUser(tx, user.id);
        const found = await findSession(tx, user.id, path.id);
        if (found === undefined) throw notFound();
        await endLogin(tx, found);
        const actor = { type: 'user', id: user.id, name: user.name } as const;
        await auditPerson(tx, user, { action: 'member.session_ended', actor, requestId });
        return found;
      });
      if (ended === loginId) clearLoginCookies(http.reply, baseUrl);
      return { status: 204 };
    },

    async endOtherSessions({ caller, requestId }) {
      const { user, loginId } = await requireLogin(db, caller);
      const ended = await transaction(db, async (tx) => {
        await lockUser(tx, user.id);
        announceRightsChange(tx, { userId: user.id });
        const count = await endSessionsExcept(tx, user.id, loginId);
        const actor = { type: 'user', id: user.id, name: user.name } as const;
        const entry = { action: 'member.other_sessions_ended', actor, detail: { count }, requestId } as const;
        if (count > 0) await auditPerson(tx, user, entry);
        return count;
      });
      return { status: 200, body: { ended } };
    },
  };
}

function toSession(row: SessionRow, loginId: string): Schemas['Session'] {
  return {
    id: row.id,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    login_method: row.login_method,
    address: row.address,
    user_agent: row.user_agent,
    organization: { id: row.organization_id, name: row.organization_name },
    is_current: row.family_id === loginId,
  };
}
