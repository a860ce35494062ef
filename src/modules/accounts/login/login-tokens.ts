import { createSecretKey, hash, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { deriveKey, keyFingerprint } from '../../../platform/secrets/index.ts';

/** What an access token says: who, where, and by which login. What they may do is read from the database. */
export interface LoginClaims {
  userId: number;
  organizationId: number;
  tokenVersion: number;
  /** The login that the token came from. It ends with that login. */
  familyId: string;
  /** Seconds since 1970. Whoever verifies compares it with the database's clock. */
  expiresAtSeconds: number;
}

export interface LoginTokens {
  /** `now` is the database's: all servers then agree on when a token ends. */
  issue(claims: Omit<LoginClaims, 'expiresAtSeconds'>, now: Date): Promise<string>;
  /** Null for everything that this installation did not issue. The expiry is left to the caller. */
  verify(token: string): Promise<LoginClaims | null>;
}

export const accessTokenSeconds = 15 * 60;

const algorithm = 'HS256';
const issuer = 'pacekeeper';
const audience = 'pacekeeper-api';
/** Tokens that are remembered. When there are more, all of them are forgotten. */
const maxVerified = 1_000;

/** @param options.previous secret keys whose tokens still hold after a rotation. */
export function createLoginTokens(options: {
  current: Uint8Array;
  previous?: readonly Uint8Array[];
}): LoginTokens {
  const current = signingKey(options.current);
  const keys = new Map(
    [...(options.previous ?? []).map(signingKey), current].map(({ id, key }) => [id, key]),
  );
  /**
   * By the digests of tokens. A signature takes longer to verify than all else of a small request, and it stays what it is; whether
   * the login still holds is read from the database each time.
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
            // The library would ask this machine's clock. The authentication query asks the database's.
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
