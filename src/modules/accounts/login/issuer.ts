import { sql } from 'kysely';
import type { Database } from '../../../platform/database/index.ts';
import type { Caller } from '../../../platform/http/index.ts';
import { keyIsUsable } from './authentication-queries.ts';

/** Who created a link that ends with their right. */
export type Issuer =
  | { readonly kind: 'user'; readonly id: number; readonly tokenVersion: number }
  | { readonly kind: 'key'; readonly id: number };

/** @returns `null` for callers that are neither a person nor a key. */
export async function findIssuer(db: Database, { userId, apiKeyId }: Caller): Promise<Issuer | null> {
  if (apiKeyId !== null) return { kind: 'key', id: apiKeyId };
  if (userId === null) return null;
  const { rows } = await sql<{ token_version: number }>`
    SELECT token_version FROM users WHERE id = ${userId}`.execute(db);
  return rows[0] === undefined ? null : { kind: 'user', id: userId, tokenVersion: rows[0].token_version };
}

/**
 * A person loses the right to read by leaving the organization, and ends what they have issued by a new password; a key
 * by being disabled, revoked, or expired, or with the person who created it.
 */
export async function mayIssuerRead(db: Database, organizationId: number, issuer: Issuer): Promise<boolean> {
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
