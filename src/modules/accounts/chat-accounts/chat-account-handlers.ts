import type { Schemas } from '../../../generated/auth-api.ts';
import { type Database, type Tx, transaction } from '../../../platform/database/index.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import { parseOneTimeToken } from '../../../platform/secrets/index.ts';
import { findMembershipOfUser } from '../people/member-queries.ts';
import { unusableLinkError } from '../people/unusable-link.ts';
import { lockUser } from '../people/user-queries.ts';
import { readRefreshCookie } from '../sessions/login-cookies.ts';
import { endedLoginError, type LoginParts, requireLogin } from '../sessions/login-parts.ts';
import { requirePresentedToken } from '../sessions/require-presented-token.ts';
import { verifyAndConsumeCode } from '../two-factor/verify-code.ts';
import {
  type ChatAccountRow,
  type ChatLinkRow,
  deleteChatAccount,
  deleteChatLink,
  findChatLinkAcrossOrganizations,
  insertChatAccount,
  listChatAccounts,
  maxChatAccounts,
} from './chat-account-queries.ts';
import { logChatAccountChange } from './log-chat-account-change.ts';

type ChatAccountOperations =
  | 'listChatAccounts'
  | 'previewChatAccount'
  | 'linkChatAccount'
  | 'unlinkChatAccount';

/** Handlers for the chat accounts that act for the current user in the current organization. */
export function chatAccountHandlers(parts: LoginParts): Handlers<ChatAccountOperations> {
  const { db, limits, secretBox } = parts;
  return {
    async listChatAccounts({ caller }) {
      const { user, organizationId } = await requireLogin(db, caller);
      const rows = await listChatAccounts(db, organizationId, user.id);
      return { status: 200, body: { items: rows.map(toChatAccount) } };
    },

    async previewChatAccount({ caller, body }) {
      const { user, organizationId } = await requireLogin(db, caller);
      limits.takeOfUser(user.id);
      const { link } = await findLink(db, body.token, user.id, organizationId);
      return {
        status: 200,
        body: {
          platform: link.platform,
          workspace_name: link.workspaceName,
          user_name: link.chatUserName,
          chat_user_id: link.chatUserId,
          organization_name: link.organizationName,
        },
      };
    },

    async linkChatAccount({ caller, body, http, requestId }) {
      const { user, organizationId, loginId } = await requireLogin(db, caller);
      limits.takeOfUser(user.id);
      await requirePresentedToken(
        parts,
        { userId: user.id, loginId },
        readRefreshCookie(http.request, parts.baseUrl),
      );
      const account = await transaction(db, async (tx) => {
        const locked = await lockUser(tx, user.id);
        // If the version differs, the password was reset after the request started, which ended the session.
        if (locked?.token_version !== user.token_version) throw endedLoginError();
        const refused = await verifyAndConsumeCode(tx, secretBox, locked, { code: body.code, requestId });
        if (refused) return refused;
        const memberId = await lockMembership(tx, organizationId, user.id);
        const { link, digest } = await findLink(tx, body.token, user.id, organizationId);
        if (!(await deleteChatLink(tx, organizationId, digest))) throw notFound();
        if ((await listChatAccounts(tx, organizationId, user.id)).length >= maxChatAccounts)
          throw new ApiError('conflict', `You can link ${maxChatAccounts} chat accounts. Unlink one first.`);
        const id = await insertChatAccount(tx, organizationId, user.id, link);
        if (id === undefined)
          throw new ApiError('conflict', 'This chat account is already linked. Unlink it first.');
        const account = (await listChatAccounts(tx, organizationId, user.id)).find((row) => row.id === id)!;
        await audit(tx, organizationId, user, memberId, account, 'member.chat_account_linked', requestId);
        return account;
      });
      if (account instanceof ApiError) throw account;
      return { status: 201, body: toChatAccount(account) };
    },

    async unlinkChatAccount({ caller, path, requestId }) {
      const { user, organizationId } = await requireLogin(db, caller);
      await transaction(db, async (tx) => {
        const memberId = await lockMembership(tx, organizationId, user.id);
        const account = (await listChatAccounts(tx, organizationId, user.id)).find(
          ({ id }) => id === path.id,
        );
        if (!account || !(await deleteChatAccount(tx, organizationId, user.id, account.id))) throw notFound();
        await audit(tx, organizationId, user, memberId, account, 'member.chat_account_unlinked', requestId);
      });
      return { status: 204 };
    },
  };
}

/**
 * @throws ApiError 404 if the link isn't valid for this person, 409 if it belongs to another of their
 * organizations.
 */
async function findLink(
  db: Database | Tx,
  token: string,
  userId: number,
  organizationId: number,
): Promise<{ link: ChatLinkRow; digest: Buffer }> {
  const digest = parseOneTimeToken(token);
  const link = digest && (await findChatLinkAcrossOrganizations(db, digest, userId));
  if (!digest || !link) throw unusableLinkError('Click a button in the chat again to get a new one.');
  if (link.organizationId !== organizationId)
    throw new ApiError(
      'conflict',
      `This link is for the organization ${link.organizationName}. Switch to it, then open the link again.`,
    );
  return { link, digest };
}

/** Locks the membership so that it doesn't end before the related data is written. */
async function lockMembership(tx: Tx, organizationId: number, userId: number): Promise<number> {
  const id = await findMembershipOfUser(tx, organizationId, userId);
  if (id === undefined) throw notFound();
  return id;
}

async function audit(
  tx: Tx,
  organizationId: number,
  user: { id: number; name: string },
  memberId: number,
  account: ChatAccountRow,
  action: 'member.chat_account_linked' | 'member.chat_account_unlinked',
  requestId: string,
): Promise<void> {
  const actor = { type: 'user', id: user.id, name: user.name } as const;
  const member = { name: user.name, memberId };
  await logChatAccountChange(tx, organizationId, member, account, { action, actor, requestId });
}

function toChatAccount({
  chat_user_name,
  last_used_at,
  created_at,
  ...row
}: ChatAccountRow): Schemas['ChatAccount'] {
  return {
    ...row,
    user_name: chat_user_name,
    last_used_at: last_used_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
  };
}
