import type { ProviderConnection } from '../login-providers/provider-connection.ts';
import type { SignOnError } from '../login-providers/sign-on-error.ts';
import type { LoginParts } from '../sessions/login-parts.ts';
import type { IdentityRow } from './identity-queries.ts';

/**
 * Reports that a provider doesn't accept the client's credentials. The operator has to fix the credentials,
 * so the rejection is logged as an error. No one loses a session because of it. The organizations of the
 * person who tried to log in are notified.
 */
export async function reportRejectedClient(
  { log, singleSignOn }: Pick<LoginParts, 'log' | 'singleSignOn'>,
  { settings }: ProviderConnection,
  { error, identity }: { error: SignOnError; identity: IdentityRow },
): Promise<void> {
  log.error(
    { provider: settings.id, client_id: settings.clientId, reason: error.reason },
    'the login provider rejects the client credentials; sessions pause until PACEKEEPER_OIDC_FILE is fixed',
  );
  const provider = { id: settings.id, name: settings.name };
  try {
    await singleSignOn.onClientRejected({ userId: identity.user_id, identityId: identity.id, provider });
  } catch (failure) {
    log.error({ err: failure }, 'organizations not notified of the rejected client credentials');
  }
}

/** Reports that a provider accepts the client's credentials. A failure to notify doesn't affect the login. */
export async function reportAcceptedClient(
  { log, singleSignOn }: Pick<LoginParts, 'log' | 'singleSignOn'>,
  { settings }: ProviderConnection,
): Promise<void> {
  try {
    await singleSignOn.onClientAccepted(settings.id);
  } catch (failure) {
    log.error({ err: failure }, 'organizations not notified of the accepted client credentials');
  }
}
