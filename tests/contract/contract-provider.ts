import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEndOfFile } from '../helpers/end-of-file.ts';
import { writeProviderFile } from '../helpers/sign-on-world.ts';

/**
 * Returns the environment variables of a server with the login provider `corp`. The provider publishes its
 * metadata but supports no logins, because the operations only need its name.
 */
export async function loginProviderEnvironment(): Promise<Record<string, string>> {
  const server = createServer((_request, response) => {
    const metadata = {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEndOfFile(() => server.close().closeAllConnections());
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = { issuer, clientId: 'pacekeeper', clientSecret: 'a secret' };
  return { PACEKEEPER_OIDC_FILE: writeProviderFile({ corp: { provider } }) };
}
