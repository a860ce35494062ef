import { sql } from 'kysely';
import type { Database } from '../../../platform/database/index.ts';
import type { Caller } from '../../../platform/http/index.ts';
import { keyIsUsable } from './authentication-queries.ts';

/** Creator of a link. The link ends when its creator loses the permission to read the organization's data. */
export type Issuer =
  | { readonly kind: 'user'; readonly id: number; readonly tokenVersion: number }
  | { readonly kind: 'key'; readonly id: number };

/** @returns The issuer, or `null` for callers that are neither a person nor a key. */
export async function findIssuer(db: Database, { userId, apiKeyId }: Caller): Promise<Issuer | null> {
  if (apiKeyId !== null) return { kind: 'key', id: apiKeyId };
  if (userId === null) return null;
  const { rows } = await sql<{ token_version: number }>`
    SELECT token_version FROM users WHERE id = ${userId}`.execute(db);
  return rows[0] === undefined ? null : { kind: 'user', id: userId, tokenVersion: rows[0].token_version };
}

/**
 * True if an issuer can still read data of the organization. A person loses this permission by leaving the
 * organization or changing the password. A key loses it when it's disabled, revoked, or expired, or when its
 * creator loses the permission to create it.
 */
export async function canIssuerRead(db: Database, organizationId: number, issuer: Issuer): Promise<boolean> {
  const { rows } =
    issuer.kind === 'key'
      ? await sql`
          SELECT FROM api_keys
          WHERE organization_id = ${organizationId} AND id = ${issuer.id} AND ${sql.raw(keyIsUsable)}`.execute(
          db,
        )
      : await sql`
          SELECT FROM users JOIN memberships ON memberships.user_id = users.id
          WHERE memberships.organization_id = ${organizationId} AND users.id = ${issuer.id}
            AND users.token_version = ${issuer.tokenVersion}`.execute(db);
  return rows.length > 0;
}
