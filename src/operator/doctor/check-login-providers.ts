import { examineLoginProviders } from '../../modules/accounts/index.ts';
import { type Config, ConfigError } from '../../platform/config.ts';
import type { Database } from '../../platform/database/index.ts';
import { openOutbound } from '../../platform/outbound/index.ts';
import { type Check, failedCheck, listSome, ok, reasonOf, warn } from './check.ts';

/**
 * Checks that users can log in with the login providers. Requests the endpoint URLs and the keys from each provider.
 */
export async function checkLoginProviders(config: Config, db: Database): Promise<Check[]> {
  if (config.oidcFile === null) return [];
  const { client: outbound } = openOutbound(config);
  try {
    const found = await examineLoginProviders({
      db,
      outbound,
      file: config.oidcFile,
      baseUrl: config.baseUrl ?? 'http://localhost',
    });
    return found.map(({ id, issuer, problem, isUnreachable, unknownOrganizations }) => {
      const name = `login_provider_${id.replaceAll('-', '_')}`;
      if (problem !== null)
        return failedCheck(
          name,
          `${issuer}: ${problem.replace(/\.$/, '')}.`,
          `${
            isUnreachable
              ? 'Check the issuer, PACEKEEPER_EGRESS_ALLOW, and PACEKEEPER_CA_FILE.'
              : 'Fix the client at the provider, or PACEKEEPER_OIDC_FILE.'
          } Until then, no one can log in with it.`,
        );
      if (unknownOrganizations.length > 0)
        return warn(
          name,
          `Organizations not found, or several with that name: ${listSome(unknownOrganizations)}.`,
          'Fix `groups` in PACEKEEPER_OIDC_FILE; IDs are always unique.',
        );
      return ok(name, `${issuer} can be reached.`);
    });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [
      failedCheck(
        'login_providers',
        `${error.problems.map(reasonOf).join('. ')}.`,
        'Fix PACEKEEPER_OIDC_FILE.',
      ),
    ];
  } finally {
    await outbound.close();
  }
}
