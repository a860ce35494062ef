import type { Tx } from '../../../platform/database/index.ts';
import type { ProviderSettings } from '../login-providers/provider-file.ts';
import { auditPerson } from '../people/audit-person.ts';

export interface EndedSessions {
  settings: Pick<ProviderSettings, 'id' | 'name'>;
  /** The provider ended the sessions, no longer confirms them, or confirmed a person who no longer has access. */
  reason: 'provider_logout' | 'not_confirmed' | 'claim_missing';
  count: number;
  requestId: string;
}

/**
 * Records that a provider ended sessions of a person. Call this function before the memberships change,
 * because the organizations that the person loses must also get an entry.
 */
export async function auditEndedSessions(
  tx: Tx,
  user: { id: number; name: string },
  { settings, reason, count, requestId }: EndedSessions,
): Promise<void> {
  if (count === 0) return;
  await auditPerson(tx, user, {
    action: 'member.session_ended',
    actor: { type: 'system', id: null, name: settings.name },
    detail: { reason, provider: settings.id, count },
    requestId,
  });
}
