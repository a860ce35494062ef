import { createSecretKey, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { deriveKey } from '../../../platform/secrets/index.ts';

/**
 * Claims of a deployment token: the trust and its revision. The permissions of the token are read from the
 * database.
 */
export interface DeploymentTokenClaims {
  organizationId: number;
  trustId: number;
  /** Revision of the trust when the token was issued. Changing the trust ends the token. */
  revision: number;
  /** Expiry time in seconds since 1970. The caller of `verify` compares it with the clock of the database. */
  expiresAtSeconds: number;
}

export interface DeploymentTokens {
  /** Issues a token. `now` is the time of the database, so all servers agree when a token expires. */
  issue(claims: Omit<DeploymentTokenClaims, 'expiresAtSeconds'>, now: Date): Promise<string>;
  /** Returns null for tokens that this installation didn't issue. The caller checks the expiry time. */
  verify(token: string): Promise<DeploymentTokenClaims | null>;
}

export const deploymentTokenSeconds = 5 * 60;

const algorithm = 'HS256';
const issuer = 'pacekeeper';
const audience = 'pacekeeper-deployments';

/**
 * Creates the functions for deployment tokens. Their signing key differs from that of access tokens, so a
 * token of one kind is never valid as the other kind.
 */
export function createDeploymentTokens(secretKey: Uint8Array): DeploymentTokens {
  const key: KeyObject = createSecretKey(deriveKey(secretKey, 'deployment-token'));
  return {
    issue({ organizationId, trustId, revision }, now) {
      const issuedAt = Math.floor(now.getTime() / 1_000);
      return new SignJWT({ org: organizationId, rev: revision })
        .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
        .setSubject(String(trustId))
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + deploymentTokenSeconds)
        .sign(key);
    },

    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [algorithm],
          issuer,
          audience,
          requiredClaims: ['sub', 'exp', 'org', 'rev'],
          // Disables the library's expiry check, which uses the clock of this machine.
          currentDate: new Date(0),
        });
        return {
          organizationId: Number(payload['org']),
          trustId: Number(payload.sub),
          revision: Number(payload['rev']),
          expiresAtSeconds: Number(payload.exp),
        };
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}
