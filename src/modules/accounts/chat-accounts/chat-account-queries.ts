import { sql } from 'kysely';
import type { ChatPlatform } from '../../../domain/channels/chat-buttons.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import type { Role } from '../../../platform/http/index.ts';
import { createOneTimeToken } from '../../../platform/secrets/index.ts';
import { singleSignOnSeconds } from '../people/limited-session-queries.ts';
import { hasTwoFactorSql, requiresTwoFactorSql } from '../people/two-factor-requirement.ts';

/** Identity of a person in a chat, verified by a realm, which is a Slack app or a Mattermost channel. */
export interface ChatIdentity {
  platform: ChatPlatform;
  realm: Buffer;
  workspaceId: string;
  chatUserId: string;
}

export interface ChatIdentityNames {
  workspaceName: string;
  chatUserName: string;
}

export interface ChatMember {
  userId: number;
  name: string;
  /** Current role in the organization. */
  role: Role;
  /**
   * True if the membership was granted by groups at a provider that is no longer configured or hasn't
   * confirmed the groups within the lifetime of a session.
   */
  isCheckDue: boolean;
  /**
   * True if the organization requires two-factor authentication, and the person has neither set it up nor
   * linked an identity of a configured login provider.
   */
  isTwoFactorMissing: boolean;
}

/**
 * Returns the member that a chat account acts for, or undefined if the account isn't linked. Records the use
 * at most once a minute.
 *
 * @param issuers Issuers of the configured login providers.
 */
export async function findChatMember(
  db: Database,
  organizationId: number,
  identity: ChatIdentity,
  issuers: readonly string[],
): Promise<ChatMember | undefined> {
  const { rows } = await sql<ChatMember>`
    WITH account AS (
      SELECT user_id FROM chat_accounts WHERE ${isIdentity(organizationId, identity)}
    ), used AS (
      UPDATE chat_accounts SET last_used_at = pacekeeper_now()
      WHERE ${isIdentity(organizationId, identity)}
        AND (last_used_at IS NULL OR last_used_at < pacekeeper_now() - interval '1 minute')
    )
    SELECT users.id AS "userId", users.name, memberships.role,
      -- True for every identity if no provider is configured, because "<> ALL" of an empty list is true.
      identity.id IS NOT NULL AND coalesce(identity.issuer <> ALL(${issuers}::text[])
        OR identity.checked_at NOT BETWEEN pacekeeper_now() - make_interval(secs => ${singleSignOnSeconds})
          AND pacekeeper_now() + interval '60 seconds', false) AS "isCheckDue",
      ${sql.raw(requiresTwoFactorSql('memberships.organization_id'))} AND NOT ${sql.raw(hasTwoFactorSql('users.id'))}
        AND NOT EXISTS (
          SELECT FROM user_identities WHERE user_id = users.id AND issuer = ANY(${issuers}::text[])) AS "isTwoFactorMissing"
    FROM account
    JOIN memberships ON memberships.organization_id = ${organizationId} AND memberships.user_id = account.user_id
    LEFT JOIN user_identities AS identity ON identity.id = memberships.granted_by_identity_id
    JOIN users ON users.id = account.user_id`.execute(db);
  return rows[0];
}

const linkLifetimeMinutes = 15;

/**
 * Creates a link with which a person connects a chat account, and invalidates the previous link for that
 * account.
 * @returns The token of the link.
 */
export async function createChatLink(
  db: Database,
  organizationId: number,
  identity: ChatIdentity & ChatIdentityNames,
): Promise<string> {
  const { token, digest } = createOneTimeToken();
  const { platform, realm, workspaceId, workspaceName, chatUserId, chatUserName } = identity;
  await sql`
    INSERT INTO chat_links (organization_id, token_hash, platform, realm, workspace_id, workspace_name, chat_user_id,
      chat_user_name, expires_at)
    VALUES (${organizationId}, ${digest}, ${platform}, ${realm}, ${workspaceId}, ${workspaceName}, ${chatUserId},
      ${chatUserName}, pacekeeper_now() + make_interval(mins => ${linkLifetimeMinutes}))
    ON CONFLICT (organization_id, platform, realm, workspace_id, chat_user_id) DO UPDATE
    SET token_hash = excluded.token_hash, workspace_name = excluded.workspace_name,
      chat_user_name = excluded.chat_user_name, expires_at = excluded.expires_at`.execute(db);
  return token;
}

export interface ChatLinkRow extends ChatIdentity, ChatIdentityNames {
  organizationId: number;
  organizationName: string;
}

/** Returns a link that hasn't expired, if the person is a member of its organization. */
export async function findChatLinkAcrossOrganizations(
  db: Database | Tx,
  digest: Buffer,
  userId: number,
): Promise<ChatLinkRow | undefined> {
  const { rows } = await sql<ChatLinkRow>`
    SELECT l.organization_id AS "organizationId", o.name AS "organizationName", l.platform, l.realm,
      l.workspace_id AS "workspaceId", l.workspace_name AS "workspaceName", l.chat_user_id AS "chatUserId",
      l.chat_user_name AS "chatUserName"
    FROM chat_links l
    JOIN organizations o ON o.id = l.organization_id
    JOIN memberships m ON m.organization_id = l.organization_id AND m.user_id = ${userId}
    WHERE l.token_hash = ${digest} AND l.expires_at > pacekeeper_now()`.execute(db);
  return rows[0];
}

/**
 * @returns True if the link existed. If two requests use the link at the same time, only one of them gets
 * true.
 */
export async function deleteChatLink(tx: Tx, organizationId: number, digest: Buffer): Promise<boolean> {
  const { numAffectedRows } = await sql`
    DELETE FROM chat_links WHERE organization_id = ${organizationId} AND token_hash = ${digest}`.execute(tx);
  return numAffectedRows === 1n;
}

/**
 * Deletes expired links. Housekeeping calls this function.
 * @returns The number of deleted links.
 */
export async function deleteExpiredChatLinksAcrossOrganizations(tx: Tx, max: number): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM chat_links USING (
      SELECT token_hash FROM chat_links WHERE expires_at < pacekeeper_now()
      ORDER BY expires_at LIMIT ${max} FOR UPDATE SKIP LOCKED
    ) AS old
    WHERE chat_links.token_hash = old.token_hash`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export interface ChatAccountRow {
  id: number;
  platform: ChatPlatform;
  workspace_name: string;
  chat_user_name: string;
  last_used_at: Date | null;
  created_at: Date;
}

/** Maximum number of linked chat accounts per member. */
export const maxChatAccounts = 50;

/** Returns the chat accounts of a member in the order in which they were linked. */
export async function listChatAccounts(
  db: Database | Tx,
  organizationId: number,
  userId: number,
): Promise<ChatAccountRow[]> {
  return db
    .selectFrom('chat_accounts')
    .select([
      'id',
      sql<ChatPlatform>`platform`.as('platform'),
      'workspace_name',
      'chat_user_name',
      'last_used_at',
      'created_at',
    ])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .orderBy('id')
    .limit(maxChatAccounts)
    .execute();
}

/** @returns The ID of the new row, or undefined if the chat account is already linked. */
export async function insertChatAccount(
  tx: Tx,
  organizationId: number,
  userId: number,
  identity: ChatIdentity & ChatIdentityNames,
): Promise<number | undefined> {
  const row = await tx
    .insertInto('chat_accounts')
    .values({
      organization_id: organizationId,
      user_id: userId,
      platform: identity.platform,
      realm: identity.realm,
      workspace_id: identity.workspaceId,
      workspace_name: identity.workspaceName,
      chat_user_id: identity.chatUserId,
      chat_user_name: identity.chatUserName,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** @returns True if the member had this chat account. */
export async function deleteChatAccount(
  tx: Tx,
  organizationId: number,
  userId: number,
  id: number,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('chat_accounts')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

function isIdentity(organizationId: number, { platform, realm, workspaceId, chatUserId }: ChatIdentity) {
  return sql`organization_id = ${organizationId} AND platform = ${platform} AND realm = ${realm}
    AND workspace_id = ${workspaceId} AND chat_user_id = ${chatUserId}`;
}
