import type { Log } from '../../../platform/log.ts';
import type { ProviderConnection } from './provider-connection.ts';
import type { SignOnError } from './sign-on-error.ts';

/**
 * Reports that a provider doesn't accept the client's credentials. The operator has to fix it, so it's an
 * error in the log, and no one loses a session because of it.
 */
export function reportRejectedClient(log: Log, { settings }: ProviderConnection, error: SignOnError): void {
  log.error(
    { provider: settings.id, client_id: settings.clientId, reason: error.reason },
    'the login provider rejects the client credentials; sessions pause until PACEKEEPER_OIDC_FILE is fixed',
  );
}
