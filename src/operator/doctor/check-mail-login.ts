import packageJson from '../../../package.json' with { type: 'json' };
import type { Config } from '../../platform/config.ts';
import { AccessTokenError, type AccessTokenOptions, createAccessTokens } from '../../platform/email/index.ts';
import { type Check, failedCheck, ok } from './check.ts';

/**
 * Checks that the token endpoint issues access tokens for the mail server, because client secrets expire. Sends no
 * email. No result if the mail server is used without access tokens.
 *
 * @param options Only for tests.
 */
export async function checkMailLogin(
  config: Config,
  options: Partial<AccessTokenOptions> = {},
): Promise<Check[]> {
  const name = 'mail_login';
  const userAgent = `Pacekeeper/${packageJson.version}`;
  const tokens = createAccessTokens(config, { userAgent, ca: null, ...options });
  if (tokens === null) return [];
  try {
    await tokens.get();
    return [ok(name, `The token endpoint of the mail server issues access tokens for ${tokens.user}.`)];
  } catch (error) {
    if (!(error instanceof AccessTokenError)) throw error;
    return [
      failedCheck(
        name,
        error.message,
        'Fix the client at the provider, or the variables that begin with PACEKEEPER_SMTP_OAUTH_. Until then, no emails are sent.',
      ),
    ];
  } finally {
    await tokens.close();
  }
}
