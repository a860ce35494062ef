import type { Database } from '../../../platform/database/index.ts';
import type { OutboundClient } from '../../../platform/outbound/index.ts';
import { createProviderConnection } from './provider-connection.ts';
import { readProviderFile } from './provider-file.ts';
import { resolveGrantsAcrossOrganizations } from './resolve-grants.ts';
import { SignOnError } from './sign-on-error.ts';

export interface ExaminedProvider {
  id: string;
  issuer: string;
  /** Reason why no one can log in with this provider; null if it works. */
  problem: string | null;
  /** True if the provider can't be reached, so its settings weren't checked. */
  isUnreachable: boolean;
  unknownOrganizations: string[];
}

/**
 * Checks each login provider in the same way as a login.
 * @throws ConfigError If the file is invalid.
 */
export async function examineLoginProviders(options: {
  db: Database;
  outbound: Pick<OutboundClient, 'request'>;
  file: string;
  baseUrl: string;
}): Promise<ExaminedProvider[]> {
  return Promise.all(
    readProviderFile(options.file).map(async (settings) => {
      const { id, issuer, groups } = settings;
      const problem = await createProviderConnection(settings, options)
        .check()
        .then(
          () => null,
          (error: unknown) => {
            if (error instanceof SignOnError) return error;
            throw error;
          },
        );
      const { unknown } = await resolveGrantsAcrossOrganizations(options.db, groups);
      return {
        id,
        issuer,
        problem: problem && (problem.reason || problem.message),
        isUnreachable: problem?.code === 'provider_unavailable',
        unknownOrganizations: unknown,
      };
    }),
  );
}
