import type { Database } from '../../../platform/database/index.ts';
import { SignOnError } from './sign-on-error.ts';
import type { SingleSignOn } from './single-sign-on.ts';

/** Where the browser ends the session at the provider as well, if the operator wants that; null if nowhere. */
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
    // The session here ends in any case.
    if (error instanceof SignOnError) return null;
    throw error;
  }
}
