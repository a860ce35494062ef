import { createHmac, randomBytes } from 'node:crypto';
import { withoutTrailing } from '../../domain/text/trailing.ts';

/** Prefix of a signing secret, by which scanners recognize leaked secrets. */
const prefix = 'whsec_';

/** Creates a signing secret: `whsec_` followed by 24 random bytes in base64. */
export function createSigningSecret(): string {
  return prefix + randomBytes(24).toString('base64');
}

/**
 * Returns the key in a signing secret, or `null` if the secret is invalid. Standard Webhooks defines the
 * format: `whsec_` (optional) followed by 24 to 64 bytes in base64.
 */
export function parseSigningSecret(secret: string): Buffer | null {
  const base64 = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret;
  if (!/^[A-Za-z0-9+/]+={0,2}$/u.test(base64)) return null;
  const key = Buffer.from(base64, 'base64');
  // Encode the key again to validate its text, because `Buffer.from()` ignores invalid characters, but the
  // library of a receiver might not.
  const isValidBase64 = withoutTrailing(key.toString('base64'), '=') === withoutTrailing(base64, '=');
  return isValidBase64 && key.byteLength >= 24 && key.byteLength <= 64 ? key : null;
}

/**
 * Returns the value of `webhook-signature`: one `v1,<base64>` per secret, separated by spaces, so that a
 * receiver can use the old or the new secret.
 *
 * @param timestamp Seconds since 1970, as sent in `webhook-timestamp`.
 * @throws If a secret is malformed.
 */
export function signWebhook(
  id: string,
  timestamp: number,
  body: string | Uint8Array,
  secrets: readonly string[],
): string {
  return secrets
    .map((secret) => {
      const key = parseSigningSecret(secret);
      if (!key) throw new Error('a signing secret must be whsec_ followed by 24 to 64 bytes in base64');
      const mac = createHmac('sha256', key)
        .update(`${id}.${Math.floor(timestamp)}.`, 'utf8')
        .update(body);
      return `v1,${mac.digest('base64')}`;
    })
    .join(' ');
}
