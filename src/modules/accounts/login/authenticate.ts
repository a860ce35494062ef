import { createHash, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Database } from '../../../platform/database/index.ts';
import { ApiError } from '../../../platform/errors.ts';
import type { Caller } from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log.ts';
import { isSameDigest, parseApiKey } from '../../../platform/secrets/index.ts';
import { createKeyUses } from '../api-keys/key-uses.ts';
import { findTrustOfToken } from '../deployment-trusts/trust-queries.ts';
import { systemOrganizationId } from '../people/organization-queries.ts';
import { findKeyAcrossOrganizations, findLogin } from '../sessions/authentication-queries.ts';
import type { DeploymentTokens } from '../sessions/deployment-tokens.ts';
import { readSessionCookie } from '../sessions/login-cookies.ts';
import type { LoginClaims, LoginTokens } from '../sessions/login-tokens.ts';
import { checkOrigin } from '../sessions/request-origin.ts';
import {
  endedDeploymentTokenError,
  endedTokenError,
  malformedAuthorizationError,
  malformedKeyError,
  unknownKeyError,
  unknownTokenError,
  unusableKeyError,
} from './rejected-credentials.ts';

export interface AuthenticatorOptions {
  db: Database;
  loginTokens: LoginTokens;
  deploymentTokens: DeploymentTokens;
  /** Null if the base URL isn't configured. */
  configuredBaseUrl: string | null;
  /** Token from `createEmbeddedAgentToken`; null if this server has no embedded agent. */
  embeddedAgentToken: string | null;
  log: Log;
}

export interface Authenticator {
  /**
   * Returns the current caller of a request, read in one statement. Null if the request has no credentials,
   * or only the cookie of a login that has ended. Throws `unauthenticated` for invalid credentials, and
   * `forbidden` for a write request with the cookie from another origin.
   */
  authenticate: (request: FastifyRequest) => Promise<Caller | null>;
  /** Writes the remaining key uses. */
  stop: () => Promise<void>;
}

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { db, loginTokens, deploymentTokens, configuredBaseUrl, embeddedAgentToken } = options;
  const keyUses = createKeyUses(db, options.log);
  const embeddedAgentDigest = embeddedAgentToken === null ? null : digest(embeddedAgentToken);

  async function authenticate(request: FastifyRequest): Promise<Caller | null> {
    const key = request.headers['x-api-key'];
    const authorization = ownAuthorization(request);
    if (key !== undefined && authorization !== undefined) {
      throw new ApiError('unauthenticated', 'Send either X-API-Key or Authorization, not both.');
    }
    if (key !== undefined) return callerOfKey(String(key));
    if (authorization !== undefined) return callerOfAuthorization(authorization);
    const session = readSessionCookie(request, configuredBaseUrl);
    if (!session) return null;
    // Browsers send cookies automatically. A page of another site must not act on behalf of the user who is
    // logged in.
    if (request.method !== 'GET' && request.method !== 'HEAD') checkOrigin(request, configuredBaseUrl);
    return callerOfLogin(await loginTokens.verify(session));
  }

  async function callerOfKey(text: string): Promise<Caller> {
    const given = parseApiKey(text);
    const row = given ? await findKeyAcrossOrganizations(db, given.id) : undefined;
    if (!given) throw malformedKeyError(text);
    if (!row || !isSameDigest(row.secret_hash, given.digest)) throw unknownKeyError();
    if (!row.is_usable) throw await unusableKeyError(db, row);
    if (row.should_record_use) keyUses.record(row.id);
    return {
      organizationId: row.organization_id,
      via: 'api_key',
      role: row.role,
      actor: { type: 'api_key', id: row.id, name: row.name },
      userId: null,
      apiKeyId: row.id,
      agentLimits: {
        capabilities: row.agent_capabilities,
        credentialNames: row.agent_credential_names,
      },
      loginId: null,
      isSystem: row.organization_id === systemOrganizationId,
      isTwoFactorMissing: false,
    };
  }

  async function callerOfAuthorization(authorization: string): Promise<Caller> {
    const token = /^bearer +([^ ]+)$/i.exec(authorization)?.[1];
    if (token === undefined) throw malformedAuthorizationError();
    if (token.startsWith(embeddedAgentPrefix)) {
      if (!embeddedAgentDigest || !isSameDigest(digest(token), embeddedAgentDigest)) {
        throw unknownTokenError(token);
      }
      return embeddedAgent;
    }
    const claims = await loginTokens.verify(token);
    if (!claims) return callerOfDeploymentToken(token);
    const caller = await callerOfLogin(claims);
    if (!caller) throw await endedTokenError(db, claims);
    return caller;
  }

  async function callerOfDeploymentToken(token: string): Promise<Caller> {
    const claims = await deploymentTokens.verify(token);
    if (!claims) throw unknownTokenError(token);
    const trust = await findTrustOfToken(db, claims);
    if (!trust) throw await endedDeploymentTokenError(db, claims);
    const { id, name, services, environments } = trust;
    return {
      organizationId: claims.organizationId,
      via: 'deployment_token',
      role: 'reporter',
      actor: { type: 'deployment_trust', id, name },
      userId: null,
      apiKeyId: null,
      deploymentLimits: { trustId: id, services, environments },
      loginId: null,
      isSystem: false,
      isTwoFactorMissing: false,
    };
  }

  async function callerOfLogin(claims: LoginClaims | null): Promise<Caller | null> {
    const row = claims && (await findLogin(db, claims));
    if (!row) return null;
    return {
      organizationId: claims.organizationId,
      via: 'login',
      role: row.role,
      actor: { type: 'user', id: claims.userId, name: row.name },
      userId: claims.userId,
      apiKeyId: null,
      loginId: claims.familyId,
      isSystem: false,
      isTwoFactorMissing: row.is_two_factor_missing,
    };
  }

  return { authenticate, stop: () => keyUses.stop() };
}

/**
 * Returns the `Authorization` header, unless its scheme is `Basic`. No credential of Pacekeeper uses that
 * scheme. However, proxies with a separate login forward it, and programs such as curl and Python's requests
 * send it for hosts in `.netrc`.
 */
function ownAuthorization({ headers: { authorization } }: FastifyRequest): string | undefined {
  return authorization === undefined || /^basic /i.test(authorization) ? undefined : authorization;
}

const embeddedAgentPrefix = 'pacekeeper-embedded-';

const embeddedAgent: Caller = {
  organizationId: systemOrganizationId,
  via: 'embedded_agent',
  role: 'agent',
  actor: { type: 'system', id: null, name: 'Embedded agent' },
  userId: null,
  apiKeyId: null,
  loginId: null,
  isSystem: true,
  isTwoFactorMissing: false,
};

/**
 * Creates the token that the embedded agent sends as `Authorization: Bearer …`. A new token is generated at
 * each start and isn't stored.
 */
export function createEmbeddedAgentToken(): string {
  return embeddedAgentPrefix + randomBytes(32).toString('base64url');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
