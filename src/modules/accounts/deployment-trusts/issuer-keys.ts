import { createLocalJWKSet, errors, type JWK, type JWTVerifyGetKey } from 'jose';
import { countValues } from '../../../domain/json/count-values.ts';
import { isItem } from '../../../domain/json/json-item.ts';
import { withoutTrailing } from '../../../domain/text/trailing.ts';
import { type OutboundClient, OutboundError } from '../../../platform/outbound/index.ts';

/**
 * Thrown if the keys of an issuer can't be read. The message is for the caller and contains nothing from the
 * response.
 */
export class IssuerError extends Error {
  override readonly name = 'IssuerError';
}

export interface IssuerKeys {
  /**
   * Returns a function that finds the key of a token among the public keys of its issuer. The function throws
   * an error of `jose` if the issuer has no such key, and an `IssuerError` if the keys can't be read.
   */
  keysOf(issuer: string): JWTVerifyGetKey;
}

/** Limits of one response. The largest sets of keys have about 20 kB. Parsing within these limits takes about 1 ms. */
const maxBytes = 128 * 1024;
const jsonLimits = { values: 5_000, members: 2_000, depth: 20 };
const maxKeys = 100;
const timeoutMs = 10_000;
/** Cached keys are read again after `freshMs`. If that fails, they can be used until `usableMs`. */
const freshMs = 10 * 60_000;
const usableMs = 24 * 3_600_000;
/**
 * Minimum intervals between requests to an issuer, because anyone can trigger requests: for outdated keys,
 * and for keys with unknown IDs.
 */
const retryMs = 10_000;
const refetchMs = 60_000;
/** Maximum number of cached issuers. The oldest one is dropped first. */
const maxIssuers = 500;

/** Length limits for the fields of a key in base64url: RSA from 2,048 to 8,192 bits, and small exponents. */
const keyLengths = { minModulus: 341, maxModulus: 1_366, maxExponent: 8, maxCoordinate: 100 };

interface Kept {
  /** The last keys that could be read. */
  keys: JWTVerifyGetKey | null;
  readAt: number;
  /** The last request, which may still be in progress or have failed. */
  request: Promise<JWTVerifyGetKey>;
  requestedAt: number;
}

/** Reads the public keys of issuers through OpenID Connect Discovery, with the egress guard, and caches them. */
export function createIssuerKeys(outbound: Pick<OutboundClient, 'request'>): IssuerKeys {
  const kept = new Map<string, Kept>();

  async function readKeys(issuer: string): Promise<JWTVerifyGetKey> {
    const { keys = null, readAt = 0 } = kept.get(issuer) ?? {};
    const age = performance.now() - readAt;
    if (keys !== null && age < freshMs) return keys;
    try {
      return await requestKeys(issuer, retryMs);
    } catch (error) {
      // Tokens that are signed with known keys stay valid while the issuer can't be reached.
      if (keys !== null && age < usableMs) return keys;
      throw error;
    }
  }

  /**
   * Returns the result of the last request if it was sent less than `intervalMs` ago. Otherwise, sends a new
   * request.
   */
  function requestKeys(issuer: string, intervalMs: number): Promise<JWTVerifyGetKey> {
    const known = kept.get(issuer);
    const now = performance.now();
    if (known !== undefined && now - known.requestedAt < intervalMs) return known.request;
    const request = fetchKeys(issuer);
    const entry: Kept = { keys: known?.keys ?? null, readAt: known?.readAt ?? 0, request, requestedAt: now };
    request.then(
      (keys) => Object.assign(entry, { keys, readAt: now }),
      () => {},
    );
    kept.delete(issuer);
    if (kept.size >= maxIssuers) kept.delete(kept.keys().next().value!);
    kept.set(issuer, entry);
    return request;
  }

  async function fetchKeys(issuer: string): Promise<JWTVerifyGetKey> {
    const metadata = await readJson(`${withoutTrailing(issuer, '/')}/.well-known/openid-configuration`);
    if (metadata['issuer'] !== issuer)
      throw new IssuerError('The metadata of the issuer names another issuer.');
    const keysUrl = URL.parse(String(metadata['jwks_uri']));
    // If the issuer uses TLS, its keys must be read with TLS too. The egress guard decides if other issuers
    // can be reached without TLS.
    if (keysUrl === null || (keysUrl.protocol !== 'https:' && issuer.startsWith('https:')))
      throw new IssuerError('The metadata of the issuer has no https:// URL of its keys.');
    const { keys } = await readJson(keysUrl.href);
    if (!Array.isArray(keys) || keys.length > maxKeys)
      throw new IssuerError(`The issuer must have a list of at most ${maxKeys} keys.`);
    return createLocalJWKSet({ keys: keys.flatMap((key: unknown) => usableKey(key) ?? []) });
  }

  async function readJson(url: string): Promise<Record<string, unknown>> {
    let response: Awaited<ReturnType<typeof outbound.request>>;
    try {
      response = await outbound.request({ url, purpose: 'source', timeoutMs, maxBytes });
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw new IssuerError(`A request to the issuer failed: ${error.message}`, { cause: error });
    }
    const { status, body } = response;
    if (status !== 200) throw new IssuerError(`The issuer returned status ${status}.`);
    if (countValues(body, jsonLimits).exceeded !== null)
      throw new IssuerError('The response of the issuer has too many values or is nested too deeply.');
    try {
      const parsed: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
      if (isItem(parsed)) return parsed;
    } catch (error) {
      throw new IssuerError("The response of the issuer isn't JSON.", { cause: error });
    }
    throw new IssuerError("The response of the issuer isn't a JSON object.");
  }

  return {
    keysOf: (issuer) => async (header, token) => {
      const keys = await readKeys(issuer);
      try {
        return await keys(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        // The issuer may have rotated its keys. Anyone can send an unknown key ID, so the keys are rarely read again.
        const latest = await requestKeys(issuer, refetchMs);
        if (latest === keys) throw error;
        return latest(header, token);
      }
    },
  };
}

/**
 * Returns the fields of a public key that are needed to verify signatures, or null if the key can't verify
 * them.
 */
function usableKey(key: unknown): JWK | null {
  if (!isItem(key)) return null;
  const { kty, kid, alg, use } = key;
  if (use !== undefined && use !== 'sig') return null;
  const common = {
    ...(typeof kid === 'string' && { kid }),
    ...(typeof alg === 'string' && { alg }),
  };
  const isText = (value: unknown, max: number): value is string =>
    typeof value === 'string' && value.length <= max;
  const { n, e, crv, x, y } = key;
  const { minModulus, maxModulus, maxExponent, maxCoordinate } = keyLengths;
  if (kty === 'RSA' && isText(n, maxModulus) && n.length >= minModulus && isText(e, maxExponent))
    return { ...common, kty, n, e };
  if (!isText(crv, maxCoordinate) || !isText(x, maxCoordinate)) return null;
  if (kty === 'EC' && isText(y, maxCoordinate)) return { ...common, kty, crv, x, y };
  return kty === 'OKP' ? { ...common, kty, crv, x } : null;
}
