import { sql } from 'kysely';
import { type GroupRole, rolesOfGroups } from '../../../domain/sign-on/group-roles.ts';
import { groupsOf, meetsRequirements } from '../../../domain/sign-on/provider-claims.ts';
import type { Config } from '../../../platform/config.ts';
import { ConfigError } from '../../../platform/config.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { Log } from '../../../platform/log.ts';
import { createSparingLog } from '../../../platform/log-sparingly.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import {
  type ConnectionDeps,
  createProviderConnection,
  type ProviderAnswer,
  type ProviderConnection,
} from './provider-connection.ts';
import { readProviderFile } from './provider-file.ts';
import { resolveGrantsAcrossOrganizations } from './resolve-grants.ts';
import { SignOnError } from './sign-on-error.ts';

/** What the groups of a person give. */
export interface GrantedRoles {
  roles: ReadonlyMap<number, GroupRole>;
  /**
   * The organizations in which memberships are taken away that no group gives; null for all. An organization that the
   * operator named, but that isn't found under this name, may be any of the others.
   */
  followed: ReadonlySet<number> | null;
}

/** The login providers of a server. */
export interface SingleSignOn {
  readonly providers: readonly ProviderConnection[];
  /** Whether people can log in with a password. */
  readonly hasPasswordLogin: boolean;
  readonly secretBox: SecretBox;
  find(id: string): ProviderConnection | undefined;
  findByIssuer(issuer: string): ProviderConnection | undefined;
  /**
   * What the groups of a person give.
   * @throws SignOnError when the provider doesn't say the groups, or the person lacks a required claim
   */
  rolesOf(connection: ProviderConnection, answer: ProviderAnswer): Promise<GrantedRoles>;
}

export interface SingleSignOnOptions extends ConnectionDeps {
  db: Database;
  secretBox: SecretBox;
  log: Log;
  config: Pick<Config, 'oidcFile' | 'passwordLogin'>;
}

/** @throws ConfigError if the file is invalid, or no one could log in */
export function createSingleSignOn(options: SingleSignOnOptions): SingleSignOn {
  const { db, secretBox, log, config } = options;
  const settings = config.oidcFile === null ? [] : readProviderFile(config.oidcFile);
  if (settings.length === 0 && !config.passwordLogin)
    throw new ConfigError(['PACEKEEPER_PASSWORD_LOGIN: off requires PACEKEEPER_OIDC_FILE.']);
  const providers = settings.map((each) => createProviderConnection(each, options));
  const warn = createSparingLog(log);

  return {
    providers,
    hasPasswordLogin: config.passwordLogin,
    secretBox,
    find: (id) => providers.find((each) => each.settings.id === id),
    findByIssuer: (issuer) => providers.find((each) => each.settings.issuer === issuer),

    async rolesOf({ settings: { id, groupsClaim, requiredClaims, groups } }, { claims }) {
      if (!meetsRequirements(claims, requiredClaims)) throw new SignOnError('claim_required');
      const own = groupsOf(claims, groupsClaim);
      if (own === 'too_many') throw new SignOnError('groups_unavailable');
      const { grants, unknown } = await resolveGrantsAcrossOrganizations(db, groups);
      if (unknown.length > 0)
        warn({ provider: id, organizations: unknown }, 'organizations of groups not found, or not unique');
      const followed =
        unknown.length === 0 ? null : new Set(grants.map(({ organizationId }) => organizationId));
      return { roles: rolesOfGroups(own ?? [], grants), followed };
    },
  };
}

/** The time of decisions. */
export async function databaseNow(db: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`SELECT pacekeeper_now() AS now`.execute(db);
  return rows[0]!.now;
}
