import { createSecretKey, hash, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { deriveKey, keyFingerprint } from '../../../platform/secrets/index.ts';

/**
 * Claims of an access token: the user, the organization, and the login. Permissions are read from the
 * database.
 */
export interface LoginClaims {
  userId: number;
  organizationId: number;
  tokenVersion: number;
  /** ID of the login that the token belongs to. The token ends with that login. */
  familyId: string;
  /** Expiry time in seconds since 1970. The caller of `verify` compares it with the clock of the database. */
  expiresAtSeconds: number;
}

export interface LoginTokens {
  /** Issues a token. `now` is the time of the database, so all servers agree when a token expires. */
  issue(claims: Omit<LoginClaims, 'expiresAtSeconds'>, now: Date): Promise<string>;
  /** Returns null for tokens that this installation didn't issue. The caller checks the expiry time. */
  verify(token: string): Promise<LoginClaims | null>;
}

export const accessTokenSeconds = 15 * 60;

const algorithm = 'HS256';
const issuer = 'pacekeeper';
const audience = 'pacekeeper-api';
/** Maximum number of cached tokens. The cache is cleared when it's full. */
const maxVerified = 1_000;

/** @param options.previous Secret keys whose tokens stay valid after a rotation. */
export function createLoginTokens(options: {
  current: Uint8Array;
  previous?: readonly Uint8Array[];
}): LoginTokens {
  const current = signingKey(options.current);
  const keys = new Map(
    [...(options.previous ?? []).map(signingKey), current].map(({ id, key }) => [id, key]),
  );
  /**
   * Cache of verified claims by token digest. Caching is safe because the signature of a token never changes, and
   * useful because verifying a signature takes longer than the rest of a small request. Every request still checks in
   * the database whether the login is valid.
   */
  const verified = new Map<string, LoginClaims>();

  return {
    issue({ userId, organizationId, tokenVersion, familyId }, now) {
      const issuedAt = Math.floor(now.getTime() / 1_000);
      return new SignJWT({ org: organizationId, ver: tokenVersion, sid: familyId })
        .setProtectedHeader({ alg: algorithm, typ: 'JWT', kid: current.id })
        .setSubject(String(userId))
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + accessTokenSeconds)
        .sign(current.key);
    },

    async verify(token) {
      const digest = hash('sha256', token, 'base64');
      const known = verified.get(digest);
      if (known) return known;
      try {
        const { payload } = await jwtVerify(
          token,
          ({ kid }) => {
            const key = kid === undefined ? undefined : keys.get(kid);
            if (!key) throw new errors.JWKSNoMatchingKey();
            return key;
          },
          {
            algorithms: [algorithm],
            issuer,
            audience,
            requiredClaims: ['sub', 'exp', 'org', 'ver', 'sid'],
            // Disables the library's expiry check, which uses the clock of this machine. The authentication
            // query uses the clock of the database.
            currentDate: new Date(0),
          },
        );
        const claims = {
          userId: Number(payload.sub),
          organizationId: Number(payload['org']),
          tokenVersion: Number(payload['ver']),
          familyId: String(payload['sid']),
          expiresAtSeconds: Number(payload.exp),
        };
        if (verified.size >= maxVerified) verified.clear();
        verified.set(digest, claims);
        return claims;
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}

function signingKey(secretKey: Uint8Array): { id: string; key: KeyObject } {
  return {
    id: keyFingerprint(secretKey).slice(0, 8),
    key: createSecretKey(deriveKey(secretKey, 'login-token')),
  };
}
