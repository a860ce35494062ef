import { createHash } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import { ApiError } from '../../../platform/errors.ts';
import { IssuerError, type IssuerKeys } from './issuer-keys.ts';

export interface VerifiedToken {
  claims: JWTPayload;
  /** Identifies the token, so that it can be used only once. */
  hash: Buffer;
  /** Time after which the token would be rejected in any case. */
  usableUntil: Date;
}

export interface ExpectedToken {
  issuer: string;
  audience: string;
  /** The time of the database. */
  now: Date;
}

/** Algorithms with a public key. With `HS256`, anyone could sign with the public key of the issuer. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Maximum difference between the clocks of the issuer and the database. */
const toleranceSeconds = 60;
/** Maximum age of a token. It's high, because a GitLab token is valid for as long as its job can run. */
const maxAgeSeconds = 24 * 3_600;

/**
 * Verifies the ID token of a CI job: signature, algorithm, issuer, audience, and times. The sender is
 * unknown, so error messages contain values of the token, but none of the trust.
 *
 * @throws ApiError 401 with the reason, and 503 if the keys of the issuer can't be read
 */
export async function verifyIdentityToken(
  keys: IssuerKeys,
  token: string,
  { issuer, audience, now }: ExpectedToken,
): Promise<VerifiedToken> {
  const { alg, claims: given } = decode(token);
  if (!algorithms.includes(alg))
    throw rejected(
      `It's signed with ${cleanTokenValue(alg)}. Only algorithms with a public key are accepted, such as RS256.`,
    );
  if (given.iss !== issuer)
    throw rejected(`Its issuer (${cleanTokenValue(given.iss)}) isn't the issuer of the trust.`);
  // Require exactly one audience. If a token has several, any of them could send it here.
  const audiences = [given.aud].flat();
  if (audiences.length !== 1 || audiences[0] !== audience)
    throw rejected(
      `Its audience (${cleanTokenValue(given.aud)}) isn't the one of the trust. Request the token for exactly that audience, which is the public URL of the server unless the trust has another one.`,
    );
  const { payload } = await jwtVerify(token, keys.keysOf(issuer), {
    algorithms,
    issuer,
    audience,
    requiredClaims: ['iss', 'aud', 'exp', 'iat'],
    currentDate: now,
    clockTolerance: toleranceSeconds,
    maxTokenAge: maxAgeSeconds,
  }).catch((error: unknown) => {
    throw toApiError(error);
  });
  const usableSeconds = Math.min(payload.exp!, payload.iat! + maxAgeSeconds) + toleranceSeconds;
  return {
    claims: payload,
    hash: hashOf(token, issuer, payload.jti),
    usableUntil: new Date((usableSeconds + 1) * 1_000),
  };
}

function decode(token: string): { alg: string; claims: JWTPayload } {
  try {
    return { alg: String(decodeProtectedHeader(token).alg), claims: decodeJwt(token) };
  } catch {
    throw rejected(
      "It isn't a signed JWT. Check that the CI platform issued an ID token and that all of it was sent.",
    );
  }
}

/**
 * Returns the hash by which a used token is recognized. A token without an ID is identified by the part that
 * is signed. The signature isn't included, because some algorithms have several valid signatures for the same
 * content.
 */
function hashOf(token: string, issuer: string, jti: unknown): Buffer {
  const isNamed = typeof jti === 'string' && jti !== '';
  const identity = isNamed ? ['jti', jti] : ['content', token.slice(0, token.lastIndexOf('.'))];
  return createHash('sha256')
    .update(JSON.stringify([issuer, ...identity]))
    .digest();
}

function toApiError(error: unknown): unknown {
  if (error instanceof IssuerError)
    return new ApiError('unavailable', `The keys of the issuer can't be read. ${error.message}`, {
      cause: error,
      retryAfterSeconds: 10,
    });
  if (!(error instanceof Error)) return error;
  return rejected(reasonOf(error), error);
}

function reasonOf(error: Error): string {
  if (error instanceof errors.JWTExpired) return 'It has expired. Request a new one for each job.';
  if (error instanceof errors.JWTClaimValidationFailed)
    return error.reason === 'missing'
      ? `It has no claim ${error.claim}.`
      : `Its claim ${error.claim} isn't valid now. Check the clock of the CI platform; tokens are accepted for at most 24 hours.`;
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return "Its issuer has no key with which it's signed. If the issuer has just rotated its keys, retry in a minute.";
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'Its signature is invalid.';
  return "It can't be verified with the keys of its issuer.";
}

function rejected(reason: string, cause?: unknown): ApiError {
  return new ApiError('unauthenticated', `The ID token was rejected. ${reason}`, { cause });
}

/** Shortens a value of the token and removes characters that change how a line is displayed. */
export function cleanTokenValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none');
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ').slice(0, 200);
}
