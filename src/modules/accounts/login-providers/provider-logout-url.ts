import type { Database } from '../../../platform/database/index.ts';
import { SignOnError } from './sign-on-error.ts';
import type { SingleSignOn } from './single-sign-on.ts';

/**
 * Returns the URL where the browser ends its session at the provider, too. Null if the operator hasn't
 * enabled that, or if the provider has no such URL.
 */
export async function providerLogoutUrl(
  { db, singleSignOn }: { db: Database; singleSignOn: SingleSignOn },
  familyId: string,
): Promise<string | null> {
  if (!singleSignOn.providers.some(({ settings }) => settings.endsProviderSession)) return null;
  const row = await db
    .selectFrom('limited_sessions')
    .innerJoin('user_identities', 'user_identities.id', 'limited_sessions.identity_id')
    .select('user_identities.issuer')
    .where('limited_sessions.family_id', '=', familyId)
    .executeTakeFirst();
  const connection = row && singleSignOn.findByIssuer(row.issuer);
  if (!connection?.settings.endsProviderSession) return null;
  try {
    return (await connection.logoutUrl())?.href ?? null;
  } catch (error) {
    // Logging out of Pacekeeper works even if the provider is unavailable.
    if (error instanceof SignOnError) return null;
    throw error;
  }
}
