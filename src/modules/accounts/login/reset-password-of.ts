import { sql } from 'kysely';
import type { Actor } from '../../../domain/audit/actor.ts';
import type { ChatPlatform } from '../../../domain/channels/chat-buttons.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { logChatAccountChange } from '../chat-accounts/log-chat-account-change.ts';
import { auditPerson } from '../people/audit-person.ts';
import { setPassword } from '../people/user-queries.ts';

export interface ResetBy {
  actor: Actor;
  requestId: string | null;
  /** Returns the provider's ID in the configuration, if the provider is configured. */
  providerOf?: (issuer: string) => string;
}

/**
 * Sets a password for a person who may have lost control of the account. Unlinks identities, because an attacker could
 * have linked one to regain access, and chat accounts, because an attacker's chat account could act for the person.
 * Keeps identities that grant memberships, because the provider is responsible for them. The caller has locked the
 * user.
 */
export async function resetPasswordOf(
  tx: Tx,
  user: { id: number; name: string },
  passwordHash: string,
  { actor, requestId, providerOf = (issuer) => issuer }: ResetBy,
): Promise<void> {
  await setPassword(tx, user.id, passwordHash);
  await auditPerson(tx, user, { action: 'member.password_reset', actor, requestId });
  const identities = await sql<{ id: number; issuer: string }>`
    DELETE FROM user_identities AS identity WHERE user_id = ${user.id}
      AND NOT EXISTS (SELECT FROM memberships WHERE granted_by_identity_id = identity.id)
    RETURNING identity.id, identity.issuer`.execute(tx);
  for (const { id, issuer } of identities.rows) {
    const detail = { provider: providerOf(issuer), identity_id: id };
    await auditPerson(tx, user, { action: 'member.login_unlinked', actor, detail, requestId });
  }
  const accounts = await sql<{
    organization_id: number;
    member_id: number;
    id: number;
    platform: ChatPlatform;
    workspace_name: string;
    chat_user_name: string;
  }>`
    DELETE FROM chat_accounts AS account USING memberships
    WHERE memberships.user_id = ${user.id} AND account.organization_id = memberships.organization_id
      AND account.user_id = memberships.user_id
    RETURNING account.organization_id, memberships.id AS member_id, account.id, account.platform,
      account.workspace_name, account.chat_user_name`.execute(tx);
  for (const { organization_id: organizationId, member_id: memberId, ...account } of accounts.rows) {
    const action = 'member.chat_account_unlinked';
    const member = { name: user.name, memberId };
    await logChatAccountChange(tx, organizationId, member, account, { action, actor, requestId });
  }
}
