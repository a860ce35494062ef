import { sql } from 'kysely';
import { type GroupRole, rolesOfGroups } from '../../../domain/sign-on/group-roles.ts';
import {
  describeGroups,
  explainUnmetRequirement,
  groupsOf,
  meetsRequirements,
} from '../../../domain/sign-on/provider-claims.ts';
import type { Config } from '../../../platform/config.ts';
import { ConfigError } from '../../../platform/config.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { Log } from '../../../platform/log.ts';
import { createRateLimitedLog } from '../../../platform/log-sparingly.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import {
  type ConnectionDeps,
  createProviderConnection,
  type ProviderConnection,
  type ProviderResponse,
} from './provider-connection.ts';
import { readProviderFile } from './provider-file.ts';
import { resolveGrantsAcrossOrganizations } from './resolve-grants.ts';
import { SignOnError } from './sign-on-error.ts';

/** Roles that a person's groups grant. */
export interface GrantedRoles {
  roles: ReadonlyMap<number, GroupRole>;
  /**
   * Organizations in which memberships are removed if no group grants them. Null means all organizations. If
   * an entry in the provider file doesn't resolve to an organization, it could mean any organization, so this
   * set then contains only the resolved ones.
   */
  followed: ReadonlySet<number> | null;
}

/** Login providers and single sign-on settings of a server. */
export interface SingleSignOn {
  readonly providers: readonly ProviderConnection[];
  /** True if people can log in with a password. */
  readonly hasPasswordLogin: boolean;
  readonly secretBox: SecretBox;
  find(id: string): ProviderConnection | undefined;
  findByIssuer(issuer: string): ProviderConnection | undefined;
  /**
   * Returns the roles that a person's groups grant.
   * @throws SignOnError if the provider doesn't include the groups, or the person lacks a required claim
   */
  rolesOf(connection: ProviderConnection, answer: ProviderResponse): Promise<GrantedRoles>;
  /** Notifies the organizations of a person that a provider rejects the client's credentials. */
  onClientRejected: OnClientRejected;
  /** Ends the report that a provider rejects the client's credentials, if there was one. */
  onClientAccepted: OnClientAccepted;
}

type OnClientAccepted = (providerId: string) => Promise<void>;
type OnClientRejected = (rejected: {
  userId: number;
  identityId: number;
  provider: { id: string; name: string };
}) => Promise<void>;

export interface SingleSignOnOptions extends ConnectionDeps {
  db: Database;
  secretBox: SecretBox;
  log: Log;
  config: Pick<Config, 'oidcFile' | 'passwordLogin'>;
  onClientRejected: OnClientRejected;
  onClientAccepted: OnClientAccepted;
}

/** @throws ConfigError if the file is invalid, or if the configuration would lock everyone out */
export function createSingleSignOn(options: SingleSignOnOptions): SingleSignOn {
  const { db, secretBox, log, config } = options;
  const settings = config.oidcFile === null ? [] : readProviderFile(config.oidcFile);
  if (settings.length === 0 && !config.passwordLogin)
    throw new ConfigError(['PACEKEEPER_PASSWORD_LOGIN: off requires PACEKEEPER_OIDC_FILE.']);
  const providers = settings.map((each) => createProviderConnection(each, options));
  const warn = createRateLimitedLog(log);

  return {
    providers,
    hasPasswordLogin: config.passwordLogin,
    onClientRejected: options.onClientRejected,
    onClientAccepted: options.onClientAccepted,
    secretBox,
    find: (id) => providers.find((each) => each.settings.id === id),
    findByIssuer: (issuer) => providers.find((each) => each.settings.issuer === issuer),

    async rolesOf({ settings }, { claims }) {
      const { id, groupsClaim, groupsShape, requiredClaims, groups } = settings;
      if (!meetsRequirements(claims, requiredClaims))
        throw new SignOnError('claim_required', explainUnmetRequirement(claims, requiredClaims));
      const own = groupsOf(claims, groupsClaim, groupsShape);
      if (own === 'too_many')
        throw new SignOnError('groups_unavailable', describeGroups(claims, groupsClaim, groupsShape));
      const { grants, unknown } = await resolveGrantsAcrossOrganizations(db, groups);
      if (unknown.length > 0)
        warn({ provider: id, organizations: unknown }, 'organizations of groups not found, or not unique');
      const followed =
        unknown.length === 0 ? null : new Set(grants.map(({ organizationId }) => organizationId));
      return { roles: rolesOfGroups(own ?? [], grants), followed };
    },
  };
}

/** Returns the database time, which decides when attempts and tokens expire. */
export async function databaseNow(db: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`SELECT pacekeeper_now() AS now`.execute(db);
  return rows[0]!.now;
}
