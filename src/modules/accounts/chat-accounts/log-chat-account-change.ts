import type { Actor } from '../../../domain/audit/actor.ts';
import { chatPlatformLabels } from '../../../domain/channels/chat-buttons.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { writeAuditLog } from '../../audit/index.ts';
import type { ChatAccountRow } from './chat-account-queries.ts';

/** @param member The person that the chat account acts for. */
export async function logChatAccountChange(
  tx: Tx,
  organizationId: number,
  member: { name: string; memberId: number },
  account: Pick<ChatAccountRow, 'id' | 'platform' | 'workspace_name' | 'chat_user_name'>,
  entry: {
    action: 'member.chat_account_linked' | 'member.chat_account_unlinked';
    actor: Actor;
    requestId: string | null;
  },
): Promise<void> {
  await writeAuditLog(tx, organizationId, {
    ...entry,
    resourceId: member.memberId,
    resourceName: member.name,
    detail: {
      platform: chatPlatformLabels[account.platform],
      chat_account_id: account.id,
      workspace: account.workspace_name,
      chat_user: account.chat_user_name,
    },
  });
}
