import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * Returns the 43 base62 characters of a new key, generated from 32 random bytes. Only their digest is stored.
 */
export function createApiKeySecret(): string {
  return toBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), randomLength);
}

/**
 * Returns `pk_<id>_<secret>`: the random characters, followed by a 6-character checksum of the ID and the
 * secret.
 */
export function formatApiKey(id: number | bigint | string, secret: string): string {
  return `pk_${id}_${secret}${checksum(String(id), secret)}`;
}

/** Returns the prefix that identifies a key when it's displayed later: `pk_12_aB3d`. */
export function apiKeyPrefix(id: number | bigint | string, secret: string): string {
  return `pk_${id}_${secret.slice(0, 4)}`;
}

/**
 * Returns the SHA-256 digest of a key, which is stored and compared. The secret has 256 random bits, so a
 * slow hash isn't required.
 */
export function digestApiKeySecret(secret: string): Buffer {
  return createHash('sha256').update(secret, 'utf8').digest();
}

/**
 * Parses an API key. Returns `null` if the text can't be a key: the checksum detects typos without a database
 * query. `id` is a decimal int64 above 0.
 */
export function parseApiKey(text: string): { id: string; digest: Buffer } | null {
  const match = apiKeyPattern.exec(text);
  const [, id, secret, sum] = match ?? [];
  if (id === undefined || secret === undefined || sum !== checksum(id, secret)) return null;
  if (BigInt(id) > maxId) return null;
  return { id, digest: digestApiKeySecret(secret) };
}

/** Compares two digests in constant time, so that the duration doesn't reveal where they differ. */
export function isSameDigest(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

/**
 * Creates a secret for a single use (invitation, reset, refresh): 32 random bytes in base64url for its owner,
 * and the digest to store.
 */
export function createOneTimeToken(): { token: string; digest: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, digest: digestOneTimeToken(token) };
}

export function digestOneTimeToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

/** Returns the digest of a token, or `null` if the text can't be a token, which avoids a database query. */
export function parseOneTimeToken(text: string): Buffer | null {
  return oneTimeTokenPattern.test(text) ? digestOneTimeToken(text) : null;
}

const randomLength = 43;
const checksumLength = 6;
const apiKeyPattern = /^pk_([1-9][0-9]{0,18})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/u;
const oneTimeTokenPattern = /^[0-9A-Za-z_-]{43}$/u;
const maxId = 2n ** 63n - 1n;
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function checksum(id: string, secret: string): string {
  return toBase62(BigInt(crc32(`${id}_${secret}`)), checksumLength);
}

function toBase62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text;
  return text;
}
